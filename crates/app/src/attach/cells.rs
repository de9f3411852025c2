//! A row of cells as bytes that draw it in the outer terminal.
//!
//! Only what differs from what stands there is drawn. Nothing but characters that can be seen, and
//! sequences of our own, come of a cell, whatever a program has put into it.

use std::io::Write as _;

use terminal::{Attributes, Cell, CellColor};

/// What the outer terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// 256 colours, and one kind of underline.
    Indexed,
    /// All colours, and all kinds of underlines.
    Full,
}

impl Depth {
    /// What is to be expected of a terminal that says so in its environment. One that shows all colours
    /// does not always say so over ssh; then there are 256, which no terminal takes for something else.
    pub(super) fn of(term: Option<&str>, colorterm: Option<&str>) -> Self {
        let is_named = |term: &str| {
            let known = ["kitty", "ghostty", "alacritty", "wezterm", "foot", "-direct"];
            known.iter().any(|name| term.contains(name))
        };
        let says_so = matches!(colorterm, Some("truecolor" | "24bit"));
        if says_so || term.is_some_and(is_named) { Self::Full } else { Self::Indexed }
    }
}

/// The cells without what is blank at their end, and without what there is no room for.
pub(super) fn kept(cells: &[Cell], columns: usize) -> &[Cell] {
    let cells = &cells[..cells.len().min(columns)];
    let blank = Cell::default();
    let used = cells.iter().rposition(|cell| *cell != blank).map_or(0, |at| at + 1);
    &cells[..used]
}

/// Draws what has changed of a row. Both are as [`kept`]; the cursor may be anywhere, before and after.
pub(super) fn draw(out: &mut Vec<u8>, row: usize, old: &[Cell], new: &[Cell], depth: Depth) {
    let n_cells = old.len().max(new.len());
    let differs = |at: &usize| old.get(*at) != new.get(*at);
    let (Some(first), Some(last)) = ((0..n_cells).find(differs), (0..n_cells).rfind(differs))
    else {
        return;
    };
    // Half a wide character cannot be drawn.
    let is_half = |cells: &[Cell], at: usize| {
        cells.get(at).is_some_and(|cell| cell.attributes.contains(Attributes::WIDE_SPACER))
    };
    let mut first = first.min(new.len());
    while first > 0 && (is_half(old, first) || is_half(new, first)) {
        first -= 1;
    }
    let end = new.len().min(last + 1);
    put(out, format_args!("\x1b[{};{}H\x1b[m", row + 1, first + 1));
    let mut pen = Cell::default();
    for (column, cell) in new.iter().enumerate().take(end).skip(first) {
        if cell.attributes.contains(Attributes::WIDE_SPACER) {
            continue;
        }
        if looks(cell) != looks(&pen) {
            sgr(out, cell, depth);
            pen = cell.clone();
        }
        print(out, cell);
        if is_doubtful(cell) {
            let width = if cell.attributes.contains(Attributes::WIDE) { 2 } else { 1 };
            put(out, format_args!("\x1b[{}G", column + width + 1));
        }
    }
    if last >= new.len() {
        out.extend_from_slice(b"\x1b[m\x1b[K");
    }
}

/// What makes a cell look different from another with the same character.
fn looks(cell: &Cell) -> (CellColor, CellColor, Option<CellColor>, Attributes) {
    let shape = Attributes::WIDE | Attributes::SPACERS;
    let attributes = cell.attributes.difference(shape);
    (cell.foreground, cell.background, cell.underline_color, attributes)
}

