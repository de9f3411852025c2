//! What becomes of an agent that crashes, where it is to be started again: not at once, and not for
//! ever.

use std::time::{Duration, Instant};

use agent::Exit;

/// How long it is waited before each time it is started again; there are no more times than these.
const PAUSES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(4), Duration::from_secs(16)];
/// Whoever has run for so long has got over what made it crash before.
const SETTLED: Duration = Duration::from_secs(10 * 60);

/// How often an agent is started again before it is given up.
pub const MAX_REVIVALS: usize = PAUSES.len();

const SIGINT: i32 = 2;

/// How an agent has fared since the person started it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Revival {
    launched: Option<Instant>,
    /// Times it was started again, the one that is due included.
    n_done: usize,
    due: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is started again once that is due.
    TryAgain,
    GiveUp,
}

impl Revival {
    /// The person starts it: whatever was before does not count.
    pub(crate) fn begun(now: Instant) -> Self {
        Self { launched: Some(now), ..Self::default() }
    }

    /// It is started again after a crash.
    pub(crate) fn launched(&mut self, now: Instant) {
        (self.launched, self.due) = (Some(now), None);
    }

    pub(crate) fn crashed(&mut self, now: Instant) -> Verdict {
        let ran_for = self.launched.map(|launched| now.saturating_duration_since(launched));
        if ran_for.is_some_and(|ran_for| ran_for >= SETTLED) {
            self.n_done = 0;
        }
        let pause = PAUSES.get(self.n_done);
        self.due = pause.map(|pause| now + *pause);
        if self.due.is_none() {
            return Verdict::GiveUp;
        }
        self.n_done += 1;
        Verdict::TryAgain
    }

    /// It is not to be started again.
    pub(crate) fn cancel(&mut self) {
        self.due = None;
    }

    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Which time it will be, while it waits for that.
    pub(crate) fn next(&self) -> Option<usize> {
        self.due.map(|_| self.n_done)
    }
}

/// Whether an agent ended as nobody wanted it to. Ctrl-c is somebody's wish.
pub(crate) fn is_crash(exit: Exit) -> bool {
    !exit.is_success() && exit.code() != Exit::Signal(SIGINT).code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
    fn epoch() -> Instant {
        Instant::now()
    }

    /// Runs for these seconds each, crashing in the end; how long it is waited after each.
    fn pauses(runs: &[u64]) -> Vec<Option<u64>> {
        let mut now = epoch();
        let mut revival = Revival::begun(now);
        let crash = |run: &u64| {
            now += Duration::from_secs(*run);
            let verdict = revival.crashed(now);
            let due = revival.due();
            assert_eq!(verdict == Verdict::GiveUp, due.is_none(), "{verdict:?}");
            now = due.unwrap_or(now);
            let pause = due.map(|_| PAUSES[revival.next().unwrap() - 1].as_secs());
            revival.launched(now);
            pause
        };
        runs.iter().map(crash).collect()
    }

    #[test]
    fn pauses_grow_and_the_fourth_crash_is_the_last() {
        assert_eq!(pauses(&[0, 0, 0, 0]), [Some(1), Some(4), Some(16), None]);
        assert_eq!(pauses(&[599, 599, 599, 599]), [Some(1), Some(4), Some(16), None]);
    }

    #[test]
    fn a_long_run_makes_up_for_crashes_before_it() {
        assert_eq!(pauses(&[0, 0, 0, 600, 0]), [Some(1), Some(4), Some(16), Some(1), Some(4)]);
    }

    #[test]
    fn only_a_failure_that_nobody_asked_for_is_a_crash() {
        let crashes = [Exit::Code(1), Exit::Code(127), Exit::Signal(9), Exit::Signal(11)];
        crashes.into_iter().for_each(|exit| assert!(is_crash(exit), "{exit}"));
        let wanted = [Exit::Code(0), Exit::Code(130), Exit::Signal(2)];
        wanted.into_iter().for_each(|exit| assert!(!is_crash(exit), "{exit}"));
    }
}
