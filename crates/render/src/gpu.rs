//! The graphics device: choosing it, and noticing when it is gone.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};

use crate::software::SoftwareTarget;
use crate::window::{SurfaceTarget, WindowTarget};

/// Which adapters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GpuChoice {
    /// Hardware through Vulkan, else hardware through OpenGL, else software.
    #[default]
    Auto,
    /// Software only, for pictures that are the same on every machine.
    Software,
}

#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    #[error(
        "no graphics adapter found, not even software; install a Vulkan driver, for example with \
         `apt install mesa-vulkan-drivers`"
    )]
    NoAdapter,
    #[error("the graphics adapter {adapter} refused to open")]
    Device { adapter: String, source: wgpu::RequestDeviceError },
    #[error("the graphics adapter {adapter} cannot draw into this window")]
    Surface { adapter: String },
    #[error("the graphics device was lost")]
    Lost,
}

/// What text for LCD needs: a coverage of its own for each channel.
const BLENDS_BY_CHANNEL: wgpu::Features = wgpu::Features::DUAL_SOURCE_BLENDING;

/// What a window must offer to be drawn into; an `Arc` of a winit window does.
pub trait WindowHandle:
    HasWindowHandle + HasDisplayHandle + fmt::Debug + Clone + Send + Sync + 'static
{
}

impl<W> WindowHandle for W where
    W: HasWindowHandle + HasDisplayHandle + fmt::Debug + Clone + Send + Sync + 'static
{
}

/// An open graphics device, for windows and images alike.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    adapter: wgpu::AdapterInfo,
    max_side: u32,
    lost: Arc<AtomicBool>,
}

impl Gpu {
    /// Opens a device for drawing into images. Takes tens of milliseconds, more on first use.
    pub fn new(choice: GpuChoice) -> Result<Self, GpuError> {
        let found = find_adapter::<NoWindow>(choice, None)?;
        Self::open(&found.adapter)
    }

    /// Opens a device that can draw into this window, `width` by `height` device pixels large.
    pub fn for_window(
        choice: GpuChoice,
        window: &impl WindowHandle,
        width: u32,
        height: u32,
    ) -> Result<(Self, WindowTarget), GpuError> {
        let Found { adapter, surface } = find_adapter(choice, Some(window))?;
        let gpu = Self::open(&adapter)?;
        // Where the processor draws, it is quicker to bring pixels into the window ourselves.
        if gpu.is_software()
            && let Some(target) = SoftwareTarget::new(window)
        {
            return Ok((gpu, WindowTarget::by_processor(target, width, height)));
        }
        let target = surface
            .and_then(|surface| SurfaceTarget::new(&gpu, &adapter, surface, width, height))
            .ok_or_else(|| GpuError::Surface { adapter: gpu.adapter.name.clone() })?;
        Ok((gpu, WindowTarget::through_surface(target)))
    }

    pub fn adapter_name(&self) -> &str {
        &self.adapter.name
    }

    /// `vulkan` or `gl`.
    pub fn backend_name(&self) -> &'static str {
        self.adapter.backend.to_str()
    }

    pub fn is_software(&self) -> bool {
        self.adapter.device_type == wgpu::DeviceType::Cpu
    }

    pub(crate) fn blends_by_channel(&self) -> bool {
        self.device.features().contains(BLENDS_BY_CHANNEL)
    }

    /// Whether the device is gone for good. Everything made from it draws nothing from then on.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// The longest side a target may have; larger ones are cut to it.
    pub fn max_texture_side(&self) -> u32 {
        self.max_side
    }

    /// Loses the device on purpose, to try what happens then.
    pub fn destroy(&self) {
        self.device.destroy();
        self.mark_lost();
    }

    pub(crate) fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    fn open(adapter: &wgpu::Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let limits = adapter.limits();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("trackside"),
            required_features: adapter.features() & BLENDS_BY_CHANNEL,
            required_limits: limits.clone(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|source| GpuError::Device { adapter: info.name.clone(), source })?;

        let lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            tracing::warn!(?reason, message, "graphics device lost");
            flag.store(true, Ordering::Release);
        });
        // Without a handler of ours wgpu panics on errors that nobody asked about.
        let flag = Arc::clone(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            tracing::error!(%error, "graphics error");
            flag.store(true, Ordering::Release);
        }));

        let max_side = limits.max_texture_dimension_2d;
        Ok(Self { device, queue, adapter: info, max_side, lost })
    }
}

struct Found {
    adapter: wgpu::Adapter,
    surface: Option<wgpu::Surface<'static>>,
}

/// Stands in for a window where there is none.
#[derive(Debug, Clone)]
enum NoWindow {}

impl HasWindowHandle for NoWindow {
    fn window_handle(&self) -> Result<wgpu::rwh::WindowHandle<'_>, wgpu::rwh::HandleError> {
        match *self {}
    }
}

impl HasDisplayHandle for NoWindow {
    fn display_handle(&self) -> Result<wgpu::rwh::DisplayHandle<'_>, wgpu::rwh::HandleError> {
        match *self {}
    }
}

/// Asks one backend after the other, so that OpenGL is only started where Vulkan has no hardware.
fn find_adapter<W: WindowHandle>(choice: GpuChoice, window: Option<&W>) -> Result<Found, GpuError> {
    let mut software = None;
    for backends in [wgpu::Backends::VULKAN, wgpu::Backends::GL] {
        let Some((adapters, surface)) = adapters_of(backends, window) else { continue };
        let (soft, mut hard): (Vec<_>, Vec<_>) = adapters
            .into_iter()
            .partition(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
        hard.sort_by_key(|adapter| match adapter.get_info().device_type {
            // Text needs no big card, and the small one usually drives the screen.
            wgpu::DeviceType::IntegratedGpu => 0,
            wgpu::DeviceType::DiscreteGpu => 1,
            _ => 2,
        });
        if choice == GpuChoice::Auto
            && let Some(adapter) = hard.into_iter().next()
        {
            return Ok(Found { adapter, surface });
        }
        if software.is_none()
            && let Some(adapter) = soft.into_iter().next()
        {
            software = Some(Found { adapter, surface });
            if choice == GpuChoice::Software {
                break;
            }
        }
    }
    software.ok_or(GpuError::NoAdapter)
}

/// The adapters of one backend that can draw into the window, and the window's surface there.
fn adapters_of<W: WindowHandle>(
    backends: wgpu::Backends,
    window: Option<&W>,
) -> Option<(Vec<wgpu::Adapter>, Option<wgpu::Surface<'static>>)> {
    let descriptor = wgpu::InstanceDescriptor {
        backends,
        flags: wgpu::InstanceFlags::empty(),
        display: window.map(|window| Box::new(window.clone()) as _),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    };
    let instance = wgpu::Instance::new(descriptor);
    let surface = match window.map(|window| instance.create_surface(window.clone())).transpose() {
        Ok(surface) => surface,
        Err(error) => {
            tracing::info!(?backends, %error, "no surface");
            return None;
        }
    };
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters.retain(|adapter| surface.as_ref().is_none_or(|it| adapter.is_surface_supported(it)));
    Some((adapters, surface))
}
