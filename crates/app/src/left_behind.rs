//! Finding and ending what a crash left behind while the window goes on.
//!
//! Looking reads every process there is, and ending waits for them, so a thread of its own does both. It
//! is started with the first look, which comes once what was open is open again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{LogErr as _, Worker};
use crossbeam_channel::{Receiver, Sender, unbounded};
use host::{Orphan, Verdict};
use workspace::{Fact, LeftBehind, LookReason};

use crate::app::App;
use crate::commands::clean;
use crate::news::NewsSender;
use crate::orphans::Known;
use crate::places::Places;

/// How long programs that have just lost their terminal are given to end by themselves.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// Why it is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Started,
    /// What ran in the host was hung up on just now.
    HostLost,
    Asked,
}

#[derive(Debug)]
enum Job {
    Look(Look),
    /// End those whose records these are.
    End(Vec<PathBuf>, Duration),
}

/// The thread, once there is one, and how many answers are to come.
#[derive(Debug, Default)]
pub(crate) struct Looking {
    worker: Option<Worker<Sender<Job>>>,
    n_open: usize,
}

impl Looking {
    pub(crate) fn is_busy(&self) -> bool {
        self.n_open > 0
    }

    pub(crate) fn answered(&mut self) {
        self.n_open = self.n_open.saturating_sub(1);
    }
}

impl App {
    pub(crate) fn look_for_left_behind(&mut self, look: Look) {
        self.send_left_behind(Job::Look(look));
    }

    pub(crate) fn end_left_behind(&mut self, records: Vec<PathBuf>, grace: Duration) {
        self.send_left_behind(Job::End(records, grace));
    }

    fn send_left_behind(&mut self, job: Job) {
        if self.orphans.worker.is_none() {
            let (sender, jobs) = unbounded();
            let (places, news) = (self.places.clone(), self.inbox.sender());
            let worker = Worker::spawn("orphans", sender, move || serve(&jobs, &places, &news));
            self.orphans.worker = worker.log_err("starting a thread");
        }
        let jobs = self.orphans.worker.as_ref().and_then(Worker::stop_handle);
        let sent = jobs.and_then(|jobs| jobs.send(job).log_err("looking for what was left"));
        self.orphans.n_open += usize::from(sent.is_some());
    }
}

fn serve(jobs: &Receiver<Job>, places: &Places, news: &NewsSender) {
    for job in jobs {
        let (reason, patience) = match job {
            Job::Look(Look::Asked) => (LookReason::Asked, Duration::ZERO),
            Job::Look(Look::Started) => (LookReason::Crash, Duration::ZERO),
            Job::Look(Look::HostLost) => (LookReason::Crash, SETTLE_TIME),
            Job::End(records, grace) => {
                (LookReason::Ended(end(&records, grace, places)), Duration::ZERO)
            }
        };
        let orphans = match look(places, patience) {
            Ok(orphans) => orphans,
            Err(err) => {
                let text = format!("what a crash left behind cannot be looked up: {err}");
                news.fact(Fact::Refused(text));
                // Whoever waits for the answer has it.
                let (programs, reason) = (Vec::new(), LookReason::Crash);
                news.fact(Fact::LeftBehind { programs, reason });
                continue;
            }
        };
        let set_aside = host::tidy(&orphans);
        if !set_aside.is_empty() {
            let names: Vec<_> = set_aside.iter().map(|path| path.display().to_string()).collect();
            let text = format!("Records of programs were damaged and are now {}", names.join(", "));
            news.fact(Fact::Notice(text));
        }
        let programs = left(&orphans, patience, places.home.as_deref());
        news.fact(Fact::LeftBehind { programs, reason });
    }
}

/// What there is once the host is gone, if that has just hung up.
fn look(places: &Places, patience: Duration) -> io::Result<Vec<Orphan>> {
    let orphans = host::orphans(&places.state_dir)?;
    let is_hosted = |orphan: &&Orphan| matches!(orphan.verdict, Verdict::Hosted { .. });
    // All of one: there are no two at a time.
    match orphans.iter().find(is_hosted).filter(|_| !patience.is_zero()) {
        Some(orphan) if orphan.await_end_of_host(patience)? => host::orphans(&places.state_dir),
        Some(_) | None => Ok(orphans),
    }
}

/// Those that are alive, and still are after that time all together.
fn left(orphans: &[Orphan], patience: Duration, home: Option<&Path>) -> Vec<LeftBehind> {
    let mut patience = patience;
    let mut stays = |orphan: &Orphan| {
        if patience.is_zero() {
            return true;
        }
        match orphan.await_end(patience) {
            Ok(true) => false,
            Ok(false) => {
                // The others have had as much time by now.
                patience = Duration::from_millis(1);
                true
            }
            Err(err) => {
                tracing::warn!("while waiting for what a crash left behind: {err}");
                true
            }
        }
    };
    let program = |orphan: &Orphan| {
        let Verdict::Alive { pid } = orphan.verdict else { return None };
        let known = Known::of(orphan);
        stays(orphan).then(|| LeftBehind {
            record: orphan.path.clone(),
            pid,
            name: clean(&known.name),
            place: clean(&known.place(home)),
        })
    };
    orphans.iter().filter_map(program).collect()
}

/// Ends those whose records these are; gives how many that were.
fn end(records: &[PathBuf], grace: Duration, places: &Places) -> usize {
    let found = host::orphans(&places.state_dir).log_err("looking up what a crash left behind");
    let meant = |orphan: &Orphan| records.contains(&orphan.path);
    let meant: Vec<Orphan> = found.unwrap_or_default().into_iter().filter(meant).collect();
    let ended = host::end_orphans(&meant, grace);
    let is_gone = |result: &io::Result<bool>| match result {
        Ok(is_gone) => *is_gone,
        Err(err) => {
            tracing::warn!("while ending what a crash left behind: {err}");
            false
        }
    };
    ended.iter().filter(|(_, result)| is_gone(result)).count()
}
