//! One connection: its lines in, its lines or bytes out. Never waits.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use base::LogErr as _;
use control::host::{
    Answer, AnswerBody, Done, Event, FromHost, Hello, HostError, HostErrorKind, MAX_HELLO,
    MAX_LINE, Role, VERSION, VIEWS_SINCE, Welcome, to_line,
};
use control::{LineBuffer, LineTooLong};
use nix::poll::PollFlags;
use pty::PtyTerminal;

use crate::descriptor;
use crate::program::Program;
use crate::views::View;

/// Lines that may wait for an app to read them before it is asked for no more requests, and before
/// it is sent away.
const PATIENT: usize = 1024 * 1024;
const QUEUED: usize = 32 * 1024 * 1024;
/// How far behind somebody may be who only watches.
const VIEWER_LAG: u64 = 4 * 1024 * 1024;
/// What is read of a connection at a time.
const READ: usize = 16 * 1024;
/// Buffers handed to a slow reader in one go, so that others get their turn.
const TURNS: usize = 4;

#[derive(Debug)]
pub(crate) struct Connection {
    stream: UnixStream,
    pub(crate) kind: Kind,
    /// The programs that it shows.
    pub(crate) views: BTreeMap<u64, View>,
    /// The version of the protocol that it speaks.
    version: u32,
    lines: LineBuffer,
    outbox: VecDeque<Outgoing>,
    /// How much of the first line is sent.
    written: usize,
    queued: usize,
    /// It is closed once its lines are sent.
    is_ending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Has not said yet what it is for.
    New,
    App,
    Data(Stream),
}

/// Who reads what a program prints, and how far he is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) program: u64,
    pub(crate) sent: u64,
    pub(crate) is_viewer: bool,
}

#[derive(Debug)]
struct Outgoing {
    line: Vec<u8>,
    terminal: Option<PtyTerminal>,
}

/// Whether a connection goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Next {
    Wait,
    Close,
}

