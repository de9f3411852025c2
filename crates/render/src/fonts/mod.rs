//! Which face draws what, how large it is, and its glyphs as pixels.
//!
//! Text in the chrome is Inter, text in cells is JetBrains Mono. What those lack comes from the
//! bundled symbols, then from the system's fonts if they may be looked at, then from the bundled
//! emoji. Where nothing has a character, [`Fonts::candidates`] is empty and the caller draws a
//! stand-in.

mod bundled;
mod emoji;
mod installed;
mod raster;

use std::sync::Arc;
use std::time::Duration;

use cosmic_text::fontdb::{ID, Source};
use cosmic_text::{CacheKey, Font, FontSystem, Style, Weight};
use harfrust::UnicodeBuffer;
use scene::{CellMetrics, FontFamily};

use crate::bitmap::Bitmap;
use crate::pixels::{round, round_at_least};
use bundled::Bundled;
pub(crate) use bundled::UI_FAMILY;
pub(crate) use emoji::{Presentation, continues, is_flag_letter};
pub use installed::{FontNews, SystemFonts};
use installed::{Found, Installed, Want};
use raster::GlyphOf;
pub(crate) use raster::{Rasterizer, Smoothing};

/// How much taller than its font a line of cells is.
const CELL_HEIGHT: f32 = 1.5;
/// What [`CellMetrics::font_size`] counts in.
const SIZE_UNIT: f32 = 64.0;

/// One font in use. Measures are shares of the font size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Face {
    id: ID,
    pub(crate) weight: Weight,
    ascent: f32,
    descent: f32,
    is_bundled: bool,
    has_colors: bool,
}

/// Bold, italic, both or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct FaceStyle {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
}

/// A glyph of a shaped cluster; measures are shares of the font size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShapedGlyph {
    pub(crate) glyph: u16,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) advance: f32,
}

#[derive(Debug)]
pub(crate) struct Fonts {
    pub(crate) system: FontSystem,
    /// How glyphs are drawn from now on; who keeps drawn ones has to draw them again.
    pub(crate) smoothing: Smoothing,
    rasterizer: Rasterizer,
    bundled: Bundled,
    installed: Installed,
    /// Taken over from the system, in the order in which they are tried.
    found: Vec<Face>,
}

impl Face {
    fn new(id: ID, weight: Weight) -> Self {
        Self { id, weight, ascent: 1.0, descent: 0.25, is_bundled: true, has_colors: false }
    }

    fn measured(self, system: &mut FontSystem) -> Self {
        let Some(font) = system.get_font(self.id, self.weight) else { return self };
        let metrics = font.metrics();
        let unit = f32::from(metrics.units_per_em).max(1.0);
        Self { ascent: metrics.ascent / unit, descent: -metrics.descent / unit, ..self }
    }
}

impl Fonts {
    pub(crate) fn new(fonts: SystemFonts, news: FontNews) -> Self {
        let (system, bundled) = Bundled::load();
        let installed = Installed::new(fonts, news);
        let rasterizer = Rasterizer::default();
        let smoothing = Smoothing::default();
        Self { system, smoothing, rasterizer, bundled, installed, found: Vec::new() }
    }

    pub(crate) fn is_primary(&self, face: Face) -> bool {
        self.bundled.mono.contains(&face)
    }

    /// The faces that have a cluster's first character, the best first.
    ///
    /// A better one that the system may have is looked for meanwhile; see [`Self::take_news`].
    pub(crate) fn candidates(
        &mut self,
        cluster: &str,
        style: FaceStyle,
        presentation: Presentation,
    ) -> Vec<Face> {
        let Some(character) = cluster.chars().next() else { return Vec::new() };
        let Bundled { mono, symbols, emoji, .. } = &self.bundled;
        let mono = mono[usize::from(style.bold) * 2 + usize::from(style.italic)];
        let (symbols, emoji) = (*symbols, *emoji);
        let of_system = |has_colors| move |face: &&Face| face.has_colors == has_colors;
        let colors = self.found.iter().filter(of_system(true)).copied();
        let outlines = self.found.iter().filter(of_system(false)).copied();
        let order: Vec<Face> = match presentation {
            Presentation::Emoji => colors.chain([emoji, symbols, mono]).chain(outlines).collect(),
            Presentation::Text => {
                [mono, symbols].into_iter().chain(outlines).chain([emoji]).chain(colors).collect()
            }
        };
        let candidates: Vec<Face> =
            order.into_iter().filter(|face| self.glyph(*face, character).is_some()).collect();
        let is_settled = candidates.first().is_some_and(|first| match presentation {
            Presentation::Emoji => first.has_colors,
            Presentation::Text => *first != emoji && !first.has_colors,
        });
        if !is_settled {
            self.installed.want(Want { character, presentation });
        }
        candidates
    }

    /// The faces for a character that the chrome's family lacks; `None` if it has it.
    pub(crate) fn instead_of_ui(
        &mut self,
        cluster: &str,
        presentation: Presentation,
    ) -> Option<Face> {
        let character = cluster.chars().next()?;
        if presentation == Presentation::Text && self.glyph(self.bundled.ui[0], character).is_some()
        {
            return None;
        }
        self.candidates(cluster, FaceStyle::default(), presentation).first().copied()
    }

    /// Sends off what [`Self::candidates`] missed.
    pub(crate) fn look_for_missing(&mut self) {
        self.installed.send();
    }

    /// Whether [`Self::take_news`] would find something.
    pub(crate) fn has_news(&self) -> bool {
        self.installed.has_news()
    }

    pub(crate) fn is_awaiting_news(&self) -> bool {
        self.installed.is_awaiting()
    }

