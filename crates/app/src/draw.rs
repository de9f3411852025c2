//! Frames and pictures: from the state to the renderer.

use std::time::Instant;

use anyhow::{Context as _, Result};
use render::{DrawOutcome, Image, SkipReason};

use crate::app::App;
use crate::clock;
use crate::graphics::Graphics;

impl App {
    pub(crate) fn take_graphics(&mut self, graphics: Graphics) {
        self.view.renderer = graphics.note();
        self.graphics = Some(graphics);
    }

    /// Cell sizes come from the fonts; the layout needs them before the first frame.
    pub(crate) fn measure_cells(&mut self) {
        if let Some(graphics) = &mut self.graphics {
            self.view.metrics = graphics.cell_metrics(self.state.font_size(), self.view.scale);
        }
    }

    /// Builds a frame and draws it, unless it would look like the last one.
    ///
    /// # Errors
    /// There is nothing left to draw with.
    pub(crate) fn draw(&mut self, now: Instant) -> Result<()> {
        let Some(mut graphics) = self.graphics.take() else { return Ok(()) };
        let differs = self.build_frame(&mut graphics, now);
        self.stats.frame_build.add(clock().saturating_duration_since(now));
        if self.redraw_anyway {
            graphics.forget_shown();
        }
        let outcome = match self.view.frame() {
            Some(frame) if differs || self.redraw_anyway => graphics.draw(&frame.scene),
            _ => Ok(DrawOutcome::Presented),
        };
        self.graphics = Some(graphics);
        let done = clock();
        match outcome? {
            DrawOutcome::Presented => {
                self.redraw_anyway = false;
                if differs {
                    self.pace.drawn_in(done.saturating_duration_since(now));
                    self.stats.presented(done);
                }
            }
            // What was not shown must be drawn once it can be; where nothing will tell when that
            // is, it is tried again.
            DrawOutcome::Skipped(SkipReason::Timeout) | DrawOutcome::Lost => {
                self.redraw_anyway = true;
                self.dirty = true;
            }
            DrawOutcome::Skipped(_) => self.redraw_anyway = true,
        }
        Ok(())
    }

    /// Draws this moment into a picture.
    ///
    /// # Errors
    /// There is nothing to draw with.
    pub(crate) fn picture(&mut self, now: Instant) -> Result<Image> {
        self.fit_panes(now);
        let mut graphics = self.graphics.take().context("there is nothing to draw with yet")?;
        self.build_frame(&mut graphics, now);
        let image = self.view.frame().map(|frame| graphics.picture(&frame.scene));
        self.graphics = Some(graphics);
        // The picture took the place of a frame that has not been shown.
        self.dirty = true;
        self.redraw_anyway = true;
        image.context("there is no frame yet")?
    }
}
