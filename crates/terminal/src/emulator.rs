//! The emulator we build on, behind our own types: nothing outside of this folder names it.
//!
//! Lines are counted as the emulator does: 0 is the top of the screen, what is above it is negative.
//! The emulator itself keeps only the newest of those; older ones are packed away in the history and
//! look the same from outside. All methods may panic if the emulator is wrong about itself;
//! [`crate::screen`] catches that.

mod attributes;
mod clusters;
mod convert;
mod events;
mod guard;
mod handler;
mod keyboard;
mod links;
mod look;
mod outbox;
mod packing;
mod prompt;
mod repaint;
mod report;
mod resetting;
mod saving;
mod shortcut;
mod tracking;
mod view;

use std::time::Duration;

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Point};
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::term::{Config, Osc52, Term, TermMode};
use alacritty_terminal::vte::ansi::{
    CharsetIndex, CursorShape as GridCursorShape, Processor, Rgb as GridRgb, Timeout,
};

pub(crate) use alacritty_terminal::sync::FairMutex;
pub(crate) use view::RowReader;

use crate::history::{History, HistoryLimits};
use crate::{CellPoint, Cursor, CursorShape, GridSize, Modes, Rgb, Scroll, TerminalOptions};
use events::CURSOR;
use guard::Guard;
use keyboard::Keyboard;
use links::Links;
use outbox::Outbox;
use saving::Saved;
use tracking::View;

/// Combining marks kept on one cell.
const MAX_MARKS: usize = 8;

/// History rows the emulator keeps for itself, so that a screen that grows can show them again, and
/// so many more until they are packed away. It makes room in steps of a thousand.
const KEPT_ROWS: usize = 256;
const PACKED_AT_ONCE: usize = 512;

/// More than the emulator ever holds, except while a narrower screen rewraps it.
const EMULATOR_HISTORY: usize = 1_000_000;

/// Rows are cut into at most so many at once.
const MAX_SHRINK: usize = 8;

pub(crate) struct Emulator {
    term: Term<Outbox>,
    processor: Processor<NoTimeout>,
    outbox: Outbox,
    own: Own,
    title: Option<String>,
    /// Rows the view is scrolled up.
    display_offset: usize,
    /// What was in view when damage was last taken.
    seen: View,
}

/// What the emulator does not keep.
struct Own {
    history: History,
    links: Links,
    /// The next character begins a prompt.
    prompt_pending: bool,
    /// The character printed last, which may have to be repeated.
    last_printed: Option<char>,
    /// For each row of the screen, how many bytes of text were ever printed from somewhere in it on.
    printed: Vec<u64>,
    /// Which of the cursor's character sets is in use.
    charset: CharsetIndex,
    /// Of both screens.
    saved: [Saved; 2],
    keyboard: Keyboard,
    /// How many titles the emulator has put aside.
    title_depth: u16,
    /// Whether pastes are to be bracketed, if a program has said so since events were drained.
    told_bracketed_paste: Option<bool>,
    /// They were not to be, if only for a moment, since then.
    ended_brackets: bool,
    modify_other_keys: u8,
    reports_color_scheme: bool,
    /// The program has said that it may change the number of columns.
    allows_columns: bool,
    /// Programs cannot clear the history.
    keeps_history: bool,
    /// First and last row that scroll, from 1, if not all do.
    margins: Option<(usize, usize)>,
    kept_rows: usize,
    high_rows: usize,
    /// Rows packed away, ever.
    packed: u64,
    /// How often the history was cleared.
    clears: u64,
    /// Rows that were pushed into the history as the screen was cleared, ever.
    erased: u64,
}

/// Synchronized updates are held back before the parser, not in it.
#[derive(Default)]
struct NoTimeout;

impl Timeout for NoTimeout {
    fn set_timeout(&mut self, _duration: Duration) {}

    fn clear_timeout(&mut self) {}

    fn pending_timeout(&self) -> bool {
        false
    }
}

impl Own {
    fn drain(&mut self, term: &mut Term<Outbox>) {
        self.drain_to(term, self.kept_rows);
    }

    fn drain_to(&mut self, term: &mut Term<Outbox>, keep: usize) {
        self.packed += packing::drain(term, &mut self.history, keep) as u64;
    }

    fn clear_history(&mut self) {
        self.history.clear();
        self.clears += 1;
    }

    fn forget_modes(&mut self) {
        self.prompt_pending = false;
        self.charset = CharsetIndex::default();
        self.saved = Default::default();
        self.keyboard = Keyboard::default();
        self.title_depth = 0;
        self.modify_other_keys = 0;
        self.reports_color_scheme = false;
        self.allows_columns = false;
        self.margins = None;
    }
}

impl Dimensions for GridSize {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        self.rows.into()
    }

    fn columns(&self) -> usize {
        self.columns.into()
    }
}

