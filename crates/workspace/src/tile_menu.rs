//! The menu of a tile: what can be done with its workspace without going there.
//!
//! Its entries are worked out from the workspace whenever they are asked for, so they change with its
//! agent while the menu is open. One is named by what it does and not by its place: what comes in the
//! place of another is never taken for it.

use agent::AgentHandle;

use crate::{
    Action, ActionError, AgentAction, Overlay, PlainAction, State, Workspace, WorkspaceAction,
    WorkspaceId,
};

/// What a menu may offer, in the order in which it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TileVerb {
    StopAgent,
    RestartAgent,
    StartAgent,
    SayItIsWrong,
    NewTerminal,
    MoveUp,
    MoveDown,
    Close,
}

/// The open menu of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileMenu {
    pub(crate) workspace: WorkspaceId,
    pub(crate) at: Option<(u16, u16)>,
    /// May be offered no longer.
    pub(crate) selected: Option<TileVerb>,
}

/// One row of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuEntry {
    pub verb: TileVerb,
    /// The keys that do the same. Only the workspace on show has any.
    pub keys: Option<String>,
    /// Why it cannot be done now.
    pub refusal: Option<String>,
}

/// Entries about the same stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Programs,
    Place,
    Folder,
}

/// What a workspace cannot be closed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hindrance {
    Agent,
    Program(String),
    Unsaved(String),
}

impl TileVerb {
    const ALL: [Self; 8] = [
        Self::StopAgent,
        Self::RestartAgent,
        Self::StartAgent,
        Self::SayItIsWrong,
        Self::NewTerminal,
        Self::MoveUp,
        Self::MoveDown,
        Self::Close,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::StopAgent => "Stop agent",
            Self::RestartAgent => "Restart agent",
            Self::StartAgent => "Start agent…",
            Self::SayItIsWrong => "This is wrong…",
            Self::NewTerminal => "New terminal",
            Self::MoveUp => "Move up",
            Self::MoveDown => "Move down",
            Self::Close => "Close workspace",
        }
    }

    /// Whether a line parts it from the entry above it.
    pub fn is_apart_from(self, above: Self) -> bool {
        self.part() != above.part()
    }

    fn part(self) -> Part {
        match self {
            Self::StopAgent
            | Self::RestartAgent
            | Self::StartAgent
            | Self::SayItIsWrong
            | Self::NewTerminal => Part::Programs,
            Self::MoveUp | Self::MoveDown => Part::Place,
            Self::Close => Part::Folder,
        }
    }

    /// The name of the action that does the same with the workspace on show.
    fn action_name(self) -> &'static str {
        match self {
            Self::StopAgent => "agent.stop",
            Self::RestartAgent => "agent.restart",
            Self::StartAgent => "agent.start",
            Self::SayItIsWrong => "agent.this_is_wrong",
            Self::NewTerminal => "terminal.new",
            Self::MoveUp => "workspace.move_up",
            Self::MoveDown => "workspace.move_down",
            Self::Close => "workspace.close",
        }
    }

    /// What it comes to, one after the other.
    pub(crate) fn actions(self, id: WorkspaceId) -> Vec<Action> {
        let workspace = Some(id);
        let action = match self {
            Self::StopAgent => Action::Agent(AgentAction::Stop { workspace }),
            Self::RestartAgent => Action::Agent(AgentAction::Restart { workspace }),
            // Which one is asked where it will be on show.
            Self::StartAgent => {
                let go = Action::Workspace(WorkspaceAction::Activate(id));
                return vec![go, Action::Agent(AgentAction::Ask)];
            }
            Self::SayItIsWrong => Action::Agent(AgentAction::AskWhatIsWrong { workspace }),
            Self::NewTerminal => {
                Action::Plain(PlainAction::New { workspace, cwd: None, command: None })
            }
            Self::MoveUp => Action::Workspace(WorkspaceAction::MoveUp(workspace)),
            Self::MoveDown => Action::Workspace(WorkspaceAction::MoveDown(workspace)),
            Self::Close => Action::Workspace(WorkspaceAction::Close(workspace)),
        };
        vec![action]
    }
}

