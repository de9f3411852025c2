//! Points, sizes and rectangles in logical pixels.

/// A place, counted right and down from the window's top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    pub width: f32,
    pub height: f32,
}

/// A rectangle; its right and bottom edges lie just outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Point {
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

impl Size {
    pub const fn new(width: f32, height: f32) -> Self {
        Self { width, height }
    }
}

impl Rect {
    /// Sizes below nothing count as nothing, so that subtracting paddings in a tiny window is safe.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width: width.max(0.0), height: height.max(0.0) }
    }

    /// The square of side `2 * radius` around a point.
    pub const fn around(center: Point, radius: f32) -> Self {
        Self::new(center.x - radius, center.y - radius, 2.0 * radius, 2.0 * radius)
    }

    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub fn center(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }

    pub fn is_empty(&self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }

    pub fn contains(&self, point: Point) -> bool {
        (self.x..self.right()).contains(&point.x) && (self.y..self.bottom()).contains(&point.y)
    }

    /// This rectangle with `horizontal` taken off left and right and `vertical` off top and bottom.
    #[must_use]
    pub fn inset(&self, horizontal: f32, vertical: f32) -> Self {
        Self::new(
            self.x + horizontal,
            self.y + vertical,
            self.width - 2.0 * horizontal,
            self.height - 2.0 * vertical,
        )
    }

    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let x = self.x.max(other.x);
        let y = self.y.max(other.y);
        Self::new(x, y, self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y)
    }

    /// Cuts a strip of this width off the left; returns the strip and the rest.
    pub fn split_left(&self, width: f32) -> (Self, Self) {
        let width = width.clamp(0.0, self.width);
        (
            Self::new(self.x, self.y, width, self.height),
            Self::new(self.x + width, self.y, self.width - width, self.height),
        )
    }

    /// Cuts a strip of this height off the top; returns the strip and the rest.
    pub fn split_top(&self, height: f32) -> (Self, Self) {
        let height = height.clamp(0.0, self.height);
        (
            Self::new(self.x, self.y, self.width, height),
            Self::new(self.x, self.y + height, self.width, self.height - height),
        )
    }

    /// Cuts a strip of this height off the bottom; returns the strip and the rest.
    pub fn split_bottom(&self, height: f32) -> (Self, Self) {
        let height = height.clamp(0.0, self.height);
        let (rest, strip) = self.split_top(self.height - height);
        (strip, rest)
    }
}
