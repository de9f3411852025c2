//! Looking up what was open last, and which text was not saved, while the window is already there.
//!
//! A folder may lie on a disk that takes its time, so a thread of its own looks; it does so once. What
//! others ask meanwhile waits for it, but not for long.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::Exit;
use base::{LogErr as _, Worker};
use buffer::DiskStamp;
use host::{Transcript, transcript};
use store::journal::{self, Base, Found, Journals};
use store::{Loaded, Session};
use workspace::{
    Fact, KeptEnd, KeptPanes, KeptSession, KeptTab, KeptText, KeptWorkspace, RunningProgram,
    WentDown,
};

use crate::app::App;
use crate::host_command;
use crate::last_session::{Times, boot_id, kept_session, position};
use crate::left_behind::Look;
use crate::news::News;
use crate::places::Places;
use crate::sessions::{Finder, FoundHost, agent_transcripts};
use crate::socket::Incoming;
use crate::startup::Startup;

/// After which nobody waits any more; what comes later is opened later.
const PATIENCE: Duration = Duration::from_secs(2);

/// What there is to be opened again.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    session: KeptSession,
    texts: Vec<KeptText>,
    /// The journals of the texts, by path.
    journals: Vec<(PathBuf, PathBuf)>,
    went_down: Option<WentDown>,
    /// The host, and what runs there.
    found: Option<FoundHost>,
    running: Vec<RunningProgram>,
    /// What could not be found, or was damaged.
    notices: Vec<String>,
}

/// The thread that looks, and who waits for it.
#[derive(Debug)]
pub(crate) struct Restoring {
    waiting: Option<Waiting>,
    _worker: Worker,
}

#[derive(Debug)]
struct Waiting {
    startup: Startup,
    requests: Vec<Incoming>,
    until: Instant,
}

impl App {
    /// Opens what was open last, and then what the command line named.
    pub(crate) fn begin(&mut self, startup: Startup, now: Instant) {
        self.measure_cells();
        self.fit_panes(now);
        if startup.uses_host {
            self.sessions.use_host(host_command::start(&self.places));
        }
        if startup.is_fresh {
            self.put_last_session_beside(now);
        }
        let (places, news) = (self.places.clone(), self.inbox.sender());
        let (is_fresh, finder) = (startup.is_fresh, self.sessions.finder());
        let worker = Worker::spawn("restore", (), move || {
            let mut restored = if is_fresh { Restored::default() } else { read(&places, now) };
            restored.find_running(finder, &places, now);
            news.send(News::Restored(Box::new(restored)));
        });
        match worker.log_err("starting a thread") {
            Some(worker) => {
                let until = now + PATIENCE;
                let waiting = Some(Waiting { startup, requests: Vec::new(), until });
                self.restoring = Some(Restoring { waiting, _worker: worker });
            }
            None => {
                self.session.open();
                self.open_named(&startup, now);
            }
        }
    }

    /// What was left is put beside, or left where it is: nothing is lost by it.
    fn put_last_session_beside(&mut self, now: Instant) {
        let state_dir = &self.places.state_dir;
        let beside = Session::put_beside(state_dir).log_err("putting the last session beside");
        let journals = journal::n_journals(&self.places.journal_dir());
        let mut said = Vec::new();
        if let Some(before) = beside.flatten() {
            said.push(format!("What was open last time is kept in {}", before.display()));
        }
        if journals > 0 {
            said.push(format!("{journals} unsaved texts come back at a start without --fresh"));
        }
        if !said.is_empty() {
            self.observe(Fact::Notice(said.join(". ")), now);
        }
    }

    /// Keeps what is asked until it is known what is open; gives back what need not wait.
    pub(crate) fn put_off_request(&mut self, incoming: Incoming) -> Option<Incoming> {
        match self.restoring.as_mut().and_then(|restoring| restoring.waiting.as_mut()) {
            Some(waiting) => {
                waiting.requests.push(incoming);
                None
            }
            None => Some(incoming),
        }
    }

