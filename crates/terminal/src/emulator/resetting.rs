//! Making a screen fit for the next program: modes and attributes undone, text kept or forgotten.

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::Line;
use alacritty_terminal::vte::ansi::{ClearMode, Handler as _};

use super::tracking::View;
use super::{Emulator, signed};
use crate::Scroll;

/// Leaves the alternate screen.
const LEAVE: &[u8] = b"\x1b[?1049l";

/// Undoes what else a program that was killed left behind: modes, scroll region, keypad, attributes,
/// cursor style, character sets, colours, hyperlink, title and keyboard modes.
const RESET: &[u8] = b"\x1b[?1;6;12;1000;1002;1003;1004;1005;1006;2004;2031l\
    \x1b[?7;25;1007h\x1b[4;20l\x1b[r\x1b>\x1b[0m\x1b[0 q\x1b(B\x1b)B\x1b*B\x1b+B\x0f\
    \x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07\x1b]8;;\x07\x1b]2;\x07\x1b[3g\
    \x1b[<65535u\x1b[=0u\x1b[>4m";

/// Of a soft reset: cursor, keypad and origin mode, insert mode, scroll region, attributes, sets.
const SOFT_RESET: &[u8] =
    b"\x1b[?1;6l\x1b[?7;25h\x1b[4l\x1b[r\x1b>\x1b[0m\x1b(B\x1b)B\x1b*B\x1b+B\x0f";

impl Emulator {
    /// Ends what the last program was doing and writes `separator` below all it has shown.
    pub(crate) fn start_session(&mut self, separator: &str) {
        self.reset_modes();
        let last_used = (0..=self.last_line()).rev().find(|line| !self.is_blank(*line));
        let below = last_used.map_or_else(String::new, |line| format!("\x1b[{};1H\r\n", line + 1));
        self.advance(format!("\x1b[H{below}\x1b[2m{separator}\x1b[m\r\n\x1b7").as_bytes());
        self.scroll(Scroll::Bottom);
        self.title = None;
    }

    /// Undoes all modes that a program may have set. Text stays.
    pub(crate) fn reset_modes(&mut self) {
        // The escape it begins with also abandons a sequence that was cut short.
        self.advance(LEAVE);
        let at = self.term.grid().cursor.point;
        self.advance(RESET);
        self.own.forget_modes();
        // Undoing margins and origin mode sends the cursor home, where it would write over text.
        self.term.grid_mut().cursor.point = at;
        let stops: String =
            (1..=self.columns()).step_by(8).map(|column| format!("\x1b[{column}G\x1bH")).collect();
        self.advance(format!("\x1b7{stops}\x1b8").as_bytes());
    }

    /// What a program asks for that begins anew (DECSTR). Text, cursor, colours and title stay.
    pub(crate) fn soft_reset(&mut self) {
        let at = self.term.grid().cursor.point;
        self.advance(SOFT_RESET);
        // It goes back to the top left corner if nothing was saved since.
        self.advance(b"\x1b[H\x1b7");
        self.term.grid_mut().cursor.point = at;
    }

    /// Forgets all that is above the line of the cursor.
    pub(crate) fn clear(&mut self) {
        self.own.clear_history();
        let cursor = self.term.grid().cursor.point.line;
        if !self.is_alternate() && cursor.0 > 0 {
            let screen = Line(0)..Line(signed(self.term.screen_lines()));
            let rows = usize::try_from(cursor.0).unwrap_or(0);
            self.term.grid_mut().scroll_up(&screen, rows);
            self.term.grid_mut().cursor.point.line = Line(0);
        }
        if !self.is_alternate() {
            self.term.clear_screen(ClearMode::Saved);
        }
        self.term.selection = None;
        self.display_offset = 0;
        self.seen = View::NOWHERE;
    }
}
