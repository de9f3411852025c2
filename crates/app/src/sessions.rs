//! The running programs behind agents and terminals: the PTY side that the state never sees.
//!
//! The state asks for a program by effect and hears of it by fact; only this module knows that it
//! is a PTY of ours. A session is let go of on a thread of its own, as that may have to wait for
//! what is left of its processes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agent::Exit;
use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, unbounded};
use pty::{ByteSink, Ended, Foreground, PtySession, PtySize, PtyWriter, SpawnError, SpawnRequest};
use terminal::{GridSize, Paste, TerminalBuffer};
use workspace::{Fact, ProgramId, StartIn};

use crate::environment;
use crate::news::{News, NewsSender, OutputWakers};

/// A program is told a new size at most this often.
const RESIZE_EVERY: Duration = Duration::from_millis(50);

/// Names one launch: a restarted program keeps its id, but its session is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionId(u64);

#[derive(Debug)]
struct Session {
    id: SessionId,
    pty: PtySession,
    /// Cleared when the session is let go of: what it still prints is no longer this program's.
    is_current: Arc<AtomicBool>,
    /// Something was typed, and what is printed next is probably because of it.
    expects_echo: Arc<AtomicBool>,
    parsed: Arc<AtomicU64>,
    resized_at: Option<Instant>,
    /// A size that is told once it is time again.
    next_size: Option<GridSize>,
}

#[derive(Debug)]
pub(crate) struct Sessions {
    running: BTreeMap<ProgramId, Session>,
    launches: u64,
    news: NewsSender,
    wakers: OutputWakers,
    socket: PathBuf,
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
}

