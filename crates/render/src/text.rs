//! Runs of text as instances, from layouts that are kept while they are in use.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use scene::{Align, FontFamily, Scene, Span, TextRun};

use crate::batches::Batches;
use crate::cells::CellInstance;
use crate::damage::run_box;
use crate::fonts::Fonts;
use crate::glyphs::GlyphCache;
use crate::pixels::{PixelRect, round, round_at_least};
use crate::shaping::{self, font_pixels};

/// Frames after which a layout nobody asked for is dropped. Guessed: a palette that is closed and
/// opened again should find its rows.
const KEEP_FRAMES: u64 = 60;
/// With more layouts than this only those on screen are kept, however fast a file is scrolled.
const MAX_LAYOUTS: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct Text {
    layouts: HashMap<u64, Layout>,
    instances: Vec<CellInstance>,
    batches: Batches,
    /// What the instances are for; 0 is nothing.
    shown: u64,
    generation: u64,
    frame: u64,
    revision: u64,
}

/// A line in device pixels, from its left end and its baseline on, with what it was made from: two
/// different runs may have one hash.
#[derive(Debug)]
struct Layout {
    family: FontFamily,
    size: f32,
    line_height: u16,
    spans: Vec<Span>,
    glyphs: Vec<CellInstance>,
    width: f32,
    generation: u64,
    last_frame: u64,
}

impl Text {
    /// The width of a run in logical pixels, whatever room it has.
    pub(crate) fn measure(
        &mut self,
        run: &TextRun,
        scale: f32,
        glyphs: &mut GlyphCache,
        fonts: &mut Fonts,
    ) -> f32 {
        self.layout(run, scale, glyphs, fonts).width / scale
    }

    pub(crate) fn instances(&self) -> &[CellInstance] {
        &self.instances
    }

    pub(crate) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// Another number for other instances.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Drops everything that was laid out with other fonts.
    pub(crate) fn forget(&mut self) {
        self.layouts.clear();
        self.shown = 0;
    }

    /// Whether [`Self::build`] would change anything.
    pub(crate) fn differs(&self, scene: &Scene, glyphs: &GlyphCache) -> bool {
        fingerprint(scene) != self.shown || self.generation != glyphs.generation()
    }

    /// Makes [`Self::instances`] those of this scene, as far as the glyphs fit into the atlas.
    pub(crate) fn build(&mut self, scene: &Scene, glyphs: &mut GlyphCache, fonts: &mut Fonts) {
        let shown = fingerprint(scene);
        if shown == self.shown && self.generation == glyphs.generation() {
            return;
        }
        self.frame += 1;
        let mut instances = std::mem::take(&mut self.instances);
        instances.clear();
        self.batches.clear();
        for layer in &scene.layers {
            self.batches.begin_layer();
            for run in &layer.texts {
                let start = instances.len();
                let bounds = run_box(run, scene.scale);
                let baseline = baseline_of(run, scene.scale, fonts);
                let layout = self.layout(run, scene.scale, glyphs, fonts);
                let placed = placed(run, layout, scene.scale, baseline);
                instances.extend(placed.filter_map(|glyph| glyph.cut(bounds)));
                self.batches.push(bounds.top, bounds.bottom, start..instances.len());
            }
        }
        self.instances = instances;
        (self.shown, self.generation) = (shown, glyphs.generation());
        self.revision += 1;
        let age = if self.layouts.len() > MAX_LAYOUTS { 0 } else { KEEP_FRAMES };
        let oldest = self.frame.saturating_sub(age);
        self.layouts.retain(|_, layout| layout.last_frame >= oldest);
    }

    fn layout(
        &mut self,
        run: &TextRun,
        scale: f32,
        glyphs: &mut GlyphCache,
        fonts: &mut Fonts,
    ) -> &Layout {
        let size = font_pixels(run, scale);
        let line_height = round_at_least(run.line_height * scale, 1);
        let (frame, generation) = (self.frame, glyphs.generation());
        let make = |glyphs: &mut GlyphCache, fonts: &mut Fonts| {
            let shaped = match run.family {
                FontFamily::Ui => shaping::lay_out(run, scale, glyphs, fonts),
                FontFamily::Mono => shaping::in_columns(run, scale, line_height, glyphs, fonts),
            };
            let (glyphs, width) = shaped;
            let (family, spans) = (run.family, run.spans.clone());
            let last_frame = frame;
            Layout { family, size, line_height, spans, glyphs, width, generation, last_frame }
        };
        let key = layout_key(run, size, line_height);
        let layout = self.layouts.entry(key).or_insert_with(|| make(glyphs, fonts));
        let is_same = layout.family == run.family
            && (layout.size, layout.line_height) == (size, line_height)
            && layout.generation == generation
            && layout.spans == run.spans;
        if !is_same {
            *layout = make(glyphs, fonts);
        }
        layout.last_frame = frame;
        layout
    }
}

/// A laid-out run in its place: its start and its baseline on whole pixels.
fn placed(
    run: &TextRun,
    layout: &Layout,
    scale: f32,
    baseline: i32,
) -> impl Iterator<Item = CellInstance> {
    let free = (run.width * scale - layout.width).max(0.0);
    let shift = match run.align {
        Align::Left => 0.0,
        Align::Center => free / 2.0,
        Align::Right => free,
    };
    let x = round(run.origin.x * scale + shift);
    let y = round(run.origin.y * scale) + baseline;
    layout.glyphs.iter().map(move |glyph| glyph.moved(x, y))
}

fn baseline_of(run: &TextRun, scale: f32, fonts: &Fonts) -> i32 {
    let height =
        PixelRect::snapped(&scene::Rect::new(0.0, run.origin.y, 0.0, run.line_height), scale);
    let height = (height.bottom - height.top) as f32;
    fonts.baseline(run.family, font_pixels(run, scale), height)
}

fn layout_key(run: &TextRun, size: f32, line_height: u16) -> u64 {
    let mut hasher = DefaultHasher::new();
    (run.family, size.to_bits(), line_height).hash(&mut hasher);
    hash_spans(&run.spans, &mut hasher);
    hasher.finish()
}

fn hash_spans(spans: &[Span], hasher: &mut DefaultHasher) {
    for Span { text, color, weight, italic } in spans {
        (text, color, weight, italic).hash(hasher);
    }
}

/// One number for all text of a scene and where it stands.
fn fingerprint(scene: &Scene) -> u64 {
    let mut hasher = DefaultHasher::new();
    scene.scale.to_bits().hash(&mut hasher);
    for layer in &scene.layers {
        layer.texts.len().hash(&mut hasher);
        for run in &layer.texts {
            let TextRun { origin, width, align, family, size, line_height, spans } = run;
            for number in [origin.x, origin.y, *width, *size, *line_height] {
                number.to_bits().hash(&mut hasher);
            }
            (align, family, spans.len()).hash(&mut hasher);
            hash_spans(spans, &mut hasher);
        }
    }
    hasher.finish().max(1)
}
