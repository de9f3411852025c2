//! What has happened outside.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent::{AgentId, Exit, ProcessSample, Reported, ReportedBy};
use buffer::{DiskStamp, Document};
use config::Config;
use terminal::{BadPattern, SearchMatches, TerminalSignal};

use crate::{
    Availability, BufferId, KeptSession, KeptText, Launch, LeftBehind, LookReason, ProgramId,
    ProjectSettings, RailLook, Rejoined, Rooms, RunningProgram, TerminalId, TranscriptHit,
    WentDown, WorkspaceId,
};

/// Something that is kept for the next start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keeping {
    UnsavedText,
    Session,
    /// Programs that run: they end with us.
    Programs,
    /// What a program prints.
    Transcript(ProgramId),
}

/// What somebody else did to a file since it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    Changed,
    Deleted,
}

/// What becomes of a text that is pasted into a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasteNews {
    /// The program is slow to read it.
    Waits,
    Ended,
    /// The rest was dropped, because the program takes no such pastes any more.
    CutOff,
}

/// Why a file could not be read; a line for the person.
pub type FileReadError = String;

#[derive(Debug)]
pub enum Fact {
    Spawned {
        program: ProgramId,
        pid: u32,
        cwd: PathBuf,
        /// Another process holds its terminal: it can run on without us.
        outlives_us: bool,
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
    /// A program that has run on since an earlier run of ours is served again.
    Rejoined {
        program: ProgramId,
        rejoined: Rejoined,
    },
    /// The process that held the program's terminal was killed, and the program has lost it.
    HostLost {
        program: ProgramId,
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
    /// A part of what was looked for in all that agents have printed, or that this was all.
    TranscriptsFound {
        search: u64,
        hits: Vec<TranscriptHit>,
        is_all: bool,
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
    /// The folder that all worktrees of a workspace's repository share, where it is in one.
    RepositoryRead {
        workspace: WorkspaceId,
        repository: Option<PathBuf>,
    },
    /// How the person has left the rail in an earlier run.
    RailLookRead(RailLook),
    /// The terminal's program does not read: what was typed could not be queued.
    WriteRefused {
        program: ProgramId,
    },
    /// A paste is under way, or no longer.
    Paste {
        program: ProgramId,
        news: PasteNews,
    },
    ConfigRead(Box<Config>),
    ConfigRefused(String),
    /// A program's processes were looked at; `None` where it has none any more.
    Sampled {
        program: ProgramId,
        sample: Option<ProcessSample>,
    },
    /// Somebody who may says what an agent does.
    Reported {
        agent: AgentId,
        report: Reported,
        by: ReportedBy,
        text: Option<String>,
        /// Of two reports the one with the higher number counts.
        sequence: Option<u64>,
        /// What the agent calls its own session.
        session: Option<String>,
    },
    /// Which of the user's agents can be run.
    AgentsFound(BTreeMap<String, Availability>),
    /// A folder's own settings, and which of its agents can be run there.
    ProjectRead {
        workspace: WorkspaceId,
        project: ProjectSettings,
        availability: BTreeMap<String, Availability>,
    },
    /// A launch was refused because the folder's settings are not trusted.
    TrustWanted {
        workspace: WorkspaceId,
        launch: Launch,
    },
    /// The user's trust is remembered.
    FolderTrusted {
        workspace: WorkspaceId,
        launch: Launch,
    },
    /// What was started last in each folder, in earlier runs.
    ChoicesRead(BTreeMap<PathBuf, Launch>),
    PanesResized(Rooms),
    /// A program was told another size, perhaps because of others who show it.
    TerminalFitted {
        program: ProgramId,
    },
    /// Somebody else types into a program, or hands in what was typed.
    TypedElsewhere {
        program: ProgramId,
        submits: bool,
    },
    WindowFocused(bool),
    /// There is no window, and never will be.
    NoWindow,
    /// The person has clicked on a notification about it.
    NoticeOpened(WorkspaceId),
    /// The system's preference, where it tells.
    SystemTheme {
        dark: bool,
    },
    /// Whether the system asks that nothing moves, where it tells.
    SystemMotion {
        reduced: bool,
    },
    RecentFolders(Vec<PathBuf>),
    /// What was open when the program last ran, and text that was not saved then. Folders and files that
    /// are gone are not in it.
    SessionRead {
        session: KeptSession,
        texts: Vec<KeptText>,
        /// Programs that run on.
        running: Vec<RunningProgram>,
        down: WentDown,
    },
    /// Whether something can be kept for the next start: why not, or that it can again.
    Keeping(Keeping, Result<(), String>),
    /// All unsaved text is on the disk, as was asked for, or why it is not.
    UnsavedKept(Result<(), String>),
    /// All programs that nobody looks after any more.
    LeftBehind {
        programs: Vec<LeftBehind>,
        reason: LookReason,
    },
    /// Something a person should read once.
    Notice(String),
    /// A wish was refused.
    Refused(String),
    /// The system ends us: nothing new is begun.
    Terminating,
}