impl Session {
    fn tell_size(&mut self, now: Instant) {
        if self.resized_at.is_some_and(|at| now < at + RESIZE_EVERY) {
            return;
        }
        if let Some(size) = self.next_size.take() {
            self.resized_at = Some(now);
            self.pty.resize(pty_size(size)).log_err("resizing a terminal");
        }
    }
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
        Ok(Self { running: BTreeMap::new(), launches: 0, news, wakers, socket, graveyard })
    }

    /// Starts the program; its exit will come as a fact.
    ///
    /// # Errors
    /// Nothing was started; the error is a line for the person.
    pub(crate) fn spawn(&mut self, program: Program) -> Result<u32, SpawnError> {
        let Program { id, workspace, argv, env, path, cwd, terminal } = program;
        let request = SpawnRequest {
            argv: argv.into_iter().map(OsString::from).collect(),
            env: environment::for_program(&self.socket, &workspace, path, env),
            cwd,
            size: pty_size(terminal.size()),
            name: id.to_string(),
        };
        let previous = self.running.remove(&id);
        self.bury(previous);
        let parsed = Arc::new(AtomicU64::new(0));
        let is_current = Arc::new(AtomicBool::new(true));
        let expects_echo = Arc::new(AtomicBool::new(false));
        let news = self.news.clone();
        let make_sink = {
            let (parsed, is_current) = (Arc::clone(&parsed), Arc::clone(&is_current));
            let (wakers, news) = (self.wakers.clone(), news.clone());
            let expects_echo = Arc::clone(&expects_echo);
            move |writer| Sink {
                program: id,
                terminal,
                writer,
                news,
                wakers,
                is_current,
                expects_echo,
                is_deaf: false,
                parsed,
            }
        };
        let on_exit = move |ended| {
            let exit = match ended {
                Ended::Code(code) => Exit::Code(code),
                Ended::Signal(signal) => Exit::Signal(signal),
            };
            news.fact(Fact::Exited { program: id, exit });
        };
        let pty = PtySession::spawn(request, make_sink, on_exit)?;
        let pid = pty.pid();
        self.launches += 1;
        let session = Session {
            id: SessionId(self.launches),
            pty,
            is_current,
            expects_echo,
            parsed,
            resized_at: None,
            next_size: None,
        };
        self.running.insert(id, session);
        Ok(pid)
    }

    /// # Errors
    /// The program does not read, and its queue is full.
    pub(crate) fn write(&self, id: ProgramId, bytes: Vec<u8>) -> Result<(), pty::WriteRefused> {
        let Some(session) = self.running.get(&id) else { return Ok(()) };
        session.expects_echo.store(true, Ordering::Release);
        session.pty.write(bytes)
    }

    /// # Errors
    /// Too much waits for the program already.
    pub(crate) fn paste(&self, id: ProgramId, paste: Paste) -> Result<(), pty::WriteRefused> {
        let session = self.running.get(&id);
        session.map_or(Ok(()), |session| session.pty.paste(paste.held(), paste))
    }

    /// Tells a program its new size: at once, or a little later if it has just been told another,
    /// as programs redraw on each. The last size is told in any case.
    pub(crate) fn resize(&mut self, id: ProgramId, size: GridSize, now: Instant) {
        if let Some(session) = self.running.get_mut(&id) {
            session.next_size = Some(size);
            session.tell_size(now);
        }
    }

    /// Tells the sizes for which it is time now.
    pub(crate) fn tell_sizes(&mut self, now: Instant) {
        self.running.values_mut().for_each(|session| session.tell_size(now));
    }

    /// When a size that waits may be told.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let waiting = self.running.values().filter(|session| session.next_size.is_some());
        waiting.filter_map(|session| Some(session.resized_at? + RESIZE_EVERY)).min()
    }

    /// Ends the program and all it started; news comes when nothing is left.
    pub(crate) fn stop(&self, program: ProgramId, grace: Duration) {
        let Some(session) = self.running.get(&program) else { return };
        let (news, id) = (self.news.clone(), session.id);
        session.pty.stop(grace, move || news.send(News::SessionGone(program, id)));
    }

    /// Ends all programs at once; news comes for each.
    pub(crate) fn stop_all(&self, grace: Duration) {
        for program in self.running.keys() {
            self.stop(*program, grace);
        }
    }

    /// Lets go of the session, and of what is left of its processes.
    pub(crate) fn forget(&mut self, program: ProgramId) {
        let session = self.running.remove(&program);
        self.bury(session);
    }

    /// The same, unless the program has been started again meanwhile.
    pub(crate) fn forget_session(&mut self, program: ProgramId, id: SessionId) {
        if self.session(program) == Some(id) {
            self.forget(program);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The program's session, until no process of it is left.
    pub(crate) fn session(&self, program: ProgramId) -> Option<SessionId> {
        Some(self.running.get(&program)?.id)
    }

    /// Bytes a program has printed since its launch.
    pub(crate) fn parsed(&self, program: ProgramId) -> u64 {
        self.running.get(&program).map_or(0, |session| session.parsed.load(Ordering::Relaxed))
    }

    /// Who reads what is typed into that terminal now.
    pub(crate) fn foreground(&self, program: ProgramId) -> Option<Foreground> {
        self.running.get(&program)?.pty.foreground()
    }

    /// All that runs there beside the program itself.
    pub(crate) fn others(&self, program: ProgramId) -> Vec<String> {
        self.running.get(&program).map_or_else(Vec::new, |session| session.pty.others())
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

    /// The first directory to start in that is one.
    pub(crate) fn directory(&self, wanted: StartIn) -> PathBuf {
        let StartIn { directory, like, or } = wanted;
        let like = || self.foreground(like?)?.directory;
        let is_dir = |path: &PathBuf| path.is_dir();
        directory.filter(is_dir).or_else(|| like().filter(is_dir)).unwrap_or(or)
    }

    fn bury(&self, session: Option<Session>) {
        if let (Some(session), Some(graveyard)) = (session, self.graveyard.stop_handle()) {
            session.is_current.store(false, Ordering::Release);
            // A graveyard that is gone means that we are ending; the session is dropped here then.
            graveyard.send(session.pty).log_err("letting go of a session");
        }
    }
}

fn pty_size(size: GridSize) -> PtySize {
    PtySize { columns: size.columns, rows: size.rows, pixel_width: 0, pixel_height: 0 }
}

/// Feeds a program's terminal on its reader thread.
struct Sink {
    program: ProgramId,
    terminal: TerminalBuffer,
    writer: PtyWriter,
    news: NewsSender,
    wakers: OutputWakers,
    is_current: Arc<AtomicBool>,
    expects_echo: Arc<AtomicBool>,
    is_deaf: bool,
    parsed: Arc<AtomicU64>,
}

impl Sink {
    fn handle(&mut self, fed: terminal::Fed) {
        // A program that asks and never reads loses the answers; said once, not for each.
        if !fed.replies.is_empty()
            && self.writer.answer(fed.replies).is_err()
            && !std::mem::replace(&mut self.is_deaf, true)
        {
            let program = self.program;
            tracing::info!("program {program} asks its terminal and does not read the answers");
        }
        for signal in fed.signals {
            self.news.fact(Fact::Signal { program: self.program, signal });
        }
        if self.expects_echo.swap(false, Ordering::AcqRel) {
            self.wakers.echo.wake();
        }
        self.wakers.output.wake();
    }
}

impl ByteSink for Sink {
    fn feed(&mut self, bytes: &[u8]) {
        if !self.is_current.load(Ordering::Acquire) {
            return;
        }
        self.parsed.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let fed = self.terminal.feed(bytes);
        self.handle(fed);
    }

    fn timeout(&mut self) -> Option<Duration> {
        if !self.is_current.load(Ordering::Acquire) {
            return None;
        }
        let now = crate::clock();
        Some(self.terminal.sync_deadline(now)?.saturating_duration_since(now))
    }

    fn on_timeout(&mut self) {
        let fed = self.terminal.end_sync();
        self.handle(fed);
    }

    fn closed(&mut self) {
        self.wakers.output.wake();
    }
}
