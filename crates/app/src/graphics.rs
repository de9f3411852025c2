//! The device, the renderer and where its pixels go; rebuilt as a whole when the device is lost.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use render::{
    DrawOutcome, FontNews, Gpu, GpuChoice, GpuError, Image, OffscreenTarget, PixelFormat, Renderer,
    SystemFonts, TextSmoothing, WindowTarget,
};
use scene::{CellMetrics, Scene};
use winit::window::Window;

/// How long a picture waits for fonts that are being looked for. Guessed: a scan of some thousand
/// fonts takes less.
const FONT_PATIENCE: Duration = Duration::from_secs(1);

/// Where frames go.
#[derive(Debug)]
enum Target {
    Window(Box<WindowTarget>, Arc<Window>),
    Offscreen(OffscreenTarget),
}

pub(crate) struct Graphics {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    size: (u32, u32),
    news: FontNews,
}

impl Graphics {
    /// `news` is called when fonts were found that the last frame lacked.
    ///
    /// # Errors
    /// There is no adapter, not even a software one.
    pub(crate) fn offscreen(size: (u32, u32), news: FontNews) -> Result<Self> {
        let gpu = Gpu::new(choice())?;
        let format = PixelFormat::IMAGE;
        let renderer = renderer(&gpu, format, &news);
        let target = Target::Offscreen(OffscreenTarget::new(&gpu, format, size.0, size.1));
        Ok(Self { gpu, renderer, target, size, news })
    }

    /// # Errors
    /// There is no adapter that can draw into the window.
    pub(crate) fn for_window(window: Arc<Window>, news: FontNews) -> Result<Self> {
        let size = window.inner_size();
        let (gpu, target) = Gpu::for_window(choice(), &window, size.width, size.height)?;
        let renderer = renderer(&gpu, target.format(), &news);
        let size = (size.width, size.height);
        Ok(Self { gpu, renderer, target: Target::Window(Box::new(target), window), size, news })
    }

    /// Starts over with a new device, as after a suspend that the old one did not survive.
    ///
    /// # Errors
    /// There is no adapter any more.
    pub(crate) fn rebuild(&mut self) -> Result<()> {
        *self = match &self.target {
            Target::Window(_, window) => {
                Self::for_window(Arc::clone(window), Arc::clone(&self.news))
            }
            Target::Offscreen(_) => Self::offscreen(self.size, Arc::clone(&self.news)),
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
    /// What the window showed may be gone: the next frame is to be shown whole.
    pub(crate) fn forget_shown(&mut self) {
        if let Target::Window(target, _) = &mut self.target {
            target.forget_shown();
        }
    }

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
        if let Ok(image) = self.settled_picture(scene) {
            return Ok(image);
        }
        self.rebuild()?;
        Ok(self.settled_picture(scene)?)
    }

    /// A picture cannot be drawn again later, so it waits for its fonts, if not for ever.
    fn settled_picture(&mut self, scene: &Scene) -> Result<Image, GpuError> {
        let image = Image::draw(&self.gpu, &mut self.renderer, scene)?;
        if self.renderer.wait_for_fonts(FONT_PATIENCE) {
            return Image::draw(&self.gpu, &mut self.renderer, scene);
        }
        Ok(image)
    }

    /// Whether the last scene would look different now, because fonts were found.
    pub(crate) fn has_new_fonts(&self) -> bool {
        self.renderer.has_new_fonts()
    }

    pub(crate) fn set_smoothing(&mut self, smoothing: TextSmoothing) {
        self.renderer.set_smoothing(smoothing);
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

impl fmt::Debug for Graphics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graphics").field("gpu", &self.gpu).finish_non_exhaustive()
    }
}

fn renderer(gpu: &Gpu, format: PixelFormat, news: &FontNews) -> Renderer {
    Renderer::with_fonts(gpu, format, SystemFonts::Installed, Arc::clone(news))
}

/// `TRACKSIDE_GPU=software` asks for pictures that are the same on every machine.
fn choice() -> GpuChoice {
    match std::env::var("TRACKSIDE_GPU").as_deref() {
        Ok("software") => GpuChoice::Software,
        _ => GpuChoice::Auto,
    }
}
