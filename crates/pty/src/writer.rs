//! The thread that types into a terminal, and the bounded queue in front of it.
//!
//! Whoever writes never waits: what does not fit into the queue is refused whole. What the program
//! has not read when it ends, or is written after, goes nowhere, as with any terminal.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use base::Worker;
use nix::poll::{PollFd, PollFlags};

use crate::mailbox::Mailbox;
use crate::{WriteRefused, sys};

/// The most that may wait for a program that does not read.
pub(crate) const QUEUE_LIMIT: usize = 4 * 1024 * 1024;

/// A handle to type into a session from any thread.
#[derive(Clone)]
pub struct PtyWriter(Arc<Queue>);

struct Queue {
    letters: Mailbox<Letter>,
    /// Bytes accepted and not yet written.
    queued: AtomicUsize,
    /// Nobody writes any more.
    ended: AtomicBool,
}

enum Letter {
    Bytes(Vec<u8>),
    Stop,
}

/// The thread behind a [`PtyWriter`]. Dropping it stops and joins it; what waits is discarded.
pub(crate) struct WriterThread {
    _thread: Worker<StopOnDrop>,
}

struct StopOnDrop(PtyWriter);

struct Writing {
    queue: Arc<Queue>,
    terminal: Arc<File>,
    chunks: VecDeque<Vec<u8>>,
    /// How much of the first chunk is written.
    written: usize,
}

impl PtyWriter {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(Queue {
            letters: Mailbox::new()?,
            queued: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        })))
    }

    /// Queues the bytes and returns at once.
    ///
    /// # Errors
    /// The queue has no room for all of them: then none is taken.
    pub fn write(&self, bytes: Vec<u8>) -> Result<(), WriteRefused> {
        if bytes.is_empty() || self.0.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        let room =
            |queued: usize| queued.checked_add(bytes.len()).filter(|&queued| queued <= QUEUE_LIMIT);
        match self.0.queued.fetch_update(Ordering::AcqRel, Ordering::Acquire, room) {
            Ok(_) => {
                self.0.letters.post(Letter::Bytes(bytes));
                Ok(())
            }
            Err(queued) => Err(WriteRefused { queued }),
        }
    }

    pub(crate) fn spawn(&self, name: String, terminal: Arc<File>) -> io::Result<WriterThread> {
        let queue = Arc::clone(&self.0);
        let writing = Writing { queue, terminal, chunks: VecDeque::new(), written: 0 };
        let stop = StopOnDrop(self.clone());
        Ok(WriterThread { _thread: Worker::spawn(name, stop, move || writing.run())? })
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.ended.store(true, Ordering::Release);
        self.0.0.letters.post(Letter::Stop);
    }
}

impl Writing {
    fn run(mut self) {
        loop {
            while let Some(letter) = self.queue.letters.take() {
                match letter {
                    Letter::Bytes(bytes) => self.chunks.push_back(bytes),
                    Letter::Stop => return,
                }
            }
            match self.wait() {
                Ok(false) => {}
                Ok(true) => self.write(),
                Err(err) => {
                    tracing::warn!("while waiting to write to a terminal: {err}");
                    return;
                }
            }
        }
    }

    /// Waits for letters and, if there is something to write, for room in the terminal; whether
    /// there is.
    fn wait(&self) -> io::Result<bool> {
        let letters = PollFd::new(self.queue.letters.as_fd(), PollFlags::POLLIN);
        if self.chunks.is_empty() {
            sys::poll(&mut [letters], None)?;
            return Ok(false);
        }
        let mut fds = [letters, PollFd::new(self.terminal.as_fd(), PollFlags::POLLOUT)];
        sys::poll(&mut fds, None)?;
        Ok(fds[1].any().unwrap_or(true))
    }

    fn write(&mut self) {
        let Some(chunk) = self.chunks.front() else { return };
        match (&*self.terminal).write(&chunk[self.written..]) {
            Ok(n) => self.written += n,
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => {}
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            // Nobody holds the terminal; the next chunk may find somebody again.
            Err(_) => self.written = chunk.len(),
        }
        if self.written >= chunk.len() {
            self.queue.queued.fetch_sub(chunk.len(), Ordering::AcqRel);
            self.chunks.pop_front();
            self.written = 0;
        }
    }
}

impl fmt::Debug for PtyWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtyWriter").field("queued", &self.0.queued).finish_non_exhaustive()
    }
}
