//! Asking agents to tell us what they do, for one launch and by its arguments alone.
//!
//! [`arguments`] says what to add to a launch so that the agent calls `trackside report --hook` at its
//! steps; [`event()`] says what such a call means. Nothing is written anywhere, and an agent that cannot
//! be asked without taking something from its user is not asked. Text in, text out: who starts
//! programs and reads files is elsewhere.

mod event;
mod launch;
mod own;
mod quote;

pub use event::{Asks, Event, MAX_PAYLOAD, event, is_session_id, session_id};
pub use launch::{Reporter, arguments};
pub use own::{OwnSettings, Place};

/// An agent that takes hooks at launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    Claude,
    Codex,
    Aider,
}

impl Agent {
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Aider];

    /// The name of its program, and its word on our command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Aider => "aider",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// The agent that a program is, by the last part of its path.
    pub fn of_program(program: &str) -> Option<Self> {
        Self::named(program.rsplit('/').next().unwrap_or(program))
    }
}
