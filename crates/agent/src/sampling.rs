//! When a program's processes are worth a look.
//!
//! Looking costs some reads in `/proc`, so it is done only while it can tell something: when the screen
//! has come to rest, soon and then ever more rarely, and at once when something was handed in.

use std::time::{Duration, Instant};

/// A screen that moves says enough.
const REST: Duration = Duration::from_millis(300);
const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(15);
/// Until then it is looked at often, since most questions are settled by then.
const OFTEN: Duration = Duration::from_secs(4);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampling {
    started: Instant,
    last: Option<Instant>,
    wanted: Option<Instant>,
}

impl Sampling {
    pub(crate) fn new(now: Instant) -> Self {
        Self { started: now, last: None, wanted: None }
    }

    pub(crate) fn want(&mut self, now: Instant) {
        self.wanted = Some(now);
    }

    pub(crate) fn sampled(&mut self, now: Instant) {
        self.last = Some(now);
        self.wanted = None;
    }

    /// A look that is due whatever the screen does.
    pub(crate) fn wanted(&self) -> Option<Instant> {
        self.wanted
    }

    /// When to look next, the last sign of work having been then.
    pub(crate) fn at(&self, last_sign: Instant) -> Option<Instant> {
        let rest = last_sign.max(self.started) + REST;
        let next = match self.last {
            Some(last) if last >= rest => {
                let resting = last.saturating_duration_since(rest);
                let gap = if resting < OFTEN { FIRST } else { (resting / 2).min(LONGEST) };
                last + gap
            }
            _ => rest,
        };
        Some(self.wanted.map_or(next, |wanted| wanted.min(next)))
    }
}
