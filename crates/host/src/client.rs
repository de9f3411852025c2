//! The app's half: finds or starts the host, asks it, and hears of its programs.
//!
//! Answers and events come on a thread of their own. Asking waits for the answer, for a bounded
//! time; ending programs does not wait.

mod data;
mod greeting;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{LogErr as _, Worker};
use control::LineBuffer;
use control::host::{
    Answer, AnswerBody, Attached, Done, Event, FromHost, HostError, Launch, MAX_LINE,
    ProgramStatus, Request, Role, SizeStatus, Spawned, ToHost, VIEWS_SINCE, to_line,
};
use crossbeam_channel::{SendError, Sender, bounded};
use pty::{RemoteChild, SpawnError};
use serde_json::Value;

pub use data::HostSource;

use self::greeting::{Greeting, greet};
use crate::start::{self, Start, StartError};
use crate::{descriptor, failure};

/// A host that takes longer to answer hangs.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest line of a host: a list of a thousand programs.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
const CHUNK: usize = 16 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error(transparent)]
    Start(#[from] StartError),
    /// The host understood, and said no.
    #[error(transparent)]
    Refused(#[from] HostError),
    #[error(transparent)]
    Spawn(SpawnError),
    #[error("the host has gone")]
    Gone,
    #[error("the host does not answer")]
    NoAnswer,
    #[error("the host sent something that is no answer: {0}")]
    Garbled(String),
    #[error("the connection to the host failed")]
    Io(#[from] io::Error),
}

/// What a client is told of without asking.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    Event(Event),
    /// The host has gone, or sent this app away: nothing more will come.
    Lost,
}

/// A connection to the host. Dropping it ends nothing: programs run on.
pub struct Client {
    shared: Arc<Shared>,
    start: Start,
    pid: i32,
    version: u32,
    _thread: Worker<Hangup>,
}

struct Shared {
    stream: UnixStream,
    /// Held while a line is written.
    sending: Mutex<u64>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    is_lost: bool,
    requests: BTreeMap<u64, OnAnswer>,
}

type Answered = Result<(Done, Option<OwnedFd>), ClientError>;
type OnAnswer = Box<dyn FnOnce(Answered) + Send>;

/// Ends the thread that listens.
struct Hangup(Arc<Shared>);

impl Client {
    /// Connects to the host of that state directory, which is started if there is none. Waits until
    /// it listens: some milliseconds, and ten seconds at most.
    ///
    /// `on_notice` runs on the client's thread.
    ///
    /// # Errors
    /// There is none and none can be started, or it speaks another version.
    pub fn start(
        start: Start,
        on_notice: impl FnMut(Notice) + Send + 'static,
    ) -> Result<Self, ClientError> {
        // A host may be met that is just ending.
        let mut result = Self::start_once(start.clone());
        for _ in 0..3 {
            if !matches!(result, Err(ClientError::Gone)) {
                break;
            }
            result = Self::start_once(start.clone());
        }
        let (stream, child, welcome) = result?;
        Self::listen(stream, child, welcome, start, Box::new(on_notice))
    }

    /// Connects to the host of that state directory; `None` if none runs.
    ///
    /// # Errors
    /// One runs, but cannot be talked to.
    pub fn find(
        start: Start,
        on_notice: impl FnMut(Notice) + Send + 'static,
    ) -> Result<Option<Self>, ClientError> {
        let Some(stream) = start::find(&start)? else { return Ok(None) };
        let welcome = match greet(&stream, Role::App) {
            Err(ClientError::Gone) => return Ok(None),
            welcome => welcome?,
        };
        Self::listen(stream, None, welcome, start, Box::new(on_notice)).map(Some)
    }

    fn start_once(start: Start) -> Result<(UnixStream, Option<Child>, Greeting), ClientError> {
        let (stream, child) = start.connect()?;
        let welcome = greet(&stream, Role::App)?;
        Ok((stream, child, welcome))
    }

    fn listen(
        stream: UnixStream,
        child: Option<Child>,
        welcome: Greeting,
        start: Start,
        on_notice: Box<dyn FnMut(Notice) + Send>,
    ) -> Result<Self, ClientError> {
        stream.set_read_timeout(None)?;
        let (sending, waiting) = (Mutex::new(0), Mutex::default());
        let shared = Arc::new(Shared { stream, sending, waiting });
        let hangup = Hangup(Arc::clone(&shared));
        let listening = Listening { shared: Arc::clone(&shared), on_notice, child };
        let thread = Worker::spawn("host", hangup, move || listening.run())?;
        let Greeting { pid, version, from: _ } = welcome;
        Ok(Self { shared, start, pid, version, _thread: thread })
    }

    /// Whether the host, which may be older than we are, knows of several who show one program. If not,
    /// whoever shows one tells it the size.
    pub fn has_views(&self) -> bool {
        self.version >= VIEWS_SINCE
    }

    /// The host's process.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Starts a program. Its output is read by [`Client::open`], from offset 0.
    ///
    /// # Errors
    /// [`ClientError::Spawn`] as if it had been started here.
    pub fn spawn(&self, launch: Launch) -> Result<(Spawned, OwnedFd), ClientError> {
        let shared = Arc::downgrade(&self.shared);
        // Whom nobody waits for any more would run unseen.
        let too_late = move |done: Done| {
            if let (Done::Spawned(spawned), Some(shared)) = (done, shared.upgrade()) {
                tracing::warn!("program {} was started too late", spawned.program);
                shared.discard(spawned.program);
            }
        };
        match self.ask_or(Request::Spawn(Box::new(launch)), too_late)? {
            (Done::Spawned(spawned), Some(descriptor)) => Ok((spawned, descriptor)),
            // There was no room for the descriptor. Nobody would see it, and nobody end it.
            (Done::Spawned(spawned), None) => {
                self.discard(spawned.program);
                Err(ClientError::Io(io::Error::from_raw_os_error(nix::libc::EMFILE)))
            }
            (done, _) => Err(unexpected(&done)),
        }
    }

    /// # Errors
    /// The host has gone, or hangs.
    pub fn list(&self) -> Result<Vec<ProgramStatus>, ClientError> {
        match self.ask(Request::List)? {
            (Done::Listed { programs }, _) => Ok(programs),
            (done, _) => Err(unexpected(&done)),
        }
    }

    /// # Errors
    /// There is no such program.
    pub fn relabel(&self, program: u64, label: Value) -> Result<(), ClientError> {
        self.ask(Request::Relabel { program, label }).map(drop)
    }

    /// Our side of the terminal of a program that runs already.
    ///
    /// # Errors
    /// There is no such program.
    pub fn attach(&self, program: u64) -> Result<(Attached, OwnedFd), ClientError> {
        match self.ask(Request::Attach { program })? {
            (Done::Attached(attached), Some(descriptor)) => Ok((attached, descriptor)),
            (done, _) => Err(unexpected(&done)),
        }
    }

    /// What a program prints, from that offset on; where it begins is in the answer.
    ///
    /// # Errors
    /// There is no such program.
    pub fn open(&self, program: u64, offset: u64) -> Result<HostSource, ClientError> {
        self.open_as(Role::Data { program, offset })
    }

    /// The same for somebody who only watches: the program does not wait for it.
    ///
    /// # Errors
    /// There is no such program.
    pub fn watch(&self, program: u64, offset: u64) -> Result<HostSource, ClientError> {
        self.open_as(Role::Viewer { program, offset })
    }

    /// We show the program, and have so much room for it; or no longer. What size it has by that is told
    /// as [`Event::Fitted`]. Does not wait.
    pub fn view(&self, program: u64, size: Option<SizeStatus>) {
        self.shared.tell(Request::View { program, size });
    }

    /// Somebody is about to type into the program, or to hand in what was typed. Does not wait.
    pub fn typed(&self, program: u64, submits: bool) {
        self.shared.tell(Request::Typed { program, submits });
    }

    /// Ends a program and all that it started, and runs `on_stopped`, on the client's thread, once
    /// nothing is left. Does not wait.
    pub fn stop(&self, program: u64, grace: Duration, on_stopped: impl FnOnce() + Send + 'static) {
        self.shared.stop(program, grace, Box::new(on_stopped));
    }

    /// For [`pty::PtySession::adopt`].
    pub fn child(&self, program: u64) -> Box<dyn RemoteChild> {
        Box::new(HostedChild { shared: Arc::clone(&self.shared), program })
    }

    /// # Errors
    /// It is not gone yet, or there is none.
    pub fn forget(&self, program: u64) -> Result<(), ClientError> {
        self.ask(Request::Forget { program }).map(drop)
    }

    /// Kills what is left of a program, which is then forgotten. Does not wait, and tells nobody.
    pub fn discard(&self, program: u64) {
        self.shared.discard(program);
    }

    /// Ends everything, the host included, and runs `on_ended`, on the client's thread, once nothing
    /// is left. Does not wait.
    pub fn quit(&self, grace: Duration, on_ended: impl FnOnce() + Send + 'static) {
        let request = Request::Quit { grace_ms: millis(grace) };
        self.shared.send(request, Box::new(|_ended_or_gone| on_ended()));
    }

    fn open_as(&self, role: Role) -> Result<HostSource, ClientError> {
        let stream = start::find(&self.start)?.ok_or(ClientError::Gone)?;
        let welcome = greet(&stream, role)?;
        HostSource::new(stream, welcome.from).map_err(ClientError::Io)
    }

    fn ask(&self, request: Request) -> Answered {
        self.ask_or(request, drop)
    }

    /// What is done after patience has run out goes to `too_late`, on the client's thread.
    fn ask_or(&self, request: Request, too_late: impl FnOnce(Done) + Send + 'static) -> Answered {
        let (answered, answer) = bounded(1);
        let on_answer = move |result| {
            if let Err(SendError(Ok((done, _)))) = Sender::send(&answered, result) {
                too_late(done);
            }
        };
        self.shared.send(request, Box::new(on_answer));
        match answer.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(_) => Err(ClientError::NoAnswer),
        }
    }
}

