//! Where glyphs lie in one texture: a packer of shelves with the pixels beside it.
//!
//! Nothing is ever evicted alone. When the atlas is full it is emptied, larger until it reaches its
//! cap, and whoever holds a [`Slot`] of an older [`Atlas::generation`] asks again. Filling it takes
//! thousands of distinct glyphs, so that happens rarely, and memory stays capped.

/// The first side; one screen of text in one size fits well.
const FIRST_SIDE: u16 = 512;
/// 16 MiB: some twenty thousand glyphs of an ordinary size.
const MAX_SIDE: u16 = 2048;
/// Bytes a pixel, as in a [`Bitmap`](crate::bitmap::Bitmap).
const DEPTH: usize = 4;

/// A rectangle in the atlas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

#[derive(Debug)]
pub(crate) struct Atlas {
    side: u16,
    max_side: u16,
    rgba: Vec<u8>,
    shelves: Vec<Shelf>,
    /// Rows written since they were last taken.
    dirty: Option<(u16, u16)>,
    generation: u64,
}

/// A row of slots. Glyphs go on the lowest shelf that is not much too high for them.
#[derive(Debug)]
struct Shelf {
    y: u16,
    height: u16,
    used: u16,
}

impl Atlas {
    pub(crate) fn new(device_limit: u32) -> Self {
        let max_side = MAX_SIDE.min(u16::try_from(device_limit).unwrap_or(u16::MAX)).max(1);
        Self::with_sides(FIRST_SIDE.min(max_side), max_side)
    }

    pub(crate) fn with_sides(side: u16, max_side: u16) -> Self {
        let rgba = vec![0; usize::from(side) * usize::from(side) * DEPTH];
        Self { side, max_side, rgba, shelves: Vec::new(), dirty: None, generation: 0 }
    }

    pub(crate) fn side(&self) -> u16 {
        self.side
    }

    /// Changes whenever slots given out before are no longer good.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn can_grow(&self) -> bool {
        self.side < self.max_side
    }

    /// Stores four bytes a pixel; `None` when there is no room left.
    pub(crate) fn insert(&mut self, width: u16, height: u16, rgba: &[u8]) -> Option<Slot> {
        let slot = self.allocate(width, height)?;
        for (row, line) in rgba.chunks_exact(usize::from(width) * DEPTH).enumerate() {
            let pixel = (usize::from(slot.y) + row) * usize::from(self.side) + usize::from(slot.x);
            let start = pixel * DEPTH;
            self.rgba[start..start + line.len()].copy_from_slice(line);
        }
        let (top, bottom) = self.dirty.unwrap_or((slot.y, slot.y));
        self.dirty = Some((top.min(slot.y), bottom.max(slot.y + slot.height)));
        Some(slot)
    }

    /// Forgets everything, and doubles in size while that is allowed.
    pub(crate) fn reset(&mut self) {
        self.side = self.side.saturating_mul(2).min(self.max_side);
        self.clear();
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let generation = self.generation + 1;
        *self = Self { generation, ..Self::with_sides(self.side, self.max_side) };
    }

    /// The first row and the bytes of all rows that changed since this was last called.
    pub(crate) fn take_dirty(&mut self) -> Option<(u16, &[u8])> {
        let (top, bottom) = self.dirty.take()?;
        let row = usize::from(self.side) * DEPTH;
        Some((top, &self.rgba[usize::from(top) * row..usize::from(bottom) * row]))
    }

    fn allocate(&mut self, width: u16, height: u16) -> Option<Slot> {
        if width == 0 || height == 0 || width > self.side {
            return None;
        }
        let fits = |shelf: &&mut Shelf| {
            shelf.height >= height
                && shelf.height <= height + height / 2 + 2
                && self.side - shelf.used >= width
        };
        let shelf = match self.shelves.iter_mut().filter(fits).min_by_key(|shelf| shelf.height) {
            Some(shelf) => shelf,
            None => {
                let y = self.shelves.last().map_or(0, |shelf| shelf.y + shelf.height);
                if self.side - y < height {
                    return None;
                }
                self.shelves.push(Shelf { y, height, used: 0 });
                self.shelves.last_mut()?
            }
        };
        let x = shelf.used;
        shelf.used += width;
        Some(Slot { x, y: shelf.y, width, height })
    }
}
