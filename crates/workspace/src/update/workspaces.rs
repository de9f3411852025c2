//! Opening, switching and closing workspaces.

use std::path::PathBuf;
use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{
    ActionError, Effect, Landing, Overlay, PaneId, PlainTerminal, ProgramId, PromptKind, State,
    TabContent, TerminalId, Workspace, WorkspaceAction, WorkspaceId,
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
            WorkspaceAction::MoveUp => self.move_active(Self::landing_above),
            WorkspaceAction::MoveDown => self.move_active(Self::landing_below),
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
    fn free_name(&self, root: &std::path::Path) -> String {
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

    fn move_active(&mut self, landing: fn(&Self, WorkspaceId) -> Option<Landing>) -> Outcome {
        let active = self.active.ok_or(ActionError::NoWorkspace)?;
        self.move_tiles(landing(self, active).as_ref())
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
        let workspace = &self.workspaces[index];
        if workspace.has_live_agent() {
            return Err(ActionError::AgentAlive { workspace: workspace.name.clone() });
        }
        let buffers: Vec<_> = workspace
            .tabs()
            .into_iter()
            .filter_map(|tab| match tab.content {
                TabContent::File(buffer) => Some(buffer),
                TabContent::Agent | TabContent::Terminal(_) => None,
            })
            .collect();
        let here = |plain: &&PlainTerminal| plain.workspace() == id;
        let running = self.terminals.values().filter(here).find_map(PlainTerminal::running);
        if let Some(program) = running {
            let (workspace, program) = (workspace.name.clone(), program.to_owned());
            return Err(ActionError::TerminalBusy { workspace, program });
        }
        let unsaved: Vec<String> = buffers
            .iter()
            .filter_map(|buffer| self.files.get(buffer))
            .filter(|file| file.is_modified())
            .map(crate::OpenFile::title)
            .collect();
        if !unsaved.is_empty() {
            return Err(ActionError::Unsaved(unsaved.join(", ")));
        }
        let closed = self.workspaces.remove(index);
        self.files.retain(|buffer, _| !buffers.contains(buffer));
        if self.active == Some(id) {
            let neighbour = self.workspaces.get(index).or_else(|| self.workspaces.last());
            self.active = neighbour.map(|workspace| workspace.id);
        }
        let forgotten = closed.agent.map(|agent| ProgramId::Agent(agent.id()));
        let forgotten = forgotten.map(|program| Effect::Forget { program });
        let terminals: Vec<TerminalId> =
            self.terminals.values().filter(here).map(PlainTerminal::id).collect();
        let ended: Vec<Effect> =
            terminals.into_iter().filter_map(|terminal| self.forget_terminal(terminal)).collect();
        Ok(forgotten.into_iter().chain(ended).chain(self.fit_visible_terminals(now)).collect())
    }
}
