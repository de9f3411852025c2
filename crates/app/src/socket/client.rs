//! One client: its bytes in, its replies out, on a thread that only ever waits in `poll`.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use base::LogErr;
use control::{ErrorKind, LineBuffer, LineTooLong, MAX_LINE, Reply, Request};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::outbox::{Outbox, Phase, ReplySender};
use super::{Incoming, OnRequest, Peer};

const CHUNK: usize = 8 * 1024;

/// Whether a connection goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Wait,
    Close,
}

/// What a client's thread owns. The stream does not block.
pub(super) struct Connection {
    stream: UnixStream,
    peer: Peer,
    outbox: Arc<Outbox>,
    on_request: Arc<OnRequest>,
    lines: LineBuffer,
    /// A line the kernel has not taken whole, and how much of it it has.
    partial: Option<(Vec<u8>, usize)>,
    /// The client may still send something.
    input_open: bool,
}

impl Connection {
    pub(super) fn new(
        stream: UnixStream,
        peer: Peer,
        outbox: Arc<Outbox>,
        on_request: Arc<OnRequest>,
    ) -> Self {
        let lines = LineBuffer::new(MAX_LINE);
        Self { stream, peer, outbox, on_request, lines, partial: None, input_open: true }
    }

    /// Serves until the client leaves, is sent away, or the stop pipe's other end is closed.
    pub(super) fn serve(mut self, stop: &PipeReader, wake: &PipeReader) {
        while self.advance() == Next::Wait && self.wait(stop, wake) == Next::Wait {}
        // Such as the answer to `quit`, queued just before the server is dropped.
        self.flush();
        self.outbox.close();
    }

    /// Does all that can be done without waiting.
    fn advance(&mut self) -> Next {
        loop {
            if self.flush() == Next::Close {
                return Next::Close;
            }
            match self.outbox.phase() {
                Phase::Evicted | Phase::Closed => return Next::Close,
                Phase::Draining if self.partial.is_none() => return Next::Close,
                // A client reads its answer before it gets another one: that bounds the queue.
                Phase::Idle if self.partial.is_none() => {}
                Phase::Idle | Phase::Draining | Phase::Awaiting | Phase::Streaming => {
                    return Next::Wait;
                }
            }
            match self.lines.next_line() {
                Ok(Some(line)) => self.take_request(&line),
                Ok(None) if self.input_open => return Next::Wait,
                Ok(None) => {
                    if self.lines.has_rest() {
                        self.refuse("the message has no end of line");
                    }
                    self.outbox.drain();
                }
                Err(LineTooLong { limit }) => {
                    self.refuse(&format!("the message is longer than {limit} bytes"));
                    self.outbox.drain();
                }
            }
        }
    }

    fn take_request(&mut self, line: &[u8]) {
        match Request::parse(line) {
            Ok(request) => {
                if self.outbox.begin(&request.call) {
                    let reply = ReplySender::new(Arc::clone(&self.outbox), &request);
                    (self.on_request)(Incoming { request, peer: self.peer, reply });
                }
            }
            Err(reply) => self.outbox.answer(reply.to_line()),
        }
    }

    fn refuse(&self, message: &str) {
        self.outbox.answer(Reply::error(None, ErrorKind::Usage, message).to_line());
    }

    /// Gives the kernel what it takes.
    fn flush(&mut self) -> Next {
        while let Some((line, sent)) =
            self.partial.take().or_else(|| self.outbox.next_line().map(|line| (line, 0)))
        {
            match self.stream.write(&line[sent..]) {
                Ok(len) if sent + len == line.len() => self.outbox.written(line.len()),
                Ok(len) => self.partial = Some((line, sent + len)),
                Err(err) => {
                    self.partial = Some((line, sent));
                    match err.kind() {
                        io::ErrorKind::Interrupted => {}
                        io::ErrorKind::WouldBlock => return Next::Wait,
                        _ => return Next::Close,
                    }
                }
            }
        }
        Next::Wait
    }

    /// Waits for something to read, room to write, a ring or the end.
    fn wait(&mut self, stop: &PipeReader, wake: &PipeReader) -> Next {
        let wants_input =
            self.input_open && self.partial.is_none() && self.outbox.phase() == Phase::Idle;
        let mut wanted = PollFlags::empty();
        wanted.set(PollFlags::POLLIN, wants_input);
        wanted.set(PollFlags::POLLOUT, self.partial.is_some());
        let mut fds = [
            PollFd::new(self.stream.as_fd(), wanted),
            PollFd::new(wake.as_fd(), PollFlags::POLLIN),
            PollFd::new(stop.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Next::Wait,
            Err(_) => return Next::Close,
        }
        let [happened, rang, stopped] = fds.map(|fd| fd.revents().unwrap_or(PollFlags::POLLERR));
        if !stopped.is_empty() {
            return Next::Close;
        }
        if !rang.is_empty() {
            let mut byte = [0];
            // In this order: a ring after it is heard puts a new byte into the pipe.
            (&*wake).read(&mut byte).log_err("waking up for a control client");
            self.outbox.heard();
        }
        if wants_input && happened.intersects(PollFlags::POLLIN | PollFlags::POLLHUP) {
            return self.read();
        }
        if happened.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL) {
            return Next::Close;
        }
        Next::Wait
    }

    fn read(&mut self) -> Next {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(0) => self.input_open = false,
            Ok(len) => self.lines.push(&chunk[..len]),
            Err(err) => match err.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock => {}
                _ => return Next::Close,
            },
        }
        Next::Wait
    }
}
