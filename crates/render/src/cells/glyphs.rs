//! The glyphs of cells: each drawn once, kept in the atlas, placed on whole pixels.

use std::collections::HashMap;

use scene::{CellMetrics, GridCell};

use crate::atlas::{Atlas, Slot};
use crate::boxes::{self, Canvas, Decoration};
use crate::fonts::{Bitmap, Fonts, font_size};
use crate::pixels::round;
use crate::shaping::{is_invisible, shape_cluster};

/// More marks than this on one character are dropped; no writing system needs them.
const MAX_MARKS: usize = 8;

/// A glyph in the atlas and where it goes, counted from its cell's top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) slot: Slot,
    pub(super) x: i16,
    pub(super) y: i16,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct GlyphKey {
    shape: Shape,
    n_columns: u8,
    /// Width, height and ascent of a cell, which also give the font's size.
    cell: [u16; 3],
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Shape {
    Character {
        character: char,
        bold: bool,
        italic: bool,
    },
    Cluster {
        text: Box<str>,
        bold: bool,
        italic: bool,
    },
    Decoration(Decoration),
    /// The stand-in for all characters that no font has.
    Missing,
}

#[derive(Debug)]
pub(crate) struct GlyphCache {
    atlas: Atlas,
    /// `None` where there is nothing to draw.
    placed: HashMap<GlyphKey, Option<Placed>>,
    full: bool,
}

impl GlyphCache {
    pub(crate) fn new(max_texture_side: u32) -> Self {
        Self::with_atlas(Atlas::new(max_texture_side))
    }

    pub(super) fn with_atlas(atlas: Atlas) -> Self {
        Self { atlas, placed: HashMap::new(), full: false }
    }

    pub(crate) fn atlas(&mut self) -> &mut Atlas {
        &mut self.atlas
    }

    pub(super) fn generation(&self) -> u64 {
        self.atlas.generation()
    }

    /// Whether something did not fit since the last reset.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn can_grow(&self) -> bool {
        self.atlas.can_grow()
    }

    /// Starts anew, with a larger atlas if that is allowed.
    pub(super) fn reset(&mut self) {
        tracing::debug!(n_glyphs = self.placed.len(), "glyph atlas starts anew");
        self.atlas.reset();
        self.placed.clear();
        self.full = false;
    }

    /// What to draw for a cell, if anything.
    pub(super) fn cell(
        &mut self,
        cell: &GridCell,
        metrics: CellMetrics,
        fonts: &mut Fonts,
    ) -> Option<Placed> {
        let character = cell.glyph;
        if cell.marks.is_none() && (character == ' ' || is_invisible(character)) {
            return None;
        }
        let (bold, italic) = (cell.style.bold, cell.style.italic);
        let shape = match &cell.marks {
            None => Shape::Character { character, bold, italic },
            Some(marks) => {
                let text = std::iter::once(character).chain(marks.chars().take(MAX_MARKS));
                Shape::Cluster { text: text.collect::<String>().into(), bold, italic }
            }
        };
        let n_columns = if cell.style.wide { 2 } else { 1 };
        self.get(shape, n_columns, metrics, fonts)
    }

    pub(super) fn decoration(
        &mut self,
        kind: Decoration,
        n_columns: u8,
        metrics: CellMetrics,
    ) -> Option<Placed> {
        let key = key(Shape::Decoration(kind), n_columns, metrics);
        if let Some(placed) = self.placed.get(&key) {
            return *placed;
        }
        let canvas = boxes::decoration(kind, widened(metrics, n_columns));
        let placed = self.insert_canvas(&canvas)?;
        self.remember(key, placed)
    }

    fn get(
        &mut self,
        shape: Shape,
        n_columns: u8,
        metrics: CellMetrics,
        fonts: &mut Fonts,
    ) -> Option<Placed> {
        let key = key(shape, n_columns, metrics);
        if let Some(placed) = self.placed.get(&key) {
            return *placed;
        }
        let wide = widened(metrics, n_columns);
        let placed = match draw(&key.shape, wide, fonts) {
            Drawn::Canvas(canvas) => self.insert_canvas(&canvas)?,
            Drawn::Bitmap(bitmap) => self.insert_bitmap(&bitmap, metrics)?,
            Drawn::Missing if key.shape == Shape::Missing => {
                self.insert_canvas(&boxes::missing(wide.width, wide.height))?
            }
            Drawn::Missing => self.get(Shape::Missing, n_columns, metrics, fonts),
        };
        self.remember(key, placed)
    }

    fn remember(&mut self, key: GlyphKey, placed: Option<Placed>) -> Option<Placed> {
        self.placed.insert(key, placed);
        placed
    }

    /// `None`: the atlas is full. `Some(None)`: there is nothing to see.
    fn insert_canvas(&mut self, canvas: &Canvas) -> Option<Option<Placed>> {
        if canvas.coverage.iter().all(|coverage| *coverage == 0) {
            return Some(None);
        }
        let slot = self.insert(canvas.width, canvas.height, &canvas.coverage)?;
        Some(Some(Placed { slot, x: 0, y: 0 }))
    }

    fn insert_bitmap(&mut self, bitmap: &Bitmap, metrics: CellMetrics) -> Option<Option<Placed>> {
        let small = |value: i32| i16::try_from(value).ok();
        let x = small(bitmap.left);
        let y = small(i32::from(metrics.ascent) - bitmap.top);
        let size = (u16::try_from(bitmap.width).ok(), u16::try_from(bitmap.height).ok());
        let (Some(x), Some(y), (Some(width @ 1..), Some(height @ 1..))) = (x, y, size) else {
            return Some(None);
        };
        let slot = self.insert(width, height, &bitmap.coverage)?;
        Some(Some(Placed { slot, x, y }))
    }

    fn insert(&mut self, width: u16, height: u16, coverage: &[u8]) -> Option<Slot> {
        let slot = self.atlas.insert(width, height, coverage);
        self.full |= slot.is_none();
        slot
    }
}

