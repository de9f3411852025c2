//! Serving programs again that run on since an earlier run of ours.
//!
//! The host is asked for them aside, and what they have printed is read aside; what is typed into one
//! meanwhile is kept for it.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{LogErr as _, Worker};
use control::host::{Attached, EndStatus, ProgramStatus};
use crossbeam_channel::{Receiver, Sender, unbounded};
use host::{Client, ClientError, HostSource, Notice, Start, Transcript};
use pty::{Adopted, PtySession};
use terminal::TerminalBuffer;
use workspace::{Fact, ProgramId, Rejoined, RunningKind, RunningProgram};

use super::hearing::ended_fact;
use super::hosting::{Hosted, exit_of};
use super::label::{Label, Labelled};
use super::showing::Showing;
use super::sink::Shared;
use super::{Session, SessionId, Sessions};
use crate::catching_up::{Behind, CaughtUp};
use crate::last_session::Times;
use crate::news::{News, NewsSender};

/// Programs are caught up with side by side, but not more than that.
const MAX_THREADS: usize = 4;

/// Looks for a host that runs already.
#[derive(Debug)]
pub(crate) struct Finder {
    pub(super) start: Start,
    pub(super) news: NewsSender,
    pub(super) connection: u64,
}

/// The host that was found, and its programs that are ours.
#[derive(Debug)]
pub(crate) struct FoundHost {
    pub(super) client: Client,
    pub(super) connection: u64,
    programs: BTreeMap<u64, (ProgramStatus, Label)>,
}

impl Finder {
    /// Asks the host what it holds; `None` if there is none.
    ///
    /// # Errors
    /// There is one, but it cannot be talked to.
    pub(crate) fn find(self) -> Result<Option<FoundHost>, ClientError> {
        let Self { start, news, connection } = self;
        let tell = move |notice: Notice| news.send(News::Host(connection, notice));
        let Some(client) = Client::find(start, tell)? else { return Ok(None) };
        let mut programs = BTreeMap::new();
        for status in client.list()? {
            match Label::from_json(&status.label) {
                Some(label) => drop(programs.insert(status.program, (status, label))),
                None => {
                    tracing::warn!("program {} of the host is of another Trackside", status.pid);
                }
            }
        }
        Ok(Some(FoundHost { client, connection, programs }))
    }
}

impl FoundHost {
    /// What the state has to find a place for, in the order of their launches.
    pub(crate) fn programs(&self, times: Times) -> Vec<RunningProgram> {
        let program = |(key, (status, label)): (&u64, &(ProgramStatus, Label))| RunningProgram {
            key: *key,
            mark: status.mark.clone(),
            root: label.root.clone(),
            pid: status.pid.unsigned_abs(),
            started: times.at_wall_ms(status.started_ms),
            what: match label.kind.clone() {
                Labelled::Agent { name, command, by_name, launches } => {
                    RunningKind::Agent { name, command, by_name, launches }
                }
                Labelled::Terminal { command, kind } => RunningKind::Terminal { command, kind },
            },
        };
        self.programs.iter().map(program).collect()
    }
}

/// A program that is being caught up with, and what was asked of it meanwhile.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) mark: String,
    launch: u64,
    typed: Vec<Vec<u8>>,
    /// It is to be ended, and has so long for that.
    stop: Option<Duration>,
}

/// The threads that catch up, as long as there is something to catch up with.
#[derive(Debug)]
pub(super) struct Rejoining {
    found: BTreeMap<u64, (ProgramStatus, Label)>,
    client: Arc<Client>,
    connection: u64,
    workers: Vec<Worker<Sender<Job>>>,
    pub(super) waiting: BTreeMap<ProgramId, Waiting>,
    /// Nobody wants to know any more.
    is_over: Arc<AtomicBool>,
}

impl Drop for Rejoining {
    fn drop(&mut self) {
        // The threads are joined next.
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// One program to catch up with.
struct Job {
    program: ProgramId,
    status: ProgramStatus,
    label: Label,
    behind: Behind,
    times: Times,
    client: Arc<Client>,
    connection: u64,
}

/// What comes of it.
#[derive(Debug)]
pub(crate) struct Joined {
    program: ProgramId,
    launch: u64,
    caught_up: CaughtUp,
    /// How it had ended by then.
    ended: Option<EndStatus>,
    /// Nothing is there to be served if nothing is left of the program.
    served: Option<Served>,
}

#[derive(Debug)]
struct Served {
    hosted: Hosted,
    attached: Attached,
    master: OwnedFd,
    source: HostSource,
    child: RemoteChildBox,
    /// Why its transcript is not written.
    transcript_error: Option<String>,
}

/// Opaque in a log.
struct RemoteChildBox(Box<dyn pty::RemoteChild>);

impl std::fmt::Debug for RemoteChildBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RemoteChild")
    }
}

