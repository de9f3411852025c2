//! The loop of the host: one thread that waits for everything at once.
//!
//! It never waits for anything else. A program is read as far as those who are attached allow
//! ([`Program::room`]), in chunks, into one buffer that all share; nothing is queued for anybody.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use base::LogErr as _;
use control::host::{Done, Event, HostError, HostErrorKind};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use pty::{Ended, Mailbox};

use crate::Options;
use crate::connection::{Connection, Kind, Next, Stream};
use crate::program::{CHUNK, Program, Waiting};
use crate::records::Records;

/// Connections that have not said what they are for; one more, and the oldest is closed.
const MAX_NEW: usize = 64;
/// Connections in all.
const MAX_CONNECTIONS: usize = 1024;
/// How long the first app is waited for.
const FIRST_APP: u16 = 10_000;
/// Pause after an accept that failed for want of descriptors: the listener stays readable.
const BREATHER: u16 = 100;
/// A read that gives less than this has emptied the terminal, as a rule.
const SHORT: usize = 1024;

pub(crate) struct Host {
    pub(crate) options: Options,
    pub(crate) records: Records,
    pub(crate) news: Arc<Mailbox<News>>,
    pub(crate) programs: BTreeMap<u64, Program>,
    pub(crate) launches: u64,
    pub(crate) ending: Option<Ending>,
    listener: UnixListener,
    signals: SignalFd,
    pub(crate) connections: BTreeMap<u64, Connection>,
    n_connections: u64,
    /// What was read last.
    buffer: Vec<u8>,
    /// For reading transcripts while the other is in use.
    spare: Vec<u8>,
    /// There has been an app.
    is_used: bool,
    is_out_of_descriptors: bool,
    /// We were started from within a terminal of another Trackside, as all of ours then is.
    is_nested: bool,
}

/// What the threads that watch programs have to say, with the program's number.
pub(crate) enum News {
    /// It has ended: run this once all that it printed has been read.
    Drain(u64, Box<dyn FnOnce() + Send>),
    Exited(u64, Ended),
    Gone(u64),
}

/// Everything is to end.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) asked_by: Vec<Waiting>,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Listener,
    News,
    Signals,
    Program(u64),
    Connection(u64),
}

impl Host {
    pub(crate) fn new(
        options: Options,
        listener: UnixListener,
        signals: SignalFd,
    ) -> io::Result<Self> {
        Ok(Self {
            records: Records::of(&options.state_dir),
            options,
            news: Arc::new(Mailbox::new()?),
            programs: BTreeMap::new(),
            launches: 0,
            ending: None,
            listener,
            signals,
            connections: BTreeMap::new(),
            n_connections: 0,
            buffer: vec![0; CHUNK],
            spare: vec![0; CHUNK],
            is_used: false,
            is_out_of_descriptors: false,
            is_nested: std::env::var_os(pty::SESSION_VARIABLE).is_some(),
        })
    }

    /// Serves until there is nothing left to do.
    pub(crate) fn run(&mut self) -> io::Result<()> {
        loop {
            let ready = self.wait()?;
            let is_idle = ready.is_empty();
            for (source, flags) in ready {
                match source {
                    Source::Listener => self.accept(),
                    Source::News => self.hear(),
                    Source::Signals => self.take_signals(),
                    Source::Program(number) => drop(self.read(number)),
                    Source::Connection(number) => self.serve(number, flags),
                }
            }
            self.fit();
            if self.must_end(is_idle) {
                return Ok(());
            }
        }
    }

    fn wait(&mut self) -> io::Result<Vec<(Source, PollFlags)>> {
        let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let mut sources = vec![Source::News, Source::Signals];
        let mut fds = vec![input(self.news.as_fd()), input(self.signals.as_fd())];
        let is_short = std::mem::take(&mut self.is_out_of_descriptors);
        if !is_short {
            sources.push(Source::Listener);
            fds.push(input(self.listener.as_fd()));
        }
        let slowest = self.slowest();
        for (number, program) in &self.programs {
            // Not even for its end, which would be told again and again.
            if program.is_open && program.room(slowest.get(number).copied()) > 0 {
                sources.push(Source::Program(*number));
                fds.push(input(program.terminal.as_fd()));
            }
        }
        for (number, connection) in &self.connections {
            let total = match connection.kind {
                // It goes with its program.
                Kind::Data(stream) => self.programs.get(&stream.program).map_or(0, |it| it.total),
                Kind::New | Kind::App => 0,
            };
            sources.push(Source::Connection(*number));
            fds.push(PollFd::new(connection.stream().as_fd(), connection.wanted(total)));
        }
        let timeout: PollTimeout = match (is_short, self.is_used) {
            (true, _) => BREATHER.into(),
            (false, false) => FIRST_APP.into(),
            (false, true) => PollTimeout::NONE,
        };
        match poll(&mut fds, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(err) => return Err(err.into()),
        }
        let flags = fds.iter().map(|fd| fd.revents().unwrap_or(PollFlags::POLLERR));
        Ok(sources.into_iter().zip(flags).filter(|(_, flags)| !flags.is_empty()).collect())
    }

