//! A rectangle of terminal cells.
//!
//! Rows are shared: a row that did not change since the last frame is the same [`Arc`], so whoever
//! draws can tell by its address that nothing in it needs to be rebuilt.

use std::sync::Arc;

use crate::{Color, Point};

/// The size of one cell in whole *device* pixels, and where its baseline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellMetrics {
    pub width: u16,
    pub height: u16,
    /// From the cell's top to the baseline.
    pub ascent: u16,
    /// Of the font, in 64ths of a device pixel: cells are rounded, letters are not.
    pub font_size: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellStyle {
    pub bold: bool,
    pub italic: bool,
    pub strikeout: bool,
    pub underline: Underline,
    /// The cell and the one to its right hold one wide character.
    pub wide: bool,
}

/// One cell. Colours are final: inverse, dim, selection and cursor are already in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridCell {
    /// A space where nothing is drawn.
    pub glyph: char,
    /// Combining marks on top of `glyph`.
    pub marks: Option<Box<str>>,
    pub foreground: Color,
    /// [`Color::TRANSPARENT`] lets the pane's ground through.
    pub background: Color,
    pub underline_color: Color,
    pub style: CellStyle,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GridRow {
    pub cells: Vec<GridCell>,
}

/// Cells to be drawn from `origin` rightwards and downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct CellGrid {
    /// The same number for the same terminal in every frame, so that its rows can be kept.
    pub id: u64,
    pub origin: Point,
    pub metrics: CellMetrics,
    pub rows: Vec<Arc<GridRow>>,
}

impl Default for GridCell {
    fn default() -> Self {
        Self {
            glyph: ' ',
            marks: None,
            foreground: Color::TRANSPARENT,
            background: Color::TRANSPARENT,
            underline_color: Color::TRANSPARENT,
            style: CellStyle::default(),
        }
    }
}
