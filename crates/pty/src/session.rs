//! One program in one terminal, and the three threads that serve it.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use base::LogErr as _;
use nix::sys::signal::Signal;

use crate::child::{PtyChild, Unwatched};
use crate::children::Ended;
use crate::foreground::{self, Foreground};
use crate::terminal::Master;
use crate::writer::WriterThread;
use crate::{
    ByteSink, ByteSource, PasteNews, PtySampler, PtySize, PtyWriter, Reader, SpawnError,
    SpawnRequest, WriteRefused,
};

/// A running program, or the remains of one that ended.
///
/// Dropping one that this process started is no way to stop politely: what is left of the program
/// and of all it started is killed at once, and the threads are joined, in about a second at most.
/// Call [`PtySession::stop`] and wait for its answer first. An adopted one runs on.
pub struct PtySession {
    // Dropped in this order: nobody is left to read what is queued or to print more when the
    // writer and the reader go.
    child: Child,
    _writing: WriterThread,
    reader: Reader,
    writer: PtyWriter,
    master: Arc<Master>,
    leader: i32,
    mark: String,
}

/// Who watches the program.
enum Child {
    Ours(PtyChild),
    Remote(Box<dyn RemoteChild>),
}

/// A program that another process started and watches.
pub trait RemoteChild: Send + Sync {
    /// Asks for the end of the program and of everything it started, as [`PtySession::stop`] does.
    fn stop(&self, grace: Duration, on_stopped: Box<dyn FnOnce() + Send>);

    /// Kills the program and everything it started, also if that is being stopped politely.
    fn kill(&self);
}

/// What it takes to adopt a program of another process.
pub struct Adopted<Source> {
    /// Our own descriptor of the terminal's near side: written to and asked, never read from.
    pub master: OwnedFd,
    /// What is printed comes from here.
    pub source: Source,
    pub pid: u32,
    pub mark: String,
    pub child: Box<dyn RemoteChild>,
    /// For the names of the threads.
    pub name: String,
}

/// Tells a program the size of its terminal.
#[derive(Clone)]
pub struct PtyResizer(Arc<Master>);

impl PtyResizer {
    /// # Errors
    /// The kernel may refuse.
    pub fn resize(&self, size: PtySize) -> io::Result<()> {
        self.0.resize(size)
    }

    /// The size that the program was told last, by whomever.
    ///
    /// # Errors
    /// The kernel may refuse.
    pub fn size(&self) -> io::Result<PtySize> {
        self.0.size()
    }
}

impl fmt::Debug for PtyResizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtyResizer").finish_non_exhaustive()
    }
}

impl PtySession {
    /// Opens the PTY and starts the program, the reader, writer and child threads.
    ///
    /// `make_sink` gets the writer by which an emulator answers. `on_exit` runs once on the child
    /// thread when the program itself has ended; what it printed has been fed to the sink by then
    /// (or 0.3 s have passed). What it left in the background runs on, and its output still comes.
    ///
    /// # Errors
    /// Nothing is left behind, and neither `make_sink` nor `on_exit` was called, unless the error
    /// is [`SpawnError::Thread`].
    pub fn spawn<S: ByteSink>(
        request: SpawnRequest,
        make_sink: impl FnOnce(PtyWriter) -> S,
        on_exit: impl FnOnce(Ended) + Send + 'static,
    ) -> Result<Self, SpawnError> {
        let no_thread = |source| SpawnError::Thread { source };
        let writer = PtyWriter::new().map_err(|source| SpawnError::Pty { source })?;
        let started = Unwatched::start(&request)?;

        let name = &request.name;
        let sink = make_sink(writer.clone());
        let reader =
            Reader::spawn(format!("pty-read:{name}"), started.source(), sink).map_err(no_thread)?;
        let writing = writer.spawn(format!("pty-write:{name}"), Arc::clone(&started.master.file));
        let writing = writing.map_err(no_thread)?;
        let drainer = reader.drainer();
        let drain = move |done: Box<dyn FnOnce() + Send>| drainer.drain(done);
        let on_exit = {
            let writer = writer.clone();
            move |ended| {
                writer.discard();
                on_exit(ended);
            }
        };
        let child = started.watch(Box::new(drain), Box::new(on_exit), None)?;
        Ok(Self {
            master: Arc::clone(child.master()),
            leader: child.pid(),
            mark: child.mark().to_owned(),
            child: Child::Ours(child),
            _writing: writing,
            reader,
            writer,
        })
    }

