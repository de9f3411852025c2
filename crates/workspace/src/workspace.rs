//! An open folder with its tabs and, at most, one agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent::AgentHandle;
use config::RestartPolicy;

use crate::revival::Revival;
use crate::{
    Availability, BufferId, PaneId, PaneTree, ProjectSettings, TabId, TerminalId, WorkspaceId,
    WorkspaceStatus,
};

/// What a tab shows. It refers; it does not own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TabContent {
    /// The workspace's agent, whichever that is.
    Agent,
    File(BufferId),
    Terminal(TerminalId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tab {
    pub id: TabId,
    pub content: TabContent,
}

/// What an agent is started with, beside its command.
#[derive(Debug, Clone)]
pub(crate) struct AgentSetup {
    /// What its configuration added to its environment.
    pub(crate) env: BTreeMap<String, String>,
    /// Whether it is asked to report what it does.
    pub(crate) hooks: bool,
    /// What becomes of it when it crashes.
    pub(crate) restart: RestartPolicy,
}

#[derive(Debug)]
pub struct Workspace {
    pub(crate) id: WorkspaceId,
    pub(crate) root: PathBuf,
    pub(crate) name: String,
    pub(crate) branch: Option<String>,
    pub(crate) repository: Option<PathBuf>,
    pub(crate) agent: Option<AgentHandle>,
    /// It was started by its name, and not as a command.
    pub(crate) agent_by_name: bool,
    /// For when it is started again; `None` for an agent of an earlier run, whose settings are looked at
    /// anew.
    pub(crate) agent_setup: Option<AgentSetup>,
    pub(crate) revival: Revival,
    pub(crate) panes: PaneTree,
    /// The folder's own settings, as last read.
    pub(crate) project: ProjectSettings,
    /// Which agents can be run here, where that was looked up.
    pub(crate) availability: BTreeMap<String, Availability>,
}

impl Workspace {
    pub(crate) fn new(id: WorkspaceId, root: PathBuf, name: String, pane: PaneId) -> Self {
        Self {
            id,
            root,
            name,
            branch: None,
            repository: None,
            agent: None,
            agent_by_name: false,
            agent_setup: None,
            revival: Revival::default(),
            panes: PaneTree::new(pane),
            project: ProjectSettings::None,
            availability: BTreeMap::new(),
        }
    }

    pub fn id(&self) -> WorkspaceId {
        self.id
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder's base name, numbered if another workspace has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// The folder that all worktrees of its repository share.
    pub fn repository(&self) -> Option<&Path> {
        self.repository.as_deref()
    }

    pub fn agent(&self) -> Option<&AgentHandle> {
        self.agent.as_ref()
    }

    /// Which of [`MAX_REVIVALS`](crate::MAX_REVIVALS) times its agent is about to be started again
    /// after a crash.
    pub fn next_revival(&self) -> Option<usize> {
        self.revival.next()
    }

    /// Whether its agent was started by its name, and not as a command.
    pub fn is_agent_by_name(&self) -> bool {
        self.agent_by_name
    }

    /// The folder's own settings, as last read.
    pub fn project(&self) -> &ProjectSettings {
        &self.project
    }

    pub fn panes(&self) -> &PaneTree {
        &self.panes
    }

    /// The tabs of all panes.
    pub fn tabs(&self) -> Vec<Tab> {
        self.panes.groups().into_iter().flat_map(|group| group.tabs().to_vec()).collect()
    }

    /// The tab on show in the focused pane.
    pub fn active_tab(&self) -> Option<Tab> {
        self.panes.focused_group().active_tab()
    }

    /// What the rail shows. Asked for each frame, stored nowhere.
    pub fn status(&self) -> WorkspaceStatus {
        self.agent.as_ref().map_or(WorkspaceStatus::Idle, WorkspaceStatus::of)
    }

    pub(crate) fn has_live_agent(&self) -> bool {
        self.agent.as_ref().is_some_and(AgentHandle::is_alive)
    }

    /// A tab that shows it: the active one if that does, or else one of the focused pane, or else
    /// any.
    pub(crate) fn tab_of(&self, content: TabContent) -> Option<TabId> {
        let here = self.panes.focused_group().tabs().to_vec();
        let candidates = self.active_tab().into_iter().chain(here).chain(self.tabs());
        candidates.into_iter().find(|tab| tab.content == content).map(|tab| tab.id)
    }

    pub(crate) fn tab_of_file(&self, buffer: BufferId) -> Option<TabId> {
        self.tab_of(TabContent::File(buffer))
    }

    /// Puts the agent's tab first in a pane, if it is in none yet, and shows it.
    pub(crate) fn show_agent_tab(&mut self, new_id: impl FnOnce() -> TabId) {
        let id = self.ensure_agent_tab(new_id);
        self.panes.show(id);
    }

    /// Sees to it that the agent has its tab, without showing it.
    pub(crate) fn ensure_agent_tab(&mut self, new_id: impl FnOnce() -> TabId) -> TabId {
        self.tab_of(TabContent::Agent).unwrap_or_else(|| {
            let id = new_id();
            let pane = self.panes.groups().first().map(|group| group.id());
            if let Some(group) = pane.and_then(|pane| self.panes.group_mut(pane)) {
                group.tabs.insert(0, Tab { id, content: TabContent::Agent });
                // What is on show stays so, but something always is.
                group.active.get_or_insert(id);
            }
            id
        })
    }
}