impl Job {
    fn run(self) -> Result<Joined, ClientError> {
        let Self { program, status, label, behind, times, client, connection } = self;
        let number = status.program;
        let folder = status.transcript.clone().map(std::path::PathBuf::from);
        let transcript = folder.and_then(|folder| {
            Transcript::open(&folder).log_err("reading what a program has printed")
        });
        let caught_up = match transcript {
            Some(transcript) => behind.catch_up(&transcript, times),
            None => behind.with_nothing(status.oldest),
        };
        let (launch, ended) = (label.launch, status.ended);
        if status.is_gone && ended.is_some() {
            client.discard(number);
            return Ok(Joined { program, launch, caught_up, ended, served: None });
        }
        let (attached, master) = client.attach(number)?;
        let source = client.open(number, caught_up.read)?;
        let hosted = Hosted {
            connection,
            program: number,
            from: source.start(),
            has_ended: status.ended.is_some(),
            has_views: client.has_views(),
        };
        let child = RemoteChildBox(client.child(number));
        let transcript_error = status.transcript_error;
        let served = Some(Served { hosted, attached, master, source, child, transcript_error });
        Ok(Joined { program, launch, caught_up, ended, served })
    }
}

impl Sessions {
    /// Whoever looks for a host does so with this, on a thread of its own; `None` without hosts.
    pub(crate) fn finder(&mut self) -> Option<Finder> {
        Some(self.hosting.as_mut()?.finder())
    }

    /// A host was found.
    pub(crate) fn take_found(&mut self, found: FoundHost) {
        let Some(hosting) = &mut self.hosting else { return };
        let FoundHost { client, connection, programs } = found;
        let (client, connection) = hosting.take_client(client, connection);
        let launches = programs.values().map(|(_, label)| label.launch).max().unwrap_or(0);
        self.launches = self.launches.max(launches);
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let n_threads = n_threads.min(MAX_THREADS).min(programs.len());
        let is_over = Arc::<AtomicBool>::default();
        let workers = (0..n_threads).filter_map(|number| {
            let (jobs, todo) = unbounded::<Job>();
            let (news, is_over) = (self.news.clone(), Arc::clone(&is_over));
            let name = format!("rejoin:{number}");
            let run = move || serve(&todo, &news, &is_over);
            Worker::spawn(name, jobs, run).log_err("starting a thread")
        });
        let workers = workers.collect();
        let found = programs;
        let waiting = BTreeMap::new();
        self.rejoining = Some(Rejoining { found, client, connection, workers, waiting, is_over });
    }

    /// Catches up with a program that was found; it comes as [`News::Joined`].
    pub(crate) fn rejoin(&mut self, program: ProgramId, key: u64, behind: Behind, times: Times) {
        let Some(rejoining) = &mut self.rejoining else { return };
        let Some((status, label)) = rejoining.found.remove(&key) else { return };
        let end = |end: EndStatus| (exit_of(end), times.at_wall_ms(end.at_ms));
        let behind = Behind { ended: status.ended.map(end), ..behind };
        let (client, connection) = (Arc::clone(&rejoining.client), rejoining.connection);
        let waiting = Waiting {
            mark: status.mark.clone(),
            launch: label.launch,
            typed: Vec::new(),
            stop: None,
        };
        let job = Job { program, status, label, behind, times, client, connection };
        let turn = rejoining.waiting.len() % rejoining.workers.len().max(1);
        rejoining.waiting.insert(program, waiting);
        match rejoining.workers.get(turn).and_then(Worker::stop_handle) {
            Some(jobs) => drop(jobs.send(job).log_err("catching up with a program")),
            None => self.news.send(News::NotJoined(program)),
        }
    }

