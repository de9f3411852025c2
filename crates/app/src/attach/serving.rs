//! One agent's terminal in the outer one, until somebody has had enough.
//!
//! One thread waits for everything: what is typed, what is printed, the host, signals, and the next frame.
//! What is printed is read at once, whether or not the outer terminal keeps up; frames are drawn when it has
//! taken the last one. So neither a flood nor a slow line delays the agent or a key.

use std::io;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::LogErr as _;
use config::DetachKey;
use control::host::{EndStatus, Event, SizeStatus};
use host::{HostSource, Notice};
use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use pty::{ByteSource as _, Mailbox, PtyTerminal};
use terminal::{GridSize, TerminalBuffer, TerminalSignal};

use super::cells::Depth;
use super::input::{Input, QUESTION};
use super::outer::Outer;
use super::outgoing::Outgoing;
use super::painter::{ENTER, KEEP_TITLE, Painter, greeting};
use super::target::{Joined, Target};

/// The least time from one frame to the next.
const FRAME: Duration = Duration::from_millis(8);
/// Bytes of frames in a millisecond: what is more only fills the buffers of a slow line.
const PACE: usize = 200;
/// How long the line stays that says how to detach, unless a key is pressed.
const NOTE: Duration = Duration::from_secs(4);
/// The least time between two bells.
const BELL: Duration = Duration::from_secs(1);
const CHUNK: usize = 64 * 1024;
/// Chunks of output between two looks at what was typed.
const CHUNKS: usize = 8;

/// Why it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Detached,
    Ended(EndStatus),
    HostLost,
    Told(Signal),
    /// The outer terminal has gone.
    HungUp,
}

#[derive(Debug)]
pub(super) struct Serving {
    target: Target,
    outer: Outer,
    signals: SignalFd,
    input: Input,
    painter: Painter,
    terminal: TerminalBuffer,
    /// The program's terminal, to be typed into.
    master: PtyTerminal,
    /// `None` once there is nothing more to come.
    source: Option<HostSource>,
    /// The offset after the last byte that was read.
    read: u64,
    end: Option<EndStatus>,
    outgoing: Outgoing,
    answers: bool,
    /// The revision that the outer terminal shows; `None` if it has to be drawn in any case.
    painted: Option<u64>,
    paint_from: Instant,
    note_until: Option<Instant>,
    bell_from: Instant,
    has_bell: bool,
}

impl Serving {
    /// Takes the outer terminal.
    ///
    /// # Errors
    /// The program has just gone, or one of the two terminals cannot be used.
    pub(super) fn begin(
        target: Target,
        signals: SignalFd,
        detach: DetachKey,
    ) -> anyhow::Result<Self> {
        let (now, mut outer) = (crate::clock(), Outer::open()?);
        let Joined { terminal, master, source, is_partial } = target.join(now)?;
        let depth = |name| std::env::var(name).ok();
        let depth = Depth::of(depth("TERM").as_deref(), depth("COLORTERM").as_deref());
        let (mut painter, mut input) = (Painter::new(outer.size(), depth), Input::new(detach));
        painter.set_note(Some(greeting(&target.agent, &target.workspace, detach)));
        outer.enter(&format!("{KEEP_TITLE}{ENTER}{QUESTION}"), painter.undo())?;
        input.ask();
        let read = source.start();
        let serving = Self {
            target,
            outer,
            signals,
            input,
            painter,
            terminal,
            master,
            source: Some(source),
            read,
            end: None,
            outgoing: Outgoing::new(),
            answers: false,
            painted: None,
            paint_from: now,
            note_until: Some(now + NOTE),
            bell_from: now,
            has_bell: false,
        };
        serving.show();
        if is_partial {
            serving.master.ask_to_redraw();
        }
        Ok(serving)
    }

    /// Serves until it is over; the outer terminal is then what it was.
    ///
    /// # Errors
    /// The system fails us.
    pub(super) fn run(mut self) -> anyhow::Result<Over> {
        let mut chunk = vec![0; CHUNK];
        loop {
            let now = crate::clock();
            self.do_what_is_due(now)?;
            let ready = self.wait(now)?;
            if let Some(over) = self.serve(ready, &mut chunk)? {
                self.outer.leave();
                return Ok(over);
            }
        }
    }

