//! The running programs behind agents and terminals: the PTY side that the state never sees.
//!
//! The state asks for a program by effect and hears of it by fact; only this module knows that it
//! is a PTY, the host's or our own. A session is let go of on a thread of its own, as that may have to wait for
//! what is left of its processes.

mod ending;
mod hearing;
mod hosting;
mod keeping;
mod label;
mod rejoining;
mod showing;
mod sink;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use agent::{AgentId, Exit};
use base::Worker;
use crossbeam_channel::{Sender, unbounded};
use host::{ClientError, Start};
use pty::{Ended, Foreground, PtySession, PtyWriter, SpawnError, SpawnRequest};
use terminal::{Paste, TerminalBuffer};
use workspace::{Fact, Keeping, Outside, PasteNews, PlainTerminal, ProgramId, StartIn};

use self::hosting::{Hosted, Hosting};
use self::keeping::Unkept;
pub(crate) use self::label::{Label, Labelled, agent_transcripts};
use self::rejoining::Rejoining;
pub(crate) use self::rejoining::{Finder, FoundHost, Joined};
use self::showing::Showing;
use self::sink::{Shared, Sink};
use crate::environment;
use crate::flights::{Flight, Flights};
use crate::hooking::{Hooking, Launching};
use crate::news::{NewsSender, OutputWakers};
use crate::resizing::{Resizing, Sizes, pty_size};
use crate::sampling::Sampling;

/// Names one launch: a restarted program keeps its id, but its session is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionId(u64);

#[derive(Debug)]
struct Session {
    id: SessionId,
    pty: PtySession,
    /// By which the host knows it, if it is not our own.
    hosted: Option<Hosted>,
    shared: Shared,
    sizes: Sizes,
    terminal: TerminalBuffer,
    showing: Showing,
}

#[derive(Debug)]
pub(crate) struct Sessions {
    running: BTreeMap<ProgramId, Session>,
    launches: u64,
    news: NewsSender,
    wakers: OutputWakers,
    socket: PathBuf,
    /// Unless programs are to be our own.
    hosting: Option<Hosting>,
    unkept: Unkept,
    /// Programs that run on since an earlier run of ours and are not served yet.
    rejoining: Option<Rejoining>,
    /// Of those, programs that are to be gone.
    unwanted: BTreeSet<ProgramId>,
    hooking: Hooking,
    resizing: Resizing,
    sampling: Sampling,
    pub(crate) flights: Flights,
    graveyard: Worker<Sender<PtySession>>,
}

/// What to start.
#[derive(Debug)]
pub(crate) struct Program {
    pub id: ProgramId,
    pub workspace: String,
    pub argv: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// Where programs are looked for.
    pub path: Option<OsString>,
    pub cwd: PathBuf,
    pub terminal: TerminalBuffer,
    /// Whether it is asked to report what it does.
    pub hooks: bool,
    /// By which a later run of ours knows it again.
    pub label: Option<Label>,
}

impl Sessions {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn new(
        news: NewsSender,
        wakers: OutputWakers,
        socket: PathBuf,
    ) -> std::io::Result<Self> {
        let (bury, buried) = unbounded::<PtySession>();
        let graveyard = Worker::spawn("graveyard", bury, move || {
            buried.iter().for_each(drop);
        })?;
        let resizing = Resizing::start(wakers.output.clone())?;
        let sampling = Sampling::start(news.clone())?;
        let hooking = Hooking::new();
        Ok(Self {
            running: BTreeMap::new(),
            launches: 0,
            news,
            wakers,
            socket,
            hosting: None,
            unkept: Unkept::default(),
            rejoining: None,
            unwanted: BTreeSet::new(),
            hooking,
            resizing,
            sampling,
            flights: Flights::new(),
            graveyard,
        })
    }

    /// From now on the host starts programs.
    pub(crate) fn use_host(&mut self, start: Start) {
        self.hosting = Some(Hosting::new(start, self.news.clone()));
    }

    /// The host's process, if one was ever needed: all programs descend from it.
    pub(crate) fn host_pid(&self) -> Option<i32> {
        self.hosting.as_ref()?.pid()
    }

