//! Opening, switching and closing workspaces.

use std::path::PathBuf;
use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::tile_menu::Hindrance;
use crate::{
    ActionError, BufferId, Effect, Landing, OpenFile, Overlay, PaneId, PlainTerminal, ProgramId,
    PromptKind, State, TabContent, TerminalId, Workspace, WorkspaceAction, WorkspaceId,
};

impl State {
    pub(super) fn update_workspace(&mut self, action: WorkspaceAction, now: Instant) -> Outcome {
        match action {
            WorkspaceAction::Open(root) => Ok(self.open_workspace(root, now)),
            WorkspaceAction::AskFolder => {
                let beside = self.active_workspace().and_then(|workspace| workspace.root.parent());
                let text = beside.map_or_else(String::new, |path| format!("{}/", path.display()));
                self.overlay = Some(Overlay::prompt(PromptKind::Folder, &text));
                NO_EFFECTS
            }
            WorkspaceAction::Activate(id) => self.activate_workspace(id, now),
            WorkspaceAction::ActivateNumber(number) => {
                let index = number.checked_sub(1);
                let wanted = index.and_then(|index| self.workspaces.get(index));
                let id = wanted.map(|workspace| workspace.id);
                let unknown = || ActionError::UnknownWorkspace(number.to_string());
                self.activate_workspace(id.ok_or_else(unknown)?, now)
            }
            WorkspaceAction::Next => self.step_workspace(1, now),
            WorkspaceAction::Previous => self.step_workspace(self.workspaces.len().max(1) - 1, now),
            WorkspaceAction::MoveUp(id) => self.move_tile(id, Self::landing_above),
            WorkspaceAction::MoveDown(id) => self.move_tile(id, Self::landing_below),
            WorkspaceAction::MoveTo { workspace, place } => {
                let landing = self.landing(workspace, place);
                self.move_tiles(landing.as_ref())
            }
            WorkspaceAction::Close(id) => self.close_workspace(id, now),
        }
    }

    fn open_workspace(&mut self, root: PathBuf, now: Instant) -> Vec<Effect> {
        if let Some(open) = self.workspaces.iter().find(|workspace| workspace.root == root) {
            self.active = Some(open.id);
            self.rail.follows_active = true;
            return self.fit_visible_terminals(now);
        }
        let id = WorkspaceId::mint(&mut self.workspace_ids);
        let name = self.free_name(&root);
        let pane = PaneId::mint(&mut self.pane_ids);
        self.workspaces.push(Workspace::new(id, root.clone(), name, pane));
        self.active = Some(id);
        self.rail.follows_active = true;
        vec![Effect::ReadBranch { workspace: id, root }]
    }

    /// The folder's base name, with a number behind it while that is taken.
    pub(crate) fn free_name(&self, root: &std::path::Path) -> String {
        let base = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy();
        // A name is shown on the rail and printed by the command line: no control characters.
        let base: String = base.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let is_free = |name: &str| self.workspaces.iter().all(|workspace| workspace.name != name);
        if is_free(&base) {
            return base;
        }
        (2..).map(|number| format!("{base}-{number}")).find(|name| is_free(name)).unwrap_or(base)
    }

    pub(super) fn activate_workspace(&mut self, id: WorkspaceId, now: Instant) -> Outcome {
        if self.workspace(id).is_none() {
            return Err(ActionError::UnknownWorkspace(id.to_string()));
        }
        self.active = Some(id);
        self.rail.follows_active = true;
        Ok(self.fit_visible_terminals(now))
    }

    fn step_workspace(&mut self, forward: usize, now: Instant) -> Outcome {
        let active = self.active.ok_or(ActionError::NoWorkspace)?;
        let index = self.workspaces.iter().position(|workspace| workspace.id == active);
        let next = (index.unwrap_or(0) + forward) % self.workspaces.len().max(1);
        let id = self.workspaces.get(next).ok_or(ActionError::NoWorkspace)?.id;
        self.activate_workspace(id, now)
    }

    fn move_tile(
        &mut self,
        id: Option<WorkspaceId>,
        landing: fn(&Self, WorkspaceId) -> Option<Landing>,
    ) -> Outcome {
        let id = self.workspace_or_active(id)?;
        if let Some(landing) = landing(self, id) {
            self.land(&landing);
            self.rail.follows_active |= self.active == Some(id);
        }
        NO_EFFECTS
    }

    fn move_tiles(&mut self, landing: Option<&Landing>) -> Outcome {
        if let Some(landing) = landing {
            self.land(landing);
            self.rail.follows_active = true;
        }
        NO_EFFECTS
    }

    fn close_workspace(&mut self, id: Option<WorkspaceId>, now: Instant) -> Outcome {
        let id = id.or(self.active).ok_or(ActionError::NoWorkspace)?;
        let unknown = || ActionError::UnknownWorkspace(id.to_string());
        let index = self.workspaces.iter().position(|workspace| workspace.id == id);
        let index = index.ok_or_else(unknown)?;
        if let Some(hindrance) = self.hindrance(&self.workspaces[index]) {
            let workspace = self.workspaces[index].name.clone();
            return Err(match hindrance {
                Hindrance::Agent => ActionError::AgentAlive { workspace },
                Hindrance::Program(program) => ActionError::TerminalBusy { workspace, program },
                Hindrance::Unsaved(files) => ActionError::Unsaved(files),
            });
        }
        let closed = self.workspaces.remove(index);
        let buffers = buffers_of(&closed);
        self.files.retain(|buffer, _| !buffers.contains(buffer));
        if self.active == Some(id) {
            let neighbour = self.workspaces.get(index).or_else(|| self.workspaces.last());
            self.active = neighbour.map(|workspace| workspace.id);
        }
        let forgotten = closed.agent.map(|agent| ProgramId::Agent(agent.id()));
        let forgotten = forgotten.map(|program| Effect::Forget { program });
        let here = |plain: &&PlainTerminal| plain.workspace() == id;
        let terminals: Vec<TerminalId> =
            self.terminals.values().filter(here).map(PlainTerminal::id).collect();
        let ended: Vec<Effect> =
            terminals.into_iter().filter_map(|terminal| self.forget_terminal(terminal)).collect();
        Ok(forgotten.into_iter().chain(ended).chain(self.fit_visible_terminals(now)).collect())
    }
    /// Why the workspace cannot be closed, as far as was looked.
    pub(crate) fn hindrance(&self, workspace: &Workspace) -> Option<Hindrance> {
        if workspace.has_live_agent() {
            return Some(Hindrance::Agent);
        }
        let here = |plain: &&PlainTerminal| plain.workspace() == workspace.id;
        let running = self.terminals.values().filter(here).find_map(PlainTerminal::running);
        if let Some(program) = running {
            return Some(Hindrance::Program(program.to_owned()));
        }
        let files = buffers_of(workspace);
        let files = files.iter().filter_map(|buffer| self.files.get(buffer));
        let unsaved: Vec<String> =
            files.filter(|file| file.is_modified()).map(OpenFile::title).collect();
        (!unsaved.is_empty()).then(|| Hindrance::Unsaved(unsaved.join(", ")))
    }
}

/// The files that are open there.
fn buffers_of(workspace: &Workspace) -> Vec<BufferId> {
    let tabs = workspace.tabs().into_iter();
    tabs.filter_map(|tab| match tab.content {
        TabContent::File(buffer) => Some(buffer),
        TabContent::Agent | TabContent::Terminal(_) => None,
    })
    .collect()
}