impl Shared {
    fn send(&self, request: Request, on_answer: OnAnswer) {
        if let Err((on_answer, error)) = self.try_send(request, on_answer) {
            on_answer(Err(error));
        }
    }

    /// Gives back who is to be told where nobody else will tell him.
    fn try_send(
        &self,
        request: Request,
        on_answer: OnAnswer,
    ) -> Result<(), (OnAnswer, ClientError)> {
        let mut last = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        let id = *last;
        let line = match to_line(&ToHost { id, request }) {
            Ok(line) if line.len() <= MAX_LINE => line,
            Ok(_) => return Err((on_answer, too_long())),
            Err(err) => return Err((on_answer, garbled(err))),
        };
        {
            let mut waiting = self.waiting();
            if waiting.is_lost {
                return Err((on_answer, ClientError::Gone));
            }
            waiting.requests.insert(id, on_answer);
        }
        let Err(err) = (&self.stream).write_all(&line) else { return Ok(()) };
        // A part of a line may be on its way: what follows would not be understood.
        self.stream.shutdown(Shutdown::Both).log_err("hanging up on the host");
        match self.take(id) {
            Some(on_answer) => Err((on_answer, ClientError::Io(err))),
            None => Ok(()),
        }
    }

    fn stop(&self, program: u64, grace: Duration, on_stopped: Box<dyn FnOnce() + Send>) {
        let request = Request::Stop { program, grace_ms: millis(grace) };
        let on_answer = move |answer: Answered| match answer {
            // One that is forgotten is gone, too, and with its host a program is no longer ours to end.
            Ok(_) | Err(ClientError::Refused(_) | ClientError::Gone) => on_stopped(),
            Err(err) => tracing::warn!("while stopping program {program}: {err}"),
        };
        self.send(request, Box::new(on_answer));
    }

