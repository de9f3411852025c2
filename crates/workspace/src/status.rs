//! What the rail shows of a workspace, derived from its agent.

use agent::{AgentHandle, AgentState};

/// The state of a workspace at a glance, most urgent first: sorting by it is the attention queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkspaceStatus {
    NeedsInput,
    Stale,
    Errored,
    Completed,
    Stopped,
    Running,
    /// No agent.
    Idle,
}

impl WorkspaceStatus {
    pub fn of(agent: &AgentHandle) -> Self {
        match agent.state() {
            AgentState::Starting | AgentState::Running => Self::Running,
            AgentState::NeedsInput { .. } => Self::NeedsInput,
            AgentState::Stale { .. } => Self::Stale,
            AgentState::Stopped => Self::Stopped,
            AgentState::Exited { .. } if agent.was_stopped() => Self::Stopped,
            AgentState::Exited { exit } if exit.is_success() => Self::Completed,
            AgentState::Exited { .. } => Self::Errored,
        }
    }

    /// The word used on the command line and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::NeedsInput => "needs_input",
            Self::Stale => "stale",
            Self::Errored => "errored",
            Self::Completed => "completed",
            Self::Stopped => "stopped",
            Self::Running => "running",
            Self::Idle => "idle",
        }
    }

    /// Whether the person is asked to do something now.
    pub fn needs_the_user(self) -> bool {
        matches!(self, Self::NeedsInput | Self::Stale)
    }
}