    pub(crate) fn restored(&mut self, restored: Restored, now: Instant) {
        let Restored { session, texts, journals, went_down, found, running, notices } = restored;
        if let Some(found) = found {
            self.sessions.take_found(found);
        }
        let roots: Vec<PathBuf> = session.workspaces.iter().map(|it| it.root.clone()).collect();
        let down = went_down.unwrap_or(WentDown::Trackside);
        self.observe(Fact::SessionRead { session, texts, running, down }, now);
        // A text that found no place stays where it is.
        let is_back = |path: &Path| {
            let mut files = self.state.files();
            files.any(|(_, file)| file.path() == path && file.has_kept_text())
        };
        let journals: Vec<_> = journals.into_iter().filter(|(path, _)| is_back(path)).collect();
        self.unsaved.found(journals);
        let open =
            self.state.workspaces().iter().filter(|it| roots.iter().any(|root| root == it.root()));
        for id in open.map(workspace::Workspace::id).collect::<Vec<_>>() {
            self.look_at_project(id, now);
        }
        self.session.open();
        self.session.touch(now);
        self.stop_waiting(now);
        if !notices.is_empty() {
            self.observe(Fact::Notice(notices.join(". ")), now);
        }
        self.restoring = None;
        self.look_for_left_behind(Look::Started);
    }

    pub(crate) fn stop_waiting_if_due(&mut self, now: Instant) {
        if self.waits_until().is_some_and(|until| until <= now) {
            tracing::warn!("what was open last is still being looked up");
            self.stop_waiting(now);
        }
    }

    /// When those who wait do so no longer.
    pub(crate) fn waits_until(&self) -> Option<Instant> {
        Some(self.restoring.as_ref()?.waiting.as_ref()?.until)
    }

    fn stop_waiting(&mut self, now: Instant) {
        let waiting = self.restoring.as_mut().and_then(|restoring| restoring.waiting.take());
        let Some(Waiting { startup, requests, .. }) = waiting else { return };
        self.open_named(&startup, now);
        for incoming in requests {
            self.serve_incoming(incoming, now);
        }
    }
}

/// Reads what is left of the last run. Nothing in it can make this fail.
fn read(places: &Places, now: Instant) -> Restored {
    let mut restored = Restored::default();
    match Session::load(&places.state_dir) {
        Ok(Loaded { value, set_aside }) => {
            let same_boot = value.boot.is_none() || value.boot == boot_id();
            let down = if same_boot { WentDown::Trackside } else { WentDown::Machine };
            restored.went_down = Some(down);
            restored.session = kept_session(value, times(down, now));
            restored.notices.extend(set_aside.map(|bad| {
                format!("What was open last time was damaged and is now {}", bad.display())
            }));
        }
        Err(err) => restored.notices.push(err.to_string()),
    }
    restored.take_texts(journal::read_all(&places.journal_dir()));
    restored.leave_out_what_is_gone();
    restored.make_room_for_texts();
    restored
}

impl Restored {
    /// Asks the host what runs on. What does not may have ended while nobody looked.
    fn find_running(&mut self, finder: Option<Finder>, places: &Places, now: Instant) {
        let this_boot = Times::of_this_boot(now);
        match finder.map(Finder::find) {
            None | Some(Ok(None)) => {}
            Some(Ok(Some(found))) => {
                self.running = found.programs(this_boot);
                self.found = Some(found);
            }
            Some(Err(err)) => {
                let text = format!("What runs in the host cannot be shown: {err}");
                self.notices.push(text);
            }
        }
        let times = times(self.went_down.unwrap_or(WentDown::Trackside), now);
        for workspace in &mut self.session.workspaces {
            let root = &workspace.root;
            let is_running = |it: &RunningProgram| it.root == *root && it.is_agent();
            if let Some(agent) = workspace.agent.as_mut()
                && agent.end == KeptEnd::Alive
                && !self.running.iter().any(is_running)
                && let Some((exit, at)) = recorded_end(places, root, agent.since, times)
            {
                agent.end = KeptEnd::Exited { exit, was_asked: false };
                (agent.since, agent.doing) = (at, None);
            }
        }
    }