    fn discard(&self, program: u64) {
        self.tell(Request::Discard { program });
    }

    /// Says what needs no answer.
    fn tell(&self, request: Request) {
        let on_answer = |answer: Answered| match answer {
            // A program that is forgotten is of no interest any more.
            Ok(_) | Err(ClientError::Refused(_) | ClientError::Gone) => {}
            Err(err) => tracing::warn!("while telling the host something: {err}"),
        };
        self.send(request, Box::new(on_answer));
    }

    fn take(&self, id: u64) -> Option<OnAnswer> {
        self.waiting().requests.remove(&id)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        // Refused if the host has hung up before.
        self.0.stream.shutdown(Shutdown::Both).log_err("hanging up on the host");
    }
}

/// A program of the host, for a session that adopts it.
struct HostedChild {
    shared: Arc<Shared>,
    program: u64,
}

impl RemoteChild for HostedChild {
    fn stop(&self, grace: Duration, on_stopped: Box<dyn FnOnce() + Send>) {
        self.shared.stop(self.program, grace, on_stopped);
    }

    fn kill(&self) {
        self.shared.discard(self.program);
    }
}

/// The thread that hears what the host says.
struct Listening {
    shared: Arc<Shared>,
    on_notice: Box<dyn FnMut(Notice) + Send>,
    /// The host, if we started it: to be reaped if it ends before us.
    child: Option<Child>,
}