    /// Starts the program; its exit will come as a fact.
    ///
    /// # Errors
    /// Nothing was started; the error is a line for the person.
    pub(crate) fn spawn(&mut self, program: Program) -> Result<u32, SpawnError> {
        let Program { id, workspace, argv, env, path, cwd, terminal, hooks, label } = program;
        let env = environment::for_program(&self.socket, &workspace, path, env);
        let launch = self.launches + 1;
        let argv = match hooks {
            true => self.hooking.add(argv, &Launching { launch, env: &env, cwd: &cwd }),
            false => argv,
        };
        let request = SpawnRequest {
            argv: argv.into_iter().map(OsString::from).collect(),
            env,
            cwd,
            size: pty_size(terminal.size()),
            name: id.to_string(),
        };
        let previous = self.running.remove(&id);
        self.bury(previous);
        // Of the launch before nobody wants to see anything any more.
        self.want_no_longer(id);
        // What the last launch said does not count for this one.
        drop(self.wakers.said.take_of(id));
        let shared = Shared::new();
        let flight = self.flights.begin(id, terminal.size());
        let make_sink = self.sink_of(id, &shared, terminal.clone(), flight.clone());
        let news = self.news.clone();
        let on_exit = move |ended| {
            let exit = match ended {
                Ended::Code(code) => Exit::Code(code),
                Ended::Signal(signal) => Exit::Signal(signal),
            };
            flight.exited(exit);
            news.fact(Fact::Exited { program: id, exit });
        };
        let label = label.map(|label| Label { launch, ..label });
        let (pty, hosted) = self.start(request, label, make_sink, on_exit)?;
        let pid = pty.pid();
        self.launches = launch;
        let (sizes, showing) = (Sizes::default(), Showing::default());
        let mut session =
            Session { id: SessionId(launch), pty, hosted, shared, sizes, terminal, showing };
        session.follow();
        self.running.insert(id, session);
        if let Some(hosted) = hosted {
            self.begin_to_keep(id, hosted, None);
        }
        Ok(pid)
    }

    /// What feeds the program's terminal, once there is somebody to answer for it.
    fn sink_of(
        &self,
        program: ProgramId,
        shared: &Shared,
        terminal: TerminalBuffer,
        flight: Flight,
    ) -> impl FnOnce(PtyWriter) -> Sink + use<> {
        let (shared, wakers) = (shared.clone(), self.wakers.clone());
        move |writer| Sink {
            program,
            terminal,
            writer,
            wakers,
            shared,
            is_deaf: false,
            is_sized: false,
            flight,
        }
    }

    /// Has the host start it; without one it is our own.
    fn start(
        &mut self,
        request: SpawnRequest,
        label: Option<Label>,
        make_sink: impl FnOnce(PtyWriter) -> Sink,
        on_exit: impl FnOnce(Ended) + Send + 'static,
    ) -> Result<(PtySession, Option<Hosted>), SpawnError> {
        if let (Some(hosting), Some(label)) = (&mut self.hosting, label) {
            match hosting.begin(&request, &label) {
                Ok((hosted, adopted)) => {
                    if hosting.is_content_again() {
                        self.news.fact(Fact::Keeping(Keeping::Programs, Ok(())));
                    }
                    return match PtySession::adopt(adopted, make_sink) {
                        Ok(pty) => Ok((pty, Some(hosted))),
                        Err(source) => {
                            hosting.discard(hosted);
                            Err(SpawnError::Thread { source })
                        }
                    };
                }
                Err(ClientError::Spawn(err)) => return Err(err),
                Err(err) => {
                    if let Some(complaint) = hosting.complaint(&err) {
                        self.news.fact(Fact::Keeping(Keeping::Programs, Err(complaint)));
                    }
                }
            }
        }
        Ok((PtySession::spawn(request, make_sink, on_exit)?, None))
    }

    /// # Errors
    /// The program does not read, and its queue is full.
    pub(crate) fn write(&mut self, id: ProgramId, bytes: Vec<u8>) -> Result<(), pty::WriteRefused> {
        let Some(session) = self.running.get(&id) else {
            if let Some(waiting) = self.waiting_mut(id) {
                waiting.typed(bytes);
            }
            return Ok(());
        };
        session.shared.expects_echo.store(true, Ordering::Release);
        self.flights.of(id).input(&bytes);
        session.pty.write(bytes)
    }

    /// # Errors
    /// Too much waits for the program already.
    pub(crate) fn paste(&mut self, id: ProgramId, paste: Paste) -> Result<(), pty::WriteRefused> {
        let Some(session) = self.running.get(&id) else {
            if let Some(waiting) = self.waiting_mut(id) {
                paste.for_each(|chunk| waiting.typed(chunk));
            }
            return Ok(());
        };
        // As much as an agent's state is told of it.
        self.flights.of(id).input(if paste.presses_enter() { b"\r" } else { b" " });
        let news = self.news.clone();
        let tell = move |what| {
            news.fact(Fact::Paste {
                program: id,
                news: match what {
                    pty::PasteNews::Waits => PasteNews::Waits,
                    pty::PasteNews::Ended => PasteNews::Ended,
                    pty::PasteNews::CutOff => PasteNews::CutOff,
                },
            });
        };
        session.pty.paste(paste.held(), paste.ending(), paste, tell)
    }

    /// Drops what the program has not been given of pastes.
    pub(crate) fn stop_pastes(&self, id: ProgramId) {
        if let Some(session) = self.running.get(&id) {
            session.pty.stop_pastes();
        }
    }

    /// Gives a terminal the size that it wants, and tells its program: soon, or a little later if
    /// that has just been told another. The last size is told in any case.
    pub(crate) fn resize(&mut self, id: ProgramId, terminal: TerminalBuffer, now: Instant) {
        match self.running.get_mut(&id) {
            // By the host, which knows of others who show it.
            Some(session) if session.shared.is_following() => {}
            Some(session) => {
                session.sizes.want(terminal);
                self.tell_sizes(now);
            }
            None => self.resizing.resize(terminal, None, self.flights.of(id)),
        }
    }

