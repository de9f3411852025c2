//! Runs of text: one line each, in one of two families.

use crate::{Color, Point};

/// Which bundled family a run is set in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FontFamily {
    /// Inter, for the chrome.
    Ui,
    /// JetBrains Mono, for code and keys.
    Mono,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    Regular,
    Medium,
    SemiBold,
    Bold,
}

/// Where a run stands within its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Align {
    Left,
    Center,
    Right,
}

/// A stretch of one colour and weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub text: String,
    pub color: Color,
    pub weight: Weight,
    pub italic: bool,
}

/// One line of text. It is never wrapped; what does not fit `width` is cut at the edge.
#[derive(Debug, Clone, PartialEq)]
pub struct TextRun {
    /// Top left corner of the line's box.
    pub origin: Point,
    pub width: f32,
    pub align: Align,
    pub family: FontFamily,
    /// Font size in logical pixels.
    pub size: f32,
    /// Height of the line's box; the text is centred in it.
    pub line_height: f32,
    pub spans: Vec<Span>,
}
