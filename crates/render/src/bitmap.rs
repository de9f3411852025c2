//! One glyph as pixels: how much of each colour channel is covered, or colours of its own.
//!
//! Both kinds have four bytes a pixel, so that all glyphs fit into one atlas and are drawn by one
//! pipeline. Nothing here knows fonts.

/// What the bytes of a [`Bitmap`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Content {
    /// Coverage of red, green and blue, and the largest of the three; to be drawn in any colour.
    #[default]
    Coverage,
    /// Colours, multiplied by their opacity.
    Colors,
}

/// A glyph placed relative to its origin on the baseline.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bitmap {
    pub(crate) content: Content,
    pub(crate) left: i32,
    /// From the baseline up to the first row.
    pub(crate) top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: Vec<u8>,
}

impl Bitmap {
    /// The same coverage for all three channels, a byte a pixel.
    pub(crate) fn from_coverage(
        left: i32,
        top: i32,
        width: u32,
        height: u32,
        coverage: &[u8],
    ) -> Self {
        let rgba = coverage.iter().flat_map(|covered| [*covered; 4]).collect();
        Self { content: Content::Coverage, left, top, width, height, rgba }
    }

    /// One coverage for each channel; they may differ in size and place by a pixel.
    pub(crate) fn from_channels(channels: &[Self; 3]) -> Self {
        let [first, rest @ ..] = channels;
        let mut all = rest.iter().fold(first.frame(), |frame, it| frame.around(&it.frame()));
        let mut rgba = vec![0; all.n_bytes()];
        for (channel, part) in channels.iter().enumerate() {
            for (pixel, from) in all.pixels_of(part) {
                rgba[pixel + channel] = part.rgba[from];
                rgba[pixel + 3] = rgba[pixel + 3].max(part.rgba[from]);
            }
        }
        all.rgba = rgba;
        all
    }

    /// From colours that are not yet multiplied by their opacity.
    pub(crate) fn from_colors(
        left: i32,
        top: i32,
        width: u32,
        height: u32,
        mut rgba: Vec<u8>,
    ) -> Self {
        for pixel in rgba.chunks_exact_mut(4) {
            let opacity = u16::from(pixel[3]);
            for channel in &mut pixel[..3] {
                let share = (u16::from(*channel) * opacity + 127) / 255;
                *channel = u8::try_from(share).unwrap_or(u8::MAX);
            }
        }
        Self { content: Content::Colors, left, top, width, height, rgba }
    }

    pub(crate) fn has_ink(&self) -> bool {
        self.rgba.chunks_exact(4).any(|pixel| pixel[3] > 0)
    }

    pub(crate) fn right(&self) -> i32 {
        self.left.saturating_add_unsigned(self.width)
    }

    /// Below the baseline it is negative.
    pub(crate) fn bottom(&self) -> i32 {
        self.top.saturating_sub_unsigned(self.height)
    }

    /// Both, this one below the other. Colours win over coverage, which cannot be mixed with them.
    #[must_use]
    pub(crate) fn union(self, other: Self) -> Self {
        match (self.content, other.content) {
            (Content::Colors, Content::Coverage) => return self,
            (Content::Coverage, Content::Colors) => return other,
            _ => {}
        }
        let mut all = self.frame().around(&other.frame());
        let mut rgba = vec![0; all.n_bytes()];
        for part in [&self, &other] {
            for (pixel, from) in all.pixels_of(part) {
                let above = u16::from(part.rgba[from + 3]);
                for channel in 0..4 {
                    let (below, new) = (rgba[pixel + channel], part.rgba[from + channel]);
                    rgba[pixel + channel] = match part.content {
                        Content::Coverage => below.max(new),
                        Content::Colors => {
                            let kept = (u16::from(below) * (255 - above) + 127) / 255;
                            new.saturating_add(u8::try_from(kept).unwrap_or(u8::MAX))
                        }
                    };
                }
            }
        }
        all.rgba = rgba;
        all
    }

