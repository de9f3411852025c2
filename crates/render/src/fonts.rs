//! The bundled fonts: which face serves what, how large it is, and its glyphs as coverage.
//!
//! The system's fonts are never looked at. Text in the chrome is Inter, text in cells is JetBrains
//! Mono, and what those lack comes from Iosevka Charon Mono.

use std::sync::Arc;

use cosmic_text::fontdb::{Database, ID, Source};
use cosmic_text::{
    CacheKey, CacheKeyFlags, FontSystem, Style, SwashCache, SwashContent, SwashImage, Weight,
};
use scene::{CellMetrics, FontFamily};

use crate::pixels::{round, round_at_least};

/// How much taller than its font a line of cells is.
const CELL_HEIGHT: f32 = 1.5;

const UI_REGULAR: &[u8] = include_bytes!("../../../assets/fonts/Inter_400Regular.ttf");
const UI_MEDIUM: &[u8] = include_bytes!("../../../assets/fonts/Inter_500Medium.ttf");
const UI_SEMI_BOLD: &[u8] = include_bytes!("../../../assets/fonts/Inter_600SemiBold.ttf");
const MONO: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono_400Regular.ttf");
const MONO_ITALIC: &[u8] =
    include_bytes!("../../../assets/fonts/JetBrainsMono_400Regular_Italic.ttf");
const MONO_BOLD: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono_700Bold.ttf");
const MONO_BOLD_ITALIC: &[u8] =
    include_bytes!("../../../assets/fonts/JetBrainsMono_700Bold_Italic.ttf");
const SYMBOLS: &[u8] = include_bytes!("../../../assets/fonts/IosevkaCharonMono_400Regular.ttf");

/// Names as they stand in the font files.
pub(crate) const UI_FAMILY: &str = "Inter";
pub(crate) const MONO_FAMILY: &str = "JetBrains Mono";
pub(crate) const SYMBOL_FAMILY: &str = "Iosevka Charon Mono";

/// One font file in use. Measures are shares of the font size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    id: ID,
    weight: Weight,
    ascent: f32,
    descent: f32,
}

/// A glyph as coverage, placed relative to its origin on the baseline.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bitmap {
    pub(crate) left: i32,
    /// From the baseline up to the first row.
    pub(crate) top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) coverage: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Fonts {
    pub(crate) system: FontSystem,
    pub(crate) swash: SwashCache,
    ui: Face,
    mono: [Face; 4],
    symbols: Face,
}

impl Fonts {
    pub(crate) fn new() -> Self {
        let mut db = Database::new();
        // What comes first is tried first for characters that a run's own family lacks.
        let mono = [
            load(&mut db, MONO, Weight::NORMAL),
            load(&mut db, MONO_ITALIC, Weight::NORMAL),
            load(&mut db, MONO_BOLD, Weight::BOLD),
            load(&mut db, MONO_BOLD_ITALIC, Weight::BOLD),
        ];
        let symbols = load(&mut db, SYMBOLS, Weight::NORMAL);
        let ui = load(&mut db, UI_REGULAR, Weight::NORMAL);
        load(&mut db, UI_MEDIUM, Weight::MEDIUM);
        load(&mut db, UI_SEMI_BOLD, Weight::SEMIBOLD);
        db.set_sans_serif_family(UI_FAMILY);
        db.set_monospace_family(MONO_FAMILY);
        // None of the families it knows as fallbacks is there, so every bundled face is tried.
        let mut system = FontSystem::new_with_locale_and_db("en-US".to_owned(), db);
        let mut measured = |face| measure_face(&mut system, face);
        let (ui, mono, symbols) = (measured(ui), mono.map(&mut measured), measured(symbols));
        Self { system, swash: SwashCache::new(), ui, mono, symbols }
    }

    pub(crate) fn mono(&self, bold: bool, italic: bool) -> Face {
        self.mono[usize::from(bold) * 2 + usize::from(italic)]
    }

    pub(crate) fn symbols(&self) -> Face {
        self.symbols
    }

    /// The size of a cell for a font of so many device pixels.
    ///
    /// The advance is rounded, not rounded up: at the usual 14 px it is 8.4, and a column of 9
    /// would tear words apart.
    pub(crate) fn cell_metrics(&mut self, size: f32) -> CellMetrics {
        let size = if size.is_finite() { size.clamp(1.0, 1000.0) } else { 1.0 };
        let height = round_at_least(CELL_HEIGHT * size, 1);
        let baseline = self.baseline(FontFamily::Mono, size, f32::from(height));
        CellMetrics {
            width: self.mono_advance(size),
            height,
            ascent: u16::try_from(baseline).unwrap_or(0).min(height),
        }
    }

