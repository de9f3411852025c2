//! One program in one terminal, watched by a thread: what a session is without reading and writing.

use std::fmt;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use base::{LogErr as _, Worker};
use nix::sys::signal::Signal;

use crate::children::{Ended, Leader};
use crate::family::{Family, MARK, Mark};
use crate::launch::Launch;
use crate::mailbox::Mailbox;
use crate::sys::Timer;
use crate::terminal::{self, Master, MasterSource};
use crate::watch::Watch;
use crate::{PtySize, SpawnError, SpawnRequest, foreground, processes};

/// Asks whoever reads the terminal for a sign once all that is there now has been read.
pub(crate) type Drain = Box<dyn Fn(OnDrained) + Send>;
pub(crate) type OnDrained = Box<dyn FnOnce() + Send>;
pub(crate) type OnExit = Box<dyn FnOnce(Ended) + Send>;
pub(crate) type OnStopped = Box<dyn FnOnce() + Send>;

/// A running program whose terminal somebody else reads and writes.
///
/// Dropping it kills what is left of the program and of all it started, in about a second at most.
pub struct PtyChild {
    child: ChildThread,
    master: Arc<Master>,
    leader: i32,
    mark: Mark,
}

/// A program that runs and that nobody watches yet. Dropped, it is killed.
pub(crate) struct Unwatched {
    pub(crate) master: Master,
    tty: OwnedFd,
    leader: Leader,
    mark: Mark,
    provisions: Provisions,
    name: String,
}

/// How the session talks to its thread.
pub(crate) struct ChildThread {
    orders: Arc<Mailbox<Order>>,
    _thread: Worker<CloseOnDrop>,
}

/// What the thread needs of the system, taken before there is a program to be killed if it fails.
pub(crate) struct Provisions {
    pub(crate) orders: Arc<Mailbox<Order>>,
    pub(crate) stage_timer: Timer,
    pub(crate) drain_timer: Timer,
}

/// The program, and what belongs to it.
pub(crate) struct Child {
    pub(crate) leader: Leader,
    pub(crate) family: Family,
    /// Held open while the leader lives, so that a program that closes its terminal, or opens it
    /// again, is no end of input.
    pub(crate) tty: OwnedFd,
    pub(crate) drain: Drain,
    pub(crate) on_exit: OnExit,
    /// Run when nobody is left of the program and of what it started, stopped or not.
    pub(crate) on_gone: Option<OnStopped>,
}

pub(crate) enum Order {
    Stop {
        grace: Duration,
        on_stopped: OnStopped,
    },
    /// No more patience with anybody.
    Kill,
    /// The reader has fed what there was when the leader ended.
    Drained,
    /// The session is dropped.
    Close,
}

struct CloseOnDrop(Arc<Mailbox<Order>>);

impl PtyChild {
    /// Opens the PTY and starts the program and the thread that watches it.
    ///
    /// All callbacks run on that thread. When the program has ended, `drain` is asked to run what it
    /// is given once all that is readable at the master has been read; then, or after 0.3 s,
    /// `on_exit` runs. `on_gone` runs when nothing is left of what it started either.
    ///
    /// # Errors
    /// Nothing is left behind, and nothing was called.
    pub fn spawn(
        request: &SpawnRequest,
        drain: impl Fn(Box<dyn FnOnce() + Send>) + Send + 'static,
        on_exit: impl FnOnce(Ended) + Send + 'static,
        on_gone: impl FnOnce() + Send + 'static,
    ) -> Result<Self, SpawnError> {
        let unwatched = Unwatched::start(request)?;
        unwatched.watch(Box::new(drain), Box::new(on_exit), Some(Box::new(on_gone)))
    }

    /// The program's process id, which is also that of its group and session.
    pub fn pid(&self) -> i32 {
        self.leader
    }

    /// When it was started, in ticks since the machine was: with its number it names the process.
    pub fn start_ticks(&self) -> Option<u64> {
        processes::find(self.leader).map(|process| process.id.start)
    }

    /// The value of [`SESSION_VARIABLE`](crate::SESSION_VARIABLE) in its environment.
    pub fn mark(&self) -> &str {
        self.mark.value()
    }

    /// Our side of the terminal, which outlives the program and never blocks.
    pub fn terminal(&self) -> PtyTerminal {
        PtyTerminal(Arc::clone(&self.master))
    }

    pub(crate) fn master(&self) -> &Arc<Master> {
        &self.master
    }

