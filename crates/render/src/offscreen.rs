//! Drawing into an image.

use scene::Scene;

use crate::pixels::target_side;
use crate::renderer::{FrameTarget, Kept};
use crate::{Gpu, GpuError, PixelFormat, Renderer};

/// How much is copied from the device at a time, so that huge pictures need no huge buffers.
const BAND_BYTES: u32 = 16 << 20;

/// A finished picture: rows from the top, four bytes a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// A texture to draw into, of the same kind as a window's.
#[derive(Debug)]
pub struct OffscreenTarget {
    texture: wgpu::Texture,
    format: PixelFormat,
    kept: Kept,
}

impl Image {
    /// Draws one scene at its own size.
    pub fn draw(gpu: &Gpu, renderer: &mut Renderer, scene: &Scene) -> Result<Self, GpuError> {
        let limit = gpu.max_texture_side();
        let width = target_side(scene.size.width, scene.scale, limit);
        let height = target_side(scene.size.height, scene.scale, limit);
        let mut target = OffscreenTarget::new(gpu, renderer.format(), width, height);
        target.draw(gpu, renderer, scene)?;
        target.read(gpu)
    }

    /// The pixel in this column and row, if there is one.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let start = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(start..start + 4)?.try_into().ok()
    }
}

impl OffscreenTarget {
    /// Sizes are in device pixels, cut to between 1 and [`Gpu::max_texture_side`].
    pub fn new(gpu: &Gpu, format: PixelFormat, width: u32, height: u32) -> Self {
        let texture = create_texture(gpu, format, width, height);
        Self { texture, format, kept: Kept::default() }
    }

    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        if (self.texture.width(), self.texture.height()) != clamped(gpu, width, height) {
            self.texture = create_texture(gpu, self.format, width, height);
            self.kept = Kept::default();
        }
    }

    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        scene: &Scene,
    ) -> Result<(), GpuError> {
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let (width, height) = (self.texture.width(), self.texture.height());
        let target = FrameTarget { view: &view, width, height, kept: Some(&mut self.kept) };
        renderer.draw(gpu, target, scene).map(|_| ())
    }

    /// Waits for the device and copies what was drawn last.
    pub fn read(&self, gpu: &Gpu) -> Result<Image, GpuError> {
        let (width, height) = (self.texture.width(), self.texture.height());
        let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
        let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let band = (BAND_BYTES / stride).clamp(1, height);
        let mut top = 0;
        while top < height {
            let rows = band.min(height - top);
            self.read_band(gpu, top, rows, stride, &mut rgba)?;
            top += rows;
        }
        if self.format.is_bgra() {
            rgba.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
        }
        Ok(Image { width, height, rgba })
    }

    fn read_band(
        &self,
        gpu: &Gpu,
        top: u32,
        rows: u32,
        stride: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), GpuError> {
        if gpu.is_lost() {
            return Err(GpuError::Lost);
        }
        let width = self.texture.width();
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(stride) * u64::from(rows),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                origin: wgpu::Origin3d { x: 0, y: top, z: 0 },
                ..self.texture.as_image_copy()
            },
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()]);

        let (done, mapped) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only when this function gave up already.
            drop(done.send(result));
        });
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(gpu, error))?;
        match mapped.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(lost(gpu, error)),
            Err(error) => return Err(lost(gpu, error)),
        }
        let bytes = buffer.get_mapped_range(..).map_err(|error| lost(gpu, error))?;
        for row in bytes.chunks_exact(stride as usize) {
            out.extend_from_slice(&row[..width as usize * 4]);
        }
        Ok(())
    }
}

pub(crate) fn lost(gpu: &Gpu, error: impl std::error::Error) -> GpuError {
    tracing::warn!(%error, "cannot read a picture back");
    gpu.mark_lost();
    GpuError::Lost
}

fn clamped(gpu: &Gpu, width: u32, height: u32) -> (u32, u32) {
    let limit = gpu.max_texture_side().max(1);
    (width.clamp(1, limit), height.clamp(1, limit))
}

/// A texture that can be drawn into and copied from, cut to what the device can.
pub(crate) fn create_texture(
    gpu: &Gpu,
    format: PixelFormat,
    width: u32,
    height: u32,
) -> wgpu::Texture {
    let (width, height) = clamped(gpu, width, height);
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("offscreen"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: format.0,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
