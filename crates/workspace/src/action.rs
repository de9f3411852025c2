//! What someone wants: from keys, palette, mouse, command line or socket.

use std::path::PathBuf;
use std::sync::Arc;

use agent::Expected;
use buffer::{Extend, Motion, Position};
use terminal::{CellPoint, LinkTarget, MouseInput, Scroll, SelectionKind, Side};

use crate::{
    Axis, BufferId, Direction, KeyInput, PaneId, Preedit, ProgramId, SplitId, TabId, TerminalId,
    TileVerb, TranscriptHit, WorkspaceId,
};

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Workspace(WorkspaceAction),
    Tab(TabAction),
    Pane(PaneAction),
    File(FileAction),
    Edit(EditAction),
    Agent(AgentAction),
    /// The list of those that wait.
    Queue(QueueAction),
    /// The menu of a tile on the rail.
    Menu(MenuAction),
    /// In the terminal that has the focus.
    Terminal(TerminalAction),
    /// In the terminal that a pane shows, whatever has the focus.
    TerminalIn(PaneId, TerminalAction),
    Plain(PlainAction),
    /// The bar with which one finds text in a terminal.
    Find(FindAction),
    Output(OutputAction),
    Overlay(OverlayAction),
    View(ViewAction),
    App(AppAction),
    /// A key as pressed, repeated or released; the keymap and the focus decide what it means.
    Key(KeyInput),
    /// Text as typed or composed: goes where the focus is.
    Text(String),
    /// What an input method composes at the cursor from now on; `None` when nothing any more.
    Preedit(Option<Preedit>),
    /// Copy, cut and paste act where the focus is.
    Copy,
    Cut,
    Paste,
    /// What was selected last, anywhere, is pasted.
    PastePrimary,
    /// What the clipboard held.
    InsertPasted(String),
    ConfirmPaste(PasteAction),
    /// Follows a link as it was shown, whatever stands there by now.
    FollowLink {
        program: ProgramId,
        target: LinkTarget,
    },
    /// Something was selected in the focused terminal with the mouse.
    SelectionMade,
    /// Copies what the focused program wanted to copy while nobody looked.
    TakeCopy,
    /// Hold notifications back, or no longer.
    ToggleDnd,
    /// Opens the list that looks through what agents have printed.
    SearchTranscripts,
    /// Shows a line of it in its launch's text.
    ShowTranscript(TranscriptHit),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceAction {
    /// Open a folder that is known to exist, or go to it where it is open.
    Open(PathBuf),
    AskFolder,
    Activate(WorkspaceId),
    /// By place on the rail, from 1.
    ActivateNumber(usize),
    Next,
    Previous,
    /// Put the active workspace, or the one named, one place up on the rail; from the top of its group,
    /// the whole group.
    MoveUp(Option<WorkspaceId>),
    MoveDown(Option<WorkspaceId>),
    /// Put it before the tile at a place counted from 0.
    MoveTo {
        workspace: WorkspaceId,
        place: usize,
    },
    /// Close the active workspace, or the one named.
    Close(Option<WorkspaceId>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TabAction {
    Activate(TabId),
    /// By place in the tab bar, from 1.
    ActivateNumber(usize),
    Last,
    Next,
    Previous,
    /// Close the active tab, or the one named.
    Close(Option<TabId>),
    /// Close without saving or asking.
    Discard(TabId),
    /// Put the active tab into the next pane; the agent's stays where it is.
    MoveToNextPane,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaneAction {
    /// Halve the focused pane: a file is shown in both, beside a terminal comes a new one.
    Split(Axis),
    Focus(PaneId),
    FocusToward(Direction),
    /// Close the focused pane; its tabs go to the one beside it.
    Close,
    Grow,
    Shrink,
    /// Give the first part of a split so many thousandths.
    SetShare {
        split: SplitId,
        share: u16,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileAction {
    /// The path is absolute. `at`: line and column from 1.
    Open {
        path: PathBuf,
        at: Option<(u32, u32)>,
    },
    AskPath,
    Save,
    /// Save, and close the tab once that has worked.
    SaveAndClose(BufferId),
    /// Save the active file, or the one named, over what somebody else wrote meanwhile.
    Overwrite(Option<BufferId>),
    /// Take what is on disk, as one step that can be undone.
    Reload(Option<BufferId>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditAction {
    Insert(String),
    Newline,
    Indent,
    Backspace,
    Delete,
    BackspaceWord,
    DeleteWord,
    Move(Motion, Extend),
    Page { down: bool, extend: Extend },
    SelectAll,
    SelectWordAt(Position),
    SelectLineAt(Position),
    Undo,
    Redo,
}

/// What to start: a name from the configuration, or any command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    Named(String),
    Command(Vec<String>),
}

/// The workspace is the active one where none is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentAction {
    Ask,
    Start {
        workspace: Option<WorkspaceId>,
        launch: Launch,
    },
    /// Let the folder's settings decide what runs from now on, as they were shown, and start.
    TrustAndStart {
        workspace: WorkspaceId,
        fingerprint: String,
        launch: Launch,
    },
    Stop {
        workspace: Option<WorkspaceId>,
    },
    Restart {
        workspace: Option<WorkspaceId>,
    },
    /// Start it again so that it goes on with the session it was in.
    Resume {
        workspace: Option<WorkspaceId>,
    },
    Send {
        workspace: Option<WorkspaceId>,
        bytes: Vec<u8>,
    },
    NextThatNeedsInput,
    /// Ask what would be right, to save the last minutes of the agent with the answer.
    AskWhatIsWrong {
        workspace: Option<WorkspaceId>,
    },
    SaveRecording {
        workspace: Option<WorkspaceId>,
        /// What would be right.
        expected: Option<Expected>,
        /// Among the others where none is named.
        path: Option<PathBuf>,
    },
    /// Look for what a crash left behind, and ask whether to end it.
    AskAboutLeftBehind,
    /// End those, by their records.
    EndLeftBehind {
        records: Vec<PathBuf>,
    },
    /// Say no more of them.
    LeaveLeftBehind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueAction {
    Open,
    Select(WorkspaceId),
    /// Give one of the answers on show; the one behind the last is going there.
    Choose {
        workspace: WorkspaceId,
        choice: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuAction {
    Open {
        /// The active one where none is named.
        workspace: Option<WorkspaceId>,
        /// Where the mouse is, in logical pixels.
        at: Option<(u16, u16)>,
    },
    /// The mouse is on that entry now, or on none.
    Select(Option<TileVerb>),
    Run {
        workspace: WorkspaceId,
        verb: TileVerb,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum TerminalAction {
    Scroll(Scroll),
    Select {
        kind: SelectionKind,
        at: CellPoint,
        side: Side,
    },
    ExtendSelection {
        at: CellPoint,
        side: Side,
    },
    ClearSelection,
    Mouse(MouseInput),
    /// The wheel as arrow keys, for programs that scroll by those; positive is down.
    Arrows(i32),
    /// The nearest prompt above or below what is at the top of the view.
    PreviousPrompt,
    NextPrompt,
    /// Forgets all that is above the line of the cursor.
    Clear,
    /// Undoes whatever modes a program has left behind.
    Reset,
    /// Follows the link at a cell of the view.
    OpenLink(CellPoint),
}

/// Pasting what was asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasteAction {
    pub program: ProgramId,
    pub text: Arc<str>,
    pub ask_again: bool,
}

/// Matches are counted from the newest, so the next one is older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindAction {
    Open,
    Close,
    Next,
    Previous,
    ToggleRegex,
    ToggleCase,
    /// What is typed goes into the bar again.
    TakeKeys,
}

/// Saving all that a terminal has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputAction {
    AskPath,
    Save {
        /// The one that has the focus where none is named.
        program: Option<ProgramId>,
        path: PathBuf,
        /// Also over a file that is there already.
        replace: bool,
    },
}

/// About terminals without an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlainAction {
    /// Open one in the active workspace, or the one named: the person's shell, or a command.
    New {
        workspace: Option<WorkspaceId>,
        /// Known to exist; else where the focused terminal is, or the workspace's folder.
        cwd: Option<PathBuf>,
        command: Option<Vec<String>>,
    },
    /// Run the same again in one whose program has ended.
    Restart(TerminalId),
    Send {
        terminal: TerminalId,
        bytes: Vec<u8>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlayAction {
    Up,
    Down,
    Accept,
    /// Accept the row that was clicked.
    AcceptRow(usize),
    Cancel,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewAction {
    Palette,
    ToggleTheme,
    ToggleRail,
    ToggleGroups,
    /// The rail's edge is dragged to that place, in logical pixels.
    DragRail(u16),
    /// It is let go of.
    LetRailGo,
    /// Shows the rail from that many pixels on.
    ScrollRail(u16),
    HideRail,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    Fullscreen,
    /// Loses the graphics device on purpose.
    LoseDevice,
    /// Scrolls a file's view without moving the cursor; positive is down.
    ScrollFile {
        /// The active one where none is named.
        buffer: Option<BufferId>,
        lines: i32,
        columns: i32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppAction {
    /// Ends the program, and what cannot run on without it; asks first if that is anything, or if text
    /// is unsaved.
    Quit,
    /// Stops all agents and ends; asks first.
    QuitAndStop,
    /// Ends without a question.
    Leave(Leaving),
    /// Waits no longer for what is to end.
    KillNow,
}

/// What becomes of what is open when the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    pub unsaved: UnsavedThen,
    pub agents: AgentsThen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsavedThen {
    /// As long as text is unsaved nothing ends.
    Refuse,
    /// It comes back at the next start.
    Keep,
    Discard,
}

/// What becomes of agents, and of what runs in terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentsThen {
    /// Whatever can runs on.
    GoOn,
    Stop,
}
