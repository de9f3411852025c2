//! The thread that moves bytes from a terminal to whoever understands them.
//!
//! It waits in `poll` for the source and for orders, so it can be stopped whoever still holds the
//! terminal, and it is idle when there is nothing to read. At the end of the source it ends: a
//! source that hung up would be "ready" for ever.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::Worker;
use nix::poll::{PollFd, PollFlags};

use crate::mailbox::Mailbox;
use crate::sys;

/// The most that is fed at once: bounds how long a sink holds its lock.
const CHUNK: usize = 64 * 1024;

/// Orders and timeouts are looked at after so many bytes, however many more are there.
const ROUND: usize = 64 * 1024;

/// A first read that gives less than this has emptied the terminal, as a rule.
const SHORT: usize = 1024;

/// Where a reader thread gets bytes from: a PTY master, or the socket of a host.
pub trait ByteSource: Send {
    fn fd(&self) -> BorrowedFd<'_>;

    /// Reads what is there. Must not wait: `WouldBlock` says there is nothing, `Ok(0)` that
    /// nothing will come any more.
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize>;
}

/// What the reader thread does with the bytes. Runs on the reader thread.
pub trait ByteSink: Send + 'static {
    /// At most 64 KiB at a time.
    fn feed(&mut self, bytes: &[u8]);

    /// How long from now until [`ByteSink::on_timeout`] is due; `None` while it is not wanted.
    /// Asked before every wait.
    fn timeout(&mut self) -> Option<Duration>;

    fn on_timeout(&mut self);

    /// The source has ended: called once, last, and only if the reader was not stopped before.
    fn closed(&mut self);
}

/// A running reader. Dropping it stops and joins the thread.
pub struct Reader {
    orders: Arc<Orders>,
    thread: Worker<StopOnDrop>,
}

/// What the thread is asked for.
struct Orders {
    mailbox: Mailbox<Order>,
    /// The source has ended, and with it the thread: whoever asks now is answered at once.
    has_ended: AtomicBool,
}

enum Order {
    Drain(Box<dyn FnOnce() + Send>),
    /// The same once so many bytes have been fed, or the source has ended.
    Reach(u64, Box<dyn FnOnce() + Send>),
    Stop,
}

/// Asks a reader for a sign when it has read everything that is there now, or so many bytes.
#[derive(Clone)]
pub(crate) struct Drainer(Arc<Orders>);

struct StopOnDrop(Arc<Orders>);

struct ReaderThread<Source, Sink> {
    source: Source,
    sink: Sink,
    orders: Arc<Orders>,
    chunk: Vec<u8>,
    /// Who wants to know when the source has nothing more for the moment.
    drains: Vec<Box<dyn FnOnce() + Send>>,
    /// Bytes fed so far, and who wants to know when they are so many.
    fed: u64,
    reaches: Vec<(u64, Box<dyn FnOnce() + Send>)>,
}

enum Ready {
    Source,
    Orders,
    Nothing,
}

enum Progress {
    Open,
    Ended,
}

impl Reader {
    /// Starts a reader on a thread of that name.
    ///
    /// # Errors
    /// The operating system may refuse another descriptor or another thread.
    pub fn spawn(
        name: impl Into<String>,
        source: impl ByteSource + 'static,
        sink: impl ByteSink,
    ) -> io::Result<Self> {
        let orders =
            Arc::new(Orders { mailbox: Mailbox::new()?, has_ended: AtomicBool::new(false) });
        let thread = ReaderThread {
            source,
            sink,
            orders: Arc::clone(&orders),
            chunk: vec![0; CHUNK],
            drains: Vec::new(),
            fed: 0,
            reaches: Vec::new(),
        };
        let stop = StopOnDrop(Arc::clone(&orders));
        Ok(Self { orders, thread: Worker::spawn(name, stop, move || thread.run())? })
    }

    pub(crate) fn drainer(&self) -> Drainer {
        Drainer(Arc::clone(&self.orders))
    }
}

impl Drainer {
    /// Runs `done` on the reader thread once all that was readable has been fed. A reader whose
    /// source has ended before, or that is flooded without end, never does.
    pub(crate) fn drain(&self, done: impl FnOnce() + Send + 'static) {
        self.0.mailbox.post(Order::Drain(Box::new(done)));
    }

