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
        self.quitting = true;
        self.overlay = None;
        vec![Effect::Shutdown { grace: self.config.limits.stop_grace }]
    }

    fn ask_to_quit(&mut self) -> Outcome {
        let unsaved = self.unsaved();
        let n_agents = self.live_agents();
        let agents = match n_agents {
            1 => "1 agent is running and will be stopped.".to_owned(),
            n => format!("{n} agents are running and will be stopped."),
        };
        let (detail, label, action) = if !unsaved.is_empty() {
            let detail = format!("Unsaved changes in {} will be lost.", unsaved.join(", "));
            (detail, "Discard and quit", AppAction::DiscardAndQuit)
        } else if n_agents > 0 {
            (agents, "Stop and quit", AppAction::QuitAndStop)
        } else {
            return Ok(self.quit());
        };
        self.overlay = Some(Overlay::Confirm(Confirm {
            question: "Quit Trackside?".to_owned(),
            detail,
            choices: vec![
                Choice { label: "Stay".to_owned(), action: None },
                Choice { label: label.to_owned(), action: Some(Action::App(action)) },
            ],
            selected: 0,
        }));
        NO_EFFECTS
    }
}
