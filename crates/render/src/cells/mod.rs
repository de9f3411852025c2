//! Grids of cells: what to draw for each, and what of it can be kept from the last frame.
//!
//! Rows are built once for as long as their [`Arc`] is the same one, and the list for the device is
//! put together again only when a row, a position or the atlas changed.

mod rows;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use scene::{CellGrid, CellMetrics, Color, GridRow, Scene};

use crate::batches::Batches;
use crate::fonts::Fonts;
use crate::glyphs::{GlyphCache, Paint, Placed};
use crate::pixels::{PixelRect, round};
use crate::quads::channels;
use rows::RowInstances;

/// One rectangle as `cells.wgsl` reads it, in device pixels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct CellInstance {
    origin: [f32; 2],
    size: [u16; 2],
    /// Where its pixels lie in the atlas.
    slot: [u16; 2],
    color: [u8; 4],
    /// What those pixels are; see `cells.wgsl`.
    kind: u32,
}

const LETTERS: u32 = 0;
/// All of it is covered, and the atlas is not asked.
const SOLID: u32 = 1;
const COLORS: u32 = 2;
const SHAPE: u32 = 3;

pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x2, 1 => Uint16x2, 2 => Uint16x2, 3 => Unorm8x4, 4 => Uint32
];

pub(crate) const PLAIN_SHADER: &str =
    concat!(include_str!("cells.wgsl"), include_str!("plain.wgsl"));
pub(crate) const LCD_SHADER: &str =
    concat!("enable dual_source_blending;\n", include_str!("cells.wgsl"), include_str!("lcd.wgsl"));

/// Everything cells of the last frame, ready for the device.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    rows: HashMap<RowKey, CachedRow>,
    /// The last frame, told by its rows; the same list means the same instances.
    shown: Vec<ShownRow>,
    shown_generation: u64,
    instances: Vec<CellInstance>,
    batches: Batches,
    frame: u64,
    revision: u64,
}

/// The address is that of an [`Arc`] which the cache itself keeps alive, so it is not used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct RowKey {
    grid: u64,
    address: usize,
}

#[derive(Debug)]
struct CachedRow {
    _alive: Arc<GridRow>,
    metrics: CellMetrics,
    generation: u64,
    last_frame: u64,
    instances: RowInstances,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct ShownRow {
    key: RowKey,
    metrics: CellMetrics,
    x: i32,
    y: i32,
}

impl Cells {
    pub(crate) fn instances(&self) -> &[CellInstance] {
        &self.instances
    }

    pub(crate) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// Whether [`Self::build`] would change anything.
    pub(crate) fn differ(&self, scene: &Scene, glyphs: &GlyphCache) -> bool {
        self.shown_generation != glyphs.generation()
            || !shown_rows(scene).eq(self.shown.iter().copied())
    }

    /// Makes [`Self::instances`] those of this scene, as far as the glyphs fit into the atlas.
    pub(crate) fn build(&mut self, scene: &Scene, glyphs: &mut GlyphCache, fonts: &mut Fonts) {
        if !self.differ(scene, glyphs) {
            return;
        }
        self.frame += 1;
        self.build_rows(scene, glyphs, fonts);
        self.rows.retain(|_, row| row.last_frame == self.frame);
        self.shown = shown_rows(scene).collect();
        self.shown_generation = glyphs.generation();
        self.assemble(scene);
        self.revision += 1;
    }

    /// Another number for other instances.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    fn build_rows(&mut self, scene: &Scene, glyphs: &mut GlyphCache, fonts: &mut Fonts) {
        for grid in scene.layers.iter().flat_map(|layer| &layer.grids) {
            for row in &grid.rows {
                let generation = glyphs.generation();
                let fresh = self.rows.get_mut(&row_key(grid, row)).is_some_and(|cached| {
                    cached.last_frame = self.frame;
                    cached.metrics == grid.metrics && cached.generation == generation
                });
                if !fresh {
                    let instances = rows::build(row, grid.metrics, glyphs, fonts);
                    let cached = CachedRow {
                        _alive: Arc::clone(row),
                        metrics: grid.metrics,
                        generation,
                        last_frame: self.frame,
                        instances,
                    };
                    self.rows.insert(row_key(grid, row), cached);
                }
            }
        }
    }