    /// Looks at the program's processes; what is seen comes as a fact.
    pub(crate) fn sample(&self, program: ProgramId) {
        let sampler = self.running.get(&program).map(|session| session.pty.sampler());
        self.sampling.sample(program, sampler, self.flights.of(program));
    }

    /// Tells the sizes for which it is time now.
    pub(crate) fn tell_sizes(&mut self, now: Instant) {
        self.tell_host(now);
        for (id, session) in &mut self.running {
            if let Some(terminal) = session.sizes.take_due(now) {
                let flight = self.flights.of(*id);
                self.resizing.resize(terminal, Some(session.pty.resizer()), flight);
            }
        }
    }

    /// When a size that waits may be told.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let due = |it: &Session| it.sizes.due_at().into_iter().chain(it.view_due_at()).min();
        self.running.values().filter_map(due).min()
    }

    /// Whether that program can run on without us.
    pub(crate) fn outlives_us(&self, program: ProgramId) -> bool {
        self.running.get(&program).is_some_and(|session| session.hosted.is_some())
    }

    /// The program's session, until no process of it is left.
    pub(crate) fn session(&self, program: ProgramId) -> Option<SessionId> {
        let running = self.running.get(&program).map(|session| session.id);
        running.or_else(|| Some(self.waiting(program)?.session()))
    }

    /// Whether that is the agent's present launch.
    pub(crate) fn is_launch(&self, agent: AgentId, launch: u64) -> bool {
        self.session(ProgramId::Agent(agent)) == Some(SessionId(launch))
    }

    /// Bytes a program has printed since its launch.
    pub(crate) fn parsed(&self, program: ProgramId) -> u64 {
        self.running
            .get(&program)
            .map_or(0, |session| session.shared.parsed.load(Ordering::Relaxed))
    }

    /// What all programs that run have printed, in bytes; one that ends takes its part with it.
    pub(crate) fn all_parsed(&self) -> u64 {
        self.running.values().map(|session| session.shared.parsed.load(Ordering::Relaxed)).sum()
    }

    /// Who reads what is typed into that terminal now.
    pub(crate) fn foreground(&self, program: ProgramId) -> Option<Foreground> {
        self.running.get(&program)?.pty.foreground()
    }

    /// Something that runs beside each of these programs in its terminal, where anything does.
    pub(crate) fn others(&self, programs: &[ProgramId]) -> BTreeMap<ProgramId, String> {
        let running: Vec<(ProgramId, &PtySession)> = programs
            .iter()
            .filter_map(|program| Some((*program, &self.running.get(program)?.pty)))
            .collect();
        if running.is_empty() {
            return BTreeMap::new();
        }
        let sessions: Vec<&PtySession> = running.iter().map(|(_, session)| *session).collect();
        let others = PtySession::others_of(&sessions).into_iter();
        let first = |((program, _), names): (&(ProgramId, &PtySession), Vec<String>)| {
            Some((*program, names.into_iter().next()?))
        };
        running.iter().zip(others).filter_map(first).collect()
    }

    /// Where programs find us.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// The plain terminal that a process belongs to by descent and by mark alike.
    ///
    /// `ancestors` are the process's, the nearest first; `is_marked` says whether its environment
    /// has that mark.
    pub(crate) fn is_in_plain_terminal(
        &self,
        ancestors: &[i32],
        is_marked: impl Fn(&str) -> bool,
    ) -> bool {
        let plain = self.running.iter().filter(|(id, _)| matches!(id, ProgramId::Terminal(_)));
        plain.into_iter().any(|(_, session)| {
            let leader = i32::try_from(session.pty.pid()).unwrap_or(0);
            ancestors.contains(&leader) && is_marked(session.pty.mark())
        })
    }

    /// The agent that a process belongs to by descent and by mark alike, as above.
    pub(crate) fn agent_of(
        &self,
        ancestors: &[i32],
        is_marked: impl Fn(&str) -> bool,
    ) -> Option<AgentId> {
        self.running.iter().find_map(|(id, session)| {
            let ProgramId::Agent(agent) = id else { return None };
            let leader = i32::try_from(session.pty.pid()).unwrap_or(0);
            let is_it = ancestors.contains(&leader) && is_marked(session.pty.mark());
            is_it.then_some(*agent)
        })
    }

    /// The first directory to start in that is one.
    pub(crate) fn directory(&self, wanted: StartIn) -> PathBuf {
        let StartIn { directory, like, or } = wanted;
        let like = || self.foreground(like?)?.directory;
        let is_dir = |path: &PathBuf| path.is_dir();
        directory.filter(is_dir).or_else(|| like().filter(is_dir)).unwrap_or(or)
    }
}

impl Outside for Sessions {
    fn folder(&self, terminal: &PlainTerminal) -> Option<PathBuf> {
        self.foreground(ProgramId::Terminal(terminal.id()))?.directory
    }

    fn mark(&self, program: ProgramId) -> Option<String> {
        match self.running.get(&program) {
            Some(session) => session.hosted.map(|_| session.pty.mark().to_owned()),
            None => self.waiting(program).map(|waiting| waiting.mark.clone()),
        }
    }
}