impl Connection {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self {
            stream,
            kind: Kind::New,
            views: BTreeMap::new(),
            version: 0,
            lines: LineBuffer::new(MAX_HELLO),
            outbox: VecDeque::new(),
            written: 0,
            queued: 0,
            is_ending: false,
        }
    }

    pub(crate) fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// What to wait for; an end is told in any case.
    pub(crate) fn wanted(&self, total: u64) -> PollFlags {
        let is_behind = matches!(self.kind, Kind::Data(stream) if stream.sent < total);
        let mut wanted = PollFlags::empty();
        wanted.set(PollFlags::POLLIN, !self.is_ending && self.queued < PATIENT);
        wanted.set(PollFlags::POLLOUT, is_behind || !self.outbox.is_empty());
        wanted
    }

    /// Reads what has come. Whole lines are then there to be taken.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Next {
        let room = buffer.len().min(READ);
        match self.stream.read(&mut buffer[..room]) {
            Ok(0) => Next::Close,
            // Who only listens has nothing to say.
            Ok(_) if matches!(self.kind, Kind::Data(_)) => Next::Close,
            Ok(len) => {
                self.lines.push(&buffer[..len]);
                Next::Wait
            }
            Err(err) if is_passing(&err) => Next::Wait,
            Err(_) => Next::Close,
        }
    }

    /// The next whole line; a line that is too long has been refused.
    pub(crate) fn next_line(&mut self) -> Option<Vec<u8>> {
        if self.is_ending || matches!(self.kind, Kind::Data(_)) {
            return None;
        }
        match self.lines.next_line() {
            Ok(line) => line,
            Err(LineTooLong { limit }) => {
                let message = format!("the message is longer than {limit} bytes");
                self.refuse(HostError::new(HostErrorKind::Usage, message));
                None
            }
        }
    }

    /// It has said what it is for.
    pub(crate) fn greet(&mut self, hello: &Hello, from: Option<u64>) {
        let stream =
            |program, is_viewer| Kind::Data(Stream { program, sent: from.unwrap_or(0), is_viewer });
        self.kind = match hello.role {
            Role::App => Kind::App,
            Role::Data { program, .. } => stream(program, false),
            Role::Viewer { program, .. } => stream(program, true),
        };
        self.version = hello.version();
        self.lines.set_limit(MAX_LINE);
        let pid = i32::try_from(std::process::id()).unwrap_or(0);
        let welcome = Welcome::Welcome { version: self.version, pid, from };
        self.queue(to_line(&welcome).log_err("greeting an app"), None);
    }

    /// Says why, and then it is over.
    pub(crate) fn refuse(&mut self, error: HostError) {
        let line = match self.kind {
            Kind::New => to_line(&Welcome::Refused { version: VERSION, error }),
            Kind::App | Kind::Data(_) => {
                let body = AnswerBody::Error(error);
                to_line(&FromHost::Answer(Answer { id: None, body }))
            }
        };
        self.queue(line.log_err("refusing an app"), None);
        self.is_ending = true;
    }

    pub(crate) fn answer(
        &mut self,
        id: Option<u64>,
        body: Result<Done, HostError>,
        terminal: Option<PtyTerminal>,
    ) {
        let body = body.map_or_else(AnswerBody::Error, AnswerBody::Ok);
        let line = to_line(&FromHost::Answer(Answer { id, body }));
        self.queue(line.log_err("answering an app"), terminal);
    }

    pub(crate) fn event(&mut self, event: &Event) {
        let is_new = matches!(event, Event::Fitted { .. } | Event::Typed { .. });
        if self.kind == Kind::App && (!is_new || self.version >= VIEWS_SINCE) {
            let line = to_line(&FromHost::Event(event.clone()));
            self.queue(line.log_err("telling an app"), None);
        }
    }

    /// Gives the kernel the lines that it takes.
    pub(crate) fn flush(&mut self) -> Next {
        while let Some(first) = self.outbox.front() {
            let terminal = first.terminal.as_ref().filter(|_| self.written == 0);
            let rest = &first.line[self.written..];
            match descriptor::send(&self.stream, rest, terminal.map(PtyTerminal::as_fd)) {
                Ok(len) => self.written += len,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                    return if self.queued > QUEUED { Next::Close } else { Next::Wait };
                }
                Err(_) => return Next::Close,
            }
            if self.written >= first.line.len() {
                self.queued -= first.line.len();
                self.written = 0;
                self.outbox.pop_front();
            }
        }
        if self.is_ending { Next::Close } else { Next::Wait }
    }

    /// Gives the kernel what it takes of a program's output. What was printed just now need not be
    /// read again for that: `fresh` is the last of it.
    pub(crate) fn forward(&mut self, program: &Program, fresh: &[u8], buffer: &mut [u8]) -> Next {
        if !self.outbox.is_empty() {
            return Next::Wait;
        }
        let Kind::Data(stream) = &mut self.kind else { return Next::Wait };
        let fresh_from = program.total - fresh.len() as u64;
        for turn in 0..=TURNS {
            // Asked after the last turn, too: nothing else would wake us for the end.
            if stream.sent == program.total {
                return if program.is_open { Next::Wait } else { Next::Close };
            }
            if turn == TURNS {
                break;
            }
            if stream.is_viewer && program.total - stream.sent > VIEWER_LAG {
                return Next::Close;
            }
            let bytes = if stream.sent >= fresh_from {
                let skip = usize::try_from(stream.sent - fresh_from).unwrap_or(usize::MAX);
                &fresh[skip.min(fresh.len())..]
            } else {
                match program.read_at(stream.sent, buffer) {
                    Ok(len) if len > 0 => &buffer[..len],
                    // Somebody has removed it: better no stream than one with a hole.
                    Ok(_) | Err(_) => return Next::Close,
                }
            };
            match descriptor::send(&self.stream, bytes, None) {
                Ok(len) => stream.sent += len as u64,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return Next::Wait,
                Err(_) => return Next::Close,
            }
        }
        Next::Wait
    }

    fn queue(&mut self, line: Option<Vec<u8>>, terminal: Option<PtyTerminal>) {
        let Some(line) = line.filter(|_| !self.is_ending) else { return };
        self.queued += line.len();
        self.outbox.push_back(Outgoing { line, terminal });
    }
}

fn is_passing(err: &io::Error) -> bool {
    matches!(err.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
