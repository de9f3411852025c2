//! Ending the program without losing anybody's work.

use super::{NO_EFFECTS, Outcome};
use crate::{Action, ActionError, AppAction, Choice, Confirm, Effect, Overlay, State};

impl State {
    pub(super) fn update_app(&mut self, action: AppAction) -> Outcome {
        match action {
            AppAction::Quit => self.ask_to_quit(),
            AppAction::QuitAndStop => {
                let unsaved = self.unsaved();
                if !unsaved.is_empty() {
                    return Err(ActionError::Unsaved(unsaved.join(", ")));
                }
                Ok(self.quit())
            }
            AppAction::DiscardAndQuit => Ok(self.quit()),
        }
    }

    fn quit(&mut self) -> Vec<Effect> {
        self.begin_to_quit();
        vec![Effect::Shutdown { grace: self.config.limits.stop_grace }]
    }

    /// From here on nothing new is begun, and agents that end were stopped, not failing.
    pub(crate) fn begin_to_quit(&mut self) {
        self.quitting = true;
        self.overlay = None;
        let agents = self.workspaces.iter_mut().filter_map(|workspace| workspace.agent.as_mut());
        agents.filter(|agent| agent.is_alive()).for_each(agent::AgentHandle::request_stop);
    }

    fn ask_to_quit(&mut self) -> Outcome {
        let unsaved = self.unsaved();
        let terminals = match &self.running_in_terminals()[..] {
            [] => None,
            [one] => Some(format!("{one} is running in a terminal and will be ended.")),
            several => {
                let names = several.join(", ");
                Some(format!("Running in terminals and to be ended: {names}."))
            }
        };
        let agents = match self.live_agents() {
            0 => None,
            1 => Some("1 agent is running and will be stopped.".to_owned()),
            n => Some(format!("{n} agents are running and will be stopped.")),
        };
        let (lost, label, action) = if unsaved.is_empty() {
            (None, "Stop and quit", AppAction::QuitAndStop)
        } else {
            let lost = format!("Unsaved changes in {} will be lost.", unsaved.join(", "));
            (Some(lost), "Discard and quit", AppAction::DiscardAndQuit)
        };
        let detail: Vec<String> = lost.into_iter().chain(agents).chain(terminals).collect();
        if detail.is_empty() {
            return Ok(self.quit());
        }
        let detail = detail.join(" ");
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question: "Quit Trackside?".to_owned(),
            detail,
            choices: vec![
                Choice { label: "Stay".to_owned(), action: None },
                Choice { label: label.to_owned(), action: Some(Action::App(action)) },
            ],
            preview: Vec::new(),
            selected: 0,
        }));
        NO_EFFECTS
    }
}
