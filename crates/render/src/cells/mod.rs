//! Grids of cells: what to draw for each, and what of it can be kept from the last frame.
//!
//! Rows are built once for as long as their [`Arc`] is the same one, and the list for the device is
//! put together again only when a row, a position or the atlas changed.

mod glyphs;
mod rows;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use scene::{CellGrid, CellMetrics, GridRow, Scene};

use crate::fonts::Fonts;
use crate::pixels::round;
pub(crate) use glyphs::GlyphCache;
use rows::RowInstances;

/// One rectangle as `cells.wgsl` reads it, in device pixels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct CellInstance {
    origin: [f32; 2],
    size: [u16; 2],
    /// Where its coverage lies in the atlas.
    slot: [u16; 2],
    color: [u8; 4],
    /// 1 if all of it is covered and the atlas is not asked.
    covered: u32,
}

pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x2, 1 => Uint16x2, 2 => Uint16x2, 3 => Unorm8x4, 4 => Uint32
];

/// Everything cells of the last frame, ready for the device.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) glyphs: GlyphCache,
    rows: HashMap<RowKey, CachedRow>,
    /// The last frame, told by its rows; the same list means the same instances.
    shown: Vec<ShownRow>,
    shown_generation: u64,
    instances: Vec<CellInstance>,
    /// For each layer, its share of the instances.
    ranges: Vec<Range<u32>>,
    frame: u64,
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
    layer: usize,
    key: RowKey,
    metrics: CellMetrics,
    x: i32,
    y: i32,
}

impl Cells {
    pub(crate) fn new(max_texture_side: u32) -> Self {
        Self {
            glyphs: GlyphCache::new(max_texture_side),
            rows: HashMap::new(),
            shown: Vec::new(),
            shown_generation: 0,
            instances: Vec::new(),
            ranges: Vec::new(),
            frame: 0,
        }
    }

    pub(crate) fn instances(&self) -> &[CellInstance] {
        &self.instances
    }

    pub(crate) fn range(&self, layer: usize) -> Range<u32> {
        self.ranges.get(layer).cloned().unwrap_or(0..0)
    }

    /// Makes [`Self::instances`] those of this scene. Returns whether they changed.
    pub(crate) fn prepare(&mut self, scene: &Scene, fonts: &mut Fonts) -> bool {
        self.frame += 1;
        let shown: Vec<_> = shown_rows(scene).collect();
        if shown == self.shown && self.shown_generation == self.glyphs.generation() {
            return false;
        }
        self.shown = shown;
        // A frame that did not fit left glyphs out; give this one all the room there is.
        if self.glyphs.is_full() {
            self.glyphs.reset();
        }
        // When the atlas overflows, all of this frame is built again into the emptied one. If it
        // overflows even when it is as large as it gets, what did not fit is left out.
        self.build_rows(scene, fonts);
        let mut fresh = false;
        while self.glyphs.is_full() && (!fresh || self.glyphs.can_grow()) {
            self.glyphs.reset();
            self.build_rows(scene, fonts);
            fresh = true;
        }
        self.shown_generation = self.glyphs.generation();
        self.rows.retain(|_, row| row.last_frame == self.frame);
        self.assemble(scene);
        true
    }

    fn build_rows(&mut self, scene: &Scene, fonts: &mut Fonts) {
        for grid in scene.layers.iter().flat_map(|layer| &layer.grids) {
            for row in &grid.rows {
                let generation = self.glyphs.generation();
                let fresh = self.rows.get_mut(&row_key(grid, row)).is_some_and(|cached| {
                    cached.last_frame = self.frame;
                    cached.metrics == grid.metrics && cached.generation == generation
                });
                if !fresh {
                    let instances = rows::build(row, grid.metrics, &mut self.glyphs, fonts);
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
        self.instances.clear();
        self.ranges.clear();
        let mut shown = self.shown.iter().copied().peekable();
        for (layer, content) in scene.layers.iter().enumerate() {
            let start = self.instances.len();
            for grid in &content.grids {
                let rows: Vec<_> = shown.by_ref().take(grid.rows.len()).collect();
                debug_assert!(rows.iter().all(|row| row.layer == layer), "rows are in scene order");
                for part in [RowInstances::grounds, RowInstances::glyphs] {
                    for row in &rows {
                        let Some(cached) = self.rows.get(&row.key) else { continue };
                        let placed =
                            part(&cached.instances).iter().map(|it| it.moved(row.x, row.y));
                        self.instances.extend(placed);
                    }
                }
            }
            self.ranges.push(index(start)..index(self.instances.len()));
        }
    }
}

impl CellInstance {
    fn moved(&self, x: i32, y: i32) -> Self {
        Self { origin: [self.origin[0] + x as f32, self.origin[1] + y as f32], ..*self }
    }
}

fn row_key(grid: &CellGrid, row: &Arc<GridRow>) -> RowKey {
    RowKey { grid: grid.id, address: Arc::as_ptr(row).addr() }
}

fn shown_rows(scene: &Scene) -> impl Iterator<Item = ShownRow> {
    let scale = scene.scale;
    scene.layers.iter().enumerate().flat_map(move |(layer, content)| {
        content.grids.iter().flat_map(move |grid| {
            let (x, top) = (round(grid.origin.x * scale), round(grid.origin.y * scale));
            let tops = (0..).map(move |row: i32| top + row * i32::from(grid.metrics.height));
            grid.rows.iter().zip(tops).map(move |(row, y)| ShownRow {
                layer,
                key: row_key(grid, row),
                metrics: grid.metrics,
                x,
                y,
            })
        })
    })
}

fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