impl Listening {
    fn run(mut self) {
        if let Err(err) = self.listen() {
            tracing::warn!("while listening to the host: {err}");
        }
        let requests = {
            let mut waiting = self.shared.waiting();
            waiting.is_lost = true;
            std::mem::take(&mut waiting.requests)
        };
        for on_answer in requests.into_values() {
            on_answer(Err(ClientError::Gone));
        }
        if let Some(child) = &mut self.child {
            child.try_wait().log_err("looking after the host");
        }
        (self.on_notice)(Notice::Lost);
    }

    fn listen(&mut self) -> Result<(), ClientError> {
        let mut lines = LineBuffer::new(MAX_ANSWER);
        let mut descriptors = VecDeque::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            while let Some(line) = lines.next_line().map_err(garbled)? {
                self.hear(&line, &mut descriptors);
            }
            match descriptor::receive(&self.shared.stream, &mut chunk, &mut descriptors) {
                Ok(0) => return Ok(()),
                Ok(len) => lines.push(&chunk[..len]),
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) if err.kind() == io::ErrorKind::ConnectionReset => return Ok(()),
                Err(err) => return Err(err.into()),
            }
        }
    }

    fn hear(&mut self, line: &[u8], descriptors: &mut VecDeque<OwnedFd>) {
        match serde_json::from_slice(line) {
            Ok(FromHost::Event(event)) => (self.on_notice)(Notice::Event(event)),
            Ok(FromHost::Answer(Answer { id, body })) => {
                let has_descriptor =
                    matches!(body, AnswerBody::Ok(Done::Spawned(_) | Done::Attached(_)));
                let descriptor = has_descriptor.then(|| descriptors.pop_front()).flatten();
                let Some(on_answer) = id.and_then(|id| self.shared.take(id)) else { return };
                on_answer(match body {
                    AnswerBody::Ok(done) => Ok((done, descriptor)),
                    AnswerBody::Error(error) => Err(match failure::from_wire(&error) {
                        Some(error) => ClientError::Spawn(error),
                        None => ClientError::Refused(error),
                    }),
                });
            }
            // Of a newer host, perhaps.
            Err(err) => tracing::warn!("the host said something unknown: {err}"),
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn unexpected(done: &Done) -> ClientError {
    ClientError::Garbled(format!("{done:?}"))
}

fn garbled(err: impl fmt::Display) -> ClientError {
    ClientError::Garbled(err.to_string())
}

fn too_long() -> ClientError {
    // What the kernel would say a little later.
    let source = io::Error::from_raw_os_error(nix::libc::E2BIG);
    ClientError::Spawn(SpawnError::Spawn { program: "the command".into(), source })
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("pid", &self.pid).finish_non_exhaustive()
    }
}
