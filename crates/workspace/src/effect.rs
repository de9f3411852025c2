//! What must be done outside of memory because of an action or a fact.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agent::{AgentHandle, Expected, Timeouts};
use buffer::DiskStamp;
use terminal::{Paste, SearchQuery, TerminalBuffer};

use crate::{
    Action, AgentsThen, BufferId, Launch, NotifyEffect, ProgramId, RailLook, StartIn,
    TranscriptHit, WorkspaceId,
};

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
        /// Whether it is asked to report what it does, if it is an agent that can.
        hooks: bool,
    },
    /// Serve a program again that has run on since an earlier run of ours: what it has printed is fed to
    /// `terminal`, and `agent`, if it is one, told of it.
    Rejoin {
        program: ProgramId,
        key: u64,
        terminal: TerminalBuffer,
        agent: Option<Box<AgentHandle>>,
        /// When what the agent knows was so.
        as_of: Instant,
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
    /// Drop what is not typed yet of texts that are being pasted into the program.
    StopPastes {
        program: ProgramId,
    },
    /// Give the terminal the size that it wants, and tell its program if that still runs.
    Resize {
        program: ProgramId,
        terminal: TerminalBuffer,
    },
    /// Look at the processes of a program.
    Sample {
        program: ProgramId,
    },
    /// The program was forgotten: let go of its threads and of what is left of its processes.
    Forget {
        program: ProgramId,
    },
    /// Remember that the user trusts the folder's settings behind the fingerprint, then try the
    /// launch again.
    Trust {
        workspace: WorkspaceId,
        root: PathBuf,
        fingerprint: String,
        launch: Launch,
    },
    /// Remember across runs what was started in the folder.
    KeepChoice {
        root: PathBuf,
        launch: Launch,
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
    /// Write the last minutes of an agent to a new file, without names and secrets.
    SaveRecording {
        program: ProgramId,
        name: String,
        /// The state as it is now.
        shown: &'static str,
        timeouts: Timeouts,
        /// What would be right.
        expected: Option<Expected>,
        path: Option<PathBuf>,
    },
    /// Look through all that agents have printed; the folders are those whose names are known.
    SearchTranscripts {
        search: u64,
        query: String,
        folders: Vec<(PathBuf, String)>,
    },
    StopTranscriptSearch,
    /// Make a text of what a launch has printed, and open it at that line.
    ShowTranscript(TranscriptHit),
    /// Look for programs that a crash left behind, because somebody asks.
    LookForLeftBehind,
    /// End those of them whose records these are, and look again.
    EndLeftBehind {
        records: Vec<PathBuf>,
        grace: Duration,
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
    /// See to it that all unsaved text is kept on the disk, and say so.
    KeepUnsaved,
    /// The person does not want unsaved text any more.
    GiveUpUnsaved,
    /// Remember across runs how the rail looks.
    KeepRailLook(RailLook),
    SetClipboard(String),
    /// What is pasted with the middle button.
    SetPrimary(String),
    /// Fetch the clipboard's text; it comes back as an insertion.
    Paste,
    PastePrimary,
    /// The person may be looking elsewhere: flash the window's entry in the task bar.
    Attention,
    /// There is nothing more to look at.
    NoAttention,
    Notify(NotifyEffect),
    /// The person wants to work in the window.
    FocusWindow,
    ToggleFullscreen,
    /// Lose the graphics device on purpose, to see that drawing goes on.
    LoseDevice,
    /// Stop what cannot run on without us, or everything, then end the program.
    Shutdown {
        agents: AgentsThen,
        grace: Duration,
    },
    /// Kill what has been told to end and has not.
    KillAll,
}