    fn wait(&self, now: Instant) -> io::Result<Ready> {
        let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let waits = |on: bool, flag| if on { flag } else { PollFlags::empty() };
        let mut fds = vec![
            input(self.signals.as_fd()),
            input(self.target.notices.as_fd()),
            input(self.outer.input()),
            PollFd::new(self.outer.output(), waits(!self.outer.is_idle(), PollFlags::POLLOUT)),
        ];
        let master = (!self.outgoing.is_empty()).then_some(fds.len());
        if master.is_some() {
            fds.push(PollFd::new(self.master.as_fd(), PollFlags::POLLOUT));
        }
        let source = self.source.as_ref().map(|source| (fds.len(), source));
        if let Some((_, source)) = source {
            fds.push(input(source.fd()));
        }
        let timeout = self.next_deadline(now).map(|at| at.saturating_duration_since(now));
        pty::poll(&mut fds, timeout)?;
        let is_ready = |at: usize| fds[at].any().unwrap_or(true);
        Ok(Ready {
            signals: is_ready(0),
            input: is_ready(2),
            output: is_ready(3),
            master: master.is_some_and(is_ready),
            source: source.is_some_and(|(at, _)| is_ready(at)),
        })
    }

    fn next_deadline(&self, now: Instant) -> Option<Instant> {
        let paints = self.is_stale() && self.outer.is_idle();
        let sync = self.terminal.sync_deadline(now);
        [paints.then_some(self.paint_from), self.note_until, sync].into_iter().flatten().min()
    }

    fn is_stale(&self) -> bool {
        self.painted != Some(self.terminal.revision()) || self.has_bell
    }

    fn do_what_is_due(&mut self, now: Instant) -> io::Result<()> {
        if self.terminal.sync_deadline(now).is_some_and(|at| at <= now) {
            let fed = self.terminal.end_sync();
            self.heard(fed);
        }
        if self.note_until.is_some_and(|at| at <= now) {
            self.end_note();
        }
        if self.is_stale() && self.outer.is_idle() && self.paint_from <= now {
            self.paint(now);
            self.outer.flush()?;
        }
        Ok(())
    }

    fn paint(&mut self, now: Instant) {
        // What comes meanwhile is in the next one.
        self.painted = Some(self.terminal.revision());
        let mut frame = self.painter.frame(&self.terminal);
        if std::mem::take(&mut self.has_bell) && self.bell_from <= now {
            frame.push(0x07);
            self.bell_from = now + BELL;
        }
        let takes = Duration::from_millis((frame.len() / PACE).try_into().unwrap_or(u64::MAX));
        self.paint_from = now + FRAME.max(takes);
        self.outer.send(&frame, self.painter.undo());
    }

    fn serve(&mut self, ready: Ready, chunk: &mut [u8]) -> anyhow::Result<Option<Over>> {
        if ready.signals
            && let Some(over) = self.take_signals()?
        {
            return Ok(Some(over));
        }
        // Sizes first: what is printed for one comes after it.
        if let Some(over) = self.take_notices() {
            return Ok(Some(over));
        }
        if ready.output && self.outer.flush().is_err() {
            return Ok(Some(Over::HungUp));
        }
        if ready.input
            && let Some(over) = self.take_typed(chunk)
        {
            return Ok(Some(over));
        }
        if ready.source {
            self.read(chunk)?;
        }
        if ready.master || !self.outgoing.is_empty() {
            self.type_into_program();
        }
        Ok(self.end())
    }

    /// How the agent has ended, once all is shown that it printed before.
    fn end(&self) -> Option<Over> {
        let end = self.end?;
        (self.source.is_none() || self.read >= end.total).then_some(Over::Ended(end))
    }

    fn take_signals(&mut self) -> io::Result<Option<Over>> {
        while let Some(signal) = self.signals.read_signal()? {
            let number = i32::try_from(signal.ssi_signo).unwrap_or(0);
            match Signal::try_from(number)? {
                Signal::SIGWINCH => self.begin_anew(),
                // Whoever used the terminal meanwhile has left it as he liked it.
                Signal::SIGCONT => {
                    self.outer.enter(ENTER, self.painter.undo())?;
                    self.painter.tell_again();
                    self.begin_anew();
                }
                signal => return Ok(Some(Over::Told(signal))),
            }
        }
        Ok(None)
    }