    /// Runs `done` on the reader thread once it has fed so many bytes in all, or at the end of its
    /// source if that comes before; at once, and right here, if it has come.
    pub(crate) fn reach(&self, fed: u64, done: impl FnOnce() + Send + 'static) {
        self.0.mailbox.post(Order::Reach(fed, Box::new(done)));
        if self.0.has_ended.load(Ordering::SeqCst) {
            // The thread may have looked for the last time before the order was there.
            self.0.run_all();
        }
    }
}

impl Orders {
    /// For whoever asks once nothing more will come.
    fn run_all(&self) {
        while let Some(order) = self.mailbox.take() {
            match order {
                Order::Drain(done) | Order::Reach(_, done) => done(),
                Order::Stop => {}
            }
        }
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.mailbox.post(Order::Stop);
    }
}

impl<Source: ByteSource, Sink: ByteSink> ReaderThread<Source, Sink> {
    fn run(mut self) {
        loop {
            while let Some(order) = self.orders.mailbox.take() {
                match order {
                    Order::Drain(done) => self.drains.push(done),
                    Order::Reach(fed, done) => self.reaches.push((fed, done)),
                    Order::Stop => return,
                }
            }
            self.tell_reached();
            match self.wait() {
                Ok(Ready::Source) => match self.feed() {
                    Ok(Progress::Open) => {}
                    Ok(Progress::Ended) => break,
                    Err(err) => {
                        tracing::warn!("while reading a terminal: {err}");
                        break;
                    }
                },
                Ok(Ready::Orders) => {}
                Ok(Ready::Nothing) if !self.drains.is_empty() => self.tell_drained(),
                Ok(Ready::Nothing) => self.sink.on_timeout(),
                Err(err) => {
                    tracing::warn!("while waiting for a terminal: {err}");
                    break;
                }
            }
        }
        self.sink.closed();
        // Who asked before the source ended gets an answer, even if the end was seen first.
        self.drains.extend(self.reaches.drain(..).map(|(_, done)| done));
        self.tell_drained();
        self.orders.has_ended.store(true, Ordering::SeqCst);
        self.orders.run_all();
    }

    fn wait(&mut self) -> io::Result<Ready> {
        let mut timeout = self.sink.timeout();
        if timeout.is_some_and(|left| left.is_zero()) {
            // Under a flood the wait below never times out.
            self.sink.on_timeout();
            timeout = self.sink.timeout();
        }
        let timeout = if self.drains.is_empty() { timeout } else { Some(Duration::ZERO) };
        let mut fds = [
            PollFd::new(self.orders.mailbox.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.source.fd(), PollFlags::POLLIN),
        ];
        if sys::poll(&mut fds, timeout)? == 0 {
            return Ok(Ready::Nothing);
        }
        // Any answer about the source will do: reading tells data, end and error apart.
        Ok(if fds[1].any().unwrap_or(true) { Ready::Source } else { Ready::Orders })
    }

    /// Feeds what is readable now. A PTY gives 4 KiB at a time at most, and each piece is fed
    /// before the next is read: meanwhile the kernel moves up more, which a read that comes too
    /// early would sit and wait for.
    fn feed(&mut self) -> io::Result<Progress> {
        let mut round = 0;
        while round < ROUND {
            match self.source.read(&mut self.chunk) {
                Ok(0) => return Ok(Progress::Ended),
                Ok(len) => {
                    self.sink.feed(&self.chunk[..len]);
                    self.fed += len as u64;
                    // Probably all there was; if not, the next wait says so. In the midst of a
                    // flood it would only cut the round short.
                    if round == 0 && len < SHORT {
                        break;
                    }
                    round += len;
                }
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => break,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(err),
            }
        }
        Ok(Progress::Open)
    }

    fn tell_reached(&mut self) {
        let fed = self.fed;
        for (_, done) in self.reaches.extract_if(.., |(wanted, _)| *wanted <= fed) {
            done();
        }
    }

    fn tell_drained(&mut self) {
        for done in self.drains.drain(..) {
            done();
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("thread", &self.thread).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
