//! One program in one terminal, and the three threads that serve it.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::child::{Child, ChildThread, Provisions};
use crate::children::Ended;
use crate::family::{Family, MARK, Mark};
use crate::foreground::{self, Foreground};
use crate::launch::Launch;
use crate::terminal::{self, Master, MasterSource};
use crate::writer::WriterThread;
use crate::{
    ByteSink, PtySampler, PtySize, PtyWriter, Reader, SpawnError, SpawnRequest, WriteRefused,
};

/// A running program, or the remains of one that ended.
///
/// Dropping it is no way to stop politely: what is left of the program and of all it started is
/// killed at once, and the threads are joined, in about a second at most. Call
/// [`PtySession::stop`] and wait for its answer first.
pub struct PtySession {
    // Dropped in this order: nobody is left to read what is queued or to print more when the
    // writer and the reader go.
    child: ChildThread,
    _writing: WriterThread,
    _reader: Reader,
    writer: PtyWriter,
    master: Arc<Master>,
    leader: i32,
    mark: Mark,
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
        let launch = Launch::check(&request)?;
        let no_fd = |source| SpawnError::Pty { source };
        let no_thread = |source| SpawnError::Thread { source };
        let (master, tty) = terminal::open(request.size).map_err(no_fd)?;
        let writer = PtyWriter::new().map_err(no_fd)?;
        let provisions = Provisions::new().map_err(no_fd)?;
        let mark = Mark::mint();
        let leader = launch.start(&tty, (MARK, mark.value()))?;

        let name = &request.name;
        let pid = leader.pid();
        let source = MasterSource(master.file.clone());
        let sink = make_sink(writer.clone());
        let reader = Reader::spawn(format!("pty-read:{name}"), source, sink).map_err(no_thread)?;
        let writing = writer.spawn(format!("pty-write:{name}"), master.file.clone());
        let writing = writing.map_err(no_thread)?;
        let family = Family::new(pid, mark.clone());
        let drainer = reader.drainer();
        let on_exit = {
            let writer = writer.clone();
            move |ended| {
                writer.discard();
                on_exit(ended);
            }
        };
        let child = Child { leader, family, tty, drainer, on_exit: Box::new(on_exit) };
        let child = ChildThread::spawn(format!("child:{name}"), provisions, child);
        Ok(Self {
            child: child.map_err(no_thread)?,
            _writing: writing,
            _reader: reader,
            writer,
            master: Arc::new(master),
            leader: pid,
            mark,
        })
    }

    /// The program's process id, which is also that of its group and session.
    pub fn pid(&self) -> u32 {
        self.leader.unsigned_abs()
    }

    /// The value of [`SESSION_VARIABLE`](crate::SESSION_VARIABLE) in the program's environment and
    /// in that of what it starts; no other session has the same.
    pub fn mark(&self) -> &str {
        self.mark.value()
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
        chunks: impl Iterator<Item = Vec<u8>> + Send + 'static,
    ) -> Result<(), WriteRefused> {
        self.writer.paste(held, chunks)
    }

    /// A handle to type with from elsewhere; it may outlive the session.
    pub fn writer(&self) -> PtyWriter {
        self.writer.clone()
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
        self.child.stop(grace, Box::new(on_stopped));
    }
}

impl fmt::Debug for PtySession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtySession").field("pid", &self.leader).finish_non_exhaustive()
    }
}
