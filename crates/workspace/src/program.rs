//! What runs in a terminal: an agent, or a program of the person's own.

use std::fmt;
use std::path::PathBuf;

use agent::{AgentHandle, AgentId};
use terminal::TerminalBuffer;

use crate::{PlainTerminal, TerminalId};

/// Names whatever runs in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramId {
    Agent(AgentId),
    Terminal(TerminalId),
}

/// A terminal that a tab shows, whoever runs in it.
#[derive(Debug, Clone, Copy)]
pub enum TerminalView<'a> {
    Agent(&'a AgentHandle),
    Plain(&'a PlainTerminal),
}

/// Where a program is to start: the first of these that is a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartIn {
    /// Named outright, or told by the terminal the person was in.
    pub directory: Option<PathBuf>,
    /// Where this program is now.
    pub like: Option<ProgramId>,
    pub or: PathBuf,
}

impl TerminalView<'_> {
    pub fn program(&self) -> ProgramId {
        match self {
            Self::Agent(agent) => ProgramId::Agent(agent.id()),
            Self::Plain(plain) => ProgramId::Terminal(plain.id()),
        }
    }

    pub fn is_alive(&self) -> bool {
        match self {
            Self::Agent(agent) => agent.is_alive(),
            Self::Plain(plain) => plain.is_alive(),
        }
    }

    /// Why nothing ever ran.
    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Agent(agent) => agent.failure(),
            Self::Plain(plain) => plain.failure(),
        }
    }
}

impl<'a> TerminalView<'a> {
    pub fn buffer(self) -> &'a TerminalBuffer {
        match self {
            Self::Agent(agent) => agent.terminal(),
            Self::Plain(plain) => plain.buffer(),
        }
    }
}

impl StartIn {
    pub(crate) fn root(root: PathBuf) -> Self {
        Self { directory: None, like: None, or: root }
    }
}

/// Short, as it is part of the names of threads.
impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(id) => id.fmt(f),
            Self::Terminal(id) => write!(f, "t{id}"),
        }
    }
}
