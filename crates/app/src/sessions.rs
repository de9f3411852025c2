//! The running programs behind the agents: the PTY side that `AgentHandle` never sees.
//!
//! The state asks for a program by effect and hears of it by fact; only this module knows that it
//! is a PTY of ours. A session is let go of on a thread of its own, as that may have to wait for
//! what is left of its processes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use agent::{AgentId, Exit};
use base::{LogErr as _, Waker, Worker};
use crossbeam_channel::{Sender, unbounded};
use pty::{ByteSink, Ended, PtySession, PtySize, PtyWriter, SpawnError, SpawnRequest};
use terminal::{GridSize, TerminalBuffer};
use workspace::Fact;

use crate::news::{News, NewsSender};

/// Names one launch: a restarted agent keeps its id, but its session is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionId(u64);

#[derive(Debug)]
struct Session {
    id: SessionId,
    pty: PtySession,
    /// Cleared when the session is let go of: what it still prints is no longer this agent's.
    is_current: Arc<AtomicBool>,
    parsed: Arc<AtomicU64>,
}

#[derive(Debug)]
pub(crate) struct Sessions {
    running: BTreeMap<AgentId, Session>,
    launches: u64,
    news: NewsSender,
    output: Waker,
    socket: PathBuf,
    graveyard: Worker<Sender<PtySession>>,
}

/// What to start for an agent.
#[derive(Debug)]
pub(crate) struct Program {
    pub agent: AgentId,
    pub workspace: String,
    pub argv: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub cwd: PathBuf,
    pub terminal: TerminalBuffer,
}

impl Sessions {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn new(news: NewsSender, output: Waker, socket: PathBuf) -> std::io::Result<Self> {
        let (bury, buried) = unbounded::<PtySession>();
        let graveyard = Worker::spawn("graveyard", bury, move || {
            buried.iter().for_each(drop);
        })?;
        Ok(Self { running: BTreeMap::new(), launches: 0, news, output, socket, graveyard })
    }

    /// Starts the program; its exit will come as a fact.
    ///
    /// # Errors
    /// Nothing was started; the error is a line for the person.
    pub(crate) fn spawn(&mut self, program: Program) -> Result<u32, SpawnError> {
        let Program { agent, workspace, argv, env, cwd, terminal } = program;
        let request = SpawnRequest {
            argv: argv.into_iter().map(OsString::from).collect(),
            env: self.environment(&workspace, env),
            cwd,
            size: pty_size(terminal.size()),
            name: agent.to_string(),
        };
        let previous = self.running.remove(&agent);
        self.bury(previous);
        let parsed = Arc::new(AtomicU64::new(0));
        let is_current = Arc::new(AtomicBool::new(true));
        let news = self.news.clone();
        let make_sink = {
            let (parsed, is_current) = (Arc::clone(&parsed), Arc::clone(&is_current));
            let (output, news) = (self.output.clone(), news.clone());
            move |writer| Sink {
                agent,
                terminal,
                writer,
                news,
                output,
                is_current,
                is_deaf: false,
                parsed,
            }
        };
        let on_exit = move |ended| {
            let exit = match ended {
                Ended::Code(code) => Exit::Code(code),
                Ended::Signal(signal) => Exit::Signal(signal),
            };
            news.fact(Fact::AgentExited { agent, exit });
        };
        let pty = PtySession::spawn(request, make_sink, on_exit)?;
        let pid = pty.pid();
        self.launches += 1;
        let session = Session { id: SessionId(self.launches), pty, is_current, parsed };
        self.running.insert(agent, session);
        Ok(pid)
    }

    /// # Errors
    /// The program does not read, and its queue is full.
    pub(crate) fn write(&self, agent: AgentId, bytes: Vec<u8>) -> Result<(), pty::WriteRefused> {
        self.running.get(&agent).map_or(Ok(()), |session| session.pty.write(bytes))
    }

    pub(crate) fn resize(&self, agent: AgentId, size: GridSize) {
        if let Some(session) = self.running.get(&agent) {
            session.pty.resize(pty_size(size)).log_err("resizing a terminal");
        }
    }

    /// Ends the program and all it started; news comes when nothing is left.
    pub(crate) fn stop(&self, agent: AgentId, grace: Duration) {
        let Some(session) = self.running.get(&agent) else { return };
        let (news, id) = (self.news.clone(), session.id);
        session.pty.stop(grace, move || news.send(News::SessionGone(agent, id)));
    }

