//! Finding things in the state: by id, by name, by what has the focus.

use std::collections::BTreeMap;
use std::path::Path;

use agent::{AgentHandle, AgentId};
use terminal::GridSize;

use crate::{
    BufferId, OpenFile, PaneId, PlainTerminal, ProgramId, State, Tab, TabContent, TabGroup,
    TerminalId, TerminalView, Workspace, WorkspaceId,
};

impl State {
    /// Whether somebody can see what is shown: an instance may do without a window.
    pub fn has_window(&self) -> bool {
        self.has_window
    }

    /// In rail order.
    pub fn workspaces(&self) -> &[Workspace] {
        &self.workspaces
    }

    pub fn workspace(&self, id: WorkspaceId) -> Option<&Workspace> {
        self.workspaces.iter().find(|workspace| workspace.id == id)
    }

    pub fn active_workspace(&self) -> Option<&Workspace> {
        self.workspace(self.active?)
    }

    pub fn active_tab(&self) -> Option<Tab> {
        self.active_workspace()?.active_tab()
    }

    pub fn file(&self, id: BufferId) -> Option<&OpenFile> {
        self.files.get(&id)
    }

    pub fn files(&self) -> impl Iterator<Item = (BufferId, &OpenFile)> {
        self.files.iter().map(|(id, file)| (*id, file))
    }

    /// The file that has the focus, or would have it without the overlay.
    pub fn active_file(&self) -> Option<(BufferId, &OpenFile)> {
        match self.active_tab()?.content {
            TabContent::File(buffer) => Some((buffer, self.files.get(&buffer)?)),
            TabContent::Agent | TabContent::Terminal(_) => None,
        }
    }

    /// The agent whose terminal has the focus, or would have it without the overlay.
    pub fn visible_agent(&self) -> Option<&AgentHandle> {
        match self.active_tab()?.content {
            TabContent::Agent => self.active_workspace()?.agent.as_ref(),
            TabContent::File(_) | TabContent::Terminal(_) => None,
        }
    }

    /// The terminal that has the focus, or would have it without the overlay.
    pub fn focused_terminal(&self) -> Option<TerminalView<'_>> {
        self.terminal_in(self.active_workspace()?, self.active_tab()?)
    }

    /// The terminals that can be seen.
    pub fn visible_terminals(&self) -> Vec<TerminalView<'_>> {
        let Some(workspace) = self.active_workspace() else { return Vec::new() };
        let shown = workspace.panes.groups().into_iter().filter_map(TabGroup::active_tab);
        shown.filter_map(|tab| self.terminal_in(workspace, tab)).collect()
    }

    /// The programs that can be seen, and how much room there is for each.
    pub fn shown_programs(&self) -> BTreeMap<ProgramId, GridSize> {
        let Some(workspace) = self.active_workspace() else { return BTreeMap::new() };
        let panes = workspace.panes.groups().into_iter().map(TabGroup::id);
        let shown = |pane| {
            Some((self.terminal_of(pane)?.program(), self.rooms.of(pane).terminal.clamped()))
        };
        panes.filter_map(shown).collect()
    }

    /// The terminal that a pane of the workspace on show shows.
    pub fn terminal_of(&self, pane: PaneId) -> Option<TerminalView<'_>> {
        let workspace = self.active_workspace()?;
        self.terminal_in(workspace, workspace.panes.group(pane)?.active_tab()?)
    }

    /// The terminal that a tab of the workspace shows.
    pub fn terminal_in<'a>(
        &'a self,
        workspace: &'a Workspace,
        tab: Tab,
    ) -> Option<TerminalView<'a>> {
        match tab.content {
            TabContent::Agent => workspace.agent.as_ref().map(TerminalView::Agent),
            TabContent::Terminal(id) => self.terminals.get(&id).map(TerminalView::Plain),
            TabContent::File(_) => None,
        }
    }

    /// The terminal of a program, shown or not.
    pub fn terminal(&self, program: ProgramId) -> Option<TerminalView<'_>> {
        match program {
            ProgramId::Agent(id) => self.agent(id).map(TerminalView::Agent),
            ProgramId::Terminal(id) => self.terminals.get(&id).map(TerminalView::Plain),
        }
    }

    /// Of all agents and all plain terminals, wherever they are.
    pub fn all_terminals(&self) -> impl Iterator<Item = TerminalView<'_>> {
        let plain = self.terminals.values().map(TerminalView::Plain);
        self.agents().map(TerminalView::Agent).chain(plain)
    }

    pub fn plain_terminal(&self, id: TerminalId) -> Option<&PlainTerminal> {
        self.terminals.get(&id)
    }

    /// Terminals without an agent, in the order they were opened.
    pub fn plain_terminals(&self) -> impl Iterator<Item = &PlainTerminal> {
        self.terminals.values()
    }

    pub fn agent(&self, id: AgentId) -> Option<&AgentHandle> {
        self.agents().find(|agent| agent.id() == id)
    }

    pub fn agents(&self) -> impl Iterator<Item = &AgentHandle> {
        self.workspaces.iter().filter_map(|workspace| workspace.agent.as_ref())
    }

    pub fn live_agents(&self) -> usize {
        self.agents().filter(|agent| agent.is_alive()).count()
    }

    /// Finds a workspace as the command line names it: by id, name or path.
    pub fn find_workspace(&self, wanted: &str) -> Option<&Workspace> {
        let by_id = || {
            let id: u32 = wanted.parse().ok()?;
            self.workspaces.iter().find(|workspace| workspace.id.number() == id)
        };
        let by_path = || {
            let path = Path::new(wanted);
            self.workspaces.iter().find(|workspace| workspace.root == path)
        };
        let by_name = || self.workspaces.iter().find(|workspace| workspace.name == wanted);
        by_id().or_else(by_name).or_else(by_path)
    }

    /// The workspace with the longest root that holds the path.
    pub fn workspace_holding(&self, path: &Path) -> Option<&Workspace> {
        self.workspaces
            .iter()
            .filter(|workspace| path.starts_with(&workspace.root))
            .max_by_key(|workspace| workspace.root.as_os_str().len())
    }

    pub(crate) fn workspace_mut(&mut self, id: WorkspaceId) -> Option<&mut Workspace> {
        self.workspaces.iter_mut().find(|workspace| workspace.id == id)
    }

    pub(crate) fn agent_mut(&mut self, id: AgentId) -> Option<&mut AgentHandle> {
        self.workspaces
            .iter_mut()
            .filter_map(|workspace| workspace.agent.as_mut())
            .find(|agent| agent.id() == id)
    }

    pub(crate) fn with_terminal(
        &mut self,
        id: TerminalId,
        change: impl FnOnce(&mut PlainTerminal),
    ) {
        // It may have been closed while the news was on its way.
        if let Some(terminal) = self.terminals.get_mut(&id) {
            change(terminal);
        }
    }

    pub(crate) fn active_file_mut(&mut self) -> Option<(BufferId, &mut OpenFile)> {
        match self.active_tab()?.content {
            TabContent::File(buffer) => Some((buffer, self.files.get_mut(&buffer)?)),
            TabContent::Agent | TabContent::Terminal(_) => None,
        }
    }
}
