//! One frame: for each layer quads and lines, then cells, then text, within the layer's clip.
//!
//! Where the target still holds the frame before, only what differs is drawn.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use scene::{CellMetrics, Scene, TextRun};

use crate::cells::{self, CellInstance};
use crate::contents::Contents;
use crate::damage::{self, Damage};
use crate::fonts::{FontNews, Fonts, Smoothing, SystemFonts};
use crate::glyphs::GlyphCache;
use crate::pass::{
    AtlasTexture, BY_CHANNEL, FrameUniform, InstanceBuffer, InstancedPass, instance_layout,
};
use crate::pixels::PixelRect;
use crate::quads::{self, QuadInstance};
use crate::{Gpu, GpuError};

/// From this scale on pixels are so small that strokes need not be moved onto them.
const FINE_SCALE: f32 = 1.25;
const BLENDED: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;

/// How a target stores its pixels. Never one that converts to linear light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelFormat(pub(crate) wgpu::TextureFormat);

impl PixelFormat {
    /// For drawing into images where no window is.
    pub const IMAGE: Self = Self(wgpu::TextureFormat::Rgba8Unorm);

    pub(crate) fn is_bgra(self) -> bool {
        self.0 == wgpu::TextureFormat::Bgra8Unorm
    }
}

/// How the edges of letters are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextSmoothing {
    #[default]
    Grayscale,
    /// Sharper on screens whose pixels are red, green and blue stripes from left to right. Where
    /// the device cannot do it, it is [`Self::Grayscale`].
    Lcd,
}

/// Draws scenes. Holds the fonts, the glyphs drawn so far and the pipelines; one serves any number
/// of targets of its format.
pub struct Renderer {
    format: PixelFormat,
    smoothing: TextSmoothing,
    contents: Contents,
    quads: Vec<QuadInstance>,
    /// Where in `quads` each layer ends.
    quad_ends: Vec<u32>,
    /// The scene's ground, where only part of a target is drawn.
    ground: Option<CellInstance>,
    /// Which instances of cells and text the device has.
    uploaded: [u64; 2],
    frame: FrameUniform,
    quad_pass: InstancedPass,
    cell_pass: InstancedPass,
    /// Made once it is needed.
    lcd_pass: Option<InstancedPass>,
    buffers: Buffers,
    atlas: AtlasTexture,
}

#[derive(Debug)]
struct Buffers {
    ground: InstanceBuffer,
    quads: InstanceBuffer,
    cells: InstanceBuffer,
    text: InstanceBuffer,
}

/// What a target holds from the frame before.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    last: Option<(Scene, u64)>,
}

/// Where a frame goes.
#[derive(Debug)]
pub(crate) struct FrameTarget<'a> {
    pub(crate) view: &'a wgpu::TextureView,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// `None` where nothing is left of the frame before.
    pub(crate) kept: Option<&'a mut Kept>,
}

impl Renderer {
    /// Draws with the bundled fonts alone. Takes a few milliseconds.
    pub fn new(gpu: &Gpu, format: PixelFormat) -> Self {
        Self::with_fonts(gpu, format, SystemFonts::None, Arc::new(|| {}))
    }

    /// As [`Self::new`], but looks for what the bundled fonts lack elsewhere. That happens on a
    /// thread of its own, and only once a character is missing; `news` is called when a frame would
    /// show more than the last.
    pub fn with_fonts(gpu: &Gpu, format: PixelFormat, fonts: SystemFonts, news: FontNews) -> Self {
        let frame = FrameUniform::new(gpu);
        let glyphs = GlyphCache::new(gpu.max_texture_side());
        let atlas = AtlasTexture::new(gpu, glyphs.side());
        let quad_pass = InstancedPass::new(
            gpu,
            format,
            wgpu::include_wgsl!("quads.wgsl"),
            &[Some(&frame.layout)],
            instance_layout::<QuadInstance>(&quads::ATTRIBUTES),
            BLENDED,
        );
        let cell_pass = cell_pass(gpu, format, &frame, &atlas, cells::PLAIN_SHADER, BLENDED);
        let buffer = || InstanceBuffer::new(gpu);
        let buffers =
            Buffers { ground: buffer(), quads: buffer(), cells: buffer(), text: buffer() };
        Self {
            format,
            smoothing: TextSmoothing::default(),
            contents: Contents::new(Fonts::new(fonts, news), glyphs),
            quads: Vec::new(),
            quad_ends: Vec::new(),
            ground: None,
            uploaded: [0; 2],
            frame,
            quad_pass,
            cell_pass,
            lcd_pass: None,
            buffers,
            atlas,
        }
    }

