//! A line that is being edited, as far as a terminal is told.

use std::time::Instant;

/// Whether a line is being edited, told by the wish to have pastes bracketed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineEditor {
    is_on: bool,
    /// When it was first switched on, if never off since.
    pub(crate) first: Option<Instant>,
    was_off: bool,
    /// Since when it is on again, after a command.
    pub(crate) back: Option<Instant>,
}

impl LineEditor {
    pub(super) fn switch(&mut self, is_on: bool, now: Instant) {
        if !is_on {
            self.was_off = true;
            (self.back, self.first) = (None, None);
        } else if self.was_off || self.is_on {
            // What was switched off and on again at once is told as switched on only.
            self.back = Some(now);
        } else {
            self.first = Some(now);
        }
        self.is_on = is_on;
    }
}