    fn begin_anew(&mut self) {
        self.painter.begin_anew(self.outer.size());
        self.painted = None;
        self.show();
    }

    /// Lets the host know how much room there is.
    fn show(&self) {
        let GridSize { columns, rows } = self.outer.size();
        let size = SizeStatus { columns, rows, pixel_width: 0, pixel_height: 0 };
        self.target.client.view(self.target.program, Some(size));
    }

    fn take_notices(&mut self) -> Option<Over> {
        while let Some(notice) = self.target.notices.take() {
            match notice {
                Notice::Event(Event::Fitted { program, answers, .. })
                    if program == self.target.program =>
                {
                    self.answers = answers;
                    self.follow();
                }
                Notice::Event(Event::Exited { program, end }) if program == self.target.program => {
                    self.end = Some(end);
                }
                Notice::Event(_) => {}
                Notice::Lost => return Some(self.end.map_or(Over::HostLost, Over::Ended)),
            }
        }
        None
    }

    /// The screen has the size of the program's terminal.
    fn follow(&self) {
        let Some(size) = self.master.size().log_err("asking for the size of a terminal") else {
            return;
        };
        if self.terminal.follow_size(Some(GridSize { columns: size.columns, rows: size.rows })) {
            self.terminal.take_size();
        }
    }

    fn take_typed(&mut self, chunk: &mut [u8]) -> Option<Over> {
        let len = match self.outer.read(chunk) {
            Ok(0) => return Some(Over::HungUp),
            Ok(len) => len,
            Err(err)
                if matches!(err.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) =>
            {
                return None;
            }
            Err(_) => return Some(Over::HungUp),
        };
        let typed = self.input.take(&chunk[..len]);
        if typed.has_kitty {
            self.painter.set_kitty();
            self.painted = None;
        }
        if typed.has_wheel {
            self.painter.set_wheel();
            self.painted = None;
        }
        if typed.is_typed {
            self.end_note();
        }
        let is_taken = self.outgoing.typed(&typed.to_program, self.input.paste());
        if typed.is_typed && is_taken {
            self.target.client.typed(self.target.program, typed.submits);
        }
        typed.detaches.then_some(Over::Detached)
    }

    fn end_note(&mut self) {
        self.note_until = None;
        if self.painter.set_note(None) {
            self.painted = None;
        }
    }

    fn type_into_program(&mut self) {
        let master = &self.master;
        self.outgoing.write(|bytes| master.write(bytes));
    }

    fn read(&mut self, chunk: &mut [u8]) -> anyhow::Result<()> {
        for _ in 0..CHUNKS {
            let Some(source) = &mut self.source else { return Ok(()) };
            match source.read(chunk) {
                Ok(0) => return self.find_again(),
                Ok(len) => {
                    self.follow();
                    self.read += len as u64;
                    let fed = self.terminal.feed(&chunk[..len]);
                    self.heard(fed);
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(err) => return Err(err.into()),
            }
        }
        Ok(())
    }

    fn heard(&mut self, fed: terminal::Fed) {
        self.has_bell |= fed.signals.contains(&TerminalSignal::Bell);
        if self.answers {
            self.outgoing.answer(&fed.replies);
        }
    }

    /// The stream has ended: with the program's terminal, or because we were too far behind.
    fn find_again(&mut self) -> anyhow::Result<()> {
        self.source = None;
        let Some(status) = self.target.status()? else {
            self.end.get_or_insert(EndStatus { code: None, signal: None, at_ms: 0, total: 0 });
            return Ok(());
        };
        self.end = self.end.or(status.ended);
        if self.end.is_none() && status.total > self.read {
            let Joined { terminal, source, .. } = self.target.join(crate::clock())?;
            (self.terminal, self.read, self.source) = (terminal, source.start(), Some(source));
            self.painted = None;
            self.follow();
        }
        Ok(())
    }
}

/// What there is to do.
#[derive(Debug, Clone, Copy)]
struct Ready {
    signals: bool,
    input: bool,
    output: bool,
    master: bool,
    source: bool,
}

/// Where the host's thread leaves what it hears.
pub(super) type Notices = Arc<Mailbox<Notice>>;
