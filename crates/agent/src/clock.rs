//! The present, for decisions that depend on how long ago something was.
//!
//! Every question about time is asked here, so that the next moment at which an answer changes is known
//! without saying so twice.

use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Clock {
    now: Instant,
    next: Option<Instant>,
}

impl Clock {
    pub(crate) fn new(now: Instant) -> Self {
        Self { now, next: None }
    }

    /// Whether `span` has passed since then. A moment beyond all time never comes.
    pub(crate) fn passed(&mut self, since: Instant, span: Duration) -> bool {
        let Some(at) = since.checked_add(span) else { return false };
        if at <= self.now {
            return true;
        }
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
        false
    }

    /// Whether `span` has not passed since then.
    pub(crate) fn within(&mut self, since: Instant, span: Duration) -> bool {
        !self.passed(since, span)
    }

    /// The first moment at which one of the answers given will be another.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.next
    }
}
