//! Ending the program without losing anybody's work.
//!
//! Whoever leaves leaves agents running, where another process holds their terminals: ending them is a
//! wish of its own. Everything else is said or asked before it is ended.

use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::ending::Ending;
use crate::{
    Action, ActionError, AgentsThen, AppAction, Choice, Confirm, Effect, Leaving, Overlay,
    ProgramId, State, ToastKind, UnsavedThen,
};

impl State {
    pub(super) fn update_app(&mut self, action: AppAction, now: Instant) -> Outcome {
        match action {
            AppAction::Quit => self.ask_to_leave(AgentsThen::GoOn, now),
            AppAction::QuitAndStop => self.ask_to_leave(AgentsThen::Stop, now),
            AppAction::Leave(leaving) => self.leave(leaving, now),
            AppAction::KillNow => {
                if self.ending.is_none() {
                    return Err(ActionError::NothingEnds);
                }
                Ok(vec![Effect::KillAll])
            }
        }
    }

    fn leave(&mut self, leaving: Leaving, now: Instant) -> Outcome {
        let Leaving { unsaved: then, agents } = leaving;
        let unsaved = self.unsaved();
        match then {
            UnsavedThen::Refuse if !unsaved.is_empty() => {
                Err(ActionError::Unsaved(unsaved.join(", ")))
            }
            UnsavedThen::Refuse => Ok(self.quit(agents, now)),
            // Nothing is ended before the text is safe.
            UnsavedThen::Keep => {
                self.overlay = None;
                self.keeps_to_quit = Some(agents);
                Ok(vec![Effect::KeepUnsaved])
            }
            UnsavedThen::Discard => {
                let gives_up = std::iter::once(Effect::GiveUpUnsaved);
                Ok(gives_up.chain(self.quit(agents, now)).collect())
            }
        }
    }

    fn quit(&mut self, agents: AgentsThen, now: Instant) -> Vec<Effect> {
        self.begin_to_quit(agents);
        let grace = self.config.limits.shutdown_timeout;
        let ending = Ending::new(grace, now);
        (self.ending, self.ending_due) = (Some(ending), ending.due(now));
        vec![Effect::Shutdown { agents, grace }]
    }

    pub(crate) fn unsaved_kept(&mut self, result: Result<(), String>, now: Instant) -> Vec<Effect> {
        let agents = self.keeps_to_quit.take().filter(|_| !self.quitting);
        match (result, agents) {
            (Ok(()), Some(agents)) => self.quit(agents, now),
            (Ok(()), None) => Vec::new(),
            (Err(why), _) => {
                self.show_toast(format!("Not ended: {why}"), ToastKind::Error, now);
                Vec::new()
            }
        }
    }

    /// From here on nothing new is begun, and agents that end were stopped, not failing.
    pub(crate) fn begin_to_quit(&mut self, agents: AgentsThen) {
        self.quitting = true;
        self.overlay = None;
        for workspace in &mut self.workspaces {
            workspace.revival.cancel();
            let ends = |agent: &&mut agent::AgentHandle| {
                let program = ProgramId::Agent(agent.id());
                agent.is_alive()
                    && (agents == AgentsThen::Stop || !self.outliving.contains(&program))
            };
            if let Some(agent) = workspace.agent.as_mut().filter(ends) {
                agent.request_stop();
            }
        }
    }

    /// How many agents run on when we leave them to it.
    pub fn agents_that_go_on(&self) -> usize {
        let live = self.agents().filter(|agent| agent.is_alive());
        live.filter(|agent| self.outliving.contains(&ProgramId::Agent(agent.id()))).count()
    }

    fn ask_to_leave(&mut self, agents: AgentsThen, now: Instant) -> Outcome {
        let n_agents = match agents {
            AgentsThen::GoOn => self.live_agents() - self.agents_that_go_on(),
            AgentsThen::Stop => self.live_agents(),
        };
        let stopped = match n_agents {
            0 => None,
            1 => Some("1 agent is running and will be stopped.".to_owned()),
            n => Some(format!("{n} agents are running and will be stopped.")),
        };
        let ended = match &self.running_in_terminals(agents)[..] {
            [] => None,
            [one] => Some(format!("{one} is running in a terminal and will be ended.")),
            several => {
                let names = several.join(", ");
                Some(format!("Running in terminals and to be ended: {names}."))
            }
        };
        let unsaved = self.unsaved();
        let text = (!unsaved.is_empty()).then(|| {
            let unsaved = unsaved.join(", ");
            format!("Unsaved changes in {unsaved} can come back at the next start.")
        });
        let ends_something = stopped.is_some() || ended.is_some();
        if text.is_none() && !ends_something {
            return Ok(self.quit(agents, now));
        }
        let goes_on = match (agents, self.agents_that_go_on()) {
            (AgentsThen::Stop, _) | (AgentsThen::GoOn, 0) => None,
            (AgentsThen::GoOn, 1) => Some("1 agent goes on without the window.".to_owned()),
            (AgentsThen::GoOn, n) => Some(format!("{n} agents go on without the window.")),
        };
        let detail: Vec<String> =
            text.into_iter().chain(stopped).chain(ended).chain(goes_on).collect();
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question: match agents {
                AgentsThen::GoOn => "Quit Trackside?".to_owned(),
                AgentsThen::Stop => "Stop all agents and quit Trackside?".to_owned(),
            },
            detail: detail.join(" "),
            choices: choices(!unsaved.is_empty(), ends_something, agents),
            preview: Vec::new(),
            selected: 0,
        }));
        NO_EFFECTS
    }
}

/// The first is what Enter does: it ends nothing that runs, and loses no text.
fn choices(has_unsaved: bool, ends_something: bool, agents: AgentsThen) -> Vec<Choice> {
    let leave = |label: &str, unsaved: UnsavedThen| Choice {
        label: label.to_owned(),
        action: Some(Action::App(AppAction::Leave(Leaving { unsaved, agents }))),
    };
    let stay = Choice { label: "Stay".to_owned(), action: None };
    if !has_unsaved {
        return vec![stay, leave("Stop and quit", UnsavedThen::Refuse)];
    }
    let keep = leave("Keep for next time", UnsavedThen::Keep);
    let discard = leave("Discard and quit", UnsavedThen::Discard);
    if ends_something { vec![stay, keep, discard] } else { vec![keep, stay, discard] }
}