    /// How far the slowest of each program has got who is waited for.
    fn slowest(&self) -> BTreeMap<u64, u64> {
        let mut slowest = BTreeMap::new();
        for connection in self.connections.values() {
            if let Kind::Data(Stream { program, sent, is_viewer: false }) = connection.kind {
                let least = slowest.entry(program).or_insert(sent);
                *least = sent.min(*least);
            }
        }
        slowest
    }

    /// Apps that are connected.
    pub(crate) fn n_apps(&self) -> usize {
        self.connections.values().filter(|connection| connection.kind == Kind::App).count()
    }

    /// Reads what a program has printed, keeps it and hands it on. False: there is no more, or no
    /// more may be read now.
    fn read(&mut self, number: u64) -> bool {
        let slowest = self.slowest().get(&number).copied();
        let Some(program) = self.programs.get_mut(&number).filter(|program| program.is_open) else {
            return false;
        };
        let room = program.room(slowest).min(self.buffer.len());
        let mut len = 0;
        let mut is_drained = false;
        while len < room {
            match program.terminal.read(&mut self.buffer[len..room]) {
                Ok(0) => program.is_open = false,
                Ok(n) => {
                    len += n;
                    // Probably all there was; if not, the next wait says so.
                    if n >= SHORT || !program.drains.is_empty() {
                        continue;
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => is_drained = true,
                Err(err) => {
                    tracing::warn!("while reading the terminal of program {number}: {err}");
                    program.is_open = false;
                }
            }
            break;
        }
        let event = (len > 0).then(|| program.take(&self.buffer[..len])).flatten();
        self.forward(number, len);
        if let Some(event) = event {
            self.tell(&event);
        }
        let Some(program) = self.programs.get_mut(&number) else { return false };
        if is_drained || !program.is_open {
            program.drains.drain(..).for_each(|done| done());
        }
        len > 0 && program.is_open && !is_drained
    }

    /// Hands the first bytes of the buffer, just printed, to whoever is attached.
    fn forward(&mut self, number: u64, len: usize) {
        let Some(program) = self.programs.get(&number) else { return };
        let (fresh, spare) = (&self.buffer[..len], &mut self.spare[..]);
        self.connections.retain(|_, connection| match connection.kind {
            Kind::Data(stream) if stream.program == number => {
                connection.forward(program, fresh, spare) == Next::Wait
            }
            Kind::Data(_) | Kind::New | Kind::App => true,
        });
    }

    fn accept(&mut self) {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    if stream.set_nonblocking(true).log_err("accepting an app").is_none() {
                        continue;
                    }
                    let denied = self.denied(&stream);
                    let mut connection = Connection::new(stream);
                    if let Some(message) = denied {
                        connection.refuse(HostError::new(HostErrorKind::Denied, message));
                    } else if self.connections.len() >= MAX_CONNECTIONS {
                        let message = "too many connections; try again";
                        connection.refuse(HostError::new(HostErrorKind::Busy, message));
                    }
                    self.admit(connection);
                }
                Err(err) => match err.kind() {
                    io::ErrorKind::WouldBlock => return,
                    io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => {}
                    _ => {
                        tracing::warn!("while accepting an app: {err}");
                        self.is_out_of_descriptors = true;
                        return;
                    }
                },
            }
        }
    }

    /// Why whoever is at the other end gets no answer, if that is so.
    ///
    /// Programs of ours are not answered: one could type into the others. As orphans become our children,
    /// all that they start descends from us. What another Trackside has started carries its mark; that says
    /// nothing where our own app was started from within one.
    fn denied(&self, stream: &UnixStream) -> Option<&'static str> {
        let (pid, uid) = control::listen::peer(stream).ok().unwrap_or((None, u32::MAX));
        if uid != nix::unistd::geteuid().as_raw() {
            return Some("this host belongs to another user");
        }
        let ancestors = pid.and_then(control::peer::ancestors);
        let ourselves = i32::try_from(std::process::id()).unwrap_or(0);
        let is_stranger = ancestors.is_some_and(|ancestors| !ancestors.contains(&ourselves));
        if !is_stranger {
            return Some("programs of this host may not use it");
        }
        let is_marked =
            || pid.and_then(|pid| control::peer::environ_has(pid, pty::SESSION_VARIABLE));
        let is_foreign = !self.is_nested && is_marked().unwrap_or(true);
        is_foreign.then_some("programs of another Trackside may not use this host")
    }

    fn admit(&mut self, mut connection: Connection) {
        if connection.flush() == Next::Close {
            return;
        }
        let new = || self.connections.iter().filter(|(_, it)| it.kind == Kind::New);
        if new().count() >= MAX_NEW
            && let Some((oldest, _)) = new().next()
        {
            let oldest = *oldest;
            self.connections.remove(&oldest);
        }
        self.n_connections += 1;
        self.connections.insert(self.n_connections, connection);
    }

    fn serve(&mut self, number: u64, flags: PollFlags) {
        let Some(mut connection) = self.connections.remove(&number) else { return };
        let can_read = flags.intersects(PollFlags::POLLIN | PollFlags::POLLHUP);
        let mut next = Next::Wait;
        if flags.intersects(PollFlags::POLLERR | PollFlags::POLLNVAL) {
            next = Next::Close;
        } else if can_read {
            next = connection.read(&mut self.buffer);
        }
        if next == Next::Wait {
            self.take_lines(number, &mut connection);
            next = connection.flush();
        }
        if next == Next::Wait
            && let Kind::Data(stream) = connection.kind
        {
            next = match self.programs.get(&stream.program) {
                Some(program) => connection.forward(program, &[], &mut self.spare),
                None => Next::Close,
            };
        }
        if next == Next::Wait {
            self.connections.insert(number, connection);
        }
    }

    fn take_lines(&mut self, number: u64, connection: &mut Connection) {
        while let Some(line) = connection.next_line() {
            match connection.kind {
                Kind::New => {
                    self.greet(&line, connection);
                    self.is_used |= connection.kind != Kind::New;
                }
                Kind::App => self.take_request(&line, number, connection),
                Kind::Data(_) => return,
            }
        }
    }

    fn hear(&mut self) {
        while let Some(news) = self.news.take() {
            match news {
                News::Drain(number, done) => match self.programs.get_mut(&number) {
                    Some(program) if program.is_open => {
                        program.drains.push(done);
                        while self.read(number) {}
                    }
                    Some(_) | None => done(),
                },
                News::Exited(number, ended) => {
                    let Some(program) = self.programs.get_mut(&number) else { continue };
                    let end = program.exited(ended);
                    self.tell(&Event::Exited { program: number, end });
                }
                News::Gone(number) => self.gone(number),
            }
        }
    }

    fn gone(&mut self, number: u64) {
        // Its last words, which nobody adds to any more.
        while self.read(number) {}
        let Some(program) = self.programs.get_mut(&number) else { return };
        program.gone();
        let stops = std::mem::take(&mut program.stops);
        self.tell(&Event::Gone { program: number });
        for waiting in stops {
            self.answer(waiting, Ok(Done::Nothing));
        }
        let is_unwanted = |it: &Program| it.is_unwanted && it.is_gone();
        if self.programs.get(&number).is_some_and(is_unwanted) {
            self.remove(number);
        }
    }

    /// Forgets a program. Who reads it gets what he takes now, and then the end: nothing else would tell him.
    pub(crate) fn remove(&mut self, number: u64) {
        self.forward(number, 0);
        self.programs.remove(&number);
        let reads_it = |kind| matches!(kind, Kind::Data(stream) if stream.program == number);
        self.connections.retain(|_, connection| !reads_it(connection.kind));
    }

    pub(crate) fn tell(&mut self, event: &Event) {
        self.connections.retain(|_, connection| {
            connection.event(event);
            connection.kind != Kind::App || connection.flush() == Next::Wait
        });
    }

    fn answer(&mut self, (number, id): Waiting, answer: Result<Done, HostError>) {
        let Some(connection) = self.connections.get_mut(&number) else { return };
        connection.answer(Some(id), answer, None);
        if connection.flush() == Next::Close {
            self.connections.remove(&number);
        }
    }

    fn take_signals(&mut self) {
        while let Ok(Some(signal)) = self.signals.read_signal() {
            let is = |signal: u32, it: Signal| i32::try_from(signal) == Ok(it as i32);
            if is(signal.ssi_signo, Signal::SIGTERM) || is(signal.ssi_signo, Signal::SIGINT) {
                tracing::info!("told to end");
                self.end_all(self.options.stop_grace);
            }
        }
    }

    /// Ends all programs; the host follows.
    pub(crate) fn end_all(&mut self, grace: Duration) {
        self.ending.get_or_insert_with(|| Ending { asked_by: Vec::new() });
        for child in self.programs.values().filter_map(|program| program.child.as_ref()) {
            child.stop(grace, || {});
        }
    }

    fn must_end(&mut self, is_idle: bool) -> bool {
        if !self.programs.values().all(Program::is_gone) {
            return false;
        }
        if let Some(ending) = self.ending.take() {
            // Who has cleared its environment and left its session belongs to none of the programs.
            pty::kill_descendants().log_err("ending what programs have left");
            for waiting in ending.asked_by {
                self.answer(waiting, Ok(Done::Nothing));
            }
            return true;
        }
        let is_wanted = self.connections.values().any(|it| it.kind != Kind::New);
        if is_wanted || !(self.is_used || is_idle && !self.is_out_of_descriptors) {
            return false;
        }
        // Somebody may have come in this moment.
        let before = self.n_connections;
        self.accept();
        before == self.n_connections && self.connections.is_empty()
    }
}
