//! From one row of cells to rectangles, relative to the row's top left corner.

use scene::{CellMetrics, Color, GridCell, GridRow};

use super::CellInstance;
use super::glyphs::{GlyphCache, Placed};
use crate::boxes::Decoration;
use crate::fonts::Fonts;
use crate::quads::channels;

/// Grounds first, then everything that is drawn on them.
#[derive(Debug, Default)]
pub(super) struct RowInstances {
    instances: Vec<CellInstance>,
    n_grounds: usize,
}

impl RowInstances {
    pub(super) fn grounds(&self) -> &[CellInstance] {
        &self.instances[..self.n_grounds]
    }

    pub(super) fn glyphs(&self) -> &[CellInstance] {
        &self.instances[self.n_grounds..]
    }
}

pub(super) fn build(
    row: &GridRow,
    metrics: CellMetrics,
    glyphs: &mut GlyphCache,
    fonts: &mut Fonts,
) -> RowInstances {
    let mut instances = grounds(row, metrics);
    let n_grounds = instances.len();
    for (column, cell) in row.cells.iter().enumerate() {
        let left = column_left(column, metrics);
        let mut draw = |placed: Option<Placed>, color: Color| {
            if let Some(placed) = placed
                && color.a > 0
            {
                instances.push(covered_by(placed, left, color));
            }
        };
        draw(glyphs.cell(cell, metrics, fonts), cell.foreground);
        let n_columns = if cell.style.wide { 2 } else { 1 };
        if let Some(kind) = Decoration::of(cell.style.underline) {
            draw(glyphs.decoration(kind, n_columns, metrics), underline_color(cell));
        }
        if cell.style.strikeout {
            draw(glyphs.decoration(Decoration::Strikeout, n_columns, metrics), cell.foreground);
        }
    }
    RowInstances { instances, n_grounds }
}

/// Neighbours of one colour become one rectangle.
fn grounds(row: &GridRow, metrics: CellMetrics) -> Vec<CellInstance> {
    let mut instances = Vec::new();
    let mut column = 0;
    for cells in row.cells.chunk_by(|a, b| a.background == b.background) {
        let color = cells[0].background;
        if color.a > 0 {
            let width = u16::try_from(cells.len() * usize::from(metrics.width)).unwrap_or(u16::MAX);
            instances.push(CellInstance {
                origin: [column_left(column, metrics), 0.0],
                size: [width, metrics.height],
                slot: [0, 0],
                color: channels(color),
                covered: 1,
            });
        }
        column += cells.len();
    }
    instances
}

fn covered_by(placed: Placed, left: f32, color: Color) -> CellInstance {
    let Placed { slot, x, y } = placed;
    CellInstance {
        origin: [left + f32::from(x), f32::from(y)],
        size: [slot.width, slot.height],
        slot: [slot.x, slot.y],
        color: channels(color),
        covered: 0,
    }
}

/// Programs that set no colour for the line mean that of the text.
fn underline_color(cell: &GridCell) -> Color {
    if cell.underline_color.a == 0 { cell.foreground } else { cell.underline_color }
}

fn column_left(column: usize, metrics: CellMetrics) -> f32 {
    (column * usize::from(metrics.width)) as f32
}