    /// Ends the program and everything it started: see [`PtySession::stop`](crate::PtySession::stop).
    pub fn stop(&self, grace: Duration, on_stopped: impl FnOnce() + Send + 'static) {
        self.child.stop(grace, Box::new(on_stopped));
    }

    /// Kills the program and everything it started, also if that is being stopped politely. Never
    /// blocks.
    pub fn kill(&self) {
        self.child.orders.post(Order::Kill);
    }
}

impl fmt::Debug for PtyChild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtyChild").field("pid", &self.leader).finish_non_exhaustive()
    }
}

/// Our side of a terminal, to be read or to be handed to another process.
#[derive(Clone)]
pub struct PtyTerminal(Arc<Master>);

impl PtyTerminal {
    /// Reads what is there: `WouldBlock` says there is nothing, `Ok(0)` that nobody holds the other
    /// side any more.
    ///
    /// # Errors
    /// As said, or the kernel refuses.
    pub fn read(&self, buf: &mut [u8]) -> io::Result<usize> {
        terminal::read(&self.0.file, buf)
    }

    /// The side of a terminal that another process opened and handed over. It never blocks.
    ///
    /// # Errors
    /// The descriptor is of no terminal.
    pub fn adopt(master: OwnedFd) -> io::Result<Self> {
        Ok(Self(Arc::new(Master::adopt(master)?)))
    }

    /// Types as many of the bytes as the terminal takes now: `WouldBlock` says that it takes none.
    ///
    /// # Errors
    /// As said, or nobody holds the other side any more.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0.file).write(bytes)
    }

    /// The size that programs are told.
    ///
    /// # Errors
    /// The kernel may refuse.
    pub fn size(&self) -> io::Result<PtySize> {
        self.0.size()
    }

    /// Tells programs another size.
    ///
    /// # Errors
    /// The kernel may refuse.
    pub fn resize(&self, size: PtySize) -> io::Result<()> {
        self.0.resize(size)
    }

    /// Tells whoever is in front that its terminal may have another size, so that it draws itself anew.
    pub fn ask_to_redraw(&self) {
        // A program that has just ended draws nothing.
        foreground::signal(&self.0, Signal::SIGWINCH).log_err("asking a program to draw");
    }
}

impl AsFd for PtyTerminal {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.file.as_fd()
    }
}

impl fmt::Debug for PtyTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PtyTerminal").field(&self.0.tty_path).finish()
    }
}

impl Unwatched {
    pub(crate) fn start(request: &SpawnRequest) -> Result<Self, SpawnError> {
        let launch = Launch::check(request)?;
        let no_fd = |source| SpawnError::Pty { source };
        let (master, tty) = terminal::open(request.size).map_err(no_fd)?;
        let provisions = Provisions::new().map_err(no_fd)?;
        let mark = Mark::mint();
        let leader = launch.start(&tty, (MARK, mark.value()))?;
        Ok(Self { master, tty, leader, mark, provisions, name: request.name.clone() })
    }

    pub(crate) fn source(&self) -> MasterSource {
        MasterSource(Arc::clone(&self.master.file))
    }

    pub(crate) fn watch(
        self,
        drain: Drain,
        on_exit: OnExit,
        on_gone: Option<OnStopped>,
    ) -> Result<PtyChild, SpawnError> {
        let Self { master, tty, leader, mark, provisions, name } = self;
        let pid = leader.pid();
        let family = Family::new(pid, mark.clone());
        let child = Child { leader, family, tty, drain, on_exit, on_gone };
        let child = ChildThread::spawn(format!("child:{name}"), provisions, child)
            .map_err(|source| SpawnError::Thread { source })?;
        Ok(PtyChild { child, master: Arc::new(master), leader: pid, mark })
    }
}

impl Provisions {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            orders: Arc::new(Mailbox::new()?),
            stage_timer: Timer::new()?,
            drain_timer: Timer::new()?,
        })
    }
}

impl ChildThread {
    /// Starts to watch. If there can be no thread, the child is killed.
    pub(crate) fn spawn(name: String, provisions: Provisions, child: Child) -> io::Result<Self> {
        let orders = Arc::clone(&provisions.orders);
        let stop = CloseOnDrop(Arc::clone(&orders));
        let watch = Watch::new(provisions, child);
        Ok(Self { orders, _thread: Worker::spawn(name, stop, move || watch.run())? })
    }

    pub(crate) fn stop(&self, grace: Duration, on_stopped: OnStopped) {
        self.orders.post(Order::Stop { grace, on_stopped });
    }
}

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.post(Order::Close);
    }
}
