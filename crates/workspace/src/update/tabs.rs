//! Moving between tabs and closing them. Closing a view never kills an agent.

use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentAction, BufferId, Choice, Confirm, Effect, FileAction, Overlay,
    ProgramId, State, Tab, TabAction, TabContent, TabId, Workspace,
};

impl State {
    pub(super) fn update_tab(&mut self, action: TabAction, now: Instant) -> Outcome {
        match action {
            TabAction::Activate(id) => self.activate_tab(id, now),
            TabAction::ActivateNumber(number) => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let index = number.checked_sub(1).ok_or(ActionError::NoSuchTab)?;
                let tabs = workspace.panes.focused_group().tabs();
                let id = tabs.get(index).ok_or(ActionError::NoSuchTab)?.id;
                self.activate_tab(id, now)
            }
            TabAction::Last => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let tabs = workspace.panes.focused_group().tabs();
                let id = tabs.last().ok_or(ActionError::NoSuchTab)?.id;
                self.activate_tab(id, now)
            }
            TabAction::Next => self.step_tab(1, now),
            TabAction::Previous => {
                let panes = self.active_workspace().map(|workspace| &workspace.panes);
                let n_tabs = panes.map_or(1, |panes| panes.focused_group().tabs().len());
                self.step_tab(n_tabs.max(1) - 1, now)
            }
            TabAction::Close(id) => self.close_tab(id, now),
            TabAction::Discard(id) => Ok(self.drop_tab(id, now)),
            TabAction::MoveToNextPane => self.move_to_next_pane(now),
        }
    }

    pub(super) fn activate_tab(&mut self, id: TabId, now: Instant) -> Outcome {
        let workspace = self.workspaces.iter_mut().find_map(|workspace| {
            let is_there = workspace.panes.show(id);
            is_there.then_some(workspace.id)
        });
        self.active = Some(workspace.ok_or(ActionError::NoSuchTab)?);
        Ok(self.fit_visible_terminals(now))
    }

    fn step_tab(&mut self, forward: usize, now: Instant) -> Outcome {
        let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
        let tabs = workspace.panes.focused_group().tabs();
        let Some(active) = workspace.active_tab() else { return NO_EFFECTS };
        let index = tabs.iter().position(|tab| *tab == active).unwrap_or(0);
        let next = (index + forward) % tabs.len().max(1);
        let id = tabs.get(next).ok_or(ActionError::NoSuchTab)?.id;
        self.activate_tab(id, now)
    }

    fn close_tab(&mut self, id: Option<TabId>, now: Instant) -> Outcome {
        let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
        let active = workspace.active_tab().map(|tab| tab.id);
        let id = id.or(active).ok_or(ActionError::NoSuchTab)?;
        let tab = self.find_tab(id).ok_or(ActionError::NoSuchTab)?;
        match tab.content {
            TabContent::File(buffer) => self.close_file_tab(id, buffer, now),
            TabContent::Agent => self.close_agent_tab(id, now),
            TabContent::Terminal(terminal) => self.close_terminal_tab(id, terminal, now),
        }
    }

    fn close_file_tab(&mut self, id: TabId, buffer: BufferId, now: Instant) -> Outcome {
        let is_last = self.n_tabs_of(buffer) <= 1;
        let unsaved = self.files.get(&buffer).filter(|file| file.is_modified() && is_last);
        let Some(file) = unsaved else { return Ok(self.drop_tab(id, now)) };
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: Some(id),
            question: format!("Save {} before closing it?", file.title()),
            detail: "Its changes are only in this window.".to_owned(),
            choices: vec![
                Choice {
                    label: "Save".to_owned(),
                    action: Some(Action::File(FileAction::SaveAndClose(buffer))),
                },
                Choice {
                    label: "Discard".to_owned(),
                    action: Some(Action::Tab(TabAction::Discard(id))),
                },
                Choice { label: "Cancel".to_owned(), action: None },
            ],
            preview: Vec::new(),
            selected: 0,
        }));
        self.activate_tab(id, now)
    }

    fn close_agent_tab(&mut self, id: TabId, now: Instant) -> Outcome {
        let workspace = self
            .workspaces
            .iter()
            .find(|workspace| workspace.panes.group_of(id).is_some() && workspace.has_live_agent());
        let Some(workspace) = workspace else { return Ok(self.drop_tab(id, now)) };
        let (workspace, name) = (workspace.id, workspace.name.clone());
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: Some(id),
            question: format!("Stop the agent of {name}?"),
            detail: "Its tab stays while it runs. Stopping ends all that it started.".to_owned(),
            choices: vec![
                Choice { label: "Keep it running".to_owned(), action: None },
                Choice {
                    label: "Stop".to_owned(),
                    action: Some(Action::Agent(AgentAction::Stop { workspace: Some(workspace) })),
                },
            ],
            preview: Vec::new(),
            selected: 0,
        }));
        self.activate_tab(id, now)
    }

    /// Takes away a question about a tab that is no longer on show, or that has been answered.
    pub(crate) fn drop_moot_question(&mut self, answered: Option<TabId>) {
        let shown = self.active_tab().map(|tab| tab.id);
        self.overlay.take_if(|overlay| match overlay {
            Overlay::Confirm(Confirm { about: Some(about), .. }) => {
                Some(*about) != shown || Some(*about) == answered
            }
            Overlay::Confirm(_)
            | Overlay::Picker(_)
            | Overlay::Prompt(_)
            | Overlay::Queue(_)
            | Overlay::Menu(_) => false,
        });
    }

    pub(crate) fn find_tab(&self, id: TabId) -> Option<Tab> {
        self.workspaces.iter().flat_map(Workspace::tabs).find(|tab| tab.id == id)
    }

    /// In how many tabs a file is open.
    fn n_tabs_of(&self, buffer: BufferId) -> usize {
        let tabs = self.workspaces.iter().flat_map(Workspace::tabs);
        tabs.filter(|tab| tab.content == TabContent::File(buffer)).count()
    }

    /// Takes the tab away with the text, the ended agent or the terminal that it showed.
    pub(super) fn drop_tab(&mut self, id: TabId, now: Instant) -> Vec<Effect> {
        let Some(tab) = self.find_tab(id) else { return Vec::new() };
        let mut effects = Vec::new();
        let holds = |workspace: &&mut Workspace| workspace.panes.group_of(id).is_some();
        let Some(workspace) = self.workspaces.iter_mut().find(holds) else { return effects };
        workspace.panes.take(id);
        match tab.content {
            TabContent::Agent => {
                let forgotten = workspace.agent.take().map(|agent| ProgramId::Agent(agent.id()));
                effects.extend(forgotten.map(|program| Effect::Forget { program }));
            }
            TabContent::File(buffer) if self.n_tabs_of(buffer) == 0 => {
                self.files.remove(&buffer);
            }
            TabContent::File(_) => {}
            TabContent::Terminal(terminal) => effects.extend(self.forget_terminal(terminal)),
        }
        effects.extend(self.fit_visible_terminals(now));
        effects
    }
}