impl Emulator {
    pub(crate) fn new(size: GridSize, options: &TerminalOptions) -> Self {
        let config = Config {
            scrolling_history: EMULATOR_HISTORY,
            kitty_keyboard: true,
            osc52: Osc52::OnlyCopy,
            ..Config::default()
        };
        let outbox = Outbox::default();
        let limits = HistoryLimits {
            lines: options.scrollback_lines,
            bytes: options.scrollback_bytes,
            budget: options.budget.clone(),
        };
        let (kept_rows, high_rows) = kept_rows(limits.lines);
        let own = Own {
            high_rows,
            history: History::new(size.columns.into(), limits),
            links: Links::default(),
            prompt_pending: false,
            last_printed: None,
            printed: Vec::new(),
            charset: CharsetIndex::default(),
            saved: Default::default(),
            keyboard: Keyboard::default(),
            title_depth: 0,
            told_bracketed_paste: None,
            ended_brackets: false,
            modify_other_keys: 0,
            reports_color_scheme: false,
            allows_columns: false,
            keeps_history: options.keeps_history,
            margins: None,
            kept_rows,
            packed: 0,
            clears: 0,
            erased: 0,
        };
        Self {
            term: Term::new(config, &size, outbox.clone()),
            processor: Processor::new(),
            outbox,
            own,
            title: None,
            display_offset: 0,
            seen: View::NOWHERE,
        }
    }

    /// Keeps so many lines from now on, and obeys programs that clear them or not.
    pub(crate) fn set_options(&mut self, options: &TerminalOptions) {
        self.own.keeps_history = options.keeps_history;
        (self.own.kept_rows, self.own.high_rows) = kept_rows(options.scrollback_lines);
        if self.term.history_size() >= self.own.high_rows {
            self.own.drain(&mut self.term);
        }
        self.own.history.set_lines(options.scrollback_lines);
        self.display_offset = self.display_offset.min(self.history());
        self.seen = View::NOWHERE;
    }

    /// Parses `bytes`: whole characters and whole sequences.
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        let before = (self.pushed(), self.own.clears);
        let mut guard = Guard { term: &mut self.term, own: &mut self.own, outbox: &self.outbox };
        let mut rest = bytes;
        while !rest.is_empty() {
            let (len, token) = shortcut::token(rest);
            if let Some(other) = guard.perform(token) {
                self.processor.advance(&mut guard, other);
            }
            rest = &rest[len..];
        }
        self.hold_view(before);
    }

    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(crate) fn resize(&mut self, size: GridSize) {
        self.term.selection = None;
        if usize::from(size.columns) < self.columns() / 2 {
            // Each row would become many, and the emulator would have to make them all.
            self.own.drain_to(&mut self.term, size.rows.into());
        }
        self.unwrap_prompt(size.columns.into());
        // The emulator cuts off one new row after the other, moving the rest each time: many small
        // steps are quicker than a large one.
        let rows = u16::try_from(self.term.screen_lines()).unwrap_or(size.rows);
        let mut columns = self.columns() / MAX_SHRINK;
        while columns > usize::from(size.columns) {
            let step = GridSize { columns: u16::try_from(columns).unwrap_or(size.columns), rows };
            self.term.resize(step);
            columns /= MAX_SHRINK;
        }
        self.term.resize(size);
        self.own.history.set_columns(size.columns.into());
        self.own.margins = None;
        if self.term.history_size() >= self.own.high_rows {
            self.own.drain(&mut self.term);
        }
        self.display_offset = self.display_offset.min(self.history());
        self.seen = View::NOWHERE;
    }

    pub(crate) fn scroll(&mut self, scroll: Scroll) {
        let page = self.term.screen_lines();
        let offset = match scroll {
            Scroll::Lines(lines) => self.display_offset.saturating_add_signed(lines as isize),
            Scroll::PageUp => self.display_offset + page,
            Scroll::PageDown => self.display_offset.saturating_sub(page),
            Scroll::Top => usize::MAX,
            Scroll::Bottom => 0,
        };
        self.display_offset = offset.min(self.history());
    }

    /// The next character printed begins a prompt.
    pub(crate) fn begin_prompt(&mut self) {
        self.own.prompt_pending = true;
    }

    /// No prompt was printed after all.
    pub(crate) fn end_prompt(&mut self) {
        self.own.prompt_pending = false;
    }

    pub(crate) fn reports_color_scheme(&self) -> bool {
        self.own.reports_color_scheme
    }

    pub(crate) fn modes(&self) -> Modes {
        let mode = self.term.mode();
        let mut modes: Modes = MODES
            .iter()
            .filter(|(theirs, _)| mode.contains(*theirs))
            .map(|(_, ours)| *ours)
            .collect();
        modes.set(Modes::MODIFY_OTHER_KEYS_1, self.own.modify_other_keys == 1);
        modes.set(Modes::MODIFY_OTHER_KEYS, self.own.modify_other_keys == 2);
        modes
    }

    pub(crate) fn cursor(&self) -> Option<Cursor> {
        let style = self.term.cursor_style();
        let shape = match style.shape {
            _ if !self.term.mode().contains(TermMode::SHOW_CURSOR) => return None,
            GridCursorShape::Block => CursorShape::Block,
            GridCursorShape::Underline => CursorShape::Underline,
            GridCursorShape::Beam => CursorShape::Beam,
            GridCursorShape::HollowBlock => CursorShape::Hollow,
            GridCursorShape::Hidden => return None,
        };
        let Point { line, column: Column(column) } = self.term.grid().cursor.point;
        let row = line.0 + signed(self.display_offset);
        if row > self.last_line() {
            return None;
        }
        let is_spacer = self.live(line.0)[column].flags.contains(Flags::WIDE_CHAR_SPACER);
        let column = column.saturating_sub(usize::from(is_spacer));
        let at = CellPoint { row: u16::try_from(row).ok()?, column: u16::try_from(column).ok()? };
        let color = self.term.colors()[CURSOR].map(|GridRgb { r, g, b }| Rgb::new(r, g, b));
        Some(Cursor { at, shape, blinking: style.blinking, color })
    }

    /// How often the history was cleared.
    pub(crate) fn clears(&self) -> u64 {
        self.own.clears
    }

    /// Rows that have left the screen at its top since the history was last cleared, as long as the
    /// screen is the same.
    pub(crate) fn pushed(&self) -> u64 {
        self.own.packed + self.live_history() as u64
    }

    /// What screens and history take, in bytes. Underline colours and marks that are still on the
    /// screen are not counted.
    pub(crate) fn memory(&self) -> usize {
        const STEP: usize = 1000;
        let screens = 2 * self.term.screen_lines();
        let history = self.term.history_size().div_ceil(STEP) * STEP;
        let row = size_of::<Vec<GridCell>>() + self.columns() * size_of::<GridCell>();
        (screens + history) * row + self.own.history.bytes()
    }

    /// Keeps a view that is scrolled up on its lines, after output pushed some into the history.
    fn hold_view(&mut self, (pushed_before, clears_before): (u64, u64)) {
        if self.display_offset == 0 {
            return;
        }
        if self.is_alternate() || self.own.clears != clears_before {
            self.display_offset = 0;
            return;
        }
        let pushed = self.pushed().saturating_sub(pushed_before);
        let offset = self.display_offset.saturating_add(usize::try_from(pushed).unwrap_or(0));
        self.display_offset = offset.min(self.history());
    }

    fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    fn is_blank(&self, line: i32) -> bool {
        self.live(line).iter().all(|cell| *cell == GridCell::default())
    }
}

