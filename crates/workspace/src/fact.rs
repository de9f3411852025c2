//! What has happened outside.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent::{AgentId, Exit};
use buffer::{DiskStamp, Document};
use config::Config;
use terminal::TerminalSignal;

use crate::{BufferId, Pane, WorkspaceId};

/// What somebody else did to a file since it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    Changed,
    Deleted,
}

/// Why a file could not be read; a line for the person.
pub type FileReadError = String;

#[derive(Debug)]
pub enum Fact {
    AgentSpawned {
        agent: AgentId,
        pid: u32,
    },
    /// Nothing was started; `code` is what a shell would give (126, 127).
    AgentSpawnFailed {
        agent: AgentId,
        code: i32,
        message: String,
    },
    AgentExited {
        agent: AgentId,
        exit: Exit,
    },
    Signal {
        agent: AgentId,
        signal: TerminalSignal,
    },
    /// Some terminal may have new output.
    Output,
    /// Time has passed.
    Deadline,
    FileRead {
        buffer: BufferId,
        result: Result<(Document, Option<DiskStamp>), FileReadError>,
    },
    FileSaved {
        buffer: BufferId,
        revision: u64,
        stamp: DiskStamp,
    },
    /// The text is still only here.
    SaveFailed {
        buffer: BufferId,
        message: String,
        conflict: Option<Conflict>,
    },
    BranchRead {
        workspace: WorkspaceId,
        branch: Option<String>,
    },
    /// The terminal's program does not read: what was typed could not be queued.
    WriteRefused {
        agent: AgentId,
    },
    ConfigRead(Box<Config>),
    ConfigRefused(String),
    /// Which of the configured agents are on the `PATH`.
    AgentsFound(BTreeMap<String, bool>),
    PaneResized(Pane),
    WindowFocused(bool),
    /// The system's preference, where it tells.
    SystemTheme {
        dark: bool,
    },
    RecentFolders(Vec<PathBuf>),
    /// Something a person should read once.
    Notice(String),
    /// A wish was refused.
    Refused(String),
    /// The system ends us: nothing new is begun.
    Terminating,
}