    /// Ends all programs at once; news comes for each.
    pub(crate) fn stop_all(&self, grace: Duration) {
        for agent in self.running.keys() {
            self.stop(*agent, grace);
        }
    }

    /// Lets go of the session, and of what is left of its processes.
    pub(crate) fn forget(&mut self, agent: AgentId) {
        let session = self.running.remove(&agent);
        self.bury(session);
    }

    /// The same, unless the agent has been started again meanwhile.
    pub(crate) fn forget_session(&mut self, agent: AgentId, id: SessionId) {
        if self.session(agent) == Some(id) {
            self.forget(agent);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The agent's session, until no process of it is left.
    pub(crate) fn session(&self, agent: AgentId) -> Option<SessionId> {
        Some(self.running.get(&agent)?.id)
    }

    /// Bytes each agent has printed since its launch.
    pub(crate) fn parsed(&self) -> impl Iterator<Item = (AgentId, u64)> {
        self.running.iter().map(|(id, session)| (*id, session.parsed.load(Ordering::Relaxed)))
    }

    fn bury(&self, session: Option<Session>) {
        if let (Some(session), Some(graveyard)) = (session, self.graveyard.stop_handle()) {
            session.is_current.store(false, Ordering::Release);
            // A graveyard that is gone means that we are ending; the session is dropped here then.
            graveyard.send(session.pty).log_err("letting go of a session");
        }
    }

    /// Our own environment without what other terminals left in it, and with what we are.
    fn environment(
        &self,
        workspace: &str,
        extra: BTreeMap<String, String>,
    ) -> Vec<(OsString, OsString)> {
        let inherited = std::env::vars_os().filter(|(name, _)| !is_another_terminals(name));
        let own = [
            ("TERM", OsString::from("xterm-256color")),
            ("COLORTERM", OsString::from("truecolor")),
            ("TERM_PROGRAM", OsString::from("trackside")),
            ("TERM_PROGRAM_VERSION", OsString::from(env!("CARGO_PKG_VERSION"))),
            ("TRACKSIDE_SOCKET", self.socket.clone().into_os_string()),
            ("TRACKSIDE_WORKSPACE", OsString::from(workspace)),
        ];
        let own = own.into_iter().map(|(name, value)| (OsString::from(name), value));
        let extra = extra.into_iter().map(|(name, value)| (name.into(), value.into()));
        let merged: BTreeMap<_, _> = inherited.chain(own).chain(extra).collect();
        merged.into_iter().collect()
    }
}

/// Variables by which programs would take us for the terminal we were started from.
fn is_another_terminals(name: &OsStr) -> bool {
    const PREFIXES: [&str; 9] = [
        "TERM_PROGRAM",
        "ALACRITTY_",
        "KITTY_",
        "WEZTERM_",
        "GHOSTTY_",
        "ITERM_",
        "TRACKSIDE_",
        "KONSOLE_",
        "TMUX",
    ];
    const NAMES: [&str; 8] = [
        "VTE_VERSION",
        "STY",
        "WINDOWID",
        "XDG_ACTIVATION_TOKEN",
        "DESKTOP_STARTUP_ID",
        "LINES",
        "COLUMNS",
        "TERMCAP",
    ];
    let Some(name) = name.to_str() else { return false };
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn pty_size(size: GridSize) -> PtySize {
    PtySize { columns: size.columns, rows: size.rows, pixel_width: 0, pixel_height: 0 }
}

/// Feeds an agent's terminal on its reader thread.
struct Sink {
    agent: AgentId,
    terminal: TerminalBuffer,
    writer: PtyWriter,
    news: NewsSender,
    output: Waker,
    is_current: Arc<AtomicBool>,
    is_deaf: bool,
    parsed: Arc<AtomicU64>,
}

impl Sink {
    fn handle(&mut self, fed: terminal::Fed) {
        // A program that asks and never reads loses the answers; said once, not for each.
        if !fed.replies.is_empty()
            && self.writer.write(fed.replies).is_err()
            && !std::mem::replace(&mut self.is_deaf, true)
        {
            tracing::info!("agent {} asks its terminal and does not read the answers", self.agent);
        }
        for signal in fed.signals {
            self.news.fact(Fact::Signal { agent: self.agent, signal });
        }
        self.output.wake();
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
        let now = crate::clock();
        Some(self.terminal.sync_deadline(now)?.saturating_duration_since(now))
    }

    fn on_timeout(&mut self) {
        let fed = self.terminal.end_sync();
        self.handle(fed);
    }

    fn closed(&mut self) {
        self.output.wake();
    }
}