const MODES: [(TermMode, Modes); 17] = [
    (TermMode::APP_CURSOR, Modes::APP_CURSOR),
    (TermMode::APP_KEYPAD, Modes::APP_KEYPAD),
    (TermMode::BRACKETED_PASTE, Modes::BRACKETED_PASTE),
    (TermMode::MOUSE_REPORT_CLICK, Modes::MOUSE_CLICK),
    (TermMode::MOUSE_DRAG, Modes::MOUSE_DRAG),
    (TermMode::MOUSE_MOTION, Modes::MOUSE_MOTION),
    (TermMode::SGR_MOUSE, Modes::SGR_MOUSE),
    (TermMode::UTF8_MOUSE, Modes::UTF8_MOUSE),
    (TermMode::FOCUS_IN_OUT, Modes::FOCUS),
    (TermMode::ALT_SCREEN, Modes::ALT_SCREEN),
    (TermMode::ALTERNATE_SCROLL, Modes::ALTERNATE_SCROLL),
    (TermMode::LINE_FEED_NEW_LINE, Modes::NEW_LINE),
    (TermMode::DISAMBIGUATE_ESC_CODES, Modes::KITTY_DISAMBIGUATE),
    (TermMode::REPORT_EVENT_TYPES, Modes::KITTY_EVENTS),
    (TermMode::REPORT_ALTERNATE_KEYS, Modes::KITTY_ALTERNATES),
    (TermMode::REPORT_ALL_KEYS_AS_ESC, Modes::KITTY_ALL_KEYS),
    (TermMode::REPORT_ASSOCIATED_TEXT, Modes::KITTY_TEXT),
];

/// How many history rows the emulator keeps, and at how many it is relieved of the rest.
fn kept_rows(lines: usize) -> (usize, usize) {
    let kept = KEPT_ROWS.min(lines);
    (kept, kept + PACKED_AT_ONCE.min(lines + 1))
}

/// Line numbers are far below this: a terminal has at most some hundred thousand lines.
fn signed(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;
