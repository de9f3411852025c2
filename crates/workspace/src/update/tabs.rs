//! Moving between tabs and closing them. Closing a view never kills an agent.

use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentAction, BufferId, Choice, Confirm, Effect, FileAction, Overlay,
    ProgramId, State, Tab, TabAction, TabContent, TabId,
};

impl State {
    pub(super) fn update_tab(&mut self, action: TabAction, now: Instant) -> Outcome {
        match action {
            TabAction::Activate(id) => self.activate_tab(id, now),
            TabAction::ActivateNumber(number) => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let index = number.checked_sub(1).ok_or(ActionError::NoSuchTab)?;
                let id = workspace.tabs.get(index).ok_or(ActionError::NoSuchTab)?.id;
                self.activate_tab(id, now)
            }
            TabAction::Last => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let id = workspace.tabs.last().ok_or(ActionError::NoSuchTab)?.id;
                self.activate_tab(id, now)
            }
            TabAction::Next => self.step_tab(1, now),
            TabAction::Previous => {
                let n_tabs = self.active_workspace().map_or(1, |workspace| workspace.tabs.len());
                self.step_tab(n_tabs.max(1) - 1, now)
            }
            TabAction::Close(id) => self.close_tab(id, now),
            TabAction::Discard(id) => Ok(self.drop_tab(id, now)),
        }
    }

    pub(super) fn activate_tab(&mut self, id: TabId, now: Instant) -> Outcome {
        let holds = |tabs: &[Tab]| tabs.iter().any(|tab| tab.id == id);
        let workspace = self.workspaces.iter_mut().find(|workspace| holds(&workspace.tabs));
        let workspace = workspace.ok_or(ActionError::NoSuchTab)?;
        workspace.active_tab = Some(id);
        self.active = Some(workspace.id);
        Ok(self.fit_visible_terminal(now))
    }

    fn step_tab(&mut self, forward: usize, now: Instant) -> Outcome {
        let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
        let Some(active) = workspace.active_tab else { return NO_EFFECTS };
        let index = workspace.tabs.iter().position(|tab| tab.id == active).unwrap_or(0);
        let next = (index + forward) % workspace.tabs.len().max(1);
        let id = workspace.tabs.get(next).ok_or(ActionError::NoSuchTab)?.id;
        self.activate_tab(id, now)
    }

    fn close_tab(&mut self, id: Option<TabId>, now: Instant) -> Outcome {
        let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
        let id = id.or(workspace.active_tab).ok_or(ActionError::NoSuchTab)?;
        let tab = self.find_tab(id).ok_or(ActionError::NoSuchTab)?;
        match tab.content {
            TabContent::File(buffer) => self.close_file_tab(id, buffer, now),
            TabContent::Agent => self.close_agent_tab(id, now),
            TabContent::Terminal(terminal) => self.close_terminal_tab(id, terminal, now),
        }
    }

    fn close_file_tab(&mut self, id: TabId, buffer: BufferId, now: Instant) -> Outcome {
        let unsaved = self.files.get(&buffer).filter(|file| file.is_modified());
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
            selected: 0,
        }));
        self.activate_tab(id, now)
    }

    fn close_agent_tab(&mut self, id: TabId, now: Instant) -> Outcome {
        let workspace = self.workspaces.iter().find(|workspace| {
            workspace.tabs.iter().any(|tab| tab.id == id) && workspace.has_live_agent()
        });
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
            Overlay::Confirm(_) | Overlay::Picker(_) | Overlay::Prompt(_) => false,
        });
    }

    pub(crate) fn find_tab(&self, id: TabId) -> Option<Tab> {
        self.workspaces
            .iter()
            .flat_map(|workspace| &workspace.tabs)
            .copied()
            .find(|tab| tab.id == id)
    }

    /// Takes the tab away with the text, the ended agent or the terminal that it showed.
    pub(super) fn drop_tab(&mut self, id: TabId, now: Instant) -> Vec<Effect> {
        let Some(tab) = self.find_tab(id) else { return Vec::new() };
        let mut effects = Vec::new();
        for workspace in &mut self.workspaces {
            if !workspace.tabs.contains(&tab) {
                continue;
            }
            workspace.remove_tab(id);
            match tab.content {
                TabContent::File(buffer) => drop(self.files.remove(&buffer)),
                TabContent::Agent => {
                    let forgotten = workspace.agent.take();
                    effects.extend(
                        forgotten
                            .map(|agent| Effect::Forget { program: ProgramId::Agent(agent.id()) }),
                    );
                }
                TabContent::Terminal(_) => {}
            }
            break;
        }
        if let TabContent::Terminal(terminal) = tab.content {
            effects.extend(self.forget_terminal(terminal));
        }
        effects.extend(self.fit_visible_terminal(now));
        effects
    }
}
