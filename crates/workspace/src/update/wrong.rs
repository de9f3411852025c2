//! Saying that an agent's state is wrong: the last minutes are saved for whoever can put it right.

use std::path::PathBuf;

use agent::Expected;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentAction, Choice, Confirm, Effect, Overlay, ProgramId, State,
    WorkspaceId,
};

/// Has to fit in one line.
const DETAIL: &str = "Saves its last minutes, secrets replaced. Read the file before you share it.";

impl State {
    pub(super) fn ask_what_is_wrong(&mut self, id: Option<WorkspaceId>) -> Outcome {
        let id = self.workspace_or_active(id)?;
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let name = workspace.name.clone();
        // Where another one is on show, it has to be said whose agent is meant.
        let of = if self.active == Some(id) { String::new() } else { format!(" of {name}") };
        let agent = workspace.agent.as_ref().ok_or(ActionError::NoAgent { workspace: name })?;
        let shown = agent.state().name();
        let save = |label: &str, expected: Option<Expected>| {
            let save = AgentAction::SaveRecording { workspace: Some(id), expected, path: None };
            Choice { label: label.to_owned(), action: Some(Action::Agent(save)) }
        };
        let question = format!("{}{of} is shown as {shown}. What is right?", agent.name());
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question,
            detail: DETAIL.to_owned(),
            choices: vec![
                Choice { label: "Cancel".to_owned(), action: None },
                save("It works", Some(Expected::Running)),
                save("It waits for me", Some(Expected::NeedsInput)),
                save("Something else", None),
            ],
            preview: Vec::new(),
            selected: 0,
        }));
        NO_EFFECTS
    }

    pub(super) fn save_recording(
        &self,
        id: Option<WorkspaceId>,
        expected: Option<Expected>,
        path: Option<PathBuf>,
    ) -> Outcome {
        let workspace = self.workspace(self.workspace_or_active(id)?);
        let workspace = workspace.ok_or(ActionError::NoWorkspace)?;
        let name = workspace.name.clone();
        let agent = workspace.agent.as_ref().ok_or(ActionError::NoAgent { workspace: name })?;
        Ok(vec![Effect::SaveRecording {
            program: ProgramId::Agent(agent.id()),
            name: agent.name().to_owned(),
            shown: agent.state().name(),
            timeouts: agent.timeouts(),
            expected,
            path: path.map(|path| workspace.root.join(path)),
        }])
    }
}
