//! From a terminal's cells to cells with final colours.

use std::ops::Range;

use scene::{CellStyle, Color, GridCell, GridRow, Underline};
use terminal::{Attributes, Cell, CellColor, SnapshotRow};

use crate::contrast::{Contrast, is_area};
use crate::theme::Palette;

/// How much of the ground is mixed into dim text.
const DIMMING: f32 = 0.4;
/// Text on the ground of a selection or a match that would be harder to read than this gets the theme's colour.
const SELECTED_CONTRAST: f32 = 3.0;

/// What a cell belongs to, beside what the program drew.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Selected,
    Match,
    /// The match one has gone to.
    CurrentMatch,
}

/// Which part of a cell a colour is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Text on the pane's own ground.
    Text,
    /// Text on a ground of its own.
    OnGround,
    /// A ground, or a glyph that fills its cell like one: the two have to match where they meet.
    Ground,
    /// A ground that was the colour of text until the two changed places. What marks a line so must
    /// not vanish: white on white, or black on black.
    InverseGround,
}

pub(crate) fn row(row: &SnapshotRow, palette: &Palette, contrast: &mut Contrast) -> GridRow {
    let holds = |range: &Range<u16>, column: usize| {
        (usize::from(range.start)..usize::from(range.end)).contains(&column)
    };
    let mark = |column: usize| match row.matches.iter().find(|it| holds(&it.columns, column)) {
        _ if row.selected.as_ref().is_some_and(|it| holds(it, column)) => Mark::Selected,
        Some(found) if found.is_current => Mark::CurrentMatch,
        Some(_) => Mark::Match,
        None => Mark::None,
    };
    let cells = row.cells.iter().enumerate();
    let color = |(column, it)| cell(it, palette, mark(column), contrast);
    GridRow { cells: cells.map(color).collect() }
}

/// The cell as it looks under a block cursor, in the colour that the program gave it, if any.
pub(crate) fn under_cursor(cell: &GridCell, palette: &Palette, color: Option<Color>) -> GridCell {
    let ground = color.unwrap_or(palette.accent);
    let text = text_on(ground, palette, ' ');
    GridCell { foreground: text, background: ground, underline_color: text, ..cell.clone() }
}

fn cell(cell: &Cell, palette: &Palette, mark: Mark, contrast: &mut Contrast) -> GridCell {
    let attributes = cell.attributes;
    let is_area = is_area(cell.glyph);
    let is_inverse = attributes.contains(Attributes::INVERSE);
    let has_ground = cell.background != CellColor::Default;
    let part = if has_ground { Part::OnGround } else { Part::Text };
    let drawn_as = match is_inverse {
        _ if is_area => Part::Ground,
        true => Part::InverseGround,
        false => part,
    };
    let own_text = color(cell.foreground, palette, drawn_as);
    let own_ground = color(cell.background, palette, Part::Ground);
    let (mut foreground, mut background) = match is_inverse {
        false => (own_text.unwrap_or(palette.text), own_ground),
        true => {
            let ground = own_text.unwrap_or(palette.text);
            (own_ground.unwrap_or_else(|| text_on(ground, palette, cell.glyph)), Some(ground))
        }
    };
    if attributes.contains(Attributes::DIM) {
        foreground = foreground.mix(background.unwrap_or(palette.pane), DIMMING);
    }
    let marked = match mark {
        Mark::None => None,
        Mark::Selected => Some((palette.selection, palette.text)),
        Mark::Match => Some((palette.found, palette.on_found)),
        Mark::CurrentMatch => Some((palette.current_found, palette.on_current_found)),
    };
    if let Some((ground, text)) = marked {
        background = Some(ground);
        if !is_area && foreground.contrast(ground) < SELECTED_CONTRAST {
            foreground = text;
        }
    }
    foreground = contrast.readable(cell.glyph, foreground, background.unwrap_or(palette.pane));
    let underline = cell.underline_color.and_then(|it| color(it, palette, part));
    let is_blank = attributes.intersects(Attributes::HIDDEN | Attributes::WIDE_SPACER);
    GridCell {
        glyph: if is_blank { ' ' } else { cell.glyph },
        marks: if is_blank { None } else { cell.marks.clone() },
        foreground,
        background: background.unwrap_or(Color::TRANSPARENT),
        underline_color: underline.unwrap_or(foreground),
        style: style(attributes),
    }
}

/// What is drawn in the pane's own ground on one that was text before the two changed places.
fn text_on(ground: Color, palette: &Palette, glyph: char) -> Color {
    let is_readable = palette.pane.contrast(ground) >= palette.text.contrast(ground);
    if is_readable || is_area(glyph) { palette.pane } else { palette.text }
}

fn style(attributes: Attributes) -> CellStyle {
    let underline = [
        (Attributes::CURLY_UNDERLINE, Underline::Curly),
        (Attributes::DOUBLE_UNDERLINE, Underline::Double),
        (Attributes::DOTTED_UNDERLINE, Underline::Dotted),
        (Attributes::DASHED_UNDERLINE, Underline::Dashed),
        (Attributes::UNDERLINE, Underline::Single),
    ];
    let underline = underline.iter().find(|(attribute, _)| attributes.contains(*attribute));
    CellStyle {
        bold: attributes.contains(Attributes::BOLD),
        italic: attributes.contains(Attributes::ITALIC),
        strikeout: attributes.contains(Attributes::STRIKEOUT),
        underline: underline.map_or(Underline::None, |(_, underline)| *underline),
        wide: attributes.contains(Attributes::WIDE),
    }
}

/// `None` is the theme's own colour for that part.
fn color(color: CellColor, palette: &Palette, part: Part) -> Option<Color> {
    match color {
        CellColor::Default => None,
        CellColor::Rgb(r, g, b) => Some(Color::rgb(r, g, b)),
        CellColor::Indexed(index) => Some(indexed(index, palette, part)),
    }
}

fn indexed(index: u8, palette: &Palette, part: Part) -> Color {
    match (index, part) {
        (0..=15, Part::Text) | (0 | 7 | 8 | 15, Part::InverseGround) => {
            palette.ansi[usize::from(index)]
        }
        (0 | 7 | 8 | 15, Part::OnGround) | (0..=15, Part::Ground | Part::InverseGround) => {
            palette.ansi_ground[usize::from(index)]
        }
        (0..=15, Part::OnGround) => palette.ansi[usize::from(index)],
        (16..=231, _) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            Color::rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        (232..=255, _) => {
            let grey = 8 + 10 * (index - 232);
            Color::rgb(grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests;
