//! Sizes and places on the screen, in cells.

/// How many cells a screen has. Any numbers are fine; a terminal takes the nearest size it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GridSize {
    pub columns: u16,
    pub rows: u16,
}

impl GridSize {
    /// The nearest size a terminal can have: 2 to 1000 columns, 1 to 500 rows.
    pub fn clamped(self) -> Self {
        Self { columns: self.columns.clamp(2, 1000), rows: self.rows.clamp(1, 500) }
    }
}

impl Default for GridSize {
    fn default() -> Self {
        Self { columns: 80, rows: 24 }
    }
}

/// A cell of the screen as it is shown, counted from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellPoint {
    pub row: u16,
    pub column: u16,
}

/// What something lies over of a view: so many rows at the top, from a column on to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TopRight {
    pub rows: u16,
    pub column: u16,
}

/// A move through the scrollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scroll {
    /// So many lines up; down if negative.
    Lines(i32),
    PageUp,
    PageDown,
    Top,
    Bottom,
}
