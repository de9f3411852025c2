//! How bytes reach the emulator: through the scanner, and not before a synchronized update is whole.

use std::time::{Duration, Instant};

use memchr::memmem;

use super::Screen;
use crate::Fed;
use crate::scan::{self, AnswerFacts, Limits, Query, Scanner, Step};
use crate::{PromptMark, TerminalSignal};

/// How long a synchronized update may hold back what it draws.
const SYNC_TIME: Duration = Duration::from_millis(150);
/// And how much.
const MAX_HELD: usize = 2 * 1024 * 1024;
/// Memory for updates that is kept between them.
const MAX_KEPT: usize = 128 * 1024;
const SYNC_END: &[u8] = b"\x1b[?2026l";

/// Slices of an update that are parsed before anybody may look.
const SLICES_AT_ONCE: usize = 8;
/// Slices of an update after which it is shown even though there is more.
const MAX_HIDDEN_SLICES: usize = 64;

/// What a synchronized update has held back, and what is done about it.
#[derive(Debug, Default)]
pub(super) struct Sync {
    state: State,
    held: Vec<u8>,
    /// How much of `held` was parsed since the update ended, and in how many slices.
    parsed: usize,
    slices: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Closed,
    /// Everything is held. The deadline is known once somebody with a clock has asked for it.
    Open { deadline: Option<Instant> },
    /// It has ended; what was held is being parsed.
    Parsing,
}

impl Sync {
    /// Whether the screen shows a half of what a program meant to show at once.
    pub(super) fn is_half_shown(&self) -> bool {
        self.state == State::Parsing && self.slices < MAX_HIDDEN_SLICES
    }

    /// Holds `bytes` back up to the end of the update. Returns how many were taken.
    fn hold(&mut self, bytes: &[u8]) -> usize {
        let before = self.held.len();
        let room = MAX_HELD.saturating_sub(before);
        self.held.extend_from_slice(&bytes[..bytes.len().min(room)]);
        // Its end may have begun in what came before.
        let from = before.saturating_sub(SYNC_END.len() - 1);
        if let Some(at) = memmem::find(&self.held[from..], SYNC_END) {
            let end = from + at;
            self.held.truncate(end);
            self.end();
            return end + SYNC_END.len() - before;
        }
        if bytes.len() >= room {
            self.end();
        }
        self.held.len() - before
    }

    fn end(&mut self) {
        if matches!(self.state, State::Open { .. }) {
            (self.state, self.parsed, self.slices) = (State::Parsing, 0, 0);
        }
    }
}

impl Screen {
    /// Parses a bounded part of `bytes`. Returns how many that were, and whether the screen may
    /// have changed. More may have to be done even when no bytes are left: see [`Self::is_behind`].
    pub(crate) fn feed(&mut self, bytes: &[u8], fed: &mut Fed) -> (usize, bool) {
        if self.crashed {
            return (bytes.len(), false);
        }
        match self.sync.state {
            State::Closed => self.guarded((bytes.len(), true), |screen| screen.parse(bytes, fed)),
            State::Open { .. } => (self.sync.hold(bytes), false),
            State::Parsing => (0, self.guarded(true, |screen| screen.parse_held(fed))),
        }
    }

    /// Whether there is something left to parse of an update that has ended.
    pub(crate) fn is_behind(&self) -> bool {
        self.sync.state == State::Parsing
    }

    /// Whether a sequence, a character or an update has begun and not ended.
    pub(super) fn is_in_the_middle(&self) -> bool {
        self.sync.state != State::Closed || !self.scanner.is_at_rest()
    }

    /// When an open synchronized update has lasted long enough.
    pub(crate) fn sync_deadline(&mut self, now: Instant) -> Option<Instant> {
        match &mut self.sync.state {
            State::Open { deadline } => Some(*deadline.get_or_insert(now + SYNC_TIME)),
            State::Closed | State::Parsing => None,
        }
    }

    /// Ends an update whose time is up: what it held back will be parsed by [`Self::feed`].
    pub(crate) fn end_sync(&mut self) {
        self.sync.end();
    }