    /// Serves a program again; `None` if nobody waits for it any more.
    ///
    /// # Errors
    /// There is no thread for it, or no host any more.
    pub(crate) fn join(&mut self, joined: Joined) -> Result<Option<Fact>, (ProgramId, io::Error)> {
        let Joined { program: id, launch, caught_up, ended, served } = joined;
        let CaughtUp { terminal, agent, directory, read: _, is_partial } = caught_up;
        let Some(waiting) = self.wait_no_longer(id) else {
            // It was started again meanwhile, or closed; or else it is left to itself, as we end.
            if let (true, Some(served), Some(hosting)) =
                (self.unwanted.remove(&id), served, &self.hosting)
            {
                hosting.discard(served.hosted);
            }
            return Ok(None);
        };
        if let Some(served) = served {
            let connection = served.hosted.connection;
            if !self.hosting.as_ref().is_some_and(|it| it.is_connected(connection)) {
                return Err((id, io::Error::other("the host has gone")));
            }
            self.serve(id, launch, terminal.clone(), served).map_err(|err| (id, err))?;
            if is_partial || terminal.modes().contains(terminal::Modes::ALT_SCREEN) {
                self.ask_to_redraw(id);
            }
            for bytes in waiting.typed {
                self.write(id, bytes).log_err("typing what was typed before");
            }
            if let Some(grace) = waiting.stop {
                self.stop(id, grace);
            }
        }
        // An agent's end was taken in at its time.
        if let (Some(end), None) = (ended, &agent) {
            self.news.fact(Fact::Exited { program: id, exit: exit_of(end) });
        }
        let rejoined = match agent {
            Some(agent) => Rejoined::Agent(agent),
            None => Rejoined::Terminal { buffer: terminal, directory },
        };
        Ok(Some(Fact::Rejoined { program: id, rejoined }))
    }

    /// Whatever comes of the program is not wanted any more, or has come.
    pub(super) fn wait_no_longer(&mut self, id: ProgramId) -> Option<Waiting> {
        let waiting = self.rejoining.as_mut()?.waiting.remove(&id);
        self.rejoining.take_if(|it| it.waiting.is_empty());
        waiting
    }

    /// What has run under that name so far is to be gone.
    pub(super) fn want_no_longer(&mut self, id: ProgramId) {
        if self.wait_no_longer(id).is_some() {
            self.unwanted.insert(id);
        }
    }

    /// It cannot be served again.
    pub(crate) fn give_up_joining(&mut self, id: ProgramId) {
        drop(self.wait_no_longer(id));
    }

    /// A program that is not served yet.
    pub(super) fn waiting(&self, id: ProgramId) -> Option<&Waiting> {
        self.rejoining.as_ref()?.waiting.get(&id)
    }

    pub(super) fn waiting_mut(&mut self, id: ProgramId) -> Option<&mut Waiting> {
        self.rejoining.as_mut()?.waiting.get_mut(&id)
    }

    fn serve(
        &mut self,
        id: ProgramId,
        launch: u64,
        terminal: TerminalBuffer,
        served: Served,
    ) -> io::Result<()> {
        let Served { mut hosted, attached, master, source, child, transcript_error } = served;
        let flight = self.flights.begin(id, terminal.size());
        if let Some((_, screen)) = terminal.repaint() {
            flight.output(&terminal, &screen);
        }
        let shared = Shared::new();
        let make_sink = self.sink_of(id, &shared, terminal.clone(), flight);
        let adopted = Adopted {
            master,
            source,
            pid: attached.pid.unsigned_abs(),
            mark: attached.mark,
            child: child.0,
            name: id.to_string(),
        };
        let pty = PtySession::adopt(adopted, make_sink)?;
        let early = self.hosting.as_mut().and_then(|it| it.early_end(hosted.program));
        let ended_before = hosted.has_ended;
        hosted.has_ended |= early.is_some();
        if let Some(end) = early.filter(|_| !ended_before) {
            let printed = end.total.saturating_sub(hosted.from);
            pty.ended(printed, ended_fact(id, exit_of(end), self.flights.of(id), &self.news));
        }
        let previous = self.running.remove(&id);
        self.bury(previous);
        let mut session = Session {
            id: SessionId(launch),
            pty,
            hosted: Some(hosted),
            shared,
            sizes: crate::resizing::Sizes::default(),
            terminal,
            showing: Showing::default(),
        };
        session.follow();
        self.running.insert(id, session);
        self.begin_to_keep(id, hosted, transcript_error);
        Ok(())
    }

    fn ask_to_redraw(&self, id: ProgramId) {
        if let Some(session) = self.running.get(&id) {
            session.pty.ask_to_redraw();
        }
    }
}

impl Waiting {
    pub(super) fn typed(&mut self, bytes: Vec<u8>) {
        self.typed.push(bytes);
    }

    /// It is ended as soon as it is served.
    pub(super) fn stop(&mut self, grace: Duration) {
        self.stop = Some(grace);
    }

    /// What its session will be.
    pub(super) fn session(&self) -> SessionId {
        SessionId(self.launch)
    }
}

fn serve(todo: &Receiver<Job>, news: &NewsSender, is_over: &AtomicBool) {
    for job in todo.iter().take_while(|_| !is_over.load(Ordering::Relaxed)) {
        let program = job.program;
        news.send(match job.run() {
            Ok(joined) => News::Joined(Box::new(joined)),
            Err(err) => {
                tracing::warn!("program {program} cannot be served again: {err}");
                News::NotJoined(program)
            }
        });
    }
}
