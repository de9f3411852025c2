//! Everything of a frame that is drawn from the atlas: cells and runs, built together.
//!
//! Both put their glyphs into one atlas. When it overflows, the whole frame is built again into an
//! emptied, larger one; if it overflows even when it is as large as it gets, what did not fit is left
//! out. No device is needed here.

use std::time::Duration;

use scene::Scene;

use crate::cells::Cells;
use crate::fonts::{Fonts, Smoothing};
use crate::glyphs::GlyphCache;
use crate::text::Text;

#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) fonts: Fonts,
    pub(crate) glyphs: GlyphCache,
    pub(crate) cells: Cells,
    pub(crate) text: Text,
    look: u64,
}

impl Contents {
    pub(crate) fn new(fonts: Fonts, glyphs: GlyphCache) -> Self {
        Self { fonts, glyphs, cells: Cells::default(), text: Text::default(), look: 0 }
    }

    /// Makes the instances of cells and text those of this scene.
    pub(crate) fn prepare(&mut self, scene: &Scene, smoothing: Smoothing) {
        let is_news = self.fonts.take_news(Duration::ZERO);
        if is_news || self.fonts.smoothing != smoothing {
            self.redraw_glyphs(smoothing);
        }
        let differs =
            self.cells.differ(scene, &self.glyphs) | self.text.differs(scene, &self.glyphs);
        if !differs {
            return;
        }
        // A frame that did not fit left glyphs out; give this one all the room there is.
        if self.glyphs.is_full() {
            self.glyphs.reset();
        }
        self.build(scene);
        let mut fresh = false;
        while self.glyphs.is_full() && (!fresh || self.glyphs.can_grow()) {
            self.glyphs.reset();
            self.build(scene);
            fresh = true;
        }
        self.fonts.look_for_missing();
    }

    /// Another number where the same scene looks different; `None` while glyphs are left out.
    pub(crate) fn look(&self) -> Option<u64> {
        (!self.glyphs.is_full()).then_some(self.look)
    }

    /// Waits for fonts that are being looked for, up to so long. Returns whether any were found.
    pub(crate) fn wait_for_fonts(&mut self, patience: Duration) -> bool {
        let is_news = self.fonts.is_awaiting_news() && self.fonts.take_news(patience);
        if is_news {
            self.redraw_glyphs(self.fonts.smoothing);
        }
        is_news
    }

    fn redraw_glyphs(&mut self, smoothing: Smoothing) {
        self.look += 1;
        self.fonts.smoothing = smoothing;
        self.glyphs.clear();
        self.text.forget();
    }

    fn build(&mut self, scene: &Scene) {
        let Self { fonts, glyphs, cells, text, look: _ } = self;
        cells.build(scene, glyphs, fonts);
        text.build(scene, glyphs, fonts);
    }
}