    /// How far one column of the mono family is from the next, in whole device pixels.
    pub(crate) fn mono_advance(&mut self, size: f32) -> u16 {
        let face = self.mono[0];
        let advance = self.glyph(face, '0').map_or(0.6, |glyph| self.advance(face, glyph));
        round_at_least(advance * size, 1)
    }

    /// From the top of a line's box to the baseline that centres the text in it.
    pub(crate) fn baseline(&self, family: FontFamily, size: f32, height: f32) -> i32 {
        let face = match family {
            FontFamily::Ui => self.ui,
            FontFamily::Mono => self.mono[0],
        };
        round((height + (face.ascent - face.descent) * size) / 2.0)
    }

    /// The glyph of a character, if the face has one.
    pub(crate) fn glyph(&mut self, face: Face, character: char) -> Option<u16> {
        let font = self.system.get_font(face.id, face.weight)?;
        let glyph = font.as_swash().charmap().map(character);
        (glyph != 0).then_some(glyph)
    }

    /// The advance of a glyph, as a share of the font size.
    pub(crate) fn advance(&mut self, face: Face, glyph: u16) -> f32 {
        self.system
            .get_font(face.id, face.weight)
            .map_or(0.0, |font| font.as_swash().glyph_metrics(&[]).scale(1.0).advance_width(glyph))
    }

    pub(crate) fn rasterize(&mut self, face: Face, glyph: u16, size: f32) -> Option<Bitmap> {
        let flags = CacheKeyFlags::empty();
        let (key, _, _) = CacheKey::new(face.id, glyph, size, (0.0, 0.0), face.weight, flags);
        self.rasterize_key(key)
    }

    pub(crate) fn rasterize_key(&mut self, key: CacheKey) -> Option<Bitmap> {
        let image = self.swash.get_image_uncached(&mut self.system, key)?;
        Bitmap::from_image(image)
    }
}

/// The size of the font that belongs to cells of this height.
pub(crate) fn font_size(metrics: CellMetrics) -> f32 {
    f32::from(metrics.height) / CELL_HEIGHT
}

impl Bitmap {
    /// `None` for colour glyphs, which none of the bundled fonts has.
    fn from_image(image: SwashImage) -> Option<Self> {
        let SwashImage { content, placement, data, .. } = image;
        let area = placement.width as usize * placement.height as usize;
        (content == SwashContent::Mask && data.len() == area).then_some(Self {
            left: placement.left,
            top: placement.top,
            width: placement.width,
            height: placement.height,
            coverage: data,
        })
    }

    /// Both, one over the other.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let left = self.left.min(other.left);
        let top = self.top.max(other.top);
        let right = self.right().max(other.right());
        let bottom = self.bottom().min(other.bottom());
        let (width, height) = ((right - left).unsigned_abs(), (top - bottom).unsigned_abs());
        let mut coverage = vec![0; width as usize * height as usize];
        for part in [self, other] {
            let x = (part.left - left).unsigned_abs() as usize;
            let y = (top - part.top).unsigned_abs() as usize;
            for (row, line) in part.coverage.chunks_exact(part.width.max(1) as usize).enumerate() {
                let start = (y + row) * width as usize + x;
                for (pixel, covered) in coverage[start..].iter_mut().zip(line) {
                    *pixel = u8::max(*pixel, *covered);
                }
            }
        }
        Self { left, top, width, height, coverage }
    }

    fn right(&self) -> i32 {
        self.left.saturating_add_unsigned(self.width)
    }

    /// Below the baseline it is negative.
    fn bottom(&self) -> i32 {
        self.top.saturating_sub_unsigned(self.height)
    }
}

fn load(db: &mut Database, bytes: &'static [u8], weight: Weight) -> Face {
    let id = db.load_font_source(Source::Binary(Arc::new(bytes))).first().copied();
    // A file that cannot be read leaves an id that finds nothing, so that text is missing and
    // nothing else; a test makes sure that all of them can be read.
    Face { id: id.unwrap_or(ID::dummy()), weight, ascent: 1.0, descent: 0.25 }
}

fn measure_face(system: &mut FontSystem, face: Face) -> Face {
    let Some(font) = system.get_font(face.id, face.weight) else { return face };
    let metrics = font.metrics();
    let unit = f32::from(metrics.units_per_em).max(1.0);
    Face { ascent: metrics.ascent / unit, descent: -metrics.descent / unit, ..face }
}

/// The style of a run, in the words of the font database.
pub(crate) fn style(italic: bool) -> Style {
    if italic { Style::Italic } else { Style::Normal }
}
