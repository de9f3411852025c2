//! Ending the program without losing anybody's work.

use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{Action, ActionError, AppAction, Choice, Confirm, Effect, Overlay, State, ToastKind};

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
            // Nothing is ended before the text is safe.
            AppAction::KeepAndQuit => {
                self.overlay = None;
                self.keeps_to_quit = true;
                Ok(vec![Effect::KeepUnsaved])
            }
            AppAction::DiscardAndQuit => {
                Ok(std::iter::once(Effect::GiveUpUnsaved).chain(self.quit()).collect())
            }
        }
    }

    fn quit(&mut self) -> Vec<Effect> {
        self.begin_to_quit();
        vec![Effect::Shutdown { grace: self.config.limits.stop_grace }]
    }

    pub(crate) fn unsaved_kept(&mut self, result: Result<(), String>, now: Instant) -> Vec<Effect> {
        let quits = std::mem::take(&mut self.keeps_to_quit) && !self.quitting;
        match result {
            Ok(()) if quits => self.quit(),
            Ok(()) => Vec::new(),
            Err(why) => {
                self.show_toast(format!("Not ended: {why}"), ToastKind::Error, now);
                Vec::new()
            }
        }
    }

    /// From here on nothing new is begun, and agents that end were stopped, not failing.
    pub(crate) fn begin_to_quit(&mut self) {
        self.quitting = true;
        self.overlay = None;
        let agents = self.workspaces.iter_mut().filter_map(|workspace| workspace.agent.as_mut());
        agents.filter(|agent| agent.is_alive()).for_each(agent::AgentHandle::request_stop);
        self.workspaces.iter_mut().for_each(|workspace| workspace.revival.cancel());
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
        let text = (!unsaved.is_empty()).then(|| {
            let unsaved = unsaved.join(", ");
            format!("Unsaved changes in {unsaved} can come back at the next start.")
        });
        let ends_something = agents.is_some() || terminals.is_some();
        let detail: Vec<String> = text.into_iter().chain(agents).chain(terminals).collect();
        if detail.is_empty() {
            return Ok(self.quit());
        }
        let detail = detail.join(" ");
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question: "Quit Trackside?".to_owned(),
            detail,
            choices: choices(!unsaved.is_empty(), ends_something),
            preview: Vec::new(),
            selected: 0,
        }));
        NO_EFFECTS
    }
}

/// The first is what Enter does: it ends nothing that runs, and loses no text.
fn choices(has_unsaved: bool, ends_something: bool) -> Vec<Choice> {
    let quit = |label: &str, action: AppAction| Choice {
        label: label.to_owned(),
        action: Some(Action::App(action)),
    };
    let stay = Choice { label: "Stay".to_owned(), action: None };
    if !has_unsaved {
        return vec![stay, quit("Stop and quit", AppAction::QuitAndStop)];
    }
    let keep = quit("Keep for next time", AppAction::KeepAndQuit);
    let discard = quit("Discard and quit", AppAction::DiscardAndQuit);
    if ends_something { vec![stay, keep, discard] } else { vec![keep, stay, discard] }
}