    /// Shows what is held back. Nobody is left to read answers.
    pub(super) fn finish_sync(&mut self) {
        self.end_sync();
        while self.is_behind() && !self.crashed {
            self.feed(&[], &mut Fed::default());
        }
    }

    /// Drops whatever is held back or was cut short.
    pub(super) fn forget_input(&mut self) {
        self.scanner = Scanner::new(&self.options.host);
        self.sync = Sync::default();
    }

    fn parse(&mut self, bytes: &[u8], fed: &mut Fed) -> (usize, bool) {
        let mut scanner = std::mem::take(&mut self.scanner);
        let (taken, step) = scanner.next(bytes, self.scan_limits());
        let changed = matches!(step, Some(Step::Parse(_) | Step::SoftReset));
        match step {
            Some(Step::BeginSync) => self.sync.state = State::Open { deadline: None },
            Some(step) => self.act(step, fed),
            None => {}
        }
        self.scanner = scanner;
        (taken, changed)
    }

    fn parse_held(&mut self, fed: &mut Fed) -> bool {
        let mut scanner = std::mem::take(&mut self.scanner);
        let held = std::mem::take(&mut self.sync.held);
        for _ in 0..SLICES_AT_ONCE {
            let (taken, step) = scanner.next(&held[self.sync.parsed..], self.scan_limits());
            self.sync.parsed += taken;
            self.sync.slices += 1;
            if let Some(step) = step {
                self.act(step, fed);
            }
            if self.sync.parsed == held.len() {
                self.sync = Sync::default();
                // Most updates are small, and more will come.
                if held.capacity() <= MAX_KEPT {
                    self.sync.held = held;
                    self.sync.held.clear();
                }
                self.scanner = scanner;
                return true;
            }
        }
        self.sync.held = held;
        self.scanner = scanner;
        true
    }

    fn act(&mut self, step: Step<'_>, fed: &mut Fed) {
        match step {
            Step::Parse(slice) => {
                self.emulator.advance(slice);
                self.emulator.drain_events(&self.answers, fed);
            }
            Step::Ask(query) => fed.reply_bytes(&self.answer(&query)),
            Step::SoftReset => self.emulator.soft_reset(),
            Step::Signal(signal) => fed.signal(signal),
            Step::Prompt(mark) => {
                match mark {
                    PromptMark::Start => self.emulator.begin_prompt(),
                    PromptMark::Input => {}
                    PromptMark::Output | PromptMark::End { .. } => self.emulator.end_prompt(),
                }
                fed.signal(TerminalSignal::Prompt(mark));
            }
            // An update within an update, or the end of one that was cut short.
            Step::BeginSync | Step::EndSync => {}
        }
    }

    pub(super) fn answer(&self, query: &Query) -> Vec<u8> {
        #[cfg(feature = "conformance")]
        if let Query::Checksum(parameters) = query {
            return self.checksum(parameters);
        }
        let facts = AnswerFacts {
            version: env!("CARGO_PKG_VERSION"),
            cursor: self.emulator.cursor_point(),
            cell_pixels: self.answers.cell_pixels,
            is_dark: self.answers.colors.is_dark(),
            cursor_style: self.emulator.cursor_style_number(),
            margins: self.emulator.margins(),
            attributes: &self.emulator.attributes_report(),
        };
        scan::answer(query, &facts)
    }

    #[cfg(feature = "conformance")]
    fn checksum(&self, parameters: &str) -> Vec<u8> {
        let rows: Vec<crate::SnapshotRow> = (0..=self.emulator.last_line())
            .map(|line| {
                let mut row = crate::SnapshotRow::default();
                self.emulator.copy_line(line, &mut row.cells);
                row
            })
            .collect();
        crate::conformance::checksum_reply(parameters, &rows).into_bytes()
    }

    fn scan_limits(&self) -> Limits {
        Limits { cells: usize::from(self.size.columns) * usize::from(self.size.rows) }
    }
}
