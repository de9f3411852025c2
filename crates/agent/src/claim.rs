//! What one piece of evidence says, and how it is told to people.

use std::time::Instant;

use crate::Reason;

/// Where evidence comes from, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The program's own status reports (OSC 7501).
    Status,
    /// A hook or a script (`trackside report`).
    Report,
    Progress,
    Title,
    /// A notification or a bell.
    Notification,
    /// The person has just handed something in.
    Submitted,
    LineEditor,
    /// Somebody waits for a line to be typed.
    TerminalRead,
    /// A question that a rule knows.
    Screen,
    /// The kernel collects lines and nobody reads them, or a prompt was left and none has come.
    CommandRuns,
    Animation,
    Processes,
    /// What was known of it before we were started.
    Earlier,
    Output,
    Silence,
}

impl Source {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Report => "report",
            Self::Progress => "progress",
            Self::Title => "title",
            Self::Notification => "notification",
            Self::Submitted => "submitted",
            Self::LineEditor => "line_editor",
            Self::TerminalRead => "terminal_read",
            Self::Screen => "screen",
            Self::CommandRuns => "command_runs",
            Self::Animation => "animation",
            Self::Processes => "processes",
            Self::Earlier => "earlier",
            Self::Output => "output",
            Self::Silence => "silence",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    Working,
    Waiting(Reason),
}

/// What a source says of a program now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub source: Source,
    pub says: Says,
    /// Since when it says so.
    pub since: Instant,
    /// In the program's own words, where it has any.
    pub text: Option<String>,
    /// The rule by which it was read off a title or a screen.
    pub rule: Option<String>,
}

impl Claim {
    pub(crate) fn new(source: Source, says: Says, since: Instant) -> Self {
        Self { source, says, since, text: None, rule: None }
    }

    pub(crate) fn saying(self, text: Option<&str>) -> Self {
        Self { text: text.map(str::to_owned), ..self }
    }

    pub(crate) fn by(self, rule: Option<&str>) -> Self {
        Self { rule: rule.map(str::to_owned), ..self }
    }
}
