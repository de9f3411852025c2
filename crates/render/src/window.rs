//! Drawing into a window: through the adapter's own surface, or by the processor where it draws.

use scene::Scene;

use crate::renderer::FrameTarget;
use crate::software::SoftwareTarget;
use crate::{Gpu, PixelFormat, Renderer};

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

/// One window to draw into.
#[derive(Debug)]
pub struct WindowTarget {
    /// In device pixels, as the window has it.
    size: (u32, u32),
    way: Way,
}

#[derive(Debug)]
enum Way {
    Surface(SurfaceTarget),
    Software(SoftwareTarget),
}

impl WindowTarget {
    pub(crate) fn through_surface(target: SurfaceTarget) -> Self {
        Self { size: target.size, way: Way::Surface(target) }
    }

    pub(crate) fn by_processor(target: SoftwareTarget, width: u32, height: u32) -> Self {
        Self { size: (width, height), way: Way::Software(target) }
    }

    /// What a [`Renderer`] for this window must be made for.
    pub fn format(&self) -> PixelFormat {
        match &self.way {
            Way::Surface(target) => target.format,
            Way::Software(target) => target.format(),
        }
    }

    /// Tells the size of the window in device pixels. Takes effect with the next frame.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        self.size = (width, height);
        if let Way::Surface(target) = &mut self.way {
            target.resize(gpu, width, height);
        }
    }

    /// Draws and shows a frame; waits for the display at most. `before_present` runs right before
    /// the frame is handed over (winit wants to be told).
    /// What the window showed may be gone: the next frame is to be shown whole.
    pub fn forget_shown(&mut self) {
        if let Way::Software(target) = &mut self.way {
            target.forget_shown();
        }
    }

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
        match &mut self.way {
            Way::Surface(target) => target.draw(gpu, renderer, scene, before_present),
            Way::Software(target) => {
                let limit = gpu.max_texture_side().max(1);
                let size = (self.size.0.min(limit), self.size.1.min(limit));
                match target.draw(gpu, renderer, scene, size, before_present) {
                    Ok(()) => DrawOutcome::Presented,
                    Err(_) => DrawOutcome::Lost,
                }
            }
        }
    }
}

/// The surface of one window.
#[derive(Debug)]
pub(crate) struct SurfaceTarget {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    format: PixelFormat,
    /// The size the window has; the configured one is at least 1x1 and at most what the device can.
    size: (u32, u32),
    stale: bool,
}

impl SurfaceTarget {
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
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
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
        let mut target = Self { surface, config, format, size: (0, 0), stale: true };
        target.resize(gpu, width, height);
        Some(target)
    }

    fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        if self.size != (width, height) {
            self.size = (width, height);
            self.config.width = width.clamp(1, gpu.max_texture_side());
            self.config.height = height.clamp(1, gpu.max_texture_side());
            self.stale = true;
        }
    }

    fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        scene: &Scene,
        before_present: impl FnOnce(),
    ) -> DrawOutcome {
        let frame = match self.acquire(gpu) {
            Ok(frame) => frame,
            Err(outcome) => return outcome,
        };
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.format.0),
            ..Default::default()
        });
        let (width, height) = (self.config.width, self.config.height);
        let target = FrameTarget { view: &view, width, height, kept: None };
        let drawn = renderer.draw(gpu, target, scene);
        if drawn.is_err() {
            return DrawOutcome::Lost;
        }
        before_present();
        gpu.queue.present(frame);
        if gpu.is_lost() { DrawOutcome::Lost } else { DrawOutcome::Presented }
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