    fn take_texts(&mut self, journals: Journals) {
        let Journals { found, set_aside, failed } = journals;
        let cut: Vec<String> = found.iter().filter(|it| it.is_cut).filter_map(named).collect();
        if !cut.is_empty() {
            let names = cut.join(", ");
            self.notices.push(format!("The last changes to {names} may be missing"));
        }
        for Found { journal, subject, text, place, is_cut: _ } in found {
            let is_text = str::from_utf8(&text).is_ok() && !text.contains(&0);
            let Some(path) = subject.path.filter(|_| is_text) else {
                let place = journal.display();
                self.notices.push(format!("Unsaved text that belongs to no file is in {place}"));
                continue;
            };
            self.journals.push((path.clone(), journal));
            let base = subject.base.map(|Base { len, hash }| DiskStamp {
                len,
                hash,
                modified: None,
                inode: 0,
            });
            let (anchor, cursor) = (position(place.anchor), position(place.head));
            self.texts.push(KeptText { path, base, bytes: text, anchor, cursor });
        }
        let aside = set_aside.iter().map(|bad| bad.display().to_string());
        let aside: Vec<String> = aside.collect();
        if !aside.is_empty() {
            let aside = aside.join(", ");
            self.notices
                .push(format!("Unsaved text was damaged; what there was is kept in {aside}"));
        }
        self.notices.extend(failed.iter().map(ToString::to_string));
    }

    /// Folders that are no folders any more, and files that are nowhere.
    fn leave_out_what_is_gone(&mut self) {
        let mut gone = Vec::new();
        self.session.retain_workspaces(|workspace| {
            let is_there = workspace.root.is_dir();
            if !is_there {
                gone.push(workspace.root.display().to_string());
            }
            is_there
        });
        let texts = &self.texts;
        let mut is_there = |tab: &KeptTab| {
            let KeptTab::File { path, .. } = tab else { return true };
            let is_missing = || {
                fs::metadata(path).is_err_and(|err| {
                    matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
                })
            };
            let has_text = texts.iter().any(|text| text.path == *path);
            let is_there = has_text || !is_missing();
            if !is_there {
                gone.push(path.display().to_string());
            }
            is_there
        };
        for workspace in &mut self.session.workspaces {
            workspace.panes.retain(&mut is_there);
        }
        match &gone[..] {
            [] => {}
            [one] => self.notices.push(format!("{one} is gone and was not opened again")),
            [first, others @ ..] => {
                let n = others.len();
                self.notices
                    .push(format!("{first} and {n} more are gone and were not opened again"));
            }
        }
    }

    /// A text needs a window to come back to, also when its folder is gone.
    fn make_room_for_texts(&mut self) {
        let Some(first) = self.texts.first().filter(|_| self.session.workspaces.is_empty()) else {
            return;
        };
        let folder = first.path.ancestors().skip(1).find(|folder| folder.is_dir());
        let root = folder.unwrap_or(Path::new("/")).to_owned();
        let name = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
        let panes = KeptPanes::Tabs { tabs: Vec::new(), active: None };
        let workspace = KeptWorkspace { root, name, agent: None, panes, focused: 0 };
        self.session.workspaces.push(workspace);
        self.session.active = Some(0);
    }
}

fn times(down: WentDown, now: Instant) -> Times {
    match down {
        WentDown::Trackside => Times::of_this_boot(now),
        WentDown::Machine => Times::new(now),
    }
}

/// How the last agent of that folder ended, if it has since then and its host was there to see it.
fn recorded_end(
    places: &Places,
    root: &Path,
    since: Instant,
    times: Times,
) -> Option<(Exit, Instant)> {
    let folder = places.state_dir.join(transcript::FOLDER).join(agent_transcripts(root));
    let last = transcript::launches(&folder).ok()?.pop()?;
    let end = Transcript::open(&last).ok()?.exit()?;
    let exit = end.signal.map(Exit::Signal).or(end.code.map(Exit::Code))?;
    let at = times.at_wall_ms(end.at_ms);
    (at >= since).then_some((exit, at))
}

/// The name of the file that a text belongs to.
fn named(found: &Found) -> Option<String> {
    Some(found.subject.path.as_ref()?.file_name()?.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests;
