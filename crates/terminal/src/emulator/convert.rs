//! Cells and colours of the emulator as ours.

use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::vte::ansi::{Color, Rgb as GridRgb};

use super::MAX_MARKS;
use crate::history::Style;
use crate::{Attributes, Cell, CellColor};

/// A bit the emulator has no use for: a prompt begins in this cell.
pub(super) const PROMPT: Flags = Flags::from_bits_retain(1 << 15);

pub(super) const SPACERS: Flags = Flags::WIDE_CHAR_SPACER.union(Flags::LEADING_WIDE_CHAR_SPACER);

/// The two cells of a wide character.
pub(super) const HALVES: Flags = Flags::WIDE_CHAR.union(Flags::WIDE_CHAR_SPACER);

const ATTRIBUTES: [(Flags, Attributes); 14] = [
    (Flags::BOLD, Attributes::BOLD),
    (Flags::DIM, Attributes::DIM),
    (Flags::ITALIC, Attributes::ITALIC),
    (Flags::INVERSE, Attributes::INVERSE),
    (Flags::HIDDEN, Attributes::HIDDEN),
    (Flags::STRIKEOUT, Attributes::STRIKEOUT),
    (Flags::UNDERLINE, Attributes::UNDERLINE),
    (Flags::DOUBLE_UNDERLINE, Attributes::DOUBLE_UNDERLINE),
    (Flags::UNDERCURL, Attributes::CURLY_UNDERLINE),
    (Flags::DOTTED_UNDERLINE, Attributes::DOTTED_UNDERLINE),
    (Flags::DASHED_UNDERLINE, Attributes::DASHED_UNDERLINE),
    (Flags::WIDE_CHAR, Attributes::WIDE),
    (Flags::WIDE_CHAR_SPACER, Attributes::WIDE_SPACER),
    (Flags::LEADING_WIDE_CHAR_SPACER, Attributes::LEADING_SPACER),
];

/// A cell of a row.
pub(super) fn cell(row: &[GridCell], column: usize, colors: &Colors) -> Cell {
    let cell = &row[column];
    let mut converted = Cell {
        glyph: cell.c,
        marks: cell.extra.as_ref().and_then(|_| {
            let marks: String = marks(cell).collect();
            (!marks.is_empty()).then(|| marks.into_boxed_str())
        }),
        foreground: color(cell.fg, colors),
        background: color(cell.bg, colors),
        underline_color: cell.underline_color().map(|underline| color(underline, colors)),
        attributes: attributes(cell.flags),
    };
    if is_torn(row, column) {
        converted.glyph = ' ';
        converted.marks = None;
        converted.attributes.remove(Attributes::WIDE | Attributes::WIDE_SPACER);
    }
    converted
}

/// Whether a cell is half of a wide character whose other half is gone: the emulator leaves such
/// halves where text was inserted or deleted beside them.
#[inline]
pub(super) fn is_torn(row: &[GridCell], column: usize) -> bool {
    let flags = row[column].flags;
    if !flags.intersects(HALVES) {
        return false;
    }
    let has = |column: usize, flag| row.get(column).is_some_and(|cell| cell.flags.contains(flag));
    let follows_wide = column > 0 && has(column - 1, Flags::WIDE_CHAR);
    let before_spacer = has(column + 1, Flags::WIDE_CHAR_SPACER);
    (flags.contains(Flags::WIDE_CHAR) && !before_spacer)
        || (flags.contains(Flags::WIDE_CHAR_SPACER) && !follows_wide)
}

/// How a cell looks; `link` is the number of its link.
pub(super) fn style(cell: &GridCell, colors: &Colors, link: u32) -> Style {
    Style {
        attributes: attributes(cell.flags),
        foreground: color(cell.fg, colors),
        background: color(cell.bg, colors),
        underline: cell.underline_color().map(|underline| color(underline, colors)),
        link,
    }
}

pub(super) fn marks(cell: &GridCell) -> impl Iterator<Item = char> {
    cell.zerowidth().unwrap_or_default().iter().copied().take(MAX_MARKS)
}

/// The number of a cell's link, which is all that its target says here.
pub(super) fn link(cell: &GridCell) -> u32 {
    if cell.extra.is_none() {
        return 0;
    }
    cell.hyperlink().and_then(|link| link.uri().parse().ok()).unwrap_or(0)
}

fn attributes(flags: Flags) -> Attributes {
    if flags.is_empty() {
        return Attributes::empty();
    }
    ATTRIBUTES.iter().filter(|(theirs, _)| flags.contains(*theirs)).map(|(_, ours)| *ours).collect()
}

fn color(color: Color, colors: &Colors) -> CellColor {
    let index = match color {
        Color::Spec(GridRgb { r, g, b }) => return CellColor::Rgb(r, g, b),
        Color::Indexed(index) => usize::from(index),
        Color::Named(name) => name as usize,
    };
    if let Some(GridRgb { r, g, b }) = colors[index] {
        return CellColor::Rgb(r, g, b);
    }
    // Above the palette are the theme's own colours; programs cannot ask for the dim ones.
    u8::try_from(index).map_or(CellColor::Default, CellColor::Indexed)
}
