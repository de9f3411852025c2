//! What has happened outside.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent::Exit;
use buffer::{DiskStamp, Document};
use config::Config;
use terminal::{BadPattern, SearchMatches, TerminalSignal};

use crate::{BufferId, ProgramId, Rooms, TerminalId, WorkspaceId};

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
    Spawned {
        program: ProgramId,
        pid: u32,
        cwd: PathBuf,
    },
    /// Nothing was started; `code` is what a shell would give (126, 127).
    SpawnFailed {
        program: ProgramId,
        code: i32,
        message: String,
    },
    /// The program has ended; something that it started may still run.
    Exited {
        program: ProgramId,
        exit: Exit,
    },
    Signal {
        program: ProgramId,
        signal: TerminalSignal,
    },
    /// The program says where it is.
    Directory {
        program: ProgramId,
        path: PathBuf,
    },
    /// What runs in a plain terminal, apart from a shell at its prompt.
    Running {
        terminal: TerminalId,
        name: Option<String>,
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
    /// What came of a search.
    Searched {
        search: u64,
        result: Result<SearchMatches, BadPattern>,
    },
    /// The clipboard's image was kept; the text leads to it.
    ImagePasted {
        program: ProgramId,
        text: String,
    },
    /// A terminal's output is in that file now.
    OutputSaved {
        program: ProgramId,
        path: PathBuf,
    },
    /// There is such a file already, and nobody has said that it may be replaced.
    OutputExists {
        program: ProgramId,
        path: PathBuf,
    },
    BranchRead {
        workspace: WorkspaceId,
        branch: Option<String>,
    },
    /// The terminal's program does not read: what was typed could not be queued.
    WriteRefused {
        program: ProgramId,
    },
    ConfigRead(Box<Config>),
    ConfigRefused(String),
    /// Which of the configured agents are on the `PATH`.
    AgentsFound(BTreeMap<String, bool>),
    PanesResized(Rooms),
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
