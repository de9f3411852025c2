//! When output is looked at next.
//!
//! Output is served in slots: the first after a quiet spell immediately, then at most once per slot,
//! however much is printed. Where drawing is slow, as it is in software, a flood makes slots longer:
//! nobody can read its frames, and the time is better spent on getting to its end.

use std::time::{Duration, Instant};

/// The least time between two looks at output.
const SLOT: Duration = Duration::from_millis(16);
/// The most, so that a flood is still seen to move.
const LONGEST_SLOT: Duration = Duration::from_millis(64);
/// Bytes in one slot from which on it is a flood: several screens full.
const FLOOD: u64 = 128 * 1024;
/// Drawing gets one part in so many of the time of a flood.
const DRAWING_SHARE: u32 = 4;

#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Output is looked at no earlier than this.
    slot: Option<Instant>,
    /// What all programs had printed at the last look, in bytes.
    printed: u64,
    /// What the last frame took.
    drawing: Duration,
}

impl Pace {
    /// When the next slot begins; `None` before the first.
    pub(crate) fn slot(&self) -> Option<Instant> {
        self.slot
    }

    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.slot.is_none_or(|slot| slot <= now)
    }

    /// Output is looked at now. `printed` is what all programs have printed so far, in bytes.
    ///
    /// Returns whether this slot follows upon another.
    pub(crate) fn begin_slot(&mut self, printed: u64, now: Instant) -> bool {
        let follows = self.slot.is_some_and(|slot| now < slot + SLOT);
        let is_flood = follows && printed.saturating_sub(self.printed) >= FLOOD;
        let unhurried = (self.drawing * DRAWING_SHARE).clamp(SLOT, LONGEST_SLOT);
        self.printed = printed;
        self.slot = Some(now + if is_flood { unhurried } else { SLOT });
        follows
    }

    pub(crate) fn drawn_in(&mut self, time: Duration) {
        self.drawing = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at output every 20 ms, 100 KiB times `factor` having come each time and each frame having
    /// taken so long, and says how long the last slot is.
    #[track_caller]
    fn check(factor: u64, drawing_ms: u64, slot_ms: u64) {
        let start = crate::clock();
        let mut pace = Pace::default();
        let mut now = start;
        for look in 0..3 {
            now = start + Duration::from_millis(20) * look;
            pace.drawn_in(Duration::from_millis(drawing_ms));
            pace.begin_slot(u64::from(look) * factor * 100 * 1024, now);
        }
        let slot = pace.slot().map(|slot| slot - now);
        assert_eq!(slot, Some(Duration::from_millis(slot_ms)), "{factor} {drawing_ms}");
    }

    #[test]
    fn only_a_flood_that_is_slow_to_draw_makes_slots_longer() {
        check(1, 1, 16);
        check(1, 12, 16);
        check(3, 1, 16);
        check(3, 12, 48);
        check(3, 500, 64);
    }

    #[test]
    fn what_comes_after_a_quiet_spell_is_looked_at_at_once() {
        let start = crate::clock();
        let mut pace = Pace::default();
        assert!(pace.is_due(start), "the first");
        assert!(!pace.begin_slot(0, start), "nothing was before it");
        assert!(!pace.is_due(start + Duration::from_millis(15)), "once in a slot");
        let quiet = start + Duration::from_secs(1);
        assert!(pace.is_due(quiet), "later");
        pace.drawn_in(Duration::from_millis(12));
        let all_at_once = 10 * FLOOD;
        assert!(!pace.begin_slot(all_at_once, quiet), "it begins anew");
        assert_eq!(pace.slot(), Some(quiet + SLOT), "one burst is no flood yet");
    }
}