impl TileMenu {
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }

    /// Where the mouse opened it, in logical pixels; without one it belongs beside its tile.
    pub fn at(&self) -> Option<(u16, u16)> {
        self.at
    }

    pub fn selected(&self) -> Option<TileVerb> {
        self.selected
    }
}

impl MenuEntry {
    pub fn is_available(&self) -> bool {
        self.refusal.is_none()
    }
}

impl State {
    /// The menu that is open.
    pub fn tile_menu(&self) -> Option<&TileMenu> {
        match self.overlay() {
            Some(Overlay::Menu(menu)) => Some(menu),
            Some(
                Overlay::Picker(_) | Overlay::Prompt(_) | Overlay::Confirm(_) | Overlay::Queue(_),
            )
            | None => None,
        }
    }

    /// What can be done with the workspace now, and what only could be.
    pub fn menu_entries(&self, id: WorkspaceId) -> Vec<MenuEntry> {
        let Some(workspace) = self.workspace(id) else { return Vec::new() };
        let is_shown = self.active == Some(id);
        let offered = TileVerb::ALL.into_iter().filter(|verb| self.offers(workspace, *verb));
        let entry = |verb: TileVerb| MenuEntry {
            verb,
            // Those keys act on what is on show.
            keys: self.keymap.keys_of(verb.action_name()).filter(|_| is_shown),
            refusal: self.refusal_of(workspace, verb),
        };
        offered.map(entry).collect()
    }

    /// Whether it makes any sense there.
    fn offers(&self, workspace: &Workspace, verb: TileVerb) -> bool {
        let is_alive = workspace.has_live_agent();
        match verb {
            TileVerb::StopAgent => is_alive || workspace.next_revival().is_some(),
            TileVerb::RestartAgent => workspace.agent.is_some() && !is_alive,
            TileVerb::StartAgent => !is_alive,
            TileVerb::SayItIsWrong => workspace.agent.is_some(),
            TileVerb::NewTerminal | TileVerb::Close => true,
            TileVerb::MoveUp => self.landing_above(workspace.id).is_some(),
            TileVerb::MoveDown => self.landing_below(workspace.id).is_some(),
        }
    }

    fn refusal_of(&self, workspace: &Workspace, verb: TileVerb) -> Option<String> {
        match verb {
            TileVerb::StopAgent => {
                let is_stopping = workspace.agent.as_ref().is_some_and(AgentHandle::stop_requested);
                is_stopping.then(|| "it is stopping".to_owned())
            }
            TileVerb::RestartAgent | TileVerb::StartAgent => {
                let limit = self.config.limits.max_agents;
                (self.live_agents() >= limit).then(|| format!("{limit} run, the limit"))
            }
            TileVerb::NewTerminal => match self.check_room_for_terminal() {
                Err(ActionError::TooManyTerminals { limit }) => {
                    Some(format!("{limit} are open, the limit"))
                }
                Ok(()) | Err(_) => None,
            },
            TileVerb::SayItIsWrong | TileVerb::MoveUp | TileVerb::MoveDown => None,
            TileVerb::Close => self.hindrance(workspace).map(|hindrance| match hindrance {
                Hindrance::Agent => "its agent runs".to_owned(),
                Hindrance::Program(program) => format!("{program} runs in it"),
                Hindrance::Unsaved(files) => format!("unsaved: {files}"),
            }),
        }
    }

    /// A menu goes with its workspace.
    pub(crate) fn settle_menu(&mut self) {
        let menu = self.tile_menu().map(TileMenu::workspace);
        if menu.is_some_and(|id| self.workspace(id).is_none()) {
            self.overlay = None;
        }
    }
}
