//! What a recording says of itself, and words for what is in it.

use std::time::Duration;

use agent::{Expected, Reason, Reported, Timeouts};
use serde_json::{Value, json};
use terminal::GridSize;

/// What is known of a recording beside what happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Of the screen at the beginning.
    pub size: Option<GridSize>,
    /// What the agent is called.
    pub agent: Option<String>,
    pub timeouts: Option<Timeouts>,
    /// When it was saved, since the beginning.
    pub saved_at: Option<Duration>,
    /// The state that was shown then.
    pub shown: Option<String>,
    /// The state that would have been right then.
    pub expected: Option<Expected>,
}

impl About {
    /// Takes what a line tells, if it is one of those that do.
    pub(super) fn take(&mut self, at: f64, value: &Value) {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        match value["ev"].as_str() {
            Some("about") => {
                (self.size, self.agent) = (super::size(value), text("agent"));
                let seconds = |index: usize| {
                    Duration::try_from_secs_f64(value["timeouts"][index].as_f64()?).ok()
                };
                let timeouts = seconds(0).zip(seconds(1));
                self.timeouts =
                    timeouts.map(|(needs_input, stale)| Timeouts { needs_input, stale });
            }
            Some("saved") => {
                self.saved_at = Some(Duration::from_secs_f64(at.clamp(0.0, 1e9)));
                self.shown = text("shown");
                self.expected = value["expected"].as_str().and_then(Expected::parse);
            }
            Some(_) | None => {}
        }
    }

    /// The first line of a file.
    pub(crate) fn first_line(&self) -> Value {
        let mut line = json!({ "t": 0.0, "dir": "ev", "ev": "about" });
        if let Some(size) = self.size {
            line["size"] = json!([size.columns, size.rows]);
        }
        if let Some(agent) = &self.agent {
            line["agent"] = agent.as_str().into();
        }
        if let Some(Timeouts { needs_input, stale }) = self.timeouts {
            line["timeouts"] = json!([needs_input.as_secs_f64(), stale.as_secs_f64()]);
        }
        line
    }

    /// The last line, if it was ever saved.
    pub(crate) fn last_line(&self) -> Option<Value> {
        let at = crate::seconds(self.saved_at?);
        let mut line = json!({ "t": at, "dir": "ev", "ev": "saved" });
        if let Some(shown) = &self.shown {
            line["shown"] = shown.as_str().into();
        }
        if let Some(expected) = self.expected {
            line["expected"] = expected.name().into();
        }
        Some(line)
    }
}

const REASONS: [Reason; 9] = [
    Reason::Permission,
    Reason::Question,
    Reason::Confirmation,
    Reason::Password,
    Reason::FirstRun,
    Reason::Error,
    Reason::TurnDone,
    Reason::Silence,
    Reason::GaveUp,
];

pub(super) fn reported(value: &Value) -> Option<Reported> {
    let reason = || {
        let word = value["reason"].as_str();
        REASONS.into_iter().find(|reason| Some(reason.name()) == word).unwrap_or(Reason::Question)
    };
    match value["says"].as_str()? {
        "running" => Some(Reported::Running),
        "needs_input" => Some(Reported::NeedsInput(reason())),
        "completed" => Some(Reported::Completed),
        "errored" => Some(Reported::Errored),
        "cleared" => Some(Reported::Cleared),
        _ => None,
    }
}

/// What a line about a report says, and why.
pub(crate) fn report_words(says: Reported) -> (&'static str, Option<&'static str>) {
    match says {
        Reported::Running => ("running", None),
        Reported::NeedsInput(reason) => ("needs_input", Some(reason.name())),
        Reported::Completed => ("completed", None),
        Reported::Errored => ("errored", None),
        Reported::Cleared => ("cleared", None),
    }
}
