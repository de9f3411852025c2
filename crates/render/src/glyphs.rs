//! All glyphs drawn so far: each once, kept in the atlas, placed on whole pixels.

use std::collections::HashMap;

use cosmic_text::CacheKey;
use scene::CellMetrics;

use crate::atlas::{Atlas, Slot};
use crate::bitmap::{Bitmap, Content};
use crate::boxes::{self, Canvas, Decoration};
use crate::clusters;
use crate::fonts::{FaceStyle, Fonts};
use crate::shaping::is_invisible;

/// More marks than this on one character are dropped; families of emoji have the most.
const MAX_MARKS: usize = 16;

/// Glyphs that are remembered at a time; those without ink take no room in the atlas.
const MAX_GLYPHS: usize = 100_000;

/// How the bytes in the atlas become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Coverage of letters, which is corrected so that all colours look equally heavy.
    Letters,
    /// Coverage of shapes, taken as it is.
    Shape,
    /// Colours of its own.
    Colors,
}

/// A glyph in the atlas and where it goes, counted from its cell's top left corner, or from its
/// origin if it is in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) slot: Slot,
    pub(crate) x: i16,
    pub(crate) y: i16,
    pub(crate) paint: Paint,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct GlyphKey {
    shape: Shape,
    n_columns: u8,
    cell: [u16; 4],
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Shape {
    Character(char, FaceStyle),
    Cluster(Box<str>, FaceStyle),
    Decoration(Decoration),
    Laid(CacheKey),
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

    pub(crate) fn with_atlas(atlas: Atlas) -> Self {
        Self { atlas, placed: HashMap::new(), full: false }
    }

    pub(crate) fn atlas(&mut self) -> &mut Atlas {
        &mut self.atlas
    }

    pub(crate) fn side(&self) -> u16 {
        self.atlas.side()
    }

    /// Changes whenever what was placed before is no longer good.
    pub(crate) fn generation(&self) -> u64 {
        self.atlas.generation()
    }

    /// Whether something did not fit since the last reset.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    pub(crate) fn can_grow(&self) -> bool {
        self.atlas.can_grow()
    }

    /// Starts anew, with a larger atlas if that is allowed.
    pub(crate) fn reset(&mut self) {
        tracing::debug!(n_glyphs = self.placed.len(), "glyph atlas starts anew");
        self.atlas.reset();
        self.placed.clear();
        self.full = false;
    }

    /// Starts anew because the same glyphs would be drawn differently.
    pub(crate) fn clear(&mut self) {
        self.atlas.clear();
        self.placed.clear();
        self.full = false;
    }

    /// What to draw for a character with its marks in so many cells, if anything.
    pub(crate) fn cluster(
        &mut self,
        character: char,
        marks: Option<&str>,
        style: FaceStyle,
        n_columns: u8,
        metrics: CellMetrics,
        fonts: &mut Fonts,
    ) -> Option<Placed> {
        if marks.is_none() && (character == ' ' || is_invisible(character)) {
            return None;
        }
        let shape = match marks {
            None => Shape::Character(character, style),
            Some(marks) => {
                let text = std::iter::once(character).chain(marks.chars().take(MAX_MARKS));
                Shape::Cluster(text.collect::<String>().into(), style)
            }
        };
        self.get(shape, n_columns, metrics, fonts)
    }

    /// A glyph of a laid-out run, placed relative to its origin on the baseline.
    pub(crate) fn laid(&mut self, key: CacheKey, fonts: &mut Fonts) -> Option<Placed> {
        let nowhere = CellMetrics { width: 0, height: 0, ascent: 0, font_size: 0 };
        self.get(Shape::Laid(key), 0, nowhere, fonts)
    }

    pub(crate) fn decoration(
        &mut self,
        kind: Decoration,
        n_columns: u8,
        metrics: CellMetrics,
        fonts: &mut Fonts,
    ) -> Option<Placed> {
        self.get(Shape::Decoration(kind), n_columns, metrics, fonts)
    }

    fn get(
        &mut self,
        shape: Shape,
        n_columns: u8,
        metrics: CellMetrics,
        fonts: &mut Fonts,
    ) -> Option<Placed> {
        let CellMetrics { width, height, ascent, font_size } = metrics;
        let key = GlyphKey { shape, n_columns, cell: [width, height, ascent, font_size] };
        if let Some(placed) = self.placed.get(&key) {
            return *placed;
        }
        if self.placed.len() >= MAX_GLYPHS {
            self.full = true;
            return None;
        }
        let width = width.saturating_mul(u16::from(n_columns));
        let cells = CellMetrics { width, ..metrics };
        let placed = match draw(&key.shape, n_columns, cells, fonts) {
            Drawn::Canvas(canvas) => self.insert_canvas(&canvas)?,
            Drawn::Bitmap(bitmap) if n_columns == 0 => self.insert_bitmap(&bitmap, metrics)?,
            Drawn::Bitmap(bitmap) => {
                self.insert_bitmap(&within_reach(bitmap, cells, metrics.width), metrics)?
            }
        };
        self.placed.insert(key, placed);
        placed
    }

    /// `None`: the atlas is full. `Some(None)`: there is nothing to see.
    fn insert_canvas(&mut self, canvas: &Canvas) -> Option<Option<Placed>> {
        if canvas.coverage.iter().all(|coverage| *coverage == 0) {
            return Some(None);
        }
        let rgba: Vec<u8> = canvas.coverage.iter().flat_map(|covered| [*covered; 4]).collect();
        let slot = self.insert(canvas.width, canvas.height, &rgba)?;
        Some(Some(Placed { slot, x: 0, y: 0, paint: Paint::Shape }))
    }

    fn insert_bitmap(&mut self, bitmap: &Bitmap, metrics: CellMetrics) -> Option<Option<Placed>> {
        let small = |value: i32| i16::try_from(value).ok();
        let x = small(bitmap.left);
        let y = small(i32::from(metrics.ascent) - bitmap.top);
        let size = (u16::try_from(bitmap.width).ok(), u16::try_from(bitmap.height).ok());
        let (Some(x), Some(y), (Some(width @ 1..), Some(height @ 1..))) = (x, y, size) else {
            return Some(None);
        };
        let slot = self.insert(width, height, &bitmap.rgba)?;
        let paint = match bitmap.content {
            Content::Coverage => Paint::Letters,
            Content::Colors => Paint::Colors,
        };
        Some(Some(Placed { slot, x, y, paint }))
    }

    fn insert(&mut self, width: u16, height: u16, rgba: &[u8]) -> Option<Slot> {
        let slot = self.atlas.insert(width, height, rgba);
        self.full |= slot.is_none();
        slot
    }
}

