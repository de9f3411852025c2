//! An open folder with its tabs and, at most, one agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agent::AgentHandle;

use crate::{BufferId, TabId, TerminalId, WorkspaceId, WorkspaceStatus};

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

#[derive(Debug)]
pub struct Workspace {
    pub(crate) id: WorkspaceId,
    pub(crate) root: PathBuf,
    pub(crate) name: String,
    pub(crate) branch: Option<String>,
    pub(crate) agent: Option<AgentHandle>,
    /// What its configuration added to the agent's environment, for when it is started again.
    pub(crate) agent_env: BTreeMap<String, String>,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active_tab: Option<TabId>,
}

impl Workspace {
    pub(crate) fn new(id: WorkspaceId, root: PathBuf, name: String) -> Self {
        Self {
            id,
            root,
            name,
            branch: None,
            agent: None,
            agent_env: BTreeMap::new(),
            tabs: Vec::new(),
            active_tab: None,
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

    pub fn agent(&self) -> Option<&AgentHandle> {
        self.agent.as_ref()
    }

    pub fn tabs(&self) -> &[Tab] {
        &self.tabs
    }

    pub fn active_tab(&self) -> Option<Tab> {
        let id = self.active_tab?;
        self.tabs.iter().copied().find(|tab| tab.id == id)
    }

    /// What the rail shows. Asked for each frame, stored nowhere.
    pub fn status(&self) -> WorkspaceStatus {
        self.agent.as_ref().map_or(WorkspaceStatus::Idle, WorkspaceStatus::of)
    }

    pub(crate) fn has_live_agent(&self) -> bool {
        self.agent.as_ref().is_some_and(AgentHandle::is_alive)
    }

    pub(crate) fn tab_of(&self, content: TabContent) -> Option<TabId> {
        self.tabs.iter().find(|tab| tab.content == content).map(|tab| tab.id)
    }

    pub(crate) fn tab_of_file(&self, buffer: BufferId) -> Option<TabId> {
        self.tab_of(TabContent::File(buffer))
    }

    /// Puts the agent's tab first, if it is not there yet, and makes it the active one.
    pub(crate) fn show_agent_tab(&mut self, new_id: impl FnOnce() -> TabId) {
        let id = match self.tabs.first() {
            Some(Tab { id, content: TabContent::Agent }) => *id,
            _ => {
                let id = new_id();
                self.tabs.insert(0, Tab { id, content: TabContent::Agent });
                id
            }
        };
        self.active_tab = Some(id);
    }

    /// Takes a tab away; its right neighbour, or else its left one, becomes active.
    pub(crate) fn remove_tab(&mut self, id: TabId) {
        let Some(index) = self.tabs.iter().position(|tab| tab.id == id) else { return };
        self.tabs.remove(index);
        if self.active_tab == Some(id) {
            let neighbour = self.tabs.get(index).or_else(|| self.tabs.last());
            self.active_tab = neighbour.map(|tab| tab.id);
        }
    }
}