    /// Puts the rows in their places: in each grid all grounds first, so that a glyph may reach
    /// into its neighbour's cell.
    fn assemble(&mut self, scene: &Scene) {
        let Self { instances, batches, shown, rows, .. } = self;
        instances.clear();
        batches.clear();
        let mut shown = shown.iter();
        for content in &scene.layers {
            batches.begin_layer();
            for grid in &content.grids {
                let n_rows = grid.rows.len().min(shown.len());
                let (of_grid, behind) = shown.as_slice().split_at(n_rows);
                shown = behind.iter();
                for part in [RowInstances::grounds, RowInstances::glyphs] {
                    for row in of_grid {
                        let Some(cached) = rows.get(&row.key) else { continue };
                        let start = instances.len();
                        let part = part(&cached.instances).iter();
                        instances.extend(part.map(|it| it.moved(row.x, row.y)));
                        let height = i32::from(row.metrics.height);
                        let (top, bottom) = (row.y - height / 2, row.y + height + height / 2);
                        batches.push(top, bottom, start..instances.len());
                    }
                }
            }
        }
    }
}

impl CellInstance {
    /// All of a target in one colour, which is never see-through.
    pub(crate) fn ground(width: u32, height: u32, color: Color) -> Self {
        let size = [width, height].map(|pixels| u16::try_from(pixels).unwrap_or(u16::MAX));
        Self::solid([0.0, 0.0], size, Color { a: 255, ..color })
    }

    fn solid(origin: [f32; 2], size: [u16; 2], color: Color) -> Self {
        Self { origin, size, slot: [0, 0], color: channels(color), kind: SOLID }
    }

    /// A glyph whose cell or origin is there.
    pub(crate) fn glyph(placed: Placed, x: f32, y: f32, color: Color) -> Self {
        let Placed { slot, x: dx, y: dy, paint } = placed;
        Self {
            origin: [x + f32::from(dx), y + f32::from(dy)],
            size: [slot.width, slot.height],
            slot: [slot.x, slot.y],
            color: channels(color),
            kind: match paint {
                Paint::Letters => LETTERS,
                Paint::Shape => SHAPE,
                Paint::Colors => COLORS,
            },
        }
    }

    /// What of it lies in a rectangle.
    pub(crate) fn cut(&self, to: PixelRect) -> Option<Self> {
        let [x, y] = self.origin.map(round);
        let (right, bottom) = (x + i32::from(self.size[0]), y + i32::from(self.size[1]));
        let whole = PixelRect { left: x, top: y, right, bottom };
        let part = whole.intersection(&to)?;
        let side = |length: i32| u16::try_from(length).unwrap_or(0);
        Some(Self {
            origin: [part.left as f32, part.top as f32],
            size: [side(part.right - part.left), side(part.bottom - part.top)],
            slot: [self.slot[0] + side(part.left - x), self.slot[1] + side(part.top - y)],
            ..*self
        })
    }

    pub(crate) fn moved(&self, x: i32, y: i32) -> Self {
        Self { origin: [self.origin[0] + x as f32, self.origin[1] + y as f32], ..*self }
    }
}

fn row_key(grid: &CellGrid, row: &Arc<GridRow>) -> RowKey {
    RowKey { grid: grid.id, address: Arc::as_ptr(row).addr() }
}

fn shown_rows(scene: &Scene) -> impl Iterator<Item = ShownRow> {
    let scale = scene.scale;
    scene.layers.iter().flat_map(move |content| {
        content.grids.iter().flat_map(move |grid| {
            let (x, top) = (round(grid.origin.x * scale), round(grid.origin.y * scale));
            let tops = (0..).map(move |row: i32| top + row * i32::from(grid.metrics.height));
            grid.rows.iter().zip(tops).map(move |(row, y)| ShownRow {
                key: row_key(grid, row),
                metrics: grid.metrics,
                x,
                y,
            })
        })
    })
}
