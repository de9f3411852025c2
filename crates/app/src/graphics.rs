//! The device, the renderer and where its pixels go; rebuilt as a whole when the device is lost.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use render::{
    DrawOutcome, Gpu, GpuChoice, Image, OffscreenTarget, PixelFormat, Renderer, WindowTarget,
};
use scene::{CellMetrics, Scene};
use winit::window::Window;

/// Where frames go.
#[derive(Debug)]
enum Target {
    Window(Box<WindowTarget>, Arc<Window>),
    Offscreen(OffscreenTarget),
}

#[derive(Debug)]
pub(crate) struct Graphics {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    size: (u32, u32),
}

impl Graphics {
    /// # Errors
    /// There is no adapter, not even a software one.
    pub(crate) fn offscreen(size: (u32, u32)) -> Result<Self> {
        let gpu = Gpu::new(choice())?;
        let format = PixelFormat::IMAGE;
        let renderer = Renderer::new(&gpu, format);
        let target = Target::Offscreen(OffscreenTarget::new(&gpu, format, size.0, size.1));
        Ok(Self { gpu, renderer, target, size })
    }

    /// # Errors
    /// There is no adapter that can draw into the window.
    pub(crate) fn for_window(window: Arc<Window>) -> Result<Self> {
        let size = window.inner_size();
        let (gpu, target) = Gpu::for_window(choice(), &window, size.width, size.height)?;
        let renderer = Renderer::new(&gpu, target.format());
        let size = (size.width, size.height);
        Ok(Self { gpu, renderer, target: Target::Window(Box::new(target), window), size })
    }

    /// Starts over with a new device, as after a suspend that the old one did not survive.
    ///
    /// # Errors
    /// There is no adapter any more.
    pub(crate) fn rebuild(&mut self) -> Result<()> {
        *self = match &self.target {
            Target::Window(_, window) => Self::for_window(Arc::clone(window)),
            Target::Offscreen(_) => Self::offscreen(self.size),
        }
        .context("the graphics device was lost and there is no other")?;
        Ok(())
    }

    pub(crate) fn resize(&mut self, size: (u32, u32)) {
        self.size = size;
        match &mut self.target {
            Target::Window(target, _) => target.resize(&self.gpu, size.0, size.1),
            Target::Offscreen(target) => target.resize(&self.gpu, size.0, size.1),
        }
    }

    /// Draws a frame; a lost device is replaced once before giving up.
    ///
    /// # Errors
    /// There is no device to draw with any more.
    pub(crate) fn draw(&mut self, scene: &Scene) -> Result<DrawOutcome> {
        match self.draw_once(scene) {
            DrawOutcome::Lost => {
                self.rebuild()?;
                Ok(self.draw_once(scene))
            }
            outcome => Ok(outcome),
        }
    }

    fn draw_once(&mut self, scene: &Scene) -> DrawOutcome {
        let Self { gpu, renderer, target, .. } = self;
        match target {
            Target::Window(target, window) => {
                target.draw(gpu, renderer, scene, || window.pre_present_notify())
            }
            Target::Offscreen(target) => match target.draw(gpu, renderer, scene) {
                Ok(()) => DrawOutcome::Presented,
                Err(_) => DrawOutcome::Lost,
            },
        }
    }

    /// The scene as a picture, drawn by the same passes as the frames.
    ///
    /// # Errors
    /// There is no device to draw with any more.
    pub(crate) fn picture(&mut self, scene: &Scene) -> Result<Image> {
        if let Ok(image) = Image::draw(&self.gpu, &mut self.renderer, scene) {
            return Ok(image);
        }
        self.rebuild()?;
        Ok(Image::draw(&self.gpu, &mut self.renderer, scene)?)
    }

    pub(crate) fn cell_metrics(&mut self, font_size: f32, scale: f32) -> CellMetrics {
        self.renderer.cell_metrics(font_size, scale)
    }

    /// For the status bar: said only where drawing is slow.
    pub(crate) fn note(&self) -> String {
        if self.gpu.is_software() {
            let name = self.gpu.adapter_name();
            let short = name.split(" (").next().unwrap_or(name);
            return format!("Software rendering: {short}");
        }
        String::new()
    }

    pub(crate) fn describe(&self) -> String {
        let kind = if self.gpu.is_software() { ", software" } else { "" };
        format!("{} ({}{kind})", self.gpu.adapter_name(), self.gpu.backend_name())
    }

    /// Loses the device on purpose.
    pub(crate) fn lose_device(&self) {
        self.gpu.destroy();
    }
}

/// `TRACKSIDE_GPU=software` asks for pictures that are the same on every machine.
fn choice() -> GpuChoice {
    match std::env::var("TRACKSIDE_GPU").as_deref() {
        Ok("software") => GpuChoice::Software,
        _ => GpuChoice::Auto,
    }
}
