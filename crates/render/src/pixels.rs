//! From logical to device pixels: the only place that rounds.

use scene::Rect;

/// A rectangle of whole device pixels, clamped to what a target may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PixelRect {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl PixelRect {
    /// Rounds each edge on its own, so that rectangles which touch still touch afterwards.
    pub(crate) fn snapped(rect: &Rect, scale: f32) -> Self {
        Self {
            left: round(rect.x * scale),
            top: round(rect.y * scale),
            right: round(rect.right() * scale),
            bottom: round(rect.bottom() * scale),
        }
    }

    /// What lies in both, if anything does.
    pub(crate) fn intersection(&self, other: &Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left < both.right && both.top < both.bottom).then_some(both)
    }

    /// The smallest that holds both.
    pub(crate) fn around(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// What of this lies in a target of the given size, as x, y, width and height.
    pub(crate) fn within(&self, width: u32, height: u32) -> Option<[u32; 4]> {
        let clamp = |value: i32, limit: u32| u32::try_from(value).unwrap_or(0).min(limit);
        let (x, y) = (clamp(self.left, width), clamp(self.top, height));
        let (right, bottom) = (clamp(self.right, width), clamp(self.bottom, height));
        (right > x && bottom > y).then(|| [x, y, right - x, bottom - y])
    }
}

/// The nearest whole number; NaN is 0, and what no screen could hold is cut off.
#[expect(clippy::cast_possible_truncation, reason = "clamped to far less than the range of i32")]
pub(crate) fn round(value: f32) -> i32 {
    value.round().clamp(-1e6, 1e6) as i32
}

/// As [`round`], but never below `least`, for sizes of things that must not vanish.
pub(crate) fn round_at_least(value: f32, least: u16) -> u16 {
    u16::try_from(round(value).clamp(0, i32::from(u16::MAX))).unwrap_or(u16::MAX).max(least)
}

/// The size of a target for so many logical pixels, at least one and at most `limit` each way.
pub(crate) fn target_side(logical: f32, scale: f32, limit: u32) -> u32 {
    u32::try_from(round(logical * scale)).unwrap_or(0).clamp(1, limit.max(1))
}
