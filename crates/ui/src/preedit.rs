//! What an input method composes, over the cells from the cursor on.
//!
//! It is drawn in cells of its own, so that it looks like what it will become, and it stays within its
//! row: where there is no room behind the cursor it begins further left.

use std::sync::Arc;

use scene::{CellGrid, CellStyle, Color, GridCell, GridRow, Point, Rect, Underline};
use unicode_width::UnicodeWidthChar;
use workspace::{Preedit, State};

use crate::FrameInputs;
use crate::canvas::Canvas;
use crate::layout::{Cell, length};
use crate::panes::PaneArea;
use crate::theme::Palette;

/// No terminal's grid has this one.
const GRID_ID: u64 = u64::MAX;
const CARET_WIDTH: f32 = 2.0;

/// The row of cells it is drawn over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) origin: Point,
    pub(crate) columns: usize,
    /// The column of the cursor.
    pub(crate) cursor: usize,
}

/// Where the cells go, and where among them the input method's own cursor is.
#[derive(Debug, PartialEq)]
struct Placed {
    column: usize,
    cells: Vec<GridCell>,
    caret: Option<usize>,
}

/// What is composed in a pane: only in the one with the focus, and only while neither an
/// overlay nor the find bar has it.
pub(crate) fn of_pane<'a>(state: &'a State, pane: &PaneArea<'_>) -> Option<&'a Preedit> {
    let is_elsewhere = state.overlay().is_some() || state.find_has_keys();
    state.preedit().filter(|_| pane.is_focused && !is_elsewhere)
}

/// Draws it into the present layer; returns its first cell, which is where the input method's window
/// belongs.
pub(crate) fn draw(
    canvas: &mut Canvas,
    preedit: &Preedit,
    row: Row,
    inputs: &FrameInputs<'_>,
) -> Rect {
    let cell = Cell::new(inputs.metrics, inputs.scale);
    let Placed { column, cells, caret } = place(preedit, row, canvas.palette);
    let x_of = |column: usize| row.origin.x + length(column, cell.width);
    let origin = Point::new(x_of(column), row.origin.y);
    let width = if cells.first().is_some_and(|first| first.style.wide) { 2 } else { 1 };
    let first = Rect::new(origin.x, origin.y, length(width, cell.width), cell.height);
    let rows = vec![Arc::new(GridRow { cells })];
    canvas.grid(CellGrid { id: GRID_ID, origin, metrics: inputs.metrics, rows });
    if let Some(caret) = caret {
        let clip = canvas.clip();
        canvas.layer(clip);
        let at = Rect::new(x_of(column + caret), origin.y, CARET_WIDTH, cell.height);
        canvas.fill(at, canvas.palette.accent);
    }
    first
}

fn place(preedit: &Preedit, row: Row, palette: &Palette) -> Placed {
    let target = preedit.cursor().unwrap_or_default();
    let mut cells: Vec<GridCell> = Vec::new();
    let mut end_of_target = 0;
    for (at, c) in preedit.text().char_indices() {
        let width = c.width().unwrap_or(0);
        let ground = if target.contains(&at) { palette.selection } else { palette.raised };
        match width {
            0 => add_mark(&mut cells, c),
            1 => cells.push(cell(c, Width::Single, ground, palette)),
            _ => {
                cells.push(cell(c, Width::Double, ground, palette));
                cells.push(cell(' ', Width::Single, ground, palette));
            }
        }
        if at < target.end {
            end_of_target = cells.len();
        }
    }
    // Of one that is longer than the row, the part that is being worked on is kept in view.
    let hidden = end_of_target.min(cells.len()).saturating_sub(row.columns);
    cells.drain(..hidden);
    cells.truncate(row.columns);
    if cells.last().is_some_and(|last| last.style.wide) {
        // Half a character is none.
        cells.pop();
    }
    let is_place = preedit.cursor().is_some_and(|cursor| cursor.is_empty());
    let caret = is_place.then(|| (end_of_target - hidden).min(cells.len()));
    let column = row.cursor.min(row.columns.saturating_sub(cells.len()));
    Placed { column, cells, caret }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Single,
    Double,
}

fn cell(glyph: char, width: Width, ground: Color, palette: &Palette) -> GridCell {
    GridCell {
        glyph,
        marks: None,
        foreground: palette.text,
        background: ground,
        underline_color: palette.accent,
        style: CellStyle {
            underline: Underline::Single,
            wide: width == Width::Double,
            ..CellStyle::default()
        },
    }
}

/// Puts a mark on the character before it; one that stands alone is not shown.
fn add_mark(cells: &mut [GridCell], mark: char) {
    let owner = cells.iter_mut().rfind(|cell| cell.glyph != ' ' || cell.style.wide);
    if let Some(owner) = owner {
        let mut marks = owner.marks.take().map_or_else(String::new, String::from);
        marks.push(mark);
        owner.marks = Some(marks.into());
    }
}

#[cfg(test)]
mod tests;
