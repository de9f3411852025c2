//! Drawing into a window.
//!
//! A window's own textures forget what they showed. Where drawing is done by the processor, frames
//! are therefore kept in a texture of ours, of which only what differs is drawn anew, and copied to
//! the window; a graphics card draws straight into the window.

use scene::Scene;

use crate::offscreen::create_texture;
use crate::renderer::{FrameTarget, Kept};
use crate::{Gpu, GpuError, PixelFormat, Renderer};

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawOutcome {
    Presented,
    /// Nothing is wrong, but nothing was shown either.
    Skipped(SkipReason),
    /// The device or the surface is gone: build everything anew.
    Lost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// The window cannot be seen; draw again when it can.
    Occluded,
    /// The compositor was busy; try again.
    Timeout,
    /// The window kept changing under our hands; its next resize event brings the frame.
    Outdated,
    /// The window has no area.
    NoArea,
}

/// The surface of one window.
#[derive(Debug)]
pub struct WindowTarget {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    format: PixelFormat,
    /// The size the window has; the configured one is at least 1x1 and at most what the device can.
    size: (u32, u32),
    stale: bool,
    may_keep: bool,
    canvas: Option<KeptCanvas>,
}

/// The last frame, in a texture that remembers it.
#[derive(Debug)]
struct KeptCanvas {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    kept: Kept,
}

impl WindowTarget {
    pub(crate) fn new(
        gpu: &Gpu,
        adapter: &wgpu::Adapter,
        surface: wgpu::Surface<'static>,
        width: u32,
        height: u32,
    ) -> Option<Self> {
        let capabilities = surface.get_capabilities(adapter);
        let (surface_format, view_format) = choose_format(&capabilities.formats)?;
        let alpha_mode = capabilities
            .alpha_modes
            .iter()
            .copied()
            .find(|mode| *mode == wgpu::CompositeAlphaMode::Opaque)
            .unwrap_or(wgpu::CompositeAlphaMode::Auto);
        let copied = wgpu::TextureUsages::COPY_DST;
        let may_keep = gpu.is_software()
            && capabilities.usages.contains(copied)
            && surface_format == view_format;
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let config = wgpu::SurfaceConfiguration {
            usage: if may_keep { usage | copied } else { usage },
            format: surface_format,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width: 1,
            height: 1,
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 1,
            alpha_mode,
            view_formats: if view_format == surface_format { vec![] } else { vec![view_format] },
        };
        let format = PixelFormat(view_format);
        let (size, canvas) = ((0, 0), None);
        let mut target = Self { surface, config, format, size, stale: true, may_keep, canvas };
        target.resize(gpu, width, height);
        Some(target)
    }

    /// What a [`Renderer`] for this window must be made for.
    pub fn format(&self) -> PixelFormat {
        self.format
    }

    /// Tells the size of the window in device pixels. Takes effect with the next frame.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        if self.size != (width, height) {
            self.size = (width, height);
            self.config.width = width.clamp(1, gpu.max_texture_side());
            self.config.height = height.clamp(1, gpu.max_texture_side());
            self.stale = true;
        }
    }

    /// Draws and shows a frame; waits for the display at most. `before_present` runs right before
    /// the frame is handed over (winit wants to be told).
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        scene: &Scene,
        before_present: impl FnOnce(),
    ) -> DrawOutcome {
        if self.size.0 == 0 || self.size.1 == 0 {
            return DrawOutcome::Skipped(SkipReason::NoArea);
        }
        let frame = match self.acquire(gpu) {
            Ok(frame) => frame,
            Err(outcome) => return outcome,
        };
        let drawn = if self.may_keep {
            self.draw_changes(gpu, renderer, scene, &frame)
        } else {
            let view = frame.texture.create_view(&wgpu::TextureViewDescriptor {
                format: Some(self.format.0),
                ..Default::default()
            });
            let (width, height) = (self.config.width, self.config.height);
            let target = FrameTarget { view: &view, width, height, kept: None };
            renderer.draw(gpu, target, scene)
        };
        if drawn.is_err() {
            return DrawOutcome::Lost;
        }
        before_present();
        gpu.queue.present(frame);
        if gpu.is_lost() { DrawOutcome::Lost } else { DrawOutcome::Presented }
    }

    /// Brings the kept frame up to date and copies it.
    fn draw_changes(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        scene: &Scene,
        frame: &wgpu::SurfaceTexture,
    ) -> Result<(), GpuError> {
        let (width, height) = (self.config.width, self.config.height);
        let has_size = |canvas: &KeptCanvas| {
            (canvas.texture.width(), canvas.texture.height()) == (width, height)
        };
        if !self.canvas.as_ref().is_some_and(has_size) {
            self.canvas = None;
        }
        let format = self.format;
        let canvas = self.canvas.get_or_insert_with(|| KeptCanvas::new(gpu, format, width, height));
        let KeptCanvas { texture, view, kept } = canvas;
        renderer.draw(gpu, FrameTarget { view, width, height, kept: Some(kept) }, scene)?;
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_texture(
            texture.as_image_copy(),
            frame.texture.as_image_copy(),
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()]);
        if gpu.is_lost() { Err(GpuError::Lost) } else { Ok(()) }
    }

    fn acquire(&mut self, gpu: &Gpu) -> Result<wgpu::SurfaceTexture, DrawOutcome> {
        use wgpu::CurrentSurfaceTexture as Current;

        for _attempt in 0..2 {
            if self.stale {
                self.surface.configure(&gpu.device, &self.config);
                self.stale = false;
            }
            // A surface that failed to be configured must not be asked for a texture: wgpu panics.
            if gpu.is_lost() {
                return Err(DrawOutcome::Lost);
            }
            match self.surface.get_current_texture() {
                Current::Success(frame) => return Ok(frame),
                Current::Suboptimal(frame) => {
                    self.stale = true;
                    return Ok(frame);
                }
                Current::Outdated => self.stale = true,
                Current::Timeout => return Err(DrawOutcome::Skipped(SkipReason::Timeout)),
                Current::Occluded => return Err(DrawOutcome::Skipped(SkipReason::Occluded)),
                Current::Lost | Current::Validation => return Err(DrawOutcome::Lost),
            }
        }
        Err(DrawOutcome::Skipped(SkipReason::Outdated))
    }
}

impl KeptCanvas {
    fn new(gpu: &Gpu, format: PixelFormat, width: u32, height: u32) -> Self {
        let texture = create_texture(gpu, format, width, height);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, kept: Kept::default() }
    }
}

/// The format of the surface and the one to see it through, which never converts to linear light.
fn choose_format(
    offered: &[wgpu::TextureFormat],
) -> Option<(wgpu::TextureFormat, wgpu::TextureFormat)> {
    let preferred = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    preferred
        .iter()
        .find(|format| offered.contains(format))
        .or_else(|| offered.iter().find(|it| preferred.contains(&it.remove_srgb_suffix())))
        .or(offered.first())
        .map(|format| (*format, format.remove_srgb_suffix()))
}
