//! What is being written to one of those that wait, and the wait that it is meant for.

use std::time::Instant;

use agent::{AgentHandle, Dialog, Reason};

use super::{READ_TIME, SURPRISE_TIME, waits_since};
use crate::TextInput;

/// Whether text may be sent to who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    Offered,
    /// Why not, where nothing else is offered either.
    Refused(&'static str),
    /// There are answers to choose from.
    Needless,
}

/// One wait of an agent. It is another one as soon as the agent has worked, or asks something else.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wait {
    pub(crate) since: Instant,
    reason: Reason,
    dialog: Option<Dialog>,
}

/// A text for one of those that wait; it is kept until it is sent, or the list is closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub(crate) input: TextInput,
    /// What it is an answer to.
    pub(crate) wait: Wait,
    /// From when on that counts as read.
    pub(crate) read_at: Instant,
    /// Why it was not sent.
    pub(crate) note: Option<String>,
}

impl Reply {
    /// Only behind a prompt and to an open question: wherever a menu may be, Enter would choose from it.
    pub(crate) fn to(reason: Reason, dialog: Option<&Dialog>) -> Self {
        let asked = dialog.map(|dialog| &dialog.question);
        let is_secret = |it: Reason| it == Reason::Password;
        if is_secret(reason) || asked.is_some_and(|question| is_secret(question.reason)) {
            return Self::Refused("A password is typed in its own terminal, never here.");
        }
        if dialog.is_some_and(|dialog| !dialog.answers.is_empty()) {
            return Self::Needless;
        }
        let is_menu = asked.is_some_and(|question| question.is_menu);
        match reason {
            Reason::TurnDone | Reason::Error if !is_menu => Self::Offered,
            Reason::Question if asked.is_some() && !is_menu => Self::Offered,
            Reason::Silence => Self::Refused("What it waits for is not known; open it to see."),
            Reason::TurnDone
            | Reason::Error
            | Reason::Question
            | Reason::Permission
            | Reason::Confirmation
            | Reason::Password
            | Reason::FirstRun
            | Reason::GaveUp => {
                Self::Refused("What it offers cannot be read for certain; open it to answer.")
            }
        }
    }
}

impl Wait {
    pub(crate) fn of(agent: &AgentHandle) -> Option<Self> {
        let reason = agent.reason()?;
        Some(Self { since: waits_since(agent), reason, dialog: agent.dialog() })
    }

    pub(crate) fn reply(&self) -> Reply {
        Reply::to(self.reason, self.dialog.as_ref())
    }

    /// Whether what was written may still be handed in: the agent has waited ever since, and no menu and
    /// no question for a password has come.
    pub(crate) fn still_takes(&self, now: &Self) -> bool {
        let asked = now.dialog.as_ref().map(|dialog| &dialog.question);
        let is_other = |it: &agent::Question| it.is_menu || it.reason == Reason::Password;
        let is_new = self.dialog != now.dialog && asked.is_some_and(is_other);
        self.since == now.since && now.reason != Reason::Password && !is_new
    }
}

impl Draft {
    pub(crate) fn new(wait: Wait, now: Instant) -> Self {
        Self { input: TextInput::default(), wait, read_at: now + READ_TIME, note: None }
    }

    pub fn input(&self) -> &TextInput {
        &self.input
    }

    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Takes in text that came as a whole, unless that has several lines: there is room for one.
    pub(crate) fn insert(&mut self, text: &str) {
        let line = text.trim_end_matches(['\r', '\n']);
        self.note = line.contains(['\r', '\n']).then(|| {
            "That text has several lines; paste it into the agent's own terminal.".to_owned()
        });
        if self.note.is_none() {
            self.input.insert(line);
        }
    }

    /// The agent does not wait as it did: says so, and if it takes text now, what was written is meant
    /// for that from now on.
    pub(crate) fn meet(&mut self, wait: Option<Wait>, now: Instant) {
        self.note = Some(match wait.as_ref().map(Wait::reply) {
            None => "It does not wait any more. Your text is kept.".to_owned(),
            Some(Reply::Refused(why)) => format!("{why} Your text is kept."),
            Some(Reply::Needless) => "It offers answers now. Your text is kept.".to_owned(),
            Some(Reply::Offered) => {
                "It waits for something else now. Look at it, then press Enter again.".to_owned()
            }
        });
        if let Some(wait) = wait.filter(|wait| wait.reply() == Reply::Offered) {
            (self.wait, self.read_at) = (wait, now + SURPRISE_TIME);
        }
    }
}