fn key(shape: Shape, n_columns: u8, metrics: CellMetrics) -> GlyphKey {
    GlyphKey { shape, n_columns, cell: [metrics.width, metrics.height, metrics.ascent] }
}

fn widened(metrics: CellMetrics, n_columns: u8) -> CellMetrics {
    CellMetrics { width: metrics.width.saturating_mul(u16::from(n_columns)), ..metrics }
}

enum Drawn {
    Canvas(Canvas),
    Bitmap(Bitmap),
    Missing,
}

fn draw(shape: &Shape, cell: CellMetrics, fonts: &mut Fonts) -> Drawn {
    match shape {
        Shape::Character { character, bold, italic } => {
            match boxes::draw(*character, cell.width, cell.height) {
                Some(canvas) => Drawn::Canvas(canvas),
                None => character_bitmap(*character, *bold, *italic, cell, fonts)
                    .map_or(Drawn::Missing, Drawn::Bitmap),
            }
        }
        Shape::Cluster { text, bold, italic } => {
            shape_cluster(text, *bold, *italic, font_size(cell), fonts)
                .map_or(Drawn::Missing, Drawn::Bitmap)
        }
        Shape::Decoration(kind) => Drawn::Canvas(boxes::decoration(*kind, cell)),
        Shape::Missing => Drawn::Missing,
    }
}

/// From JetBrains Mono as it is; from the symbol font centred in the cell and, where it would
/// reach out of it, smaller.
fn character_bitmap(
    character: char,
    bold: bool,
    italic: bool,
    cell: CellMetrics,
    fonts: &mut Fonts,
) -> Option<Bitmap> {
    let size = font_size(cell);
    let face = fonts.mono(bold, italic);
    if let Some(glyph) = fonts.glyph(face, character) {
        return fonts.rasterize(face, glyph, size);
    }
    let face = fonts.symbols();
    let glyph = fonts.glyph(face, character)?;
    let mut bitmap = fonts.rasterize(face, glyph, size)?;
    let mut advance = fonts.advance(face, glyph) * size;
    let room = f32::from(cell.width);
    let ink = f32::from(u16::try_from(bitmap.width).unwrap_or(u16::MAX));
    // A pixel more than the cell is the smoothed edge of a glyph that fits.
    if ink > room + 1.0 {
        let shrink = room / ink;
        bitmap = fonts.rasterize(face, glyph, size * shrink)?;
        advance *= shrink;
    }
    bitmap.left += round((room - advance) / 2.0);
    Some(bitmap)
}
