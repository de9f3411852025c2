//! Frames for the outer terminal: what has changed on the screen since the last one.
//!
//! What a program prints never reaches the outer terminal. It is shown on a screen of our own, and what
//! differs there from what the outer terminal shows is drawn with our own sequences; so a program can do
//! nothing there but show text and choose what is typed to it (mouse, pastes, keys). However much it
//! prints, a frame is no larger than the screen.

use config::DetachKey;
use terminal::{Attributes, Cell, Cursor, CursorShape, GridSize, Modes, Snapshot, TerminalBuffer};

use super::cells::{self, Depth, put};
use crate::commands::clean;

/// What is the same in the outer terminal, as `CSI ? n h`.
const PRIVATE: [(Modes, u16); 5] = [
    (Modes::APP_CURSOR, 1),
    (Modes::FOCUS, 1004),
    (Modes::UTF8_MOUSE, 1005),
    (Modes::SGR_MOUSE, 1006),
    (Modes::BRACKETED_PASTE, 2004),
];
/// Of these, terminals keep one.
const MOUSE: [(Modes, u16); 3] =
    [(Modes::MOUSE_CLICK, 1000), (Modes::MOUSE_DRAG, 1002), (Modes::MOUSE_MOTION, 1003)];
const KITTY: [(Modes, u8); 5] = [
    (Modes::KITTY_DISAMBIGUATE, 1),
    (Modes::KITTY_EVENTS, 2),
    (Modes::KITTY_ALTERNATES, 4),
    (Modes::KITTY_ALL_KEYS, 8),
    (Modes::KITTY_TEXT, 16),
];

/// Sets the outer terminal's title aside.
pub(super) const KEEP_TITLE: &str = "\x1b[22;2t";
/// A screen of its own, on which lines do not wrap.
pub(super) const ENTER: &str = "\x1b[?1049h\x1b[?7l\x1b[m\x1b[H\x1b[2J";
/// What a block that does not blink is called: as the emulator begins.
const USUAL_CURSOR: u8 = 2;

#[derive(Debug)]
pub(super) struct Painter {
    snapshot: Snapshot,
    /// Rows as the outer terminal shows them.
    drawn: Vec<Vec<Cell>>,
    room: GridSize,
    depth: Depth,
    has_kitty: bool,
    /// Shown over the last row.
    note: Option<String>,
    told: Told,
}

/// What the outer terminal was told besides text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Told {
    modes: Modes,
    /// Whether the wheel types arrows, where that is known.
    wheel: Option<bool>,
    kitty: Option<u8>,
    cursor: Option<Cursor>,
    style: Option<u8>,
    title: Option<String>,
}

impl Painter {
    pub(super) fn new(room: GridSize, depth: Depth) -> Self {
        Self {
            snapshot: Snapshot::default(),
            drawn: Vec::new(),
            room,
            depth,
            has_kitty: false,
            note: None,
            told: Told::default(),
        }
    }

    /// The outer terminal has another size, or shows something else: all is drawn again.
    pub(super) fn begin_anew(&mut self, room: GridSize) {
        self.room = room;
        self.drawn.clear();
    }

    /// The outer terminal has been used by somebody else: all that it was told is told again.
    pub(super) fn tell_again(&mut self) {
        let Told { kitty, style, wheel, .. } = self.told;
        // What was pushed is not pushed once more.
        let (kitty, style) = (kitty.map(|_| u8::MAX), style.map(|_| 0));
        let wheel = wheel.map(|_| true);
        self.told = Told { kitty, style, wheel, ..Told::default() };
    }

    /// The outer terminal tells all keys apart if it is asked to.
    pub(super) fn set_kitty(&mut self) {
        self.has_kitty = true;
    }

    /// The outer terminal types arrows when its wheel is turned, unless it is asked not to.
    pub(super) fn set_wheel(&mut self) {
        self.told.wheel.get_or_insert(true);
    }

    /// Shows a line over the last row, or takes it away. Returns whether that changes anything.
    pub(super) fn set_note(&mut self, note: Option<String>) -> bool {
        std::mem::replace(&mut self.note, note.clone()) != note
    }

    /// What makes the outer terminal show the screen as it is now; nothing if it does.
    pub(super) fn frame(&mut self, terminal: &TerminalBuffer) -> Vec<u8> {
        // Whether it has changed is seen below.
        let _has_changed = terminal.snapshot_into(&mut self.snapshot);
        let mut body = Vec::new();
        if self.drawn.is_empty() {
            body.extend_from_slice(b"\x1b[m\x1b[2J");
        }
        self.draw_rows(&mut body);
        self.tell_modes(&mut body);
        self.tell_title(&mut body, terminal.title());
        let cursor = self.cursor();
        if body.is_empty() && cursor == self.told.cursor {
            return body;
        }
        let mut frame = b"\x1b[?2026h\x1b[?25l".to_vec();
        frame.append(&mut body);
        if let Some(cursor) = cursor {
            self.tell_style(&mut frame, cursor);
            let (row, column) = (cursor.at.row + 1, cursor.at.column + 1);
            put(&mut frame, format_args!("\x1b[{row};{column}H\x1b[?25h"));
        }
        self.told.cursor = cursor;
        frame.extend_from_slice(b"\x1b[?2026l");
        frame
    }

