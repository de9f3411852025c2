//! What must be done outside of memory because of an action or a fact.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use buffer::DiskStamp;
use terminal::{GridSize, Paste, SearchQuery, TerminalBuffer};

use crate::{Action, BufferId, ProgramId, StartIn, WorkspaceId};

#[derive(Debug)]
pub enum Effect {
    /// Start the program and feed what it prints to `terminal`.
    Spawn {
        program: ProgramId,
        workspace: WorkspaceId,
        argv: Vec<String>,
        env: BTreeMap<String, String>,
        start_in: StartIn,
        terminal: TerminalBuffer,
    },
    /// End the program and all it started.
    Stop {
        program: ProgramId,
        grace: Duration,
    },
    WritePty {
        program: ProgramId,
        bytes: Vec<u8>,
    },
    /// Type a text of any length into the program.
    PastePty {
        program: ProgramId,
        paste: Paste,
    },
    ResizePty {
        program: ProgramId,
        size: GridSize,
    },
    /// The program was forgotten: let go of its threads and of what is left of its processes.
    Forget {
        program: ProgramId,
    },
    /// Wish for this as if from outside, with the checks made there.
    Act(Box<Action>),
    /// Look at the path a person typed, and open it as a folder or a file.
    OpenPath {
        path: String,
        relative_to: Option<PathBuf>,
    },
    LoadFile {
        buffer: BufferId,
        path: PathBuf,
    },
    SaveFile {
        buffer: BufferId,
        path: PathBuf,
        bytes: Vec<u8>,
        expected: Option<DiskStamp>,
        revision: u64,
        force: bool,
    },
    /// Look for text in all that a terminal has shown. Who asks again wants no answer to what was
    /// asked before.
    Search {
        search: u64,
        program: ProgramId,
        terminal: TerminalBuffer,
        query: SearchQuery,
    },
    /// Write all that a terminal has shown to a file.
    SaveOutput {
        program: ProgramId,
        path: PathBuf,
        relative_to: PathBuf,
        terminal: TerminalBuffer,
        replace: bool,
    },
    /// Hand an address to the desktop. It has been checked.
    OpenOutside(String),
    /// Open a file that a link in a terminal leads to, if it lies in a folder that is open.
    OpenLinkedFile {
        path: String,
        at: Option<(u32, u32)>,
        program: ProgramId,
        /// Where the program says that it is.
        told: Option<PathBuf>,
        root: PathBuf,
    },
    /// Find out which branch the folder is on.
    ReadBranch {
        workspace: WorkspaceId,
        root: PathBuf,
    },
    SetClipboard(String),
    /// What is pasted with the middle button.
    SetPrimary(String),
    /// Fetch the clipboard's text; it comes back as an insertion.
    Paste,
    PastePrimary,
    /// The person may be looking elsewhere: flash the window's entry in the task bar.
    Attention,
    ToggleFullscreen,
    /// Lose the graphics device on purpose, to see that drawing goes on.
    LoseDevice,
    /// Stop all agents and terminals, then end the program.
    Shutdown {
        grace: Duration,
    },
}
