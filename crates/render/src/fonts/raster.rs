//! From a glyph of a font to pixels: outlines smoothed in grey or for LCD, bitmaps and layers in
//! their own colours.

use std::collections::HashMap;
use std::fmt;

use cosmic_text::fontdb::ID;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{
    DrawSettings, Engine, GlyphStyles, HintingInstance, HintingOptions, OutlineGlyphCollection,
    OutlinePen, SmoothMode, Target,
};
use skrifa::{GlyphId, MetadataProvider as _};
use swash::scale::{Render, ScaleContext, Source, StrikeWith, image::Content as SwashContent};
use swash::zeno::{Command, Mask, Origin, Scratch, Vector};

use crate::bitmap::Bitmap;
use crate::pixels::{round, round_at_least};

/// Sizes and faces whose hints are kept; a window shows a handful at a time.
const MAX_HINTERS: usize = 32;
/// How far upright glyphs are slanted where there is no italic face.
const SLANT: f32 = 0.2;
/// Where the red and blue stripes of a pixel are, seen from the green one.
const STRIPE: f32 = 1.0 / 3.0;

/// How the edges of letters become pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Smoothing {
    /// Red, green and blue are smoothed apart, for screens whose pixels are three stripes.
    pub(crate) lcd: bool,
    /// Horizontal strokes are moved onto whole pixels.
    pub(crate) hinted: bool,
}

/// One glyph to be drawn.
#[derive(Clone, Copy)]
pub(crate) struct GlyphOf<'a> {
    pub(crate) face: ID,
    pub(crate) font: swash::FontRef<'a>,
    /// Which font of its file.
    pub(crate) index: u32,
    pub(crate) weight: u16,
    pub(crate) glyph: u16,
    /// In device pixels.
    pub(crate) size: f32,
    /// Where it starts within its first pixel.
    pub(crate) x: f32,
    pub(crate) slanted: bool,
    /// Whether the face is one of ours, which are small enough to be hinted.
    pub(crate) may_be_hinted: bool,
}

#[derive(Default)]
pub(crate) struct Rasterizer {
    context: ScaleContext,
    scratch: Scratch,
    styles: HashMap<ID, GlyphStyles>,
    /// `None` where a font cannot be hinted.
    hinters: HashMap<(ID, u32), Option<HintingInstance>>,
}

impl Rasterizer {
    /// `None` where the font has no such glyph or none that can be drawn.
    pub(crate) fn draw(&mut self, glyph: GlyphOf<'_>, smoothing: Smoothing) -> Option<Bitmap> {
        self.layers(glyph)
            .or_else(|| self.picture(glyph))
            .filter(Bitmap::has_ink)
            .or_else(|| self.outline(glyph, smoothing))
    }

    /// Outlines in several colours.
    fn layers(&mut self, of: GlyphOf<'_>) -> Option<Bitmap> {
        let mut scaler = self.context.builder(of.font).size(of.size).build();
        let image = Render::new(&[Source::ColorOutline(0)]).render(&mut scaler, of.glyph)?;
        let area = image.placement.width as usize * image.placement.height as usize;
        if image.content != SwashContent::Color || image.data.len() != area * 4 {
            return None;
        }
        // These come multiplied by their opacity already.
        Some(Bitmap {
            content: crate::bitmap::Content::Colors,
            left: image.placement.left,
            top: image.placement.top,
            width: image.placement.width,
            height: image.placement.height,
            rgba: image.data,
        })
    }

    /// A picture out of the font, from the largest there is.
    fn picture(&mut self, of: GlyphOf<'_>) -> Option<Bitmap> {
        let ppem = of.font.color_strikes().find_by_largest_ppem(of.glyph)?.ppem();
        let mut scaler = self.context.builder(of.font).size(0.0).build();
        let image = scaler.scale_color_bitmap(of.glyph, StrikeWith::LargestSize)?;
        let (width, height) = (image.placement.width, image.placement.height);
        let is_whole = image.data.len() == width as usize * height as usize * 4;
        if image.content != SwashContent::Color || !is_whole || width == 0 || height == 0 {
            return None;
        }
        let large = Bitmap::from_colors(0, 0, width, height, image.data);
        let scale = of.size / f32::from(ppem.max(1));
        let side = |pixels: u32| u32::from(round_at_least(pixels as f32 * scale, 1));
        let mut small = large.resized(side(width), side(height));
        small.left = round(image.placement.left as f32 * scale + of.x);
        small.top = round(image.placement.top as f32 * scale);
        Some(small)
    }

