//! What the emulator is made to do beyond what the parser asks of it.

use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener as _};
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{
    Handler as _, KeyboardModesApplyBehavior, NamedMode, PrivateMode,
};

use super::convert::PROMPT;
use super::outbox::Outbox;
use super::shortcut::{self, Token};
use super::{Own, attributes, signed};

/// The emulator, and what stands between it and the parser.
pub(super) struct Guard<'a> {
    pub(super) term: &'a mut Term<Outbox>,
    pub(super) own: &'a mut Own,
    pub(super) outbox: &'a Outbox,
}

impl Guard<'_> {
    pub(super) fn reply(&self, text: String) {
        self.outbox.send_event(Event::PtyWrite(text));
    }

    pub(super) fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    /// Packs the oldest rows away before the emulator has to make room for more.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.term.history_size() >= self.own.high_rows {
            self.own.drain(self.term);
        }
    }

    /// Does what a token says. Returns what it has to leave to the parser.
    pub(super) fn perform<'t>(&mut self, token: Token<'t>) -> Option<&'t [u8]> {
        match token {
            Token::Ascii(text) => {
                self.note_printing(text.len());
                self.print(text);
            }
            Token::Text(text) => {
                self.note_printing(text.len());
                self.input_text(text);
            }
            Token::Broken(bytes) => {
                for chunk in bytes.utf8_chunks() {
                    self.input_text(chunk.valid());
                    // A control character of eight bits means nothing in UTF-8.
                    if !matches!(chunk.invalid(), [] | [0x80..=0x9f]) {
                        self.input(char::REPLACEMENT_CHARACTER);
                    }
                }
            }
            Token::CarriageReturn => self.term.carriage_return(),
            Token::LineFeed => self.linefeed(),
            Token::Backspace => self.term.backspace(),
            Token::Tab => self.term.put_tab(1),
            Token::Attributes(parameters) => {
                attributes::each(parameters, |attribute| self.term.terminal_attribute(attribute));
            }
            Token::Repeat(count) => {
                if let Some(c) = self.own.last_printed {
                    self.repeat(c, count.into());
                }
            }
            Token::Other(bytes) => return Some(bytes),
        }
        None
    }

    /// So much is about to be printed, from the cursor on.
    #[inline]
    fn note_printing(&mut self, bytes: usize) {
        let row = usize::try_from(self.term.grid().cursor.point.line.0).unwrap_or_default();
        if row >= self.own.printed.len() {
            self.own.printed.resize(self.term.screen_lines(), 0);
        }
        if let Some(printed) = self.own.printed.get_mut(row) {
            *printed = printed.wrapping_add(bytes as u64);
        }
    }

    /// Prints a character many times.
    ///
    /// In insert mode each would move the rest of its row. As many as a row has columns move all of it
    /// out of the row, whatever was there, so only so many have to be inserted, the last ones.
    pub(super) fn repeat(&mut self, c: char, count: usize) {
        let columns = self.term.columns();
        let inserted = count.min(columns);
        if self.term.mode().contains(TermMode::INSERT) && inserted < count {
            self.term.unset_mode(NamedMode::Insert.into());
            (inserted..count).for_each(|_| self.input(c));
            self.term.set_mode(NamedMode::Insert.into());
        } else {
            (inserted..count).for_each(|_| self.input(c));
        }
        (0..inserted).for_each(|_| self.input(c));
    }

    pub(super) fn input_text(&mut self, text: &str) {
        text.chars().filter(|c| !c.is_control()).for_each(|c| self.input(c));
    }

    pub(super) fn print(&mut self, text: &[u8]) {
        let mut rest = text;
        while let [first, others @ ..] = rest {
            let printed = if self.own.prompt_pending {
                0
            } else {
                shortcut::print(self.term, self.own.charset, rest)
            };
            if printed == 0 {
                self.input(char::from(*first));
                rest = others;
            } else {
                rest = &rest[printed..];
            }
        }
        self.own.last_printed = text.last().copied().map(char::from);
    }

    /// Lets the emulator know what holds on the screen that is shown.
    pub(super) fn apply_keyboard(&mut self) {
        let flags = self.own.keyboard.current(*self.term.mode());
        self.term.set_keyboard_mode(flags, KeyboardModesApplyBehavior::Replace);
    }

    /// Moves the cursor by some rows. It does not leave the rows that scroll, if it is among them.
    pub(super) fn move_by(&mut self, rows: i32, column: usize) {
        let last = self.term.bottommost_line().0;
        let line = self.term.grid().cursor.point.line.0;
        let (top, bottom) = self
            .own
            .margins
            .map_or((0, last), |(top, bottom)| (signed(top) - 1, signed(bottom) - 1));
        let first = if line >= top { top } else { 0 };
        let last = if line <= bottom { bottom } else { last };
        let target = line.saturating_add(rows).clamp(first, last);
        // In origin mode lines are counted from the first that scrolls.
        let is_relative = self.term.mode().contains(TermMode::ORIGIN);
        self.term.goto(if is_relative { target - top } else { target }, column);
    }

    /// What follows a change between 80 and 132 columns (DECCOLM), which itself is not the program's
    /// to make. Those that did not ask whether they may (mode 40) must not lose what is on the screen:
    /// ncurses sends the mode to get any terminal ready.
    pub(super) fn change_columns(&mut self, mode: PrivateMode) {
        if self.own.allows_columns {
            self.own.margins = None;
            self.term.set_private_mode(mode);
        }
    }

    /// Modes 47 and 1047 switch screens without saving the cursor.
    pub(super) fn switch_screen(&mut self, to_alternate: bool) {
        if self.is_alternate() != to_alternate {
            self.before_switching();
            let point = self.term.grid().cursor.point;
            self.term.swap_alt();
            self.term.grid_mut().cursor.point = point;
        }
    }

    /// What is out of reach on the other screen should cost little when that is resized. With the
    /// first screen, the emulator leaves its cursor saved.
    pub(super) fn before_switching(&mut self) {
        if !self.is_alternate() {
            self.note_saved();
            let keep = self.term.screen_lines().min(self.own.kept_rows);
            self.own.drain_to(self.term, keep);
        }
    }

    pub(super) fn write_prompt_cell(&mut self, c: char) {
        self.own.prompt_pending = false;
        self.term.grid_mut().cursor.template.flags.insert(PROMPT);
        self.term.input(c);
        self.term.grid_mut().cursor.template.flags.remove(PROMPT);
    }

    /// Notes a change; what was switched off and on again is one, too.
    pub(super) fn note_bracketed_paste(&mut self, is_on: bool) {
        if self.term.mode().contains(TermMode::BRACKETED_PASTE) != is_on {
            self.own.told_bracketed_paste = Some(is_on);
            self.own.ended_brackets |= !is_on;
        }
    }

    /// What a mode of ours is set to, as DECRQM counts: 1 set, 2 reset, 3 always set.
    pub(super) fn own_mode(&self, mode: u16) -> Option<u8> {
        let is_set = match mode {
            40 => self.own.allows_columns,
            47 | 1047 => self.is_alternate(),
            2031 => self.own.reports_color_scheme,
            // Clusters are always taken together.
            2027 => return Some(3),
            _ => return None,
        };
        Some(if is_set { 1 } else { 2 })
    }
}
