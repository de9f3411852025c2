//! The whole application state and its doors.
//!
//! Wishes come in as [`Action`]s through [`State::update`], news as [`Fact`]s through
//! [`State::observe`], and what must happen outside goes out as [`Effect`]s. Both doors are pure
//! functions of memory: no clock (`now` is an argument), no file, no process, no window.
//!
//! Invariants:
//! - The agent's tab, if there is one, is always the first of its pane.
//! - [`WorkspaceStatus`] is derived from the agent when asked for and stored nowhere.
//! - Looking up an id that is gone is a normal case: things vanish between event and handler.

mod action;
mod answering;
mod args;
mod attention;
mod background;
mod docs;
mod effect;
mod ending;
mod error;
mod fact;
mod file;
mod find;
mod focus;
mod held_keys;
mod id;
mod kept;
mod keymap;
mod left_behind;
mod link;
mod lookup;
mod notify;
mod observe;
mod outliving;
mod overlay;
mod pane_tree;
mod plain;
mod preedit;
mod program;
mod project;
mod queue;
mod rail;
mod restore;
mod revival;
mod room;
mod rules;
mod state;
mod status;
mod table;
mod text_input;
mod tile_menu;
mod transcripts;
mod update;
mod workspace;

pub use action::{
    Action, AgentAction, AgentsThen, AppAction, EditAction, FileAction, FindAction, Launch,
    Leaving, MenuAction, OutputAction, OverlayAction, PaneAction, PasteAction, PlainAction,
    QueueAction, TabAction, TerminalAction, UnsavedThen, ViewAction, WorkspaceAction,
};
pub use args::{Arg, Args, ArgsError};
pub use attention::Badge;
pub use background::Background;
pub use docs::actions_page;
pub use effect::Effect;
pub use error::ActionError;
pub use fact::{Conflict, Fact, FileReadError, Keeping, PasteNews};
pub use file::{LoadState, OpenFile};
pub use find::{Find, FindOutcome};
pub use id::{BufferId, PaneId, SplitId, TabId, TerminalId, WorkspaceId};
pub use kept::{
    KeptAgent, KeptDoing, KeptEnd, KeptPanes, KeptSession, KeptTab, KeptText, KeptView,
    KeptWorkspace, Outside,
};
pub use keymap::{Binding, Chord, Context, KeyInput, Keymap, Sequence, default_bindings};
pub use left_behind::{LeftBehind, LookReason};
pub use link::{Destination, LinkRefusal, link_words};
pub use notify::{Notice, NotifyEffect, Waiting};
pub use outliving::{Rejoined, RunningKind, RunningProgram};
pub use overlay::{Choice, Confirm, Overlay, PickItem, Picker, PickerKind, Prompt, PromptKind};
pub use pane_tree::{Axis, Direction, PaneNode, PaneTree, Split, TabGroup, WHOLE};
pub use plain::{PlainKind, PlainTerminal};
pub use preedit::Preedit;
pub use program::{ProgramId, StartIn, TerminalView};
pub use project::{Availability, KnownAgent, ProjectSettings, TrustLevel};
pub use queue::{Card, CardChoice, Draft, Queue, Reply};
pub use rail::{Landing, RailGroup, RailLook};
pub use restore::WentDown;
pub use revival::MAX_REVIVALS;
pub use room::{Pane, Rooms};
pub use state::{MAX_TERMINALS, State, Theme, Toast, ToastKind};
pub use status::WorkspaceStatus;
pub use table::{ACTIONS, ActionSpec, find_action};
pub use text_input::TextInput;
pub use tile_menu::{MenuEntry, TileMenu, TileVerb};
pub use transcripts::TranscriptHit;
pub use workspace::{Tab, TabContent, Workspace};

/// Columns from one tab stop to the next in files.
pub const TAB_WIDTH: usize = 4;

#[cfg(test)]
mod tests;