    fn outline(&mut self, of: GlyphOf<'_>, smoothing: Smoothing) -> Option<Bitmap> {
        let font = skrifa::FontRef::from_index(of.font.data, of.index).ok()?;
        let outlines = font.outline_glyphs();
        let glyph = outlines.get(GlyphId::from(of.glyph))?;
        let location = font.axes().location([("wght", f32::from(of.weight))]);
        let size = Size::new(of.size);
        let hinter = if smoothing.hinted && of.may_be_hinted {
            self.hinter(of.face, of.size, &outlines)
        } else {
            None
        };
        let settings = match hinter {
            Some(hinter) => DrawSettings::hinted(hinter, false),
            None => DrawSettings::unhinted(size, LocationRef::from(&location)),
        };
        let mut path = Path { commands: Vec::new(), slant: if of.slanted { SLANT } else { 0.0 } };
        glyph.draw(settings, &mut path).ok()?;
        if smoothing.lcd {
            let channels = [STRIPE, 0.0, -STRIPE].map(|shift| self.mask(&path, of.x + shift));
            return Some(Bitmap::from_channels(&channels));
        }
        Some(self.mask(&path, of.x))
    }

    fn mask(&mut self, path: &Path, x: f32) -> Bitmap {
        let shift = Vector::new(x, 0.0);
        let mut coverage = Vec::new();
        let placement = Mask::with_scratch(&path.commands, &mut self.scratch)
            .origin(Origin::BottomLeft)
            .offset(shift)
            .render_offset(shift)
            .inspect(|format, width, height| coverage.resize(format.buffer_size(width, height), 0))
            .render_into(&mut coverage, None);
        let swash::zeno::Placement { left, top, width, height } = placement;
        Bitmap::from_coverage(left, top, width, height, &coverage)
    }

    fn hinter(
        &mut self,
        face: ID,
        size: f32,
        outlines: &OutlineGlyphCollection<'_>,
    ) -> Option<&HintingInstance> {
        if self.hinters.len() > MAX_HINTERS {
            self.hinters.clear();
        }
        let styles = self.styles.entry(face).or_insert_with(|| GlyphStyles::new(outlines));
        let made = self.hinters.entry((face, size.to_bits())).or_insert_with(|| {
            // What desktops call slight hinting: strokes move up and down, never sideways.
            let options = HintingOptions {
                engine: Engine::Auto(Some(styles.clone())),
                target: Target::Smooth {
                    mode: SmoothMode::Light,
                    symmetric_rendering: true,
                    preserve_linear_metrics: true,
                },
            };
            HintingInstance::new(outlines, Size::new(size), LocationRef::default(), options).ok()
        });
        made.as_ref()
    }
}

impl fmt::Debug for Rasterizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rasterizer").field("n_hinters", &self.hinters.len()).finish_non_exhaustive()
    }
}

/// An outline in device pixels, upwards.
struct Path {
    commands: Vec<Command>,
    slant: f32,
}

impl Path {
    fn point(&self, x: f32, y: f32) -> Vector {
        Vector::new(x + y * self.slant, y)
    }
}

impl OutlinePen for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::MoveTo(self.point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::LineTo(self.point(x, y)));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.commands.push(Command::QuadTo(self.point(cx, cy), self.point(x, y)));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (a, b) = (self.point(ax, ay), self.point(bx, by));
        self.commands.push(Command::CurveTo(a, b, self.point(x, y)));
    }

    fn close(&mut self) {
        self.commands.push(Command::Close);
    }
}
