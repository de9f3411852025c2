//! Quads and lines: one instanced pipeline over signed distances.

use bytemuck::{Pod, Zeroable};
use scene::{Color, Line, Quad};

use crate::pixels::{PixelRect, round};

/// One quad or line as `quads.wgsl` reads it, in device pixels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct QuadInstance {
    /// Left, top, width and height of a quad; both ends of a line.
    geometry: [f32; 4],
    /// Radius, border width, blur, and the width of a line (0 for quads).
    shape: [f32; 4],
    fill: [u8; 4],
    border: [u8; 4],
}

pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Unorm8x4, 3 => Unorm8x4];

pub(crate) fn channels(color: Color) -> [u8; 4] {
    [color.r, color.g, color.b, color.a]
}

impl QuadInstance {
    /// `None` for what cannot be seen or is not a number.
    pub(crate) fn quad(quad: &Quad, scale: f32) -> Option<Self> {
        let Quad { rect, color, radius, border_width, border_color, blur } = *quad;
        let numbers = [rect.x, rect.y, rect.width, rect.height, radius, border_width, blur, scale];
        if rect.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let geometry = if blur > 0.0 {
            [rect.x, rect.y, rect.width, rect.height].map(|number| number * scale)
        } else {
            snapped(quad, scale)
        };
        let border = if border_width > 0.0 { (border_width * scale).round().max(1.0) } else { 0.0 };
        Some(Self {
            geometry,
            shape: [(radius * scale).max(0.0), border, (blur * scale).max(0.0), 0.0],
            fill: channels(color),
            border: channels(border_color),
        })
    }

    pub(crate) fn line(line: &Line, scale: f32) -> Option<Self> {
        let Line { from, to, width, color } = *line;
        let geometry = [from.x, from.y, to.x, to.y].map(|number| number * scale);
        let width = width * scale;
        let visible = width.is_finite() && width > 0.0 && geometry.iter().all(|it| it.is_finite());
        visible.then(|| Self {
            geometry,
            shape: [0.0, 0.0, 0.0, width],
            fill: channels(color),
            border: [0; 4],
        })
    }
}

/// Whole pixels, at least one each way. Round things keep equal sides wherever they stand, other
/// things keep touching their neighbours.
fn snapped(quad: &Quad, scale: f32) -> [f32; 4] {
    let rect = &quad.rect;
    let edges = PixelRect::snapped(rect, scale);
    let is_disc = rect.width == rect.height && 2.0 * quad.radius >= rect.width;
    let (width, height) = if is_disc {
        (round(rect.width * scale), round(rect.height * scale))
    } else {
        (edges.right - edges.left, edges.bottom - edges.top)
    };
    [edges.left, edges.top, width.max(1), height.max(1)].map(|number| number as f32)
}
