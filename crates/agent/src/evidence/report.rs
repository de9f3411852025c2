//! What somebody who knows has said of a program.

use std::time::{Duration, Instant};

use crate::Reason;

/// A program may still draw for so long after its turn has ended. What goes on moving has not ended.
const LAST_FRAMES: Duration = Duration::from_millis(300);

/// A report and when it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub says: Reported,
    pub by: ReportedBy,
    pub text: Option<String>,
    pub at: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    Running,
    NeedsInput(Reason),
    Completed,
    Errored,
    /// What was reported before no longer holds.
    Cleared,
}

/// Who reports, and so how long it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedBy {
    /// Somebody who takes it back when it is over.
    Script,
    /// The agent itself, at some of its steps. It may leave out the step that would take it back.
    Hook,
}

/// The highest number that a report had, by who reports: each counts for themselves.
#[derive(Debug, Default)]
pub(crate) struct LastReport {
    script: Option<u64>,
    hook: Option<u64>,
}

impl LastReport {
    /// Whether a report is newer than those before, as far as it has a number.
    pub(crate) fn take(&mut self, by: ReportedBy, sequence: Option<u64>) -> bool {
        let last = match by {
            ReportedBy::Script => &mut self.script,
            ReportedBy::Hook => &mut self.hook,
        };
        let is_new = sequence.is_none() || sequence > *last;
        if is_new {
            *last = sequence.or(*last);
        }
        is_new
    }
}

impl Report {
    /// Other turns than the person's end as well, in the midst of it: that of a title being made up,
    /// or one that another hook tells to go on.
    pub(super) fn is_taken_back_by_motion(&self, now: Instant) -> bool {
        let is_hook = self.by == ReportedBy::Hook;
        is_hook && self.says == Reported::Completed && now > self.at + LAST_FRAMES
    }

    /// This one in place of that. Who asks or says the same again without words still means what
    /// was said in words before.
    pub(super) fn after(self, before: Option<Self>) -> Option<Self> {
        let asks = |report: &Self| matches!(report.says, Reported::NeedsInput(_));
        let is_reminder = |before: &Self| {
            self.text.is_none() && (before.says == self.says || asks(&self) && asks(before))
        };
        match before.filter(is_reminder) {
            _ if self.says == Reported::Cleared => None,
            Some(before) => Some(Self { says: before.says, text: before.text, ..self }),
            None => Some(self),
        }
    }
}