    /// What makes the outer terminal what it was before [`ENTER`].
    pub(super) fn undo(&self) -> Vec<u8> {
        // Whatever was cut short ends here.
        let mut undo = b"\x1b\\\x1b[?2026l\x1b[?1003l\x1b[?1002l\x1b[?1000l".to_vec();
        for (_, number) in PRIVATE {
            put(&mut undo, format_args!("\x1b[?{number}l"));
        }
        undo.extend_from_slice(b"\x1b>\x1b[>4;0m");
        if self.told.kitty.is_some() {
            undo.extend_from_slice(b"\x1b[<u");
        }
        if self.told.wheel.is_some() {
            undo.extend_from_slice(b"\x1b[?1007h");
        }
        if self.told.style.is_some() {
            undo.extend_from_slice(b"\x1b[0 q");
        }
        undo.extend_from_slice(b"\x1b[m\x1b[?7h\x1b[?25h\x1b[?1049l\x1b[23;2t");
        undo
    }

    fn draw_rows(&mut self, body: &mut Vec<u8>) {
        let (columns, n_rows) = (usize::from(self.room.columns), usize::from(self.room.rows));
        self.drawn.resize(n_rows, Vec::new());
        let note = self.note.as_deref().map(|note| note_cells(note, columns));
        for (index, drawn) in self.drawn.iter_mut().enumerate() {
            let cells = self.snapshot.rows.get(index).map_or(&[][..], |row| &row.cells);
            let cells = match &note {
                Some(note) if index + 1 == n_rows => note,
                Some(_) | None => cells,
            };
            let cells = cells::kept(cells, columns);
            if drawn != cells {
                cells::draw(body, index, drawn, cells, self.depth);
                drawn.clear();
                drawn.extend_from_slice(cells);
            }
        }
    }

    fn tell_modes(&mut self, body: &mut Vec<u8>) {
        let (old, new) = (self.told.modes, self.snapshot.modes);
        let set = |on: bool| if on { 'h' } else { 'l' };
        for (mode, number) in PRIVATE {
            if old.contains(mode) != new.contains(mode) {
                put(body, format_args!("\x1b[?{number}{}", set(new.contains(mode))));
            }
        }
        if old.intersection(Modes::MOUSE) != new.intersection(Modes::MOUSE) {
            let gone = MOUSE.iter().rev().filter(|(mode, _)| old.contains(*mode));
            gone.for_each(|(_, number)| put(body, format_args!("\x1b[?{number}l")));
            let come = MOUSE.iter().filter(|(mode, _)| new.contains(*mode));
            come.for_each(|(_, number)| put(body, format_args!("\x1b[?{number}h")));
        }
        if old.contains(Modes::APP_KEYPAD) != new.contains(Modes::APP_KEYPAD) {
            body.extend_from_slice(if new.contains(Modes::APP_KEYPAD) {
                b"\x1b="
            } else {
                b"\x1b>"
            });
        }
        if other_keys(old) != other_keys(new) {
            put(body, format_args!("\x1b[>4;{}m", other_keys(new)));
        }
        self.told.modes = new;
        // It would walk through what was typed before into a program that draws no whole screen.
        let types = new.contains(Modes::ALT_SCREEN | Modes::ALTERNATE_SCROLL);
        if self.told.wheel.is_some_and(|told| told != types) {
            put(body, format_args!("\x1b[?1007{}", set(types)));
            self.told.wheel = Some(types);
        }
        let flags = KITTY.iter().filter(|(mode, _)| new.contains(*mode)).map(|(_, bit)| bit).sum();
        match self.told.kitty {
            _ if !self.has_kitty => {}
            None if flags == 0 => {}
            Some(told) if told == flags => {}
            None => {
                put(body, format_args!("\x1b[>{flags}u"));
                self.told.kitty = Some(flags);
            }
            Some(_) => {
                put(body, format_args!("\x1b[={flags};1u"));
                self.told.kitty = Some(flags);
            }
        }
    }

    fn tell_title(&mut self, body: &mut Vec<u8>, title: Option<String>) {
        let title = title.map(|title| clean(&title));
        if title != self.told.title {
            put(body, format_args!("\x1b]2;{}\x1b\\", title.as_deref().unwrap_or_default()));
            self.told.title = title;
        }
    }

    /// The user's own until the program wants another.
    fn tell_style(&mut self, frame: &mut Vec<u8>, cursor: Cursor) {
        let style = match (cursor.shape, cursor.blinking) {
            (CursorShape::Block | CursorShape::Hollow, true) => 1,
            (CursorShape::Block | CursorShape::Hollow, false) => USUAL_CURSOR,
            (CursorShape::Underline, true) => 3,
            (CursorShape::Underline, false) => 4,
            (CursorShape::Beam, true) => 5,
            (CursorShape::Beam, false) => 6,
        };
        if self.told.style.unwrap_or(USUAL_CURSOR) != style {
            put(frame, format_args!("\x1b[{style} q"));
            self.told.style = Some(style);
        }
    }

    /// Where the cursor can be seen, if it can.
    fn cursor(&self) -> Option<Cursor> {
        let GridSize { columns, rows } = self.room;
        self.snapshot.cursor.filter(|it| it.at.row < rows && it.at.column < columns)
    }
}

/// The level of `modifyOtherKeys`.
fn other_keys(modes: Modes) -> u8 {
    if modes.contains(Modes::MODIFY_OTHER_KEYS) {
        2
    } else {
        u8::from(modes.contains(Modes::MODIFY_OTHER_KEYS_1))
    }
}

/// What is said when a terminal is attached.
pub(super) fn greeting(agent: &str, workspace: &str, key: DetachKey) -> String {
    clean(&format!(" {agent} in {workspace}: {key} detaches, and it goes on "))
}

/// A line that stands out, as wide as there is room.
fn note_cells(note: &str, columns: usize) -> Vec<Cell> {
    let cell = |glyph| Cell { glyph, attributes: Attributes::INVERSE, ..Cell::default() };
    note.chars().map(cell).take(columns).collect()
}

#[cfg(test)]
mod tests;
