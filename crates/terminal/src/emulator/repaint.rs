//! The screen as bytes that draw it again in another terminal.

use std::io::Write as _;

use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};

use super::convert::{self, PROMPT};
use super::report::sgr;
use super::{Emulator, signed};
use crate::Modes;

/// What changes how a character looks.
const LOOKS: Flags = Flags::BOLD_ITALIC
    .union(Flags::DIM)
    .union(Flags::ALL_UNDERLINES)
    .union(Flags::INVERSE)
    .union(Flags::HIDDEN)
    .union(Flags::STRIKEOUT);

/// Modes that are switched by `CSI ? n h`.
const PRIVATE: [(Modes, u16); 8] = [
    (Modes::APP_CURSOR, 1),
    (Modes::MOUSE_CLICK, 1000),
    (Modes::MOUSE_DRAG, 1002),
    (Modes::MOUSE_MOTION, 1003),
    (Modes::FOCUS, 1004),
    (Modes::UTF8_MOUSE, 1005),
    (Modes::SGR_MOUSE, 1006),
    (Modes::BRACKETED_PASTE, 2004),
];

const KITTY: [(Modes, u8); 5] = [
    (Modes::KITTY_DISAMBIGUATE, 1),
    (Modes::KITTY_EVENTS, 2),
    (Modes::KITTY_ALTERNATES, 4),
    (Modes::KITTY_ALL_KEYS, 8),
    (Modes::KITTY_TEXT, 16),
];

impl Emulator {
    /// What a new terminal of the same size must be fed to show the same and to take further output
    /// as this one would. The other of the two screens, saved cursors, tab stops, character sets and
    /// links are not carried over.
    pub(crate) fn repaint(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.is_alternate() {
            bytes.extend_from_slice(b"\x1b[?1049h");
        }
        let mut pen = GridCell::default();
        let mut is_wrapped = false;
        for row in 0..signed(self.n_screen_rows()) {
            let cells = self.live(row);
            let used = cells.iter().rposition(|cell| !is_untouched(cell)).map_or(0, |at| at + 1);
            if used > 0 && !is_wrapped {
                put(&mut bytes, format_args!("\x1b[{};1H", row + 1));
            }
            for column in 0..used {
                paint(&mut bytes, cells, column, &mut pen);
            }
            // Behind a wide character that did not fit, one cannot tell what wrapped.
            let leading = Flags::LEADING_WIDE_CHAR_SPACER;
            let is_full = cells.last().is_some_and(|cell| !cell.flags.contains(leading));
            is_wrapped = used == cells.len() && is_full && self.is_wrapped(row);
        }
        self.repaint_modes(&mut bytes);
        self.repaint_cursor(&mut bytes, &mut pen);
        bytes
    }

    fn n_screen_rows(&self) -> usize {
        usize::try_from(self.last_line() + 1).unwrap_or(0)
    }

    fn repaint_modes(&self, bytes: &mut Vec<u8>) {
        let (modes, theirs) = (self.modes(), self.term.mode());
        for (_, number) in PRIVATE.iter().filter(|(mode, _)| modes.contains(*mode)) {
            put(bytes, format_args!("\x1b[?{number}h"));
        }
        for (mode, sequence) in [
            (Modes::APP_KEYPAD, "\x1b="),
            (Modes::NEW_LINE, "\x1b[20h"),
            (Modes::MODIFY_OTHER_KEYS_1, "\x1b[>4;1m"),
            (Modes::MODIFY_OTHER_KEYS, "\x1b[>4;2m"),
        ] {
            if modes.contains(mode) {
                bytes.extend_from_slice(sequence.as_bytes());
            }
        }
        let kitty = KITTY.iter().filter(|(mode, _)| modes.contains(*mode));
        let kitty: u8 = kitty.map(|(_, bit)| bit).sum();
        if kitty > 0 {
            put(bytes, format_args!("\x1b[>{kitty}u"));
        }
        if let Some((top, bottom)) = self.own.margins {
            put(bytes, format_args!("\x1b[{top};{bottom}r"));
        }
        for (mode, is_usual, sequence) in [
            (TermMode::SHOW_CURSOR, true, "\x1b[?25l"),
            (TermMode::LINE_WRAP, true, "\x1b[?7l"),
            (TermMode::INSERT, false, "\x1b[4h"),
            (TermMode::ORIGIN, false, "\x1b[?6h"),
        ] {
            if theirs.contains(mode) != is_usual {
                bytes.extend_from_slice(sequence.as_bytes());
            }
        }
    }

    /// Puts the cursor where it is, also behind the last column, and gives it its looks.
    fn repaint_cursor(&self, bytes: &mut Vec<u8>, pen: &mut GridCell) {
        let at = self.cursor_point();
        let cursor = &self.term.grid().cursor;
        let cells = self.live(cursor.point.line.0);
        let column = cursor.point.column.0;
        let is_spacer =
            cells.get(column).is_some_and(|cell| cell.flags.contains(Flags::WIDE_CHAR_SPACER));
        // A character there is printed again, after which the cursor waits behind it.
        let back = u16::from(cursor.input_needs_wrap && is_spacer && column > 0);
        put(bytes, format_args!("\x1b[{};{}H", at.row + 1, at.column + 1 - back));
        if cursor.input_needs_wrap {
            paint(bytes, cells, column - usize::from(back), pen);
        }
        put(bytes, format_args!("\x1b[{}m", sgr(&cursor.template)));
    }
}

/// Prints one cell, changing the pen, which looks like the last one, where this looks different.
fn paint(bytes: &mut Vec<u8>, cells: &[GridCell], column: usize, pen: &mut GridCell) {
    let cell = &cells[column];
    let is_torn = convert::is_torn(cells, column);
    if cell.flags.contains(Flags::WIDE_CHAR_SPACER) && !is_torn {
        return;
    }
    let flags = cell.flags.intersection(LOOKS);
    if (cell.fg, cell.bg, flags) != (pen.fg, pen.bg, pen.flags) {
        put(bytes, format_args!("\x1b[{}m", sgr(cell)));
        (pen.fg, pen.bg, pen.flags) = (cell.fg, cell.bg, flags);
    }
    if is_torn || cell.c == '\t' {
        bytes.push(b' ');
        return;
    }
    bytes.extend_from_slice(cell.c.encode_utf8(&mut [0; 4]).as_bytes());
    for mark in convert::marks(cell) {
        put(bytes, format_args!("{mark}"));
    }
}

fn is_untouched(cell: &GridCell) -> bool {
    let blank = GridCell::default();
    let flags = cell.flags.difference(PROMPT | Flags::WRAPLINE);
    cell.c == blank.c && cell.fg == blank.fg && cell.bg == blank.bg && flags.is_empty()
}

fn put(bytes: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _written = bytes.write_fmt(text).is_ok();
}
