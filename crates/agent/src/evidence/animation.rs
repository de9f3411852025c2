//! Something that moves on a screen as long as its program works.

use std::time::{Duration, Instant};

/// Steps after which an animation is known to be one.
const STEPS: u32 = 5;
/// The largest gap of an animation until one has been measured.
const FIRST_GAP: Duration = Duration::from_millis(250);
/// A pause that is too long to be a part of an animation.
const PAUSE: Duration = Duration::from_secs(4);

/// An animation of the present turn, which is its own clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Animation {
    pub(crate) last: Option<Instant>,
    pub(crate) largest_gap: Duration,
    steps: u32,
}

impl Animation {
    pub(super) const NONE: Self = Self { last: None, largest_gap: FIRST_GAP, steps: 0 };

    /// Whether there were enough steps to know that it is one.
    pub(crate) fn is_known(&self) -> bool {
        self.steps >= STEPS
    }

    pub(super) fn step(&mut self, now: Instant) {
        if let Some(last) = self.last {
            let gap = now.saturating_duration_since(last);
            if gap < PAUSE {
                // What was measured long ago counts less and less.
                self.largest_gap = self.largest_gap.mul_f32(0.98).max(gap);
            } else {
                // A minute that has passed, and another one: such steps do not add up.
                self.steps = 0;
            }
        }
        self.last = Some(now);
        self.steps = self.steps.saturating_add(1);
    }
}