    /// Takes over what the system turned out to have. Returns whether glyphs should be drawn again.
    pub(crate) fn take_news(&mut self, patience: Duration) -> bool {
        let n_before = self.found.len();
        for Found { info, has_colors } in self.installed.take(patience) {
            let weight = info.weight;
            let id = self.system.db_mut().push_face_info(info);
            if self.system.get_font(id, weight).is_some() {
                let face = Face { is_bundled: false, has_colors, ..Face::new(id, weight) };
                self.found.push(face.measured(&mut self.system));
            }
        }
        self.found.len() > n_before
    }

    /// The size of a cell for a font of so many device pixels.
    ///
    /// The advance is rounded, not rounded up: at the usual 14 px it is 8.4, and a column of 9
    /// would tear words apart.
    pub(crate) fn cell_metrics(&mut self, size: f32) -> CellMetrics {
        let size = if size.is_finite() { size.clamp(1.0, 1000.0) } else { 1.0 };
        let height = round_at_least(CELL_HEIGHT * size, 1);
        self.line_metrics(size, height)
    }

    /// The cells of a line of so many device pixels.
    pub(crate) fn line_metrics(&mut self, size: f32, height: u16) -> CellMetrics {
        let baseline = self.baseline(FontFamily::Mono, size, f32::from(height));
        CellMetrics {
            width: self.mono_advance(size),
            height,
            ascent: u16::try_from(baseline).unwrap_or(0).min(height),
            font_size: round_at_least(size * SIZE_UNIT, 1),
        }
    }

    /// How far one column of the mono family is from the next, in whole device pixels.
    pub(crate) fn mono_advance(&mut self, size: f32) -> u16 {
        let face = self.bundled.mono[0];
        let advance = self.glyph(face, '0').map_or(0.6, |glyph| self.advance(face, glyph));
        round_at_least(advance * size, 1)
    }

    /// From the top of a line's box to the baseline that centres the text in it.
    pub(crate) fn baseline(&self, family: FontFamily, size: f32, height: f32) -> i32 {
        let face = match family {
            FontFamily::Ui => self.bundled.ui[0],
            FontFamily::Mono => self.bundled.mono[0],
        };
        round((height + (face.ascent - face.descent) * size) / 2.0)
    }

    /// The name under which the font database knows a face.
    pub(crate) fn family_name(&self, face: Face) -> Option<String> {
        Some(self.system.db().face(face.id)?.families.first()?.0.clone())
    }

    /// The glyph of a character, if the face has one.
    pub(crate) fn glyph(&mut self, face: Face, character: char) -> Option<u16> {
        let glyph = self.font(face)?.as_swash().charmap().map(character);
        (glyph != 0).then_some(glyph)
    }

    /// The advance of a glyph, as a share of the font size.
    pub(crate) fn advance(&mut self, face: Face, glyph: u16) -> f32 {
        self.font(face)
            .map_or(0.0, |font| font.as_swash().glyph_metrics(&[]).scale(1.0).advance_width(glyph))
    }

    /// A cluster as glyphs of one face, side by side or one on top of the other.
    pub(crate) fn shape(&mut self, face: Face, cluster: &str) -> Vec<ShapedGlyph> {
        let Some(font) = self.font(face) else { return Vec::new() };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(cluster);
        buffer.guess_segment_properties();
        let shaped = font.shaper().shape(buffer, &[]);
        let unit = f32::from(font.metrics().units_per_em).max(1.0);
        let mut pen = 0.0;
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        glyphs
            .map(|(info, position)| {
                let advance = position.x_advance as f32 / unit;
                let x = pen + position.x_offset as f32 / unit;
                pen += advance;
                ShapedGlyph {
                    glyph: u16::try_from(info.glyph_id).unwrap_or(0),
                    x,
                    y: position.y_offset as f32 / unit,
                    advance,
                }
            })
            .collect()
    }

    /// A glyph in device pixels. What a face has in no bold or italic form of its own is made so.
    pub(crate) fn rasterize(
        &mut self,
        face: Face,
        glyph: u16,
        size: f32,
        style: FaceStyle,
    ) -> Option<Bitmap> {
        let slanted = style.italic && !face.is_bundled && !face.has_colors;
        let bitmap = self.draw(face.id, face.weight, glyph, size, 0.0, slanted)?;
        if style.bold && !face.is_bundled && !face.has_colors {
            let shifted = Bitmap { left: bitmap.left + 1, ..bitmap.clone() };
            return Some(bitmap.union(shifted));
        }
        Some(bitmap)
    }

    /// A glyph of a laid-out run.
    pub(crate) fn rasterize_key(&mut self, key: CacheKey) -> Option<Bitmap> {
        let size = f32::from_bits(key.font_size_bits);
        self.draw(key.font_id, key.font_weight, key.glyph_id, size, key.x_bin.as_float(), false)
    }

    fn draw(
        &mut self,
        id: ID,
        weight: Weight,
        glyph: u16,
        size: f32,
        x: f32,
        slanted: bool,
    ) -> Option<Bitmap> {
        let font = self.system.get_font(id, weight)?;
        let info = self.system.db().face(id)?;
        let of = GlyphOf {
            face: id,
            font: font.as_swash(),
            index: info.index,
            weight: weight.0,
            glyph,
            size,
            x,
            slanted,
            may_be_hinted: matches!(info.source, Source::Binary(_)),
        };
        self.rasterizer.draw(of, self.smoothing)
    }

    fn font(&mut self, face: Face) -> Option<Arc<Font>> {
        self.system.get_font(face.id, face.weight)
    }
}

/// The size of the font in device pixels.
pub(crate) fn font_size(metrics: CellMetrics) -> f32 {
    f32::from(metrics.font_size) / SIZE_UNIT
}

/// The style of a run, in the words of the font database.
pub(crate) fn style(italic: bool) -> Style {
    if italic { Style::Italic } else { Style::Normal }
}
