//! Which instances stand where, so that only those in a changed part of the picture are drawn.

use std::ops::Range;

use crate::pixels::PixelRect;

/// The instances of a frame, by layer and by line.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    layers: Vec<Vec<Batch>>,
}

/// Instances that follow each other and lie between two rows of pixels.
#[derive(Debug)]
struct Batch {
    top: i32,
    bottom: i32,
    instances: Range<u32>,
}

impl Batches {
    pub(crate) fn clear(&mut self) {
        self.layers.clear();
    }

    pub(crate) fn begin_layer(&mut self) {
        self.layers.push(Vec::new());
    }

    /// Adds instances to the layer begun last; they reach from `top` to `bottom` at most.
    pub(crate) fn push(&mut self, top: i32, bottom: i32, instances: Range<usize>) {
        let index = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        if let Some(layer) = self.layers.last_mut()
            && !instances.is_empty()
        {
            let instances = index(instances.start)..index(instances.end);
            layer.push(Batch { top, bottom, instances });
        }
    }

    /// The instances of a layer that may be seen in that place, in their order.
    pub(crate) fn within(
        &self,
        layer: usize,
        place: PixelRect,
    ) -> impl Iterator<Item = Range<u32>> + '_ {
        let layer = self.layers.get(layer).map_or(&[][..], Vec::as_slice);
        let mut seen = layer
            .iter()
            .filter(move |batch| batch.top < place.bottom && batch.bottom > place.top)
            .map(|batch| batch.instances.clone())
            .peekable();
        std::iter::from_fn(move || {
            let mut range = seen.next()?;
            while let Some(next) = seen.next_if(|next| next.start == range.end) {
                range.end = next.end;
            }
            Some(range)
        })
    }
}
