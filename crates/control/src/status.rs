//! The answer to `status`: every workspace, its agent and its tabs.
//!
//! Names and order of the fields are a promise to scripts. Paths are text, with anything that is
//! not UTF-8 replaced, so that one odd file name cannot make the whole answer fail.

use serde::{Deserialize, Serialize};

/// Every word that `wait` takes: a status of the workspace or a state of its agent.
pub const WAIT_STATES: [&str; 9] = [
    "idle",
    "starting",
    "running",
    "needs_input",
    "stale",
    "completed",
    "errored",
    "exited",
    "stopped",
];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusReply {
    /// [`VERSION`](crate::VERSION).
    pub version: u32,
    pub workspaces: Vec<WorkspaceStatus>,
    /// What stands in the status bar until it is put right; absent where all is well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceStatus {
    pub id: u64,
    pub name: String,
    pub path: String,
    pub active: bool,
    pub status: StatusWord,
    pub branch: Option<String>,
    pub agent: Option<AgentStatus>,
    pub tabs: Vec<TabStatus>,
    pub active_tab: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentStatus {
    pub name: String,
    pub command: Vec<String>,
    pub pid: Option<u32>,
    pub state: StateWord,
    /// How long it has been in that state.
    pub since_ms: u64,
    pub reason: Option<ReasonStatus>,
    /// 128 plus the signal's number for a death by signal.
    pub exit_code: Option<i32>,
    /// Such as `SIGTERM`.
    pub signal: Option<String>,
    pub launches: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonStatus {
    pub kind: ReasonKind,
    /// What the agent asks, where that is known.
    pub text: Option<String>,
    /// What that is about, such as a command, where the screen shows it and the text may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabStatus {
    pub id: u64,
    pub kind: TabKind,
    /// Of files only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub title: String,
    /// Of files only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<bool>,
    /// Of agents only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    /// Which pane it is in, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<u64>,
    /// Of terminals only.
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalStatus>,
}

/// A terminal without an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalStatus {
    pub command: Vec<String>,
    pub pid: Option<u32>,
    /// What runs in it, apart from a shell at its prompt.
    pub running: Option<String>,
    pub exit_code: Option<i32>,
    pub signal: Option<String>,
    /// Why its program did not start.
    pub failure: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusWord {
    Idle,
    Running,
    NeedsInput,
    Stale,
    Completed,
    Errored,
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateWord {
    Starting,
    Running,
    NeedsInput,
    Stale,
    Exited,
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    Permission,
    Question,
    Confirmation,
    Password,
    FirstRun,
    Error,
    TurnDone,
    Silence,
    GaveUp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabKind {
    Agent,
    File,
    Terminal,
    Diff,
}

impl StatusWord {
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::NeedsInput => "needs_input",
            Self::Stale => "stale",
            Self::Completed => "completed",
            Self::Errored => "errored",
            Self::Stopped => "stopped",
        }
    }
}

impl ReasonKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Question => "question",
            Self::Confirmation => "confirmation",
            Self::Password => "password",
            Self::FirstRun => "first_run",
            Self::Error => "error",
            Self::TurnDone => "turn_done",
            Self::Silence => "silence",
            Self::GaveUp => "gave_up",
        }
    }
}

impl StateWord {
    pub fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::NeedsInput => "needs_input",
            Self::Stale => "stale",
            Self::Exited => "exited",
            Self::Stopped => "stopped",
        }
    }
}
