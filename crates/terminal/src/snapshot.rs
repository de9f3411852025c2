//! What a screen showed at one moment, as plain data.

use std::ops::Range;
use std::sync::Weak;

use bitflags::bitflags;

use crate::buffer::Shared;
use crate::{Attributes, Cell, CellPoint, GridSize, Rgb};

/// A copy of what a terminal shows; kept and refreshed by whoever draws it.
///
/// A snapshot may be refreshed from any terminal at any time; it is quickest from the same one.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub size: GridSize,
    pub rows: Vec<SnapshotRow>,
    /// `None` while the program hides it or the view is scrolled away from it.
    pub cursor: Option<Cursor>,
    /// The ground that the program gave the terminal; `None` is the theme's.
    pub ground: Option<Rgb>,
    pub modes: Modes,
    /// How many lines the view is scrolled up; 0 shows the newest.
    pub display_offset: usize,
    /// How many rows there are above the screen.
    pub history: usize,
    /// How many lines were dropped from its history because there was no room for them.
    pub dropped: u64,
    pub(crate) revision: u64,
    pub(crate) source: Weak<Shared>,
}

#[derive(Debug, Clone, Default)]
pub struct SnapshotRow {
    pub cells: Vec<Cell>,
    /// Changes whenever the cells or the selected span changed. A number stands for one content
    /// only, as long as it is compared within one terminal.
    pub version: u64,
    /// The columns to be drawn as selected.
    pub selected: Option<Range<u16>>,
    /// The columns of what was searched for, from left to right.
    pub matches: Vec<MatchSpan>,
}

/// The part of a match that is in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchSpan {
    pub columns: Range<u16>,
    /// It belongs to the match that was gone to.
    pub is_current: bool,
}

impl SnapshotRow {
    /// What the row says, without blanks at its end.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.cells.len());
        for cell in &self.cells {
            if cell.attributes.contains(Attributes::WIDE_SPACER) {
                continue;
            }
            text.push(cell.glyph);
            text.push_str(cell.marks.as_deref().unwrap_or_default());
        }
        text.truncate(text.trim_end_matches(' ').len());
        text
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub at: CellPoint,
    pub shape: CursorShape,
    pub blinking: bool,
    /// What the program wants it to be; the theme's when absent.
    pub color: Option<Rgb>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorShape {
    Block,
    Underline,
    Beam,
    Hollow,
}

bitflags! {
    /// What the program asked of the terminal, as far as input and drawing depend on it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modes: u32 {
        const APP_CURSOR = 1;
        const APP_KEYPAD = 1 << 1;
        const BRACKETED_PASTE = 1 << 2;
        /// Presses and releases of mouse buttons are reported.
        const MOUSE_CLICK = 1 << 3;
        /// And motion while a button is held.
        const MOUSE_DRAG = 1 << 4;
        /// And all motion.
        const MOUSE_MOTION = 1 << 5;
        const SGR_MOUSE = 1 << 6;
        const UTF8_MOUSE = 1 << 7;
        /// Focus won and lost is reported.
        const FOCUS = 1 << 8;
        const ALT_SCREEN = 1 << 9;
        /// The wheel becomes arrow keys on the alternate screen.
        const ALTERNATE_SCROLL = 1 << 10;
        /// Enter sends a line feed too.
        const NEW_LINE = 1 << 11;
        /// Keys that could be taken for something else are told apart.
        const KITTY_DISAMBIGUATE = 1 << 12;
        /// Repeats and releases of keys are reported.
        const KITTY_EVENTS = 1 << 13;
        /// The shifted key and that of a US keyboard are reported beside the key.
        const KITTY_ALTERNATES = 1 << 14;
        /// Also keys that type text are sent as escape sequences.
        const KITTY_ALL_KEYS = 1 << 15;
        /// And the text with them.
        const KITTY_TEXT = 1 << 16;
        /// `modifyOtherKeys` at level 1: keys without a usual encoding get one.
        const MODIFY_OTHER_KEYS_1 = 1 << 17;
        /// `modifyOtherKeys` at level 2: all keys with modifiers that do not type text.
        const MODIFY_OTHER_KEYS = 1 << 18;
        /// Any part of the kitty keyboard protocol.
        const KITTY = Self::KITTY_DISAMBIGUATE.bits()
            | Self::KITTY_EVENTS.bits()
            | Self::KITTY_ALTERNATES.bits()
            | Self::KITTY_ALL_KEYS.bits()
            | Self::KITTY_TEXT.bits();
        /// Any of the mouse modes.
        const MOUSE =
            Self::MOUSE_CLICK.bits() | Self::MOUSE_DRAG.bits() | Self::MOUSE_MOTION.bits();
    }
}
