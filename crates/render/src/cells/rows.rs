//! From one row of cells to rectangles, relative to the row's top left corner.

use scene::{CellMetrics, Color, GridCell, GridRow};

use super::CellInstance;
use crate::boxes::Decoration;
use crate::fonts::{FaceStyle, Fonts};
use crate::glyphs::{GlyphCache, Placed};

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
                instances.push(CellInstance::glyph(placed, left, 0.0, color));
            }
        };
        let n_columns = if cell.style.wide { 2 } else { 1 };
        let style = FaceStyle { bold: cell.style.bold, italic: cell.style.italic };
        let marks = cell.marks.as_deref();
        let glyph = glyphs.cluster(cell.glyph, marks, style, n_columns, metrics, fonts);
        draw(glyph, cell.foreground);
        if let Some(kind) = Decoration::of(cell.style.underline) {
            draw(glyphs.decoration(kind, n_columns, metrics, fonts), underline_color(cell));
        }
        if cell.style.strikeout {
            let line = glyphs.decoration(Decoration::Strikeout, n_columns, metrics, fonts);
            draw(line, cell.foreground);
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
            let origin = [column_left(column, metrics), 0.0];
            instances.push(CellInstance::solid(origin, [width, metrics.height], color));
        }
        column += cells.len();
    }
    instances
}

/// Programs that set no colour for the line mean that of the text.
fn underline_color(cell: &GridCell) -> Color {
    if cell.underline_color.a == 0 { cell.foreground } else { cell.underline_color }
}

fn column_left(column: usize, metrics: CellMetrics) -> f32 {
    (column * usize::from(metrics.width)) as f32
}
