//! One cell of a screen.

use bitflags::bitflags;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// A space where nothing is drawn.
    pub glyph: char,
    /// Combining marks on top of `glyph`, at most eight.
    pub marks: Option<Box<str>>,
    pub foreground: CellColor,
    pub background: CellColor,
    /// The foreground's colour when absent.
    pub underline_color: Option<CellColor>,
    pub attributes: Attributes,
}

impl Default for Cell {
    fn default() -> Self {
        Self {
            glyph: ' ',
            marks: None,
            foreground: CellColor::Default,
            background: CellColor::Default,
            underline_color: None,
            attributes: Attributes::empty(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellColor {
    /// The theme's foreground or background, whichever it stands for.
    Default,
    /// A colour of the palette; 0 to 15 are the theme's.
    Indexed(u8),
    Rgb(u8, u8, u8),
}

bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Attributes: u16 {
        const BOLD = 1;
        const DIM = 1 << 1;
        const ITALIC = 1 << 2;
        const INVERSE = 1 << 3;
        const HIDDEN = 1 << 4;
        const STRIKEOUT = 1 << 5;
        const UNDERLINE = 1 << 6;
        const DOUBLE_UNDERLINE = 1 << 7;
        const CURLY_UNDERLINE = 1 << 8;
        const DOTTED_UNDERLINE = 1 << 9;
        const DASHED_UNDERLINE = 1 << 10;
        /// This cell and the one to its right hold one wide character.
        const WIDE = 1 << 11;
        /// The right half of a wide character.
        const WIDE_SPACER = 1 << 12;
        /// Left blank at the end of a row, because a wide character did not fit.
        const LEADING_SPACER = 1 << 13;
        /// No text of its own.
        const SPACERS = Self::WIDE_SPACER.bits() | Self::LEADING_SPACER.bits();
    }
}