fn print(out: &mut Vec<u8>, cell: &Cell) {
    let glyph = if is_shown(cell.glyph) { cell.glyph } else { ' ' };
    out.extend_from_slice(glyph.encode_utf8(&mut [0; 4]).as_bytes());
    for mark in cell.marks.iter().flat_map(|marks| marks.chars()).filter(|mark| is_shown(*mark)) {
        out.extend_from_slice(mark.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// No control character, and nothing that turns the text around it.
fn is_shown(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// Terminals differ in how wide they take such characters to be.
fn is_doubtful(cell: &Cell) -> bool {
    let is_plain = matches!(cell.glyph,
        '\0'..='\u{2ff}' | '\u{2500}'..='\u{259f}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    cell.marks.is_some() || !is_plain
}

fn sgr(out: &mut Vec<u8>, cell: &Cell, depth: Depth) {
    out.extend_from_slice(b"\x1b[0");
    for (attribute, number) in [
        (Attributes::BOLD, "1"),
        (Attributes::DIM, "2"),
        (Attributes::ITALIC, "3"),
        (Attributes::INVERSE, "7"),
        (Attributes::HIDDEN, "8"),
        (Attributes::STRIKEOUT, "9"),
    ] {
        if cell.attributes.contains(attribute) {
            put(out, format_args!(";{number}"));
        }
    }
    underline(out, cell, depth);
    color(out, cell.foreground, 30, depth);
    color(out, cell.background, 40, depth);
    out.push(b'm');
}

fn underline(out: &mut Vec<u8>, cell: &Cell, depth: Depth) {
    let kind = [
        (Attributes::UNDERLINE, 1),
        (Attributes::DOUBLE_UNDERLINE, 2),
        (Attributes::CURLY_UNDERLINE, 3),
        (Attributes::DOTTED_UNDERLINE, 4),
        (Attributes::DASHED_UNDERLINE, 5),
    ];
    let kind = kind.into_iter().find(|(attribute, _)| cell.attributes.contains(*attribute));
    match (kind, depth) {
        (None, _) => {}
        (Some((_, 1)), _) | (Some(_), Depth::Indexed) => out.extend_from_slice(b";4"),
        (Some((_, kind)), Depth::Full) => put(out, format_args!(";4:{kind}")),
    }
    match (cell.underline_color, depth) {
        (Some(CellColor::Indexed(index)), Depth::Full) => put(out, format_args!(";58:5:{index}")),
        (Some(CellColor::Rgb(r, g, b)), Depth::Full) => {
            put(out, format_args!(";58:2::{r}:{g}:{b}"));
        }
        (Some(_) | None, _) => {}
    }
}

/// `base` is 30 for characters and 40 for their ground.
fn color(out: &mut Vec<u8>, color: CellColor, base: u8, depth: Depth) {
    let color = match (color, depth) {
        (CellColor::Rgb(r, g, b), Depth::Indexed) => CellColor::Indexed(nearest(r, g, b)),
        (color, _) => color,
    };
    match color {
        CellColor::Default => {}
        CellColor::Indexed(index @ 0..8) => put(out, format_args!(";{}", base + index)),
        CellColor::Indexed(index @ 8..16) => put(out, format_args!(";{}", base + 52 + index)),
        CellColor::Indexed(index) => put(out, format_args!(";{};5;{index}", base + 8)),
        CellColor::Rgb(r, g, b) => put(out, format_args!(";{};2;{r};{g};{b}", base + 8)),
    }
}

/// The nearest of the 256 colours that are the same everywhere: a cube, and greys.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |value: u8| {
        let distance = |at: &u8| STEPS[usize::from(*at)].abs_diff(value);
        (0_u8..6).min_by_key(distance).unwrap_or(0)
    };
    let (red, green, blue) = (step(r), step(g), step(b));
    let cube = [red, green, blue].map(|at| STEPS[usize::from(at)]);
    let mean = (u16::from(r) + u16::from(g) + u16::from(b)) / 3;
    let grey = u8::try_from(mean.saturating_sub(3) / 10).unwrap_or(23).min(23);
    let level = 8 + 10 * grey;
    let far = |color: [u8; 3]| -> u32 {
        let parts = color.into_iter().zip([r, g, b]);
        parts.map(|(it, wanted)| u32::from(it.abs_diff(wanted)).pow(2)).sum()
    };
    if far([level; 3]) < far(cube) { 232 + grey } else { 16 + 36 * red + 6 * green + blue }
}

pub(super) fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _written = out.write_fmt(text).is_ok();
}

#[cfg(test)]
mod tests;
