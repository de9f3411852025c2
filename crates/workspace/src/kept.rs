//! What is open, as it is kept for the next start: plain data, without ids.
//!
//! [`State::kept_session`] says what there is, [`Fact::SessionRead`](crate::Fact::SessionRead) brings it
//! back. What nobody would miss is not in it: the toast, the find bar, what is composed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use agent::{AgentHandle, AgentState, Exit, Reason};
use buffer::{DiskStamp, Position};

use crate::{
    Axis, BufferId, LoadState, PaneNode, PlainTerminal, ProgramId, State, Tab, TabContent,
    TabGroup, Workspace,
};

/// Everything that is open, in the order of the rail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptSession {
    pub workspaces: Vec<KeptWorkspace>,
    /// The place of the one on show.
    pub active: Option<usize>,
    /// When all this was so, where it was read.
    pub as_of: Option<Instant>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWorkspace {
    pub root: PathBuf,
    pub name: String,
    pub agent: Option<KeptAgent>,
    pub panes: KeptPanes,
    /// Which pane has the focus, from left to right and from top to bottom.
    pub focused: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptPanes {
    Tabs {
        tabs: Vec<KeptTab>,
        /// The place of the one on show.
        active: Option<usize>,
    },
    Split {
        axis: Axis,
        share: u16,
        first: Box<KeptPanes>,
        second: Box<KeptPanes>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptTab {
    Agent,
    File {
        path: PathBuf,
        view: KeptView,
    },
    /// A shell of the person's own, wherever it was.
    Terminal {
        folder: Option<PathBuf>,
        /// By which its program is known, if that runs on.
        mark: Option<String>,
    },
}

/// Where in a file the person was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeptView {
    pub anchor: Position,
    pub cursor: Position,
    /// First visible line and display column.
    pub scroll: (usize, usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAgent {
    pub name: String,
    pub command: Vec<String>,
    /// Started by its name, and not as a command.
    pub by_name: bool,
    pub launches: u32,
    pub session: Option<String>,
    pub end: KeptEnd,
    /// When that began.
    pub since: Instant,
    /// By which its program is known, if that runs on.
    pub mark: Option<String>,
    /// What it did, if it had not ended.
    pub doing: Option<KeptDoing>,
}

/// What a living agent did when it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDoing {
    pub state: AgentState,
    pub reason: Option<Reason>,
    pub text: Option<String>,
    pub is_seen: bool,
}

/// What only those know who run programs.
pub trait Outside {
    /// Where a shell is that does not say so itself.
    fn folder(&self, terminal: &PlainTerminal) -> Option<PathBuf>;
    /// By which a program is known that runs on without us.
    fn mark(&self, program: ProgramId) -> Option<String>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptEnd {
    Alive,
    /// Alive when an earlier run ended, and not started since.
    Stopped,
    Exited {
        exit: Exit,
        was_asked: bool,
    },
}

/// Text that was not saved when it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptText {
    pub path: PathBuf,
    /// The content it was made from; `None` where there was no file.
    pub base: Option<DiskStamp>,
    pub bytes: Vec<u8>,
    pub anchor: Position,
    pub cursor: Position,
}

impl KeptSession {
    /// Without the workspaces that are not wanted.
    pub fn retain_workspaces(&mut self, wanted: impl FnMut(&KeptWorkspace) -> bool) {
        let active = self.active.and_then(|place| self.workspaces.get(place));
        let active = active.map(|workspace| workspace.root.clone());
        self.workspaces.retain(wanted);
        self.active = self.workspaces.iter().position(|it| Some(&it.root) == active.as_ref());
    }
}

impl KeptDoing {
    fn of(agent: &AgentHandle) -> Option<Self> {
        agent.is_alive().then(|| Self {
            state: agent.state(),
            reason: agent.reason(),
            text: agent.asked().map(ToOwned::to_owned),
            is_seen: agent.is_seen(),
        })
    }
}

impl KeptEnd {
    fn of(agent: &AgentHandle) -> Self {
        match agent.state() {
            AgentState::Exited { exit } => Self::Exited { exit, was_asked: agent.was_stopped() },
            AgentState::Stopped => match agent.gave_up() {
                Some(exit) => Self::Exited { exit, was_asked: false },
                None => Self::Stopped,
            },
            // It is about to be gone, as the person wished.
            _ if agent.stop_requested() => Self::Stopped,
            AgentState::Starting
            | AgentState::Running
            | AgentState::NeedsInput { .. }
            | AgentState::Stale { .. } => Self::Alive,
        }
    }

    /// What becomes of a remembered agent. What was alive is not any more: it was ours, and ended with us.
    pub(crate) fn becomes(self) -> AgentState {
        match self {
            Self::Alive | Self::Stopped => AgentState::Stopped,
            Self::Exited { exit, .. } => AgentState::Exited { exit },
        }
    }
}

impl KeptPanes {
    /// All tabs, from left to right and from top to bottom.
    pub fn tabs(&self) -> Vec<&KeptTab> {
        match self {
            Self::Tabs { tabs, .. } => tabs.iter().collect(),
            Self::Split { first, second, .. } => [first.tabs(), second.tabs()].concat(),
        }
    }

    /// Without the tabs that are not wanted.
    pub fn retain(&mut self, wanted: &mut impl FnMut(&KeptTab) -> bool) {
        match self {
            Self::Split { first, second, .. } => {
                first.retain(wanted);
                second.retain(wanted);
            }
            Self::Tabs { tabs, active } => {
                let keeps: Vec<bool> = tabs.iter().map(wanted).collect();
                let n_before = |place: usize| keeps.iter().take(place).filter(|it| **it).count();
                *active = active.map(n_before);
                let mut keep = keeps.iter();
                tabs.retain(|_| keep.next().is_some_and(|keep| *keep));
                *active = active.filter(|_| !tabs.is_empty()).map(|it| it.min(tabs.len() - 1));
            }
        }
    }
}

impl State {
    /// What is open.
    pub fn kept_session(&self, outside: &impl Outside) -> KeptSession {
        let kept = |workspace: &Workspace| self.kept_workspace(workspace, outside);
        KeptSession {
            workspaces: self.workspaces.iter().map(kept).collect(),
            active: self.workspaces.iter().position(|it| Some(it.id) == self.active),
            as_of: None,
        }
    }

    fn kept_workspace(&self, workspace: &Workspace, outside: &impl Outside) -> KeptWorkspace {
        let panes = workspace.panes();
        let groups = panes.groups();
        KeptWorkspace {
            root: workspace.root.clone(),
            name: workspace.name.clone(),
            agent: workspace.agent.as_ref().map(|agent| KeptAgent {
                name: agent.name().to_owned(),
                command: agent.command().to_vec(),
                by_name: workspace.agent_by_name,
                launches: agent.launches(),
                session: agent.session().map(ToOwned::to_owned),
                end: KeptEnd::of(agent),
                since: agent.since(),
                mark: outside.mark(ProgramId::Agent(agent.id())),
                doing: KeptDoing::of(agent),
            }),
            panes: self.kept_panes(panes.root(), outside),
            focused: groups.iter().position(|it| it.id() == panes.focused()).unwrap_or(0),
        }
    }

    fn kept_panes(&self, node: &PaneNode, outside: &impl Outside) -> KeptPanes {
        match node {
            PaneNode::Group(group) => {
                let tab = |tab: &Tab| Some((tab.id, self.kept_tab(*tab, outside)?));
                let (ids, tabs): (Vec<_>, Vec<_>) = group.tabs().iter().filter_map(tab).unzip();
                let active = TabGroup::active_tab(group).map(|tab| tab.id);
                let active = ids.iter().position(|id| Some(*id) == active);
                KeptPanes::Tabs { tabs, active }
            }
            PaneNode::Split(split) => {
                let (first, second) = split.parts();
                KeptPanes::Split {
                    axis: split.axis(),
                    share: split.share(),
                    first: Box::new(self.kept_panes(first, outside)),
                    second: Box::new(self.kept_panes(second, outside)),
                }
            }
        }
    }

    fn kept_tab(&self, tab: Tab, outside: &impl Outside) -> Option<KeptTab> {
        Some(match tab.content {
            TabContent::Agent => KeptTab::Agent,
            TabContent::File(buffer) => {
                let file = self.files.get(&buffer)?;
                KeptTab::File { path: file.path.clone(), view: self.kept_view(buffer)? }
            }
            TabContent::Terminal(terminal) => {
                let plain = self.terminals.get(&terminal)?;
                let told = plain.told_directory().map(Path::to_owned);
                let told = told.or_else(|| outside.folder(plain));
                let folder = told.or_else(|| plain.directory().map(Path::to_owned));
                KeptTab::Terminal { folder, mark: outside.mark(ProgramId::Terminal(terminal)) }
            }
        })
    }

    fn kept_view(&self, buffer: BufferId) -> Option<KeptView> {
        let file = self.files.get(&buffer)?;
        let (anchor, cursor) = match (&file.load, file.kept) {
            (LoadState::Loaded, _) => (file.document.anchor(), file.document.cursor()),
            (_, Some(kept)) => return Some(kept),
            (_, None) => {
                let at = file.goto.unwrap_or_default();
                (at, at)
            }
        };
        Some(KeptView { anchor, cursor, scroll: file.scroll })
    }
}
