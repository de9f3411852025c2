//! Feeding a program's terminal on its reader thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use pty::{ByteSink, PtyWriter};
use terminal::TerminalBuffer;
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
}

impl Shared {
    pub(super) fn new() -> Self {
        Self {
            is_current: Arc::new(AtomicBool::new(true)),
            expects_echo: Arc::default(),
            parsed: Arc::default(),
        }
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
