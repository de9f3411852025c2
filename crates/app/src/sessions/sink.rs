//! Feeding a program's terminal on its reader thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::LogErr as _;
use pty::{ByteSink, PtyResizer, PtyWriter};
use terminal::{GridSize, TerminalBuffer};
use workspace::ProgramId;

use crate::flights::Flight;
use crate::news::OutputWakers;

/// What a session and its reader thread both see.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    /// Cleared when the session is let go of: what it still prints is no longer this program's.
    pub(super) is_current: Arc<AtomicBool>,
    /// Something was typed, and what is printed next is probably because of it.
    pub(super) expects_echo: Arc<AtomicBool>,
    /// Bytes printed since the launch, or since we began to look.
    pub(super) parsed: Arc<AtomicU64>,
    /// The program's terminal, while others may give it another size.
    followed: Arc<Mutex<Option<PtyResizer>>>,
}

/// What a look at the size of a program's terminal came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Followed {
    /// The screen has a size of its own.
    Nothing,
    AsBefore,
    /// Another size, which has to be taken.
    Anew,
}

impl Shared {
    pub(super) fn new() -> Self {
        Self {
            is_current: Arc::new(AtomicBool::new(true)),
            expects_echo: Arc::default(),
            parsed: Arc::default(),
            followed: Arc::default(),
        }
    }

    /// From now on the screen has the size of that terminal, whoever gives it another; or no longer.
    pub(super) fn set_followed(&self, pty: Option<PtyResizer>) {
        *self.followed() = pty;
    }

    pub(super) fn is_following(&self) -> bool {
        self.followed().is_some()
    }

    /// Looks up the size that the screen is to have, and notes it.
    pub(super) fn follow(&self, terminal: &TerminalBuffer) -> Followed {
        // Held meanwhile, so that of two who look at once the later has the last word.
        let followed = self.followed();
        let size = followed.as_ref().map(PtyResizer::size);
        let size = size.and_then(|size| size.log_err("asking for the size of a terminal"));
        let Some(size) = size else { return Followed::Nothing };
        let size = GridSize { columns: size.columns, rows: size.rows };
        if terminal.follow_size(Some(size)) { Followed::Anew } else { Followed::AsBefore }
    }

    fn followed(&self) -> MutexGuard<'_, Option<PtyResizer>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Feeds a program's terminal on its reader thread.
pub(super) struct Sink {
    pub(super) program: ProgramId,
    pub(super) terminal: TerminalBuffer,
    pub(super) writer: PtyWriter,
    pub(super) wakers: OutputWakers,
    pub(super) shared: Shared,
    pub(super) is_deaf: bool,
    /// Its screen has the size that the program was started with.
    pub(super) is_sized: bool,
    pub(super) flight: Flight,
}

impl Sink {
    fn handle(&mut self, fed: terminal::Fed) {
        // A program that asks and never reads loses the answers; said once, not for each.
        if !fed.replies.is_empty()
            && self.writer.answer(fed.replies).is_err()
            && !std::mem::replace(&mut self.is_deaf, true)
        {
            let program = self.program;
            tracing::info!("program {program} asks its terminal and does not read the answers");
        }
        if fed.ends_brackets {
            self.writer.cut_pastes();
        }
        self.flight.signals(&fed.signals);
        self.wakers.said.add(self.program, fed.signals);
        if self.shared.expects_echo.swap(false, Ordering::AcqRel) {
            self.wakers.echo.wake();
        }
        self.wakers.output.wake();
    }
}

impl ByteSink for Sink {
    fn feed(&mut self, bytes: &[u8]) {
        if !self.shared.is_current.load(Ordering::Acquire) {
            return;
        }
        self.shared.parsed.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if !std::mem::replace(&mut self.is_sized, true) {
            self.terminal.take_size();
        }
        // What is printed for a new size comes after it, and must meet a screen of that size.
        match self.shared.follow(&self.terminal) {
            Followed::Nothing => {}
            // Whoever has noted it may not have taken it yet.
            Followed::AsBefore => {
                self.terminal.take_size();
            }
            Followed::Anew => self.flight.resized(self.terminal.take_size()),
        }
        self.flight.output(&self.terminal, bytes);
        let fed = self.terminal.feed(bytes);
        self.handle(fed);
    }

    fn timeout(&mut self) -> Option<Duration> {
        if !self.shared.is_current.load(Ordering::Acquire) {
            return None;
        }
        let now = crate::clock();
        Some(self.terminal.sync_deadline(now)?.saturating_duration_since(now))
    }

    fn on_timeout(&mut self) {
        let fed = self.terminal.end_sync();
        self.handle(fed);
    }

    fn closed(&mut self) {
        self.wakers.output.wake();
    }
}
