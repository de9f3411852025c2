//! One frame: for each layer quads and lines, then cells, then text, within the layer's clip.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use scene::{CellMetrics, Scene, TextRun};

use crate::cells::{self, CellInstance, Cells};
use crate::fonts::Fonts;
use crate::pass::{AtlasTexture, FrameUniform, InstancedPass, instance_layout};
use crate::pixels::PixelRect;
use crate::quads::{self, QuadInstance};
use crate::text::Text;
use crate::{Gpu, GpuError};

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

/// Draws scenes. Holds the fonts, the glyphs drawn so far and the pipelines; one serves any number
/// of targets of its format.
pub struct Renderer {
    format: PixelFormat,
    fonts: Fonts,
    text: Text,
    cells: Cells,
    quads: Vec<QuadInstance>,
    /// Where in `quads` each layer ends.
    quad_ends: Vec<u32>,
    frame: FrameUniform,
    quad_pass: InstancedPass,
    cell_pass: InstancedPass,
    atlas: AtlasTexture,
}

impl Renderer {
    /// Takes a few milliseconds; fonts come from the binary.
    pub fn new(gpu: &Gpu, format: PixelFormat) -> Self {
        let frame = FrameUniform::new(gpu);
        let mut cells = Cells::new(gpu.max_texture_side());
        let atlas = AtlasTexture::new(gpu, cells.glyphs.atlas().side());
        let quad_pass = InstancedPass::new(
            gpu,
            format,
            wgpu::include_wgsl!("quads.wgsl"),
            &[Some(&frame.layout)],
            instance_layout::<QuadInstance>(&quads::ATTRIBUTES),
        );
        let cell_pass = InstancedPass::new(
            gpu,
            format,
            wgpu::include_wgsl!("cells/cells.wgsl"),
            &[Some(&frame.layout), Some(&atlas.layout)],
            instance_layout::<CellInstance>(&cells::ATTRIBUTES),
        );
        Self {
            format,
            fonts: Fonts::new(),
            text: Text::new(gpu, format),
            cells,
            quads: Vec::new(),
            quad_ends: Vec::new(),
            frame,
            quad_pass,
            cell_pass,
            atlas,
        }
    }

    pub fn format(&self) -> PixelFormat {
        self.format
    }

    /// The cells for a font of so many logical pixels. Glyphs are sized by the cell's height.
    pub fn cell_metrics(&mut self, font_size: f32, scale: f32) -> CellMetrics {
        self.fonts.cell_metrics(font_size * scale)
    }

    /// How wide a run is in logical pixels when drawn at this scale, whatever room it has.
    pub fn measure(&mut self, run: &TextRun, scale: f32) -> f32 {
        self.text.measure(run, scale, &mut self.fonts)
    }

    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        view: &wgpu::TextureView,
        width: u32,
        height: u32,
        scene: &Scene,
    ) -> Result<(), GpuError> {
        if gpu.is_lost() {
            return Err(GpuError::Lost);
        }
        // Glyphon unwraps what it gets from a device that vanishes while a frame is made.
        let frame = catch_unwind(AssertUnwindSafe(|| self.frame(gpu, view, width, height, scene)));
        if frame.is_err() {
            gpu.mark_lost();
        }
        if gpu.is_lost() { Err(GpuError::Lost) } else { Ok(()) }
    }

    fn frame(
        &mut self,
        gpu: &Gpu,
        view: &wgpu::TextureView,
        width: u32,
        height: u32,
        scene: &Scene,
    ) {
        self.prepare(gpu, width, height, scene);
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(clear_color(scene)),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        for (index, layer) in scene.layers.iter().enumerate() {
            let clip = PixelRect::snapped(&layer.clip, scene.scale);
            let Some([x, y, w, h]) = clip.within(width, height) else { continue };
            pass.set_scissor_rect(x, y, w, h);
            pass.set_bind_group(0, &self.frame.group, &[]);
            let start = index.checked_sub(1).and_then(|it| self.quad_ends.get(it)).copied();
            let end = self.quad_ends.get(index).copied().unwrap_or(0);
            self.quad_pass.draw(&mut pass, start.unwrap_or(0)..end);
            pass.set_bind_group(1, &self.atlas.group, &[]);
            self.cell_pass.draw(&mut pass, self.cells.range(index));
            self.text.draw(index, &mut pass);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn prepare(&mut self, gpu: &Gpu, width: u32, height: u32, scene: &Scene) {
        self.frame.set_size(gpu, width, height);

        let mut quads = Vec::with_capacity(self.quads.len());
        self.quad_ends.clear();
        for layer in &scene.layers {
            quads.extend(layer.quads.iter().filter_map(|it| QuadInstance::quad(it, scene.scale)));
            quads.extend(layer.lines.iter().filter_map(|it| QuadInstance::line(it, scene.scale)));
            self.quad_ends.push(u32::try_from(quads.len()).unwrap_or(u32::MAX));
        }
        if quads != self.quads {
            self.quads = quads;
            self.quad_pass.upload(gpu, &self.quads);
        }
        if self.cells.prepare(scene, &mut self.fonts) {
            self.cell_pass.upload(gpu, self.cells.instances());
            self.atlas.upload(gpu, self.cells.glyphs.atlas());
        }
        self.text.prepare(gpu, scene, width, height, &mut self.fonts);
    }
}

impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer")
            .field("format", &self.format)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

fn clear_color(scene: &Scene) -> wgpu::Color {
    let channel = |byte: u8| f64::from(byte) / 255.0;
    let scene::Color { r, g, b, .. } = scene.background;
    // A window is never see-through.
    wgpu::Color { r: channel(r), g: channel(g), b: channel(b), a: 1.0 }
}
