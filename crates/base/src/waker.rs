//! One bit and a nudge.
//!
//! A waker says *that* something changed, never *what*: data travels in channels or in shared
//! state. However often it is woken before somebody looks, the loop is nudged once.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cheap, shareable handle by which any thread tells the loop to look.
#[derive(Clone)]
pub struct Waker(Arc<Inner>);

struct Inner {
    pending: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

impl Waker {
    /// `notify` is called once per spell of wake-ups, on the thread that woke first.
    pub fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner { pending: AtomicBool::new(false), notify: Box::new(notify) }))
    }

    pub fn wake(&self) {
        if !self.0.pending.swap(true, Ordering::AcqRel) {
            (self.0.notify)();
        }
    }

    /// Whether somebody woke us since the last [`Waker::take`]; leaves the bit as it is.
    pub fn is_pending(&self) -> bool {
        self.0.pending.load(Ordering::Acquire)
    }

    /// Call before looking at what changed: a change made while looking then wakes again.
    pub fn take(&self) -> bool {
        self.0.pending.swap(false, Ordering::AcqRel)
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waker").field(&self.0.pending).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn wake_ups_merge_until_taken() {
        let nudges = Arc::new(AtomicU32::new(0));
        let waker = {
            let nudges = Arc::clone(&nudges);
            Waker::new(move || {
                nudges.fetch_add(1, Ordering::Relaxed);
            })
        };
        waker.wake();
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 1, "two wake-ups, one nudge");
        assert!(waker.take(), "the bit was set");
        assert!(!waker.take(), "taking clears it");
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 2, "after a look the next wake-up nudges");
    }
}