enum Drawn {
    Canvas(Canvas),
    Bitmap(Bitmap),
}

fn draw(shape: &Shape, n_columns: u8, cells: CellMetrics, fonts: &mut Fonts) -> Drawn {
    let drawn = match shape {
        Shape::Decoration(kind) => return Drawn::Canvas(boxes::decoration(*kind, cells)),
        Shape::Laid(key) => return Drawn::Bitmap(fonts.rasterize_key(*key).unwrap_or_default()),
        Shape::Character(character, style) => {
            if let Some(canvas) = boxes::draw(*character, cells.width, cells.height) {
                return Drawn::Canvas(canvas);
            }
            let mut text = [0; 4];
            clusters::draw(character.encode_utf8(&mut text), *style, n_columns, cells, fonts)
        }
        Shape::Cluster(text, style) => clusters::draw(text, *style, n_columns, cells, fonts),
    };
    drawn.map_or_else(|| Drawn::Canvas(stand_in(shape, cells)), Drawn::Bitmap)
}

/// A glyph may lean into the cells beside its own and half a line up and down, and no further,
/// however many accents are piled upon it.
fn within_reach(bitmap: Bitmap, cells: CellMetrics, beside: u16) -> Bitmap {
    let (width, beside) = (i32::from(cells.width), i32::from(beside));
    let (height, ascent) = (i32::from(cells.height), i32::from(cells.ascent));
    let (top, bottom) = (ascent + height / 2, ascent - height - height / 2);
    bitmap.cropped(-beside, top, width + beside, bottom)
}

/// What is drawn for a character that no font has.
fn stand_in(shape: &Shape, cells: CellMetrics) -> Canvas {
    let first = match shape {
        Shape::Character(character, _) => Some(*character),
        Shape::Cluster(text, _) => text.chars().next(),
        Shape::Decoration(_) | Shape::Laid(_) => None,
    };
    boxes::missing(first.unwrap_or('\u{fffd}'), cells.width, cells.height)
}
