//! What is on its way to one client, shared by its thread, the application and the accepting
//! thread.
//!
//! The lock is held to move lines in and out, never while something is written or called.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::LogErr;
use control::{Call, ErrorKind, ErrorReply, Reply, ReplyBody, Request};
use serde_json::Value;

/// Where a client is between its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// May send a request.
    Idle,
    /// The application has its request.
    Awaiting,
    /// The application sends it events.
    Streaming,
    /// Gets what is queued, and then the connection is closed.
    Draining,
    /// Gets what it can take at once.
    Evicted,
    /// Gets nothing any more.
    Closed,
}

/// The queue of lines for a client, and its phase.
pub(super) struct Outbox {
    state: Mutex<State>,
    /// Wakes the client's thread. At most one byte is ever in the pipe, so writing never blocks.
    bell: PipeWriter,
    rung: AtomicBool,
    max_queued: usize,
    /// Counts the clients that have come: enough of a clock to tell who is silent longest.
    clock: Arc<AtomicU64>,
}

struct State {
    phase: Phase,
    lines: VecDeque<Vec<u8>>,
    /// Bytes given to us and not yet to the kernel.
    queued: usize,
    /// When it came or was last answered, by [`Outbox::clock`].
    silent_since: u64,
}

impl Outbox {
    /// An outbox and the end of the pipe by which it wakes the client's thread.
    pub(super) fn new(max_queued: usize, clock: Arc<AtomicU64>) -> io::Result<(Self, PipeReader)> {
        let (wake, bell) = io::pipe()?;
        let silent_since = clock.load(Ordering::Relaxed);
        let lines = VecDeque::new();
        let state = Mutex::new(State { phase: Phase::Idle, lines, queued: 0, silent_since });
        Ok((Self { state, bell, rung: AtomicBool::new(false), max_queued, clock }, wake))
    }

    pub(super) fn phase(&self) -> Phase {
        self.state().phase
    }

    /// A request has come; false when the client has been sent away meanwhile.
    pub(super) fn begin(&self, call: &Call) -> bool {
        let mut state = self.state();
        if state.phase != Phase::Idle {
            return false;
        }
        state.phase = if matches!(call, Call::Events) { Phase::Streaming } else { Phase::Awaiting };
        true
    }

    /// Queues an answer that the client's own thread has, without the application.
    pub(super) fn answer(&self, line: Vec<u8>) {
        self.state().push(line);
    }

    /// No more requests will come or be taken: what is queued is sent, and then it is over.
    pub(super) fn drain(&self) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Idle | Phase::Streaming) {
            state.phase = Phase::Draining;
        }
    }

    pub(super) fn close(&self) {
        let mut state = self.state();
        state.phase = Phase::Closed;
        state.lines = VecDeque::new();
    }

    /// The next line to write; count it with [`Outbox::written`] once it is with the kernel.
    pub(super) fn next_line(&self) -> Option<Vec<u8>> {
        self.state().lines.pop_front()
    }

    pub(super) fn written(&self, len: usize) {
        let mut state = self.state();
        state.queued = state.queued.saturating_sub(len);
    }

    /// Call before looking at the queue: a line queued while looking then rings again.
    pub(super) fn heard(&self) {
        self.rung.store(false, Ordering::Release);
    }

    /// Since when the client neither asks nor waits for anything, or `None` if it does.
    pub(super) fn silent_since(&self) -> Option<u64> {
        let state = self.state();
        matches!(state.phase, Phase::Idle | Phase::Draining).then_some(state.silent_since)
    }

    /// Sends a silent client away with a last line; false if it is silent no more.
    pub(super) fn evict(&self, line: Vec<u8>) -> bool {
        {
            let mut state = self.state();
            if !matches!(state.phase, Phase::Idle | Phase::Draining) {
                return false;
            }
            state.push(line);
            state.phase = Phase::Evicted;
        }
        self.ring();
        true
    }

    /// The application's answer; false when the client has gone.
    fn finish(&self, line: Vec<u8>) -> bool {
        {
            let mut state = self.state();
            state.phase = match state.phase {
                Phase::Awaiting => Phase::Idle,
                Phase::Streaming => Phase::Draining,
                Phase::Idle | Phase::Draining | Phase::Evicted | Phase::Closed => return false,
            };
            state.silent_since = self.clock.load(Ordering::Relaxed);
            state.push(line);
        }
        self.ring();
        true
    }

    /// One event of many; false when the client has gone or, now, is dropped for not reading.
    fn event(&self, line: Vec<u8>) -> bool {
        let is_taken = {
            let mut state = self.state();
            if state.phase != Phase::Streaming {
                return false;
            }
            let is_taken = state.queued <= self.max_queued;
            if is_taken {
                state.push(line);
            } else {
                state.phase = Phase::Closed;
                state.lines = VecDeque::new();
            }
            is_taken
        };
        self.ring();
        is_taken
    }

    fn ring(&self) {
        if !self.rung.swap(true, Ordering::AcqRel) {
            (&self.bell).write(&[1]).log_err("waking a control client's thread");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, line: Vec<u8>) {
        self.queued += line.len();
        self.lines.push_back(line);
    }
}

/// Answers one request: once for a call, many times for a stream of events. Never blocks.
///
/// Dropping it unused tells the client so, which is better than a client that waits for ever.
pub(crate) struct ReplySender {
    outbox: Arc<Outbox>,
    id: u64,
    is_stream: bool,
    is_answered: bool,
}

impl ReplySender {
    pub(super) fn new(outbox: Arc<Outbox>, request: &Request) -> Self {
        let is_stream = matches!(request.call, Call::Events);
        Self { outbox, id: request.id, is_stream, is_answered: false }
    }

    pub(crate) fn done(self, value: Value) {
        self.send(Ok(value));
    }

    pub(crate) fn fail(self, kind: ErrorKind, message: impl Into<String>) {
        self.send(Err(ErrorReply::new(kind, message)));
    }

    /// Answers the call, or ends the stream. A client that has left misses it.
    pub(crate) fn send(mut self, answer: Result<Value, ErrorReply>) {
        let body = answer.map_or_else(ReplyBody::Error, ReplyBody::Ok);
        self.is_answered = true;
        self.outbox.finish(Reply { id: Some(self.id), body }.to_line());
    }

    /// Sends one event of a stream. False: the client has left or was dropped because it does not
    /// read, and the sender is of no more use.
    #[must_use]
    pub(crate) fn send_event(&self, event: Value) -> bool {
        self.outbox.event(Reply::event(self.id, event).to_line())
    }

    /// Whether anybody still waits for the answer.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.outbox.phase(), Phase::Awaiting | Phase::Streaming)
    }
}

impl Drop for ReplySender {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        if self.is_stream {
            self.outbox.drain();
            self.outbox.ring();
        } else {
            let message = "the instance gave up on the request; is it quitting?";
            self.outbox.finish(Reply::error(Some(self.id), ErrorKind::Failed, message).to_line());
        }
    }
}

impl fmt::Debug for ReplySender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplySender").field("id", &self.id).finish_non_exhaustive()
    }
}
