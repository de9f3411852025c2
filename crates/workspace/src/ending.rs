//! The time between the wish to end and the end: what is waited for is said, with what is left of
//! everybody's time.

use std::time::{Duration, Instant};

use crate::{Action, AppAction, Choice, Confirm, Overlay, State};

/// What ends sooner is not talked about.
const UNNOTICED: Duration = Duration::from_millis(700);
/// Names that are listed.
const MAX_NAMES: usize = 6;

/// Everything that is to end has been told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    began: Instant,
    grace: Duration,
    /// Whoever closes the countdown does not get it again.
    was_shown: bool,
}

impl Ending {
    pub(crate) fn new(grace: Duration, now: Instant) -> Self {
        Self { began: now, grace, was_shown: false }
    }

    /// Whole seconds that are left; the last one is counted until it is over.
    fn seconds_left(self, now: Instant) -> u64 {
        let left = (self.began + self.grace).saturating_duration_since(now);
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }

    /// When something else is to be said.
    pub(crate) fn due(self, now: Instant) -> Option<Instant> {
        let shown = self.began + UNNOTICED;
        if now < shown {
            return Some(shown);
        }
        let left = (self.began + self.grace).saturating_duration_since(now);
        let rest = Duration::from_nanos(u64::from(left.subsec_nanos()));
        let rest = if rest.is_zero() { Duration::from_secs(1) } else { rest };
        (!left.is_zero()).then(|| now + rest)
    }
}

impl State {
    /// When the countdown goes on.
    pub(crate) fn ending_due(&self) -> Option<Instant> {
        self.ending_due
    }

    /// Says what is waited for, and for how long it will be.
    pub(crate) fn settle_ending(&mut self, now: Instant) {
        let Some(mut ending) = self.ending else { return };
        if self.ending_due.is_some_and(|due| now < due) {
            return;
        }
        self.ending_due = ending.due(now);
        if now < ending.began + UNNOTICED {
            return;
        }
        let selected = match (ending.was_shown, &self.overlay) {
            (true, Some(Overlay::Confirm(confirm))) => confirm.selected,
            (true, _) => return,
            (false, _) => 0,
        };
        ending.was_shown = true;
        self.ending = Some(ending);
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question: "Waiting for programs to end".to_owned(),
            detail: format!("{} {}", self.who_is_left(), time_left(ending.seconds_left(now))),
            choices: vec![
                Choice { label: "Wait".to_owned(), action: None },
                Choice {
                    label: "Kill now".to_owned(),
                    action: Some(Action::App(AppAction::KillNow)),
                },
            ],
            preview: Vec::new(),
            selected,
        }));
    }

    fn who_is_left(&self) -> String {
        let agents = self.workspaces.iter().filter_map(|workspace| {
            let agent = workspace.agent.as_ref()?;
            (agent.is_alive() && agent.stop_requested())
                .then(|| format!("{} in {}", agent.name(), workspace.name()))
        });
        let mut names: Vec<String> = agents.collect();
        let n_more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        match (&names[..], n_more) {
            ([], _) => "What agents and terminals have started still runs.".to_owned(),
            (names, 0) => format!("Still running: {}.", names.join(", ")),
            (names, n) => format!("Still running: {} and {n} more.", names.join(", ")),
        }
    }
}

fn time_left(seconds: u64) -> String {
    match seconds {
        0 => "What is left is being killed.".to_owned(),
        1 => "What is left is killed in 1 second.".to_owned(),
        n => format!("What is left is killed in {n} seconds."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn each_second_is_counted_once_and_nothing_after_the_last() {
        let start = Instant::now();
        let ending = Ending::new(Duration::from_secs(3), start);
        let mut now = start;
        let mut said = Vec::new();
        while let Some(due) = ending.due(now) {
            assert!(due > now, "time goes on");
            now = due;
            said.push(ending.seconds_left(now));
        }
        assert_eq!(said, [3, 2, 1, 0], "from {UNNOTICED:?} on");
        assert_eq!(time_left(1), "What is left is killed in 1 second.");
    }
}
