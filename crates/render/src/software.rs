//! Frames of a software adapter, brought into a window by the processor.
//!
//! A software adapter's own way into a window sends all of the picture, every time, through the
//! connection to the display. Here the frame stays in a texture, and of that only what differs from
//! the frame before is copied into memory that the display shares.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::mpsc::channel;

use scene::Scene;

use crate::damage::Damage;
use crate::gpu::WindowHandle;
use crate::offscreen::{create_texture, lost};
use crate::pixels::PixelRect;
use crate::renderer::{FrameTarget, Kept};
use crate::{Gpu, GpuError, PixelFormat, Renderer};

/// Where finished pixels go, whatever kind of window it is.
trait Screen {
    /// Shows those parts of a picture of `width` by `height` pixels.
    fn show(&mut self, pixels: &[u32], size: (u32, u32), places: &[PixelRect]) -> Option<()>;
}

/// The pixels of one window.
pub(crate) struct SoftwareTarget {
    screen: Box<dyn Screen>,
    format: PixelFormat,
    canvas: Option<Canvas>,
}

/// The last frame, on the device and in memory.
struct Canvas {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    kept: Kept,
    /// What is copied out of the texture, rows of [`Self::stride`] bytes.
    staging: wgpu::Buffer,
    stride: u32,
    pixels: Vec<u32>,
}

impl SoftwareTarget {
    /// The next frame is shown whole, for what the window showed may be gone.
    pub(crate) fn forget_shown(&mut self) {
        self.canvas = None;
    }

    /// `None` where the window cannot be drawn into this way.
    pub(crate) fn new(window: &impl WindowHandle) -> Option<Self> {
        let context = softbuffer::Context::new(window.clone());
        let surface = context.and_then(|it| softbuffer::Surface::new(&it, window.clone()));
        match surface {
            Ok(surface) => {
                let screen = Box::new(SharedPixels { surface, size: (0, 0) });
                let format = PixelFormat(wgpu::TextureFormat::Bgra8Unorm);
                Some(Self { screen, format, canvas: None })
            }
            Err(error) => {
                tracing::info!(%error, "frames go through the adapter");
                None
            }
        }
    }

    pub(crate) fn format(&self) -> PixelFormat {
        self.format
    }

    /// Draws what differs and shows it; `before_present` runs in between.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        scene: &Scene,
        size: (u32, u32),
        before_present: impl FnOnce(),
    ) -> Result<(), GpuError> {
        let (width, height) = size;
        if self.canvas.as_ref().is_some_and(|canvas| canvas.size() != size) {
            self.canvas = None;
        }
        let format = self.format;
        let canvas = self.canvas.get_or_insert_with(|| Canvas::new(gpu, format, width, height));
        let target =
            FrameTarget { view: &canvas.view, width, height, kept: Some(&mut canvas.kept) };
        let places = match renderer.draw(gpu, target, scene)? {
            Damage::All => vec![whole(width, height)],
            Damage::Places(places) => places,
        };
        let within = |place: &PixelRect| place.intersection(&whole(width, height));
        let places: Vec<PixelRect> = places.iter().filter_map(within).collect();
        canvas.read(gpu, &places)?;
        before_present();
        if self.screen.show(&canvas.pixels, size, &places).is_none() {
            // The display went away or ran out of memory; what it shows is unknown.
            self.canvas = None;
            return Err(GpuError::Lost);
        }
        Ok(())
    }
}

impl Canvas {
    fn new(gpu: &Gpu, format: PixelFormat, width: u32, height: u32) -> Self {
        let texture = create_texture(gpu, format, width, height);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("window"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let pixels = vec![0; width as usize * height as usize];
        Self { texture, view, kept: Kept::default(), staging, stride, pixels }
    }

    fn size(&self) -> (u32, u32) {
        (self.texture.width(), self.texture.height())
    }

    /// Waits for the frame and copies parts of it into memory.
    fn read(&mut self, gpu: &Gpu, places: &[PixelRect]) -> Result<(), GpuError> {
        if places.is_empty() {
            return Ok(());
        }
        let (width, height) = self.size();
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for place in places {
            let Some([x, y, w, h]) = place.within(width, height) else { continue };
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo {
                    origin: wgpu::Origin3d { x, y, z: 0 },
                    ..self.texture.as_image_copy()
                },
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.staging,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: u64::from(y) * u64::from(self.stride) + u64::from(x) * 4,
                        bytes_per_row: Some(self.stride),
                        rows_per_image: None,
                    },
                },
                wgpu::Extent3d { width: w, height: h, depth_or_array_layers: 1 },
            );
        }
        gpu.queue.submit([encoder.finish()]);
        let (done, mapped) = channel();
        self.staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only when this function gave up already.
            drop(done.send(result));
        });
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(gpu, error))?;
        match mapped.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(lost(gpu, error)),
            Err(error) => return Err(lost(gpu, error)),
        }
        {
            let bytes = self.staging.get_mapped_range(..).map_err(|error| lost(gpu, error))?;
            for place in places {
                let Some([x, y, w, h]) = place.within(width, height) else { continue };
                for row in y..y + h {
                    let from = row as usize * self.stride as usize + x as usize * 4;
                    let from = bytes[from..from + w as usize * 4].chunks_exact(4);
                    let to = row as usize * width as usize + x as usize;
                    for (pixel, bgra) in self.pixels[to..to + w as usize].iter_mut().zip(from) {
                        *pixel = u32::from_le_bytes([bgra[0], bgra[1], bgra[2], 0]);
                    }
                }
            }
        }
        self.staging.unmap();
        Ok(())
    }
}

struct SharedPixels<W: WindowHandle> {
    surface: softbuffer::Surface<W, W>,
    size: (u32, u32),
}

impl<W: WindowHandle> Screen for SharedPixels<W> {
    fn show(&mut self, pixels: &[u32], size: (u32, u32), places: &[PixelRect]) -> Option<()> {
        let (width, height) = (NonZeroU32::new(size.0)?, NonZeroU32::new(size.1)?);
        if self.size != size {
            self.surface.resize(width, height).ok()?;
            self.size = size;
        }
        let mut buffer = self.surface.buffer_mut().ok()?;
        // Only the frame before can be brought up to date by what differs from it.
        let all = [whole(size.0, size.1)];
        let is_last = buffer.age() == 1;
        for place in if is_last { places } else { &all } {
            let Some([x, y, w, h]) = place.within(size.0, size.1) else { continue };
            for row in y..y + h {
                let start = row as usize * size.0 as usize + x as usize;
                let range = start..start + w as usize;
                buffer.get_mut(range.clone())?.copy_from_slice(pixels.get(range)?);
            }
        }
        let damage: Vec<softbuffer::Rect> = (if is_last { places } else { &all })
            .iter()
            .filter_map(|place| place.within(size.0, size.1))
            .filter_map(|[x, y, w, h]| {
                let (width, height) = (NonZeroU32::new(w)?, NonZeroU32::new(h)?);
                Some(softbuffer::Rect { x, y, width, height })
            })
            .collect();
        buffer.present_with_damage(&damage).ok()
    }
}

fn whole(width: u32, height: u32) -> PixelRect {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    PixelRect { left: 0, top: 0, right: side(width), bottom: side(height) }
}

impl fmt::Debug for SoftwareTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.canvas.as_ref().map(Canvas::size);
        f.debug_struct("SoftwareTarget").field("size", &size).finish_non_exhaustive()
    }
}
