//! U+E0B0 to U+E0BF: the separators of status lines.

use super::Canvas;

/// A separator as one that begins at the left edge and, where it has a side, at the top.
enum Form {
    Triangle,
    HalfDisc,
    Corner,
}

pub(super) fn draw(canvas: &mut Canvas, character: char) {
    let (w, h) = (f32::from(canvas.width), f32::from(canvas.height));
    let half = f32::from(canvas.stroke) / 2.0;
    let index = u32::from(character) & 0xf;
    let is_line = index % 2 == 1;
    let form = match index {
        0..=3 => Form::Triangle,
        4..=7 => Form::HalfDisc,
        _ => Form::Corner,
    };
    let points_left = matches!(index, 2 | 3 | 6 | 7 | 0xa | 0xb | 0xe | 0xf);
    let hangs = index >= 0xc;
    canvas.shape(|x, y| {
        let x = if points_left { w - x } else { x };
        let outside = match form {
            Form::Triangle => {
                // From the edge between the upper left corner and the tip, mirrored below.
                let y = y.min(h - y);
                (x * h / 2.0 - y * w) / (h / 2.0).hypot(w).max(1.0)
            }
            Form::HalfDisc => {
                // Half an ellipse as high as the cell; how far outside is told by its slope.
                let (u, v) = (x / w.max(1.0), (2.0 * y - h) / h.max(1.0));
                let slope = (2.0 * u / w.max(1.0)).hypot(4.0 * v / h.max(1.0)).max(1e-3);
                (u * u + v * v - 1.0) / slope
            }
            Form::Corner => {
                // Below or above the diagonal, with the left edge full.
                let y = if hangs { h - y } else { y };
                (x * h - y * w) / w.hypot(h).max(1.0)
            }
        };
        if is_line { outside.abs() - half } else { outside }
    });
}
