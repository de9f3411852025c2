//! Lines under and through a cell.

use scene::{CellMetrics, Underline};

use super::{Canvas, stroke};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Decoration {
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
    Strikeout,
}

impl Decoration {
    pub(crate) fn of(underline: Underline) -> Option<Self> {
        match underline {
            Underline::None => None,
            Underline::Single => Some(Self::Single),
            Underline::Double => Some(Self::Double),
            Underline::Curly => Some(Self::Curly),
            Underline::Dotted => Some(Self::Dotted),
            Underline::Dashed => Some(Self::Dashed),
        }
    }
}

/// A cell with nothing but this line in it. Patterns join from cell to cell.
pub(crate) fn decoration(kind: Decoration, metrics: CellMetrics) -> Canvas {
    let CellMetrics { width, height, ascent, .. } = metrics;
    let mut canvas = Canvas::new(width, height, stroke(height));
    let (w, h) = (i32::from(width), i32::from(height));
    let (t, baseline) = (i32::from(canvas.stroke), i32::from(ascent));
    // One line's breadth below the baseline, pushed up where the cell ends too soon.
    let top = (baseline + 2 * t).min(h - t).max(0);
    match kind {
        Decoration::Single => canvas.fill(0, top, w, top + t),
        Decoration::Double => {
            let top = top.min(h - 3 * t);
            canvas.fill(0, top, w, top + t);
            canvas.fill(0, top + 2 * t, w, top + 3 * t);
        }
        Decoration::Curly => curl(&mut canvas, top),
        Decoration::Dotted => {
            for x in (0..w).step_by(usize::from(canvas.stroke) * 2) {
                canvas.fill(x, top, x + t, top + t);
            }
        }
        Decoration::Dashed => {
            let gap = (w / 4).max(1);
            canvas.fill(gap - gap / 2, top, w - gap / 2, top + t);
        }
        Decoration::Strikeout => {
            // Through the middle of small letters, which are about half as high as the font.
            let middle = baseline - h / 5;
            canvas.fill(0, middle, w, middle + t);
        }
    }
    canvas
}

/// One whole wave a cell.
fn curl(canvas: &mut Canvas, top: i32) {
    let thickness = f32::from(canvas.stroke);
    let top = f32::from(i16::try_from(top).unwrap_or(0));
    let room = (f32::from(canvas.height) - top).max(thickness);
    let amplitude = (1.25 * thickness).min((room - thickness) / 2.0).max(0.0);
    let middle = top + amplitude + thickness / 2.0;
    let turn = std::f32::consts::TAU / f32::from(canvas.width.max(1));
    canvas.shape(|x, y| {
        let wave = middle + amplitude * (x * turn).sin();
        let slope = amplitude * turn * (x * turn).cos();
        (y - wave).abs() / slope.hypot(1.0) - thickness / 2.0
    });
}