    pub fn format(&self) -> PixelFormat {
        self.format
    }

    /// From the next frame on.
    pub fn set_smoothing(&mut self, smoothing: TextSmoothing) {
        self.smoothing = smoothing;
    }

    /// Whether fonts were found meanwhile, so that the last scene would look different.
    pub fn has_new_fonts(&self) -> bool {
        self.contents.fonts.has_news()
    }

    /// Waits up to so long for fonts that the last frame missed. Returns whether any were found.
    pub fn wait_for_fonts(&mut self, patience: Duration) -> bool {
        self.contents.wait_for_fonts(patience)
    }

    /// The cells for a font of so many logical pixels.
    pub fn cell_metrics(&mut self, font_size: f32, scale: f32) -> CellMetrics {
        self.contents.fonts.cell_metrics(font_size * scale)
    }

    /// How wide a run is in logical pixels when drawn at this scale, whatever room it has.
    pub fn measure(&mut self, run: &TextRun, scale: f32) -> f32 {
        let Contents { fonts, glyphs, text, .. } = &mut self.contents;
        text.measure(run, scale, glyphs, fonts)
    }

    /// Returns what was drawn.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        mut target: FrameTarget<'_>,
        scene: &Scene,
    ) -> Result<Damage, GpuError> {
        if gpu.is_lost() {
            return Err(GpuError::Lost);
        }
        // Fonts come from outside, and so do drivers: neither may take the program down.
        let frame = catch_unwind(AssertUnwindSafe(|| self.frame(gpu, &mut target, scene)));
        if frame.is_err() {
            gpu.mark_lost();
        }
        frame.ok().filter(|_| !gpu.is_lost()).ok_or(GpuError::Lost)
    }

    fn frame(&mut self, gpu: &Gpu, target: &mut FrameTarget<'_>, scene: &Scene) -> Damage {
        self.prepare(gpu, target.width, target.height, scene);
        let damage = self.damage(target, scene);
        let places = match &damage {
            Damage::All => vec![whole(target)],
            Damage::Places(places) if places.is_empty() => return damage,
            Damage::Places(places) => places.clone(),
        };
        let load = match damage {
            Damage::All => wgpu::LoadOp::Clear(clear_color(scene)),
            Damage::Places(_) => wgpu::LoadOp::Load,
        };
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame.group, &[]);
        pass.set_bind_group(1, &self.atlas.group, &[]);
        for place in places {
            if damage != Damage::All
                && let Some([x, y, w, h]) = place.within(target.width, target.height)
            {
                pass.set_scissor_rect(x, y, w, h);
                self.cell_pass.draw(&mut pass, &self.buffers.ground, 0..1);
            }
            self.draw_layers(&mut pass, target, scene, place);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        damage
    }

    /// What of the scene lies in one place of the target.
    fn draw_layers(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        target: &FrameTarget<'_>,
        scene: &Scene,
        place: PixelRect,
    ) {
        let Contents { cells, text, .. } = &self.contents;
        let cell_pass = match &self.lcd_pass {
            Some(lcd_pass) if self.contents.fonts.smoothing.lcd => lcd_pass,
            _ => &self.cell_pass,
        };
        for (index, layer) in scene.layers.iter().enumerate() {
            let clip = PixelRect::snapped(&layer.clip, scene.scale);
            let Some(seen) = clip.intersection(&place) else { continue };
            let Some([x, y, w, h]) = seen.within(target.width, target.height) else { continue };
            pass.set_scissor_rect(x, y, w, h);
            let start = index.checked_sub(1).and_then(|it| self.quad_ends.get(it)).copied();
            let end = self.quad_ends.get(index).copied().unwrap_or(0);
            self.quad_pass.draw(pass, &self.buffers.quads, start.unwrap_or(0)..end);
            for range in cells.batches().within(index, seen) {
                cell_pass.draw(pass, &self.buffers.cells, range);
            }
            for range in text.batches().within(index, seen) {
                cell_pass.draw(pass, &self.buffers.text, range);
            }
        }
    }

    /// What the target does not show yet, remembering that it is about to.
    fn damage(&self, target: &mut FrameTarget<'_>, scene: &Scene) -> Damage {
        let Some(kept) = &mut target.kept else { return Damage::All };
        let look = self.contents.look();
        let damage = match &kept.last {
            Some((last, last_look)) if look == Some(*last_look) => damage::between(last, scene),
            _ => Damage::All,
        };
        kept.last = look.map(|look| (scene.clone(), look));
        damage
    }

    fn prepare(&mut self, gpu: &Gpu, width: u32, height: u32, scene: &Scene) {
        let lcd = self.smoothing == TextSmoothing::Lcd && gpu.blends_by_channel();
        if lcd && self.lcd_pass.is_none() {
            let Self { format, frame, atlas, .. } = self;
            let pass = cell_pass(gpu, *format, frame, atlas, cells::LCD_SHADER, BY_CHANNEL);
            self.lcd_pass = Some(pass);
        }
        let smoothing = Smoothing { lcd, hinted: scene.scale <= FINE_SCALE };
        self.contents.prepare(scene, smoothing);

        self.frame.set_size(gpu, width, height);
        let ground = CellInstance::ground(width, height, scene.background);
        if self.ground != Some(ground) {
            self.ground = Some(ground);
            self.buffers.ground.upload(gpu, &[ground]);
        }
        let mut quads = Vec::with_capacity(self.quads.len());
        self.quad_ends.clear();
        for layer in &scene.layers {
            quads.extend(layer.quads.iter().filter_map(|it| QuadInstance::quad(it, scene.scale)));
            quads.extend(layer.lines.iter().filter_map(|it| QuadInstance::line(it, scene.scale)));
            self.quad_ends.push(u32::try_from(quads.len()).unwrap_or(u32::MAX));
        }
        if quads != self.quads {
            self.quads = quads;
            self.buffers.quads.upload(gpu, &self.quads);
        }
        let Contents { cells, text, glyphs, .. } = &mut self.contents;
        let [uploaded_cells, uploaded_text] = &mut self.uploaded;
        if std::mem::replace(uploaded_cells, cells.revision()) != cells.revision() {
            self.buffers.cells.upload(gpu, cells.instances());
        }
        if std::mem::replace(uploaded_text, text.revision()) != text.revision() {
            self.buffers.text.upload(gpu, text.instances());
        }
        self.atlas.upload(gpu, glyphs.atlas());
    }
}

impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer")
            .field("format", &self.format)
            .field("smoothing", &self.smoothing)
            .finish_non_exhaustive()
    }
}

fn cell_pass(
    gpu: &Gpu,
    format: PixelFormat,
    frame: &FrameUniform,
    atlas: &AtlasTexture,
    shader: &'static str,
    blend: wgpu::BlendState,
) -> InstancedPass {
    InstancedPass::new(
        gpu,
        format,
        wgpu::ShaderModuleDescriptor {
            label: Some("cells"),
            source: wgpu::ShaderSource::Wgsl(shader.into()),
        },
        &[Some(&frame.layout), Some(&atlas.layout)],
        instance_layout::<CellInstance>(&cells::ATTRIBUTES),
        blend,
    )
}

fn whole(target: &FrameTarget<'_>) -> PixelRect {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    PixelRect { left: 0, top: 0, right: side(target.width), bottom: side(target.height) }
}

fn clear_color(scene: &Scene) -> wgpu::Color {
    let channel = |byte: u8| f64::from(byte) / 255.0;
    let scene::Color { r, g, b, .. } = scene.background;
    // A window is never see-through.
    wgpu::Color { r: channel(r), g: channel(g), b: channel(b), a: 1.0 }
}
