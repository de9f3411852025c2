//! A cell's worth of coverage to draw on.

/// Coverage of one cell, a byte a pixel, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Canvas {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// How thick a light line is.
    pub(crate) stroke: u16,
    pub(crate) coverage: Vec<u8>,
}

impl Canvas {
    pub(crate) fn new(width: u16, height: u16, stroke: u16) -> Self {
        let coverage = vec![0; usize::from(width) * usize::from(height)];
        Self { width, height, stroke, coverage }
    }

    /// Covers the pixels from the first corner up to, but without, the second.
    pub(crate) fn fill(&mut self, left: i32, top: i32, right: i32, bottom: i32) {
        self.set(left, top, right, bottom, 255);
    }

    pub(crate) fn clear(&mut self, left: i32, top: i32, right: i32, bottom: i32) {
        self.set(left, top, right, bottom, 0);
    }

    pub(crate) fn set(&mut self, left: i32, top: i32, right: i32, bottom: i32, coverage: u8) {
        let clamp =
            |value: i32, limit: u16| value.clamp(0, i32::from(limit)).unsigned_abs() as usize;
        let (left, right) = (clamp(left, self.width), clamp(right, self.width));
        for y in clamp(top, self.height)..clamp(bottom, self.height) {
            let start = y * usize::from(self.width);
            if left < right {
                self.coverage[start + left..start + right].fill(coverage);
            }
        }
    }

    /// Adds a shape given by how far a point is outside of it, in pixels; edges are smoothed.
    pub(crate) fn shape(&mut self, distance: impl Fn(f32, f32) -> f32) {
        let width = usize::from(self.width).max(1);
        for (y, row) in self.coverage.chunks_exact_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let covered = (0.5 - distance(center(x), center(y))).clamp(0.0, 1.0);
                *pixel = (*pixel).max(byte(covered));
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn at(&self, x: u16, y: u16) -> u8 {
        self.coverage[usize::from(y) * usize::from(self.width) + usize::from(x)]
    }
}

fn center(pixel: usize) -> f32 {
    pixel as f32 + 0.5
}

#[expect(clippy::cast_possible_truncation, reason = "a share of 255 is a byte")]
fn byte(share: f32) -> u8 {
    (share * 255.0).round() as u8
}
