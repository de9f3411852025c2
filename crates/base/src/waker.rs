//! One bit and a nudge.
//!
//! A waker says *that* something changed, never *what*: data travels in channels or in shared
//! state. However often it is woken before somebody looks, the loop is nudged once.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A cheap, shareable handle by which any thread tells the loop to look.
#[derive(Clone)]
pub struct Waker(Arc<Inner>);

struct Inner {
    state: AtomicU8,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// Nobody has woken us; the next one to do so nudges.
const IDLE: u8 = 0;
/// Nobody has woken us, and nobody need nudge: we look by ourselves.
const HELD: u8 = 1;
const PENDING: u8 = 2;

impl Waker {
    /// `notify` is called once per spell of wake-ups, on the thread that woke first.
    pub fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner { state: AtomicU8::new(IDLE), notify: Box::new(notify) }))
    }

    pub fn wake(&self) {
        if self.0.state.swap(PENDING, Ordering::AcqRel) == IDLE {
            (self.0.notify)();
        }
    }

    /// Whether somebody woke us since the last [`Waker::take`]; leaves the bit as it is.
    pub fn is_pending(&self) -> bool {
        self.0.state.load(Ordering::Acquire) == PENDING
    }

    /// Promises to look before long: until then nobody is nudged. Taking ends it.
    pub fn hold(&self) {
        // Whoever woke us meanwhile has the same effect.
        let _woken = self.0.state.compare_exchange(IDLE, HELD, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Whether we have to look by ourselves, since nobody will nudge us.
    pub fn is_owed_a_look(&self) -> bool {
        self.0.state.load(Ordering::Acquire) != IDLE
    }

    /// Call before looking at what changed: a change made while looking then wakes again.
    pub fn take(&self) -> bool {
        self.0.state.swap(IDLE, Ordering::AcqRel) == PENDING
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waker").field(&self.0.state).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    fn counting() -> (Waker, Arc<AtomicU32>) {
        let nudges = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&nudges);
        let waker = Waker::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        (waker, nudges)
    }

    #[test]
    fn wake_ups_merge_until_taken() {
        let (waker, nudges) = counting();
        waker.wake();
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 1, "two wake-ups, one nudge");
        assert!(waker.take(), "the bit was set");
        assert!(!waker.take(), "taking clears it");
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 2, "after a look the next wake-up nudges");
    }

    #[test]
    fn who_looks_anyway_is_not_nudged() {
        let (waker, nudges) = counting();
        waker.hold();
        assert!(waker.is_owed_a_look() && !waker.is_pending(), "nothing has happened yet");
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 0, "not while it is held");
        assert!(waker.take(), "but it is known");
        waker.hold();
        assert!(!waker.take(), "nothing happened meanwhile");
        waker.wake();
        assert_eq!(nudges.load(Ordering::Relaxed), 1, "it is held no more");
    }
}