    /// What of it lies between those edges, counted like [`Self::left`] and [`Self::top`].
    #[must_use]
    pub(crate) fn cropped(self, left: i32, top: i32, right: i32, bottom: i32) -> Self {
        if left <= self.left && right >= self.right() && top >= self.top && bottom <= self.bottom()
        {
            return self;
        }
        let (from_x, to_x) = (left.max(self.left), right.min(self.right()));
        let (from_y, to_y) = (top.min(self.top), bottom.max(self.bottom()));
        let side = |length: i32| u32::try_from(length).unwrap_or(0);
        let (width, height) = (side(to_x - from_x), side(from_y - to_y));
        let skipped = side(from_x - self.left) as usize * 4;
        let rows = self.rgba.chunks_exact(self.width.max(1) as usize * 4);
        let rows = rows.skip(side(self.top - from_y) as usize).take(height as usize);
        let rgba = rows.flat_map(|row| &row[skipped..skipped + width as usize * 4]);
        let rgba = if width == 0 { Vec::new() } else { rgba.copied().collect() };
        Self { content: self.content, left: from_x, top: from_y, width, height, rgba }
    }

    /// The same picture in another size, each pixel the mean of what it covers.
    #[must_use]
    pub(crate) fn resized(&self, width: u32, height: u32) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let columns = shares(self.width, width);
        let rows = shares(self.height, height);
        let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
        for row in &rows {
            for column in &columns {
                let mut sum = [0.0_f32; 4];
                let mut total = 0.0;
                for (y, row_share) in row {
                    for (x, column_share) in column {
                        let share = row_share * column_share;
                        let from = (y * self.width as usize + x) * 4;
                        for (sum, channel) in sum.iter_mut().zip(&self.rgba[from..from + 4]) {
                            *sum += f32::from(*channel) * share;
                        }
                        total += share;
                    }
                }
                rgba.extend(sum.map(|sum| byte(sum / total.max(f32::EPSILON))));
            }
        }
        Self { content: self.content, left: self.left, top: self.top, width, height, rgba }
    }

    /// As it is, without its pixels.
    fn frame(&self) -> Self {
        Self { rgba: Vec::new(), ..*self }
    }

    fn around(&self, other: &Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.max(other.top));
        let width = (self.right().max(other.right()) - left).unsigned_abs();
        let height = (top - self.bottom().min(other.bottom())).unsigned_abs();
        Self { content: self.content, left, top, width, height, rgba: Vec::new() }
    }

    fn n_bytes(&self) -> usize {
        self.width as usize * self.height as usize * 4
    }

    /// Where each pixel of a part begins, in a bitmap of this frame and in the part itself.
    fn pixels_of(&self, part: &Self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let x = (part.left - self.left).unsigned_abs() as usize;
        let y = (self.top - part.top).unsigned_abs() as usize;
        let (width, part_width) = (self.width as usize, part.width as usize);
        (0..part.height as usize).flat_map(move |row| {
            (0..part_width).map(move |column| {
                let here = (y + row) * width + x + column;
                (here * 4, (row * part_width + column) * 4)
            })
        })
    }
}

/// For each of `n_new` pixels, which of `n_old` it covers and how much of each.
fn shares(n_old: u32, n_new: u32) -> Vec<Vec<(usize, f32)>> {
    let step = n_old as f32 / n_new as f32;
    let share = |index: u32| {
        let (start, end) = (index as f32 * step, (index as f32 + 1.0) * step);
        (0..n_old as usize)
            .skip_while(move |old| (*old as f32) + 1.0 <= start)
            .take_while(move |old| (*old as f32) < end)
            .map(|old| (old, end.min(old as f32 + 1.0) - start.max(old as f32)))
            .collect()
    };
    (0..n_new).map(share).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "a mean of bytes is a byte")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}

#[cfg(test)]
mod tests;
