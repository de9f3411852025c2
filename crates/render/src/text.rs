//! Runs of text, drawn by glyphon from layouts that are kept while they are in use.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use glyphon::{
    Buffer, Cache, Color as TextColor, ColorMode, Resolution, TextArea, TextAtlas, TextBounds,
    TextRenderer, Viewport,
};
use scene::{Align, FontFamily, Scene, Span, TextRun};

use crate::fonts::Fonts;
use crate::pixels::{PixelRect, round};
use crate::shaping::{font_pixels, line_width, shape};
use crate::{Gpu, PixelFormat};

/// Frames after which a layout nobody asked for is dropped. Guessed: a palette that is closed and
/// opened again should find its rows.
const KEEP_FRAMES: u64 = 60;
/// With more layouts than this only those on screen are kept, however fast a file is scrolled.
const MAX_LAYOUTS: usize = 1024;
/// Pixels a run may stick out on its left, where the first letter's smoothed edge lies.
const OVERHANG: i32 = 1;

pub(crate) struct Text {
    layouts: HashMap<u64, Layout>,
    atlas: TextAtlas,
    viewport: Viewport,
    /// One for each layer that had text so far.
    renderers: Vec<TextRenderer>,
    /// What the renderers are prepared for; 0 is nothing.
    prepared: u64,
    frame: u64,
}

/// A shaped line with what it was shaped from, since different runs may have one hash.
struct Layout {
    family: FontFamily,
    size: f32,
    spans: Vec<Span>,
    buffer: Buffer,
    width: f32,
    last_frame: u64,
}

impl Text {
    pub(crate) fn new(gpu: &Gpu, format: PixelFormat) -> Self {
        let Gpu { device, queue, .. } = gpu;
        let cache = Cache::new(device);
        Self {
            layouts: HashMap::new(),
            atlas: TextAtlas::with_color_mode(device, queue, &cache, format.0, ColorMode::Web),
            viewport: Viewport::new(device, &cache),
            renderers: Vec::new(),
            prepared: 0,
            frame: 0,
        }
    }

    /// The width of a run in logical pixels, whatever room it has.
    pub(crate) fn measure(&mut self, run: &TextRun, scale: f32, fonts: &mut Fonts) -> f32 {
        self.layout(run, scale, fonts).1.width / scale
    }

    /// Shapes what is new and fills the renderers, unless all text is where it was.
    pub(crate) fn prepare(
        &mut self,
        gpu: &Gpu,
        scene: &Scene,
        width: u32,
        height: u32,
        fonts: &mut Fonts,
    ) {
        let fingerprint = fingerprint(scene, width, height);
        if fingerprint == self.prepared {
            return;
        }
        self.prepared = fingerprint;
        self.frame += 1;
        self.viewport.update(&gpu.queue, Resolution { width, height });
        self.atlas.trim();
        for (index, layer) in scene.layers.iter().enumerate() {
            let keys: Vec<u64> =
                layer.texts.iter().map(|run| self.layout(run, scene.scale, fonts).0).collect();
            let place = |(run, key)| {
                let layout = self.layouts.get(&key)?;
                Some(area(run, layout, scene.scale, baseline_of(run, scene.scale, fonts)))
            };
            let areas: Vec<_> = layer.texts.iter().zip(keys).filter_map(place).collect();
            if self.renderers.len() <= index {
                let multisample = wgpu::MultisampleState::default();
                let renderer = TextRenderer::new(&mut self.atlas, &gpu.device, multisample, None);
                self.renderers.push(renderer);
            }
            let prepared = self.renderers[index].prepare(
                &gpu.device,
                &gpu.queue,
                &mut fonts.system,
                &mut self.atlas,
                &self.viewport,
                areas,
                &mut fonts.swash,
            );
            if let Err(error) = prepared {
                tracing::warn!(%error, "some text is not drawn");
            }
        }
        let age = if self.layouts.len() > MAX_LAYOUTS { 0 } else { KEEP_FRAMES };
        let oldest = self.frame.saturating_sub(age);
        self.layouts.retain(|_, layout| layout.last_frame >= oldest);
    }

    pub(crate) fn draw(&self, layer: usize, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(renderer) = self.renderers.get(layer)
            && let Err(error) = renderer.render(&self.atlas, &self.viewport, pass)
        {
            tracing::warn!(%error, "some text is not drawn");
        }
    }

    fn layout(&mut self, run: &TextRun, scale: f32, fonts: &mut Fonts) -> (u64, &Layout) {
        let size = font_pixels(run, scale);
        let key = layout_key(run, size);
        let frame = self.frame;
        let make = |fonts: &mut Fonts| {
            let buffer = shape(run, scale, fonts);
            let width = line_width(&buffer);
            let spans = run.spans.clone();
            Layout { family: run.family, size, spans, buffer, width, last_frame: frame }
        };
        let layout = self.layouts.entry(key).or_insert_with(|| make(fonts));
        layout.last_frame = frame;
        if layout.family != run.family || layout.size != size || layout.spans != run.spans {
            *layout = make(fonts);
        }
        (key, layout)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("n_layouts", &self.layouts.len()).finish_non_exhaustive()
    }
}

/// Where a laid-out run goes: its start and its baseline on whole pixels, cut at its width.
fn area<'a>(run: &TextRun, layout: &'a Layout, scale: f32, baseline: i32) -> TextArea<'a> {
    let room = run.width * scale;
    let free = (room - layout.width).max(0.0);
    let shift = match run.align {
        Align::Left => 0.0,
        Align::Center => free / 2.0,
        Align::Right => free,
    };
    let left = round(run.origin.x * scale + shift);
    // The line's own idea of its baseline moves with the fonts that happen to be in it.
    let line = layout.buffer.layout_runs().next().map_or(0, |line| round(line.line_y));
    let top = round(run.origin.y * scale) + baseline - line;
    TextArea {
        buffer: &layout.buffer,
        left: left as f32,
        top: top as f32,
        scale: 1.0,
        bounds: TextBounds {
            left: round(run.origin.x * scale) - OVERHANG,
            top: i32::MIN,
            right: round(run.origin.x * scale + room),
            bottom: i32::MAX,
        },
        default_color: TextColor::rgb(0, 0, 0),
        custom_glyphs: &[],
    }
}

fn baseline_of(run: &TextRun, scale: f32, fonts: &Fonts) -> i32 {
    let height =
        PixelRect::snapped(&scene::Rect::new(0.0, run.origin.y, 0.0, run.line_height), scale);
    let height = (height.bottom - height.top) as f32;
    fonts.baseline(run.family, font_pixels(run, scale), height)
}

fn layout_key(run: &TextRun, size: f32) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.family.hash(&mut hasher);
    size.to_bits().hash(&mut hasher);
    hash_spans(&run.spans, &mut hasher);
    hasher.finish()
}

fn hash_spans(spans: &[Span], hasher: &mut DefaultHasher) {
    for Span { text, color, weight, italic } in spans {
        (text, color, weight, italic).hash(hasher);
    }
}

/// One number for all text of a scene and where it stands.
fn fingerprint(scene: &Scene, width: u32, height: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (width, height, scene.scale.to_bits()).hash(&mut hasher);
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
