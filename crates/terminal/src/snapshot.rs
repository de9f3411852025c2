//! What a screen showed at one moment, as plain data.

use std::ops::Range;
use std::sync::Weak;

use bitflags::bitflags;

use crate::buffer::Shared;
use crate::{Cell, CellPoint, GridSize};

/// A copy of what a terminal shows; kept and refreshed by whoever draws it.
///
/// A snapshot may be refreshed from any terminal at any time; it is quickest from the same one.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub size: GridSize,
    pub rows: Vec<SnapshotRow>,
    /// `None` while the program hides it or the view is scrolled away from it.
    pub cursor: Option<Cursor>,
    pub modes: Modes,
    /// How many lines the view is scrolled up; 0 shows the newest.
    pub display_offset: usize,
    /// How many lines there are above the screen.
    pub history: usize,
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
}

impl SnapshotRow {
    /// What the row says, without blanks at its end.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.cells.len());
        for cell in &self.cells {
            if cell.attributes.contains(crate::Attributes::WIDE_SPACER) {
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
    pub struct Modes: u16 {
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
        /// Any of the mouse modes.
        const MOUSE =
            Self::MOUSE_CLICK.bits() | Self::MOUSE_DRAG.bits() | Self::MOUSE_MOTION.bits();
    }
}
