//! Which parts of a picture differ between two scenes.
//!
//! Drawing all of a window takes milliseconds where there is no GPU, and most frames change one row
//! of one terminal. What is found here may be more than what differs, never less: everything that is
//! drawn keeps to its own box, with half a line of slack.

use std::sync::Arc;

use scene::{CellGrid, GridRow, Line, Quad, Rect, Scene, TextRun};

use crate::pixels::{PixelRect, round};

/// With more places than this, one that holds them all is drawn.
const MAX_PLACES: usize = 8;

/// What has to be drawn again, in device pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Damage {
    All,
    Places(Vec<PixelRect>),
}

/// What differs between two scenes that were drawn with the same fonts into the same target.
pub(crate) fn between(old: &Scene, new: &Scene) -> Damage {
    let is_alike = (old.size, old.scale, old.background) == (new.size, new.scale, new.background)
        && old.layers.len() == new.layers.len();
    if !is_alike {
        return Damage::All;
    }
    let scale = new.scale;
    let mut places = Vec::new();
    for (old, new) in old.layers.iter().zip(&new.layers) {
        if old.clip != new.clip {
            return Damage::All;
        }
        let first = places.len();
        add_changed(&old.quads, &new.quads, |quad| quad_box(quad, scale), &mut places);
        add_changed(&old.lines, &new.lines, |line| line_box(line, scale), &mut places);
        add_changed(&old.texts, &new.texts, |run| run_box(run, scale), &mut places);
        add_grids(&old.grids, &new.grids, scale, &mut places);
        let clip = PixelRect::snapped(&new.clip, scale);
        for place in places.split_off(first) {
            places.extend(place.intersection(&clip));
        }
    }
    Damage::Places(merged(places))
}

/// Adds the boxes of what differs: whatever is the same at the start and at the end is left alone.
fn add_changed<T: PartialEq>(
    old: &[T],
    new: &[T],
    bounds: impl Fn(&T) -> PixelRect,
    places: &mut Vec<PixelRect>,
) {
    let n_same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[n_same..], &new[n_same..]);
    let n_same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - n_same], &new[..new.len() - n_same]);
    if old.len() == new.len() {
        let differing = old.iter().zip(new).filter(|(old, new)| old != new);
        places.extend(differing.flat_map(|(old, new)| [bounds(old), bounds(new)]));
    } else {
        places.extend(old.iter().chain(new).map(bounds));
    }
}

fn add_grids(old: &[CellGrid], new: &[CellGrid], scale: f32, places: &mut Vec<PixelRect>) {
    let is_alike = old.len() == new.len()
        && old.iter().zip(new).all(|(old, new)| {
            (old.origin, old.metrics, old.rows.len()) == (new.origin, new.metrics, new.rows.len())
        });
    if !is_alike {
        places.extend(old.iter().chain(new).map(|grid| grid_box(grid, scale)));
        return;
    }
    for (old, new) in old.iter().zip(new) {
        for (index, (before, after)) in old.rows.iter().zip(&new.rows).enumerate() {
            places.extend(row_box(new, index, before, after, scale));
        }
    }
}

/// The cells of a row that differ, if any do.
fn row_box(
    grid: &CellGrid,
    index: usize,
    old: &Arc<GridRow>,
    new: &Arc<GridRow>,
    scale: f32,
) -> Option<PixelRect> {
    if Arc::ptr_eq(old, new) {
        return None;
    }
    let (old, new) = (&old.cells, &new.cells);
    let longest = old.len().max(new.len());
    let differs = |column: &usize| old.get(*column) != new.get(*column);
    let first = (0..longest).find(differs)?;
    let last = (0..longest).rev().find(differs)?;
    let (width, height) = (i32::from(grid.metrics.width), i32::from(grid.metrics.height));
    let cell = |index: usize| i32::try_from(index).unwrap_or(i32::MAX);
    let (left, top) = (round(grid.origin.x * scale), round(grid.origin.y * scale));
    let top = top.saturating_add(cell(index).saturating_mul(height));
    Some(PixelRect {
        // A glyph may lean into the cells beside it, and a wide one begins a cell earlier.
        left: left.saturating_add(cell(first).saturating_sub(1).saturating_mul(width)),
        top: top - height / 2,
        right: left.saturating_add(cell(last).saturating_add(3).saturating_mul(width)),
        bottom: top + height + height / 2,
    })
}

fn grid_box(grid: &CellGrid, scale: f32) -> PixelRect {
    let (width, height) = (i32::from(grid.metrics.width), i32::from(grid.metrics.height));
    let n_columns = grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let length = |n: usize, each: i32| i32::try_from(n).unwrap_or(i32::MAX).saturating_mul(each);
    let (left, top) = (round(grid.origin.x * scale), round(grid.origin.y * scale));
    PixelRect {
        left: left - width,
        top: top - height / 2,
        right: left.saturating_add(length(n_columns + 2, width)),
        bottom: top.saturating_add(length(grid.rows.len() + 1, height)),
    }
}

fn quad_box(quad: &Quad, scale: f32) -> PixelRect {
    let slack = quad.blur.max(0.0) * 2.0 + 2.0 / scale.max(0.1);
    PixelRect::snapped(&quad.rect.inset(-slack, -slack), scale)
}

fn line_box(line: &Line, scale: f32) -> PixelRect {
    let slack = line.width.max(0.0) + 2.0 / scale.max(0.1);
    let (left, right) = (line.from.x.min(line.to.x), line.from.x.max(line.to.x));
    let (top, bottom) = (line.from.y.min(line.to.y), line.from.y.max(line.to.y));
    let rect = Rect::new(left, top, right - left, bottom - top);
    PixelRect::snapped(&rect.inset(-slack, -slack), scale)
}

/// What a run may cover: its line, half a line above and below it, and a pixel before it.
pub(crate) fn run_box(run: &TextRun, scale: f32) -> PixelRect {
    let slack = run.line_height / 2.0;
    let rect =
        Rect::new(run.origin.x, run.origin.y - slack, run.width, run.line_height + 2.0 * slack);
    let rect = PixelRect::snapped(&rect, scale);
    PixelRect { left: rect.left - 1, ..rect }
}

/// Fewer places that cover the same: those that touch become one.
fn merged(places: Vec<PixelRect>) -> Vec<PixelRect> {
    let mut merged: Vec<PixelRect> = Vec::new();
    for mut place in places {
        while let Some(at) = merged.iter().position(|it| it.intersection(&place).is_some()) {
            place = merged.swap_remove(at).around(&place);
        }
        merged.push(place);
        if merged.len() > MAX_PLACES {
            let all = merged.drain(..).reduce(|a, b| a.around(&b));
            merged.extend(all);
        }
    }
    merged
}

#[cfg(test)]
mod tests;
