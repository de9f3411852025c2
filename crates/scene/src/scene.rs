//! What one frame shows: layers of quads, lines, grids and text.

use crate::{CellGrid, Color, Point, Rect, Size, TextRun};

/// A filled, possibly rounded rectangle; with a radius of half its side it is a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    pub rect: Rect,
    pub color: Color,
    pub radius: f32,
    pub border_width: f32,
    pub border_color: Color,
    /// How far the edge fades out; 0 is sharp. Shadows and halos are soft quads.
    pub blur: f32,
}

/// A stroke with round ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    pub from: Point,
    pub to: Point,
    pub width: f32,
    pub color: Color,
}

/// Things drawn together. Within a layer quads and lines lie below grids, and grids below text.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Nothing of the layer is drawn outside of this.
    pub clip: Rect,
    pub quads: Vec<Quad>,
    pub lines: Vec<Line>,
    pub grids: Vec<CellGrid>,
    pub texts: Vec<TextRun>,
}

/// One frame. Later layers cover earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub size: Size,
    /// Device pixels per logical pixel.
    pub scale: f32,
    pub background: Color,
    pub layers: Vec<Layer>,
}

impl Quad {
    pub fn filled(rect: Rect, color: Color) -> Self {
        Self {
            rect,
            color,
            radius: 0.0,
            border_width: 0.0,
            border_color: Color::TRANSPARENT,
            blur: 0.0,
        }
    }

    pub fn rounded(rect: Rect, radius: f32, color: Color) -> Self {
        Self { radius, ..Self::filled(rect, color) }
    }

    pub fn disc(center: Point, radius: f32, color: Color) -> Self {
        Self::rounded(Rect::around(center, radius), radius, color)
    }

    pub fn ring(center: Point, radius: f32, width: f32, color: Color) -> Self {
        Self::disc(center, radius, Color::TRANSPARENT).bordered(width, color)
    }

    #[must_use]
    pub fn bordered(self, width: f32, color: Color) -> Self {
        Self { border_width: width, border_color: color, ..self }
    }

    #[must_use]
    pub fn blurred(self, blur: f32) -> Self {
        Self { blur, ..self }
    }
}

impl Layer {
    pub fn new(clip: Rect) -> Self {
        Self { clip, quads: Vec::new(), lines: Vec::new(), grids: Vec::new(), texts: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.quads.is_empty()
            && self.lines.is_empty()
            && self.grids.is_empty()
            && self.texts.is_empty()
    }
}