    /// Serves a program that another process started: it is read through `adopted.source`, and
    /// written to, resized and looked at directly.
    ///
    /// `make_sink` is as for [`PtySession::spawn`]. Its end is for the caller to learn, and to pass
    /// on by [`PtySession::ended`].
    ///
    /// # Errors
    /// The descriptor is of no terminal, or there is no thread; the program runs on.
    pub fn adopt<S: ByteSink>(
        adopted: Adopted<impl ByteSource + 'static>,
        make_sink: impl FnOnce(PtyWriter) -> S,
    ) -> io::Result<Self> {
        let Adopted { master, source, pid, mark, child, name } = adopted;
        let leader = i32::try_from(pid).map_err(io::Error::other)?;
        let master = Arc::new(Master::adopt(master)?);
        let writer = PtyWriter::new()?;
        let sink = make_sink(writer.clone());
        let reader = Reader::spawn(format!("pty-read:{name}"), source, sink)?;
        let writing = writer.spawn(format!("pty-write:{name}"), Arc::clone(&master.file))?;
        let child = Child::Remote(child);
        Ok(Self { child, _writing: writing, reader, writer, master, leader, mark })
    }

    /// The adopted program has ended after it had printed `printed` bytes since the adoption.
    /// `then` runs on the reader thread once all of these have been fed to the sink, or at the end
    /// of the source if that comes before.
    pub fn ended(&self, printed: u64, then: impl FnOnce() + Send + 'static) {
        self.writer.discard();
        self.reader.drainer().reach(printed, then);
    }

    /// The program's process id, which is also that of its group and session.
    pub fn pid(&self) -> u32 {
        self.leader.unsigned_abs()
    }

    /// The value of [`SESSION_VARIABLE`](crate::SESSION_VARIABLE) in the program's environment and
    /// in that of what it starts; no other session has the same.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Who reads what is typed now. Costs a few reads in `/proc`.
    pub fn foreground(&self) -> Option<Foreground> {
        foreground::of(&self.master, self.leader)
    }

    /// The names of all that the program has started and that still runs, in the background too.
    /// Costs a look at every process there is.
    pub fn others(&self) -> Vec<String> {
        Self::others_of(&[self]).pop().unwrap_or_default()
    }

    /// The same of each of several sessions, at the cost of one.
    pub fn others_of(sessions: &[&Self]) -> Vec<Vec<String>> {
        let leaders: Vec<(i32, &str)> =
            sessions.iter().map(|session| (session.leader, session.mark())).collect();
        foreground::others(&leaders)
    }

    /// Types the bytes into the program. Never blocks.
    ///
    /// # Errors
    /// 4 MiB wait to be read already; nothing is taken.
    pub fn write(&self, bytes: Vec<u8>) -> Result<(), WriteRefused> {
        self.writer.write(bytes)
    }

    /// Types all that the chunks yield, however long that takes: see [`PtyWriter::paste`].
    ///
    /// # Errors
    /// Too much of other pastes waits to be read already; nothing is taken.
    pub fn paste(
        &self,
        held: usize,
        ending: &'static [u8],
        chunks: impl Iterator<Item = Vec<u8>> + Send + 'static,
        tell: impl Fn(PasteNews) + Send + 'static,
    ) -> Result<(), WriteRefused> {
        self.writer.paste(held, ending, chunks, tell)
    }

    /// Drops what is not written yet of all pastes so far: see [`PtyWriter::stop_pastes`].
    pub fn stop_pastes(&self) {
        self.writer.stop_pastes();
    }

    /// A handle to type with from elsewhere; it may outlive the session.
    pub fn writer(&self) -> PtyWriter {
        self.writer.clone()
    }

    /// Tells whoever is in front that its terminal may have another size, so that it draws itself anew.
    pub fn ask_to_redraw(&self) {
        // A program that has just ended draws nothing.
        foreground::signal(&self.master, Signal::SIGWINCH).log_err("asking a program to draw");
    }

    /// A handle to look at the program's processes from elsewhere.
    pub fn sampler(&self) -> PtySampler {
        PtySampler::new(Arc::clone(&self.master), self.leader)
    }

    /// A handle to tell the program the sizes of its terminal from elsewhere.
    pub fn resizer(&self) -> PtyResizer {
        PtyResizer(Arc::clone(&self.master))
    }

    /// Ends the program and everything it started, also if it has ended itself already. Never
    /// blocks, and is harmless twice: the first call's `grace` holds.
    ///
    /// SIGTERM at once, SIGHUP after half a second, SIGKILL after `grace`. `on_stopped` runs on the
    /// child thread as soon as no process is left; not at all if the session is dropped before.
    pub fn stop(&self, grace: Duration, on_stopped: impl FnOnce() + Send + 'static) {
        match &self.child {
            Child::Ours(child) => child.stop(grace, on_stopped),
            Child::Remote(child) => child.stop(grace, Box::new(on_stopped)),
        }
    }
}

impl PtySession {
    /// Kills the program and everything it started, also if that is being stopped politely. Never
    /// blocks; whoever waits for a [`PtySession::stop`] is told.
    pub fn kill(&self) {
        match &self.child {
            Child::Ours(child) => child.kill(),
            Child::Remote(child) => child.kill(),
        }
    }
}

impl fmt::Debug for PtySession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtySession").field("pid", &self.leader).finish_non_exhaustive()
    }
}

impl<Source> fmt::Debug for Adopted<Source> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adopted").field("pid", &self.pid).finish_non_exhaustive()
    }
}
