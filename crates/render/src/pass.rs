//! What the passes of a frame need on the device: pipelines, instance buffers, the atlas's texture.

use std::ops::Range;

use bytemuck::Pod;

use crate::atlas::Atlas;
use crate::{Gpu, PixelFormat};

/// A pipeline that draws a rectangle for each instance of a buffer.
#[derive(Debug)]
pub(crate) struct InstancedPass {
    pipeline: wgpu::RenderPipeline,
}

/// Instances on the device.
#[derive(Debug)]
pub(crate) struct InstanceBuffer {
    buffer: wgpu::Buffer,
}

/// Each channel is hidden by as much as the shader says for it, instead of by one opacity for all.
pub(crate) const BY_CHANNEL: wgpu::BlendState = {
    let component = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::OneMinusSrc1,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: component, alpha: component }
};

impl InstancedPass {
    pub(crate) fn new(
        gpu: &Gpu,
        format: PixelFormat,
        shader: wgpu::ShaderModuleDescriptor<'_>,
        groups: &[Option<&wgpu::BindGroupLayout>],
        instances: wgpu::VertexBufferLayout<'_>,
        blend: wgpu::BlendState,
    ) -> Self {
        let label = shader.label;
        let module = gpu.device.create_shader_module(shader);
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: groups,
            ..Default::default()
        });
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(instances)],
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: format.0,
                    blend: Some(blend),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline }
    }

    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffer: &InstanceBuffer,
        instances: Range<u32>,
    ) {
        if !instances.is_empty() {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, buffer.buffer.slice(..));
            pass.draw(0..4, instances);
        }
    }
}

impl InstanceBuffer {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        Self { buffer: instance_buffer(gpu, 64 << 10) }
    }

    /// Replaces all instances.
    pub(crate) fn upload<I: Pod>(&mut self, gpu: &Gpu, instances: &[I]) {
        let bytes: &[u8] = bytemuck::cast_slice(instances);
        let needed = bytes.len() as u64;
        if needed > self.buffer.size() {
            self.buffer = instance_buffer(gpu, needed.next_power_of_two());
        }
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
    }
}

pub(crate) fn instance_layout<I: Pod>(
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<I>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

/// The size of the target, for every shader of ours.
#[derive(Debug)]
pub(crate) struct FrameUniform {
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) group: wgpu::BindGroup,
    buffer: wgpu::Buffer,
    size: (u32, u32),
}

impl FrameUniform {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let layout = bind_group_layout(
            gpu,
            wgpu::ShaderStages::VERTEX,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
        );
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: 16,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = bind_group(gpu, &layout, buffer.as_entire_binding());
        Self { layout, group, buffer, size: (0, 0) }
    }

    pub(crate) fn set_size(&mut self, gpu: &Gpu, width: u32, height: u32) {
        if self.size != (width, height) {
            self.size = (width, height);
            let values = [width as f32, height as f32, 0.0, 0.0];
            gpu.queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&values));
        }
    }
}

/// The atlas as the cell shader sees it.
#[derive(Debug)]
pub(crate) struct AtlasTexture {
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) group: wgpu::BindGroup,
    texture: wgpu::Texture,
}

impl AtlasTexture {
    pub(crate) fn new(gpu: &Gpu, side: u16) -> Self {
        let layout = bind_group_layout(
            gpu,
            wgpu::ShaderStages::FRAGMENT,
            wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
        );
        let (texture, group) = atlas_texture(gpu, &layout, side);
        Self { layout, group, texture }
    }

    /// Copies what changed since the last time.
    pub(crate) fn upload(&mut self, gpu: &Gpu, atlas: &mut Atlas) {
        let side = u32::from(atlas.side());
        if side != self.texture.width() {
            (self.texture, self.group) = atlas_texture(gpu, &self.layout, atlas.side());
        }
        let Some((top, rgba)) = atlas.take_dirty() else { return };
        let height = u32::try_from(rgba.len()).unwrap_or(u32::MAX) / (side * 4);
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                origin: wgpu::Origin3d { x: 0, y: u32::from(top), z: 0 },
                ..self.texture.as_image_copy()
            },
            rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(side * 4),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: side, height, depth_or_array_layers: 1 },
        );
    }
}

fn atlas_texture(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    side: u16,
) -> (wgpu::Texture, wgpu::BindGroup) {
    let side = u32::from(side);
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("glyphs"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let group = bind_group(gpu, layout, wgpu::BindingResource::TextureView(&view));
    (texture, group)
}

fn bind_group_layout(
    gpu: &Gpu,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[wgpu::BindGroupLayoutEntry { binding: 0, visibility, ty, count: None }],
    })
}

fn bind_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resource: wgpu::BindingResource<'_>,
) -> wgpu::BindGroup {
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource }],
    })
}

fn instance_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("instances"),
        size,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
