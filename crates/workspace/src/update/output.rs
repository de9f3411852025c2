//! Saving all that a terminal has shown to a file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, Choice, Confirm, Effect, OutputAction, Overlay, ProgramId, Prompt,
    PromptKind, State, ToastKind,
};

impl State {
    pub(super) fn update_output(&mut self, action: OutputAction) -> Outcome {
        match action {
            OutputAction::AskPath => {
                let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
                let program = view.program();
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                let name = format!("{}-output.txt", file_stem(&self.program_name(program)));
                let path = workspace.root.join(name);
                let kind = PromptKind::SaveOutput(program);
                self.overlay = Some(Overlay::prompt(kind, &path.display().to_string()));
                NO_EFFECTS
            }
            OutputAction::Save { program, path, replace } => {
                self.save_output(program, path, replace)
            }
        }
    }

    pub(super) fn save_output(
        &mut self,
        program: Option<ProgramId>,
        path: PathBuf,
        replace: bool,
    ) -> Outcome {
        let view = match program {
            Some(program) => self.terminal(program),
            None => self.focused_terminal(),
        };
        let view = view.ok_or(ActionError::NoTerminal)?;
        let relative_to = self.active_workspace().ok_or(ActionError::NoWorkspace)?.root.clone();
        let (program, terminal) = (view.program(), view.buffer().clone());
        Ok(vec![Effect::SaveOutput { program, path, relative_to, terminal, replace }])
    }

    pub(crate) fn output_saved(&mut self, program: ProgramId, path: &Path, now: Instant) {
        self.close_prompt_of(program);
        let text = format!("Output of {} saved to {}", self.program_name(program), path.display());
        self.show_toast(text, ToastKind::Notice, now);
    }

    pub(crate) fn output_exists(&mut self, program: ProgramId, path: PathBuf) {
        self.close_prompt_of(program);
        // Somebody may be busy with another question; then this one is as good as answered with no.
        if self.overlay.is_some() {
            return;
        }
        let save = OutputAction::Save { program: Some(program), path: path.clone(), replace: true };
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question: "Replace the file that is there?".to_owned(),
            detail: path.display().to_string(),
            choices: vec![
                Choice { label: "Keep it".to_owned(), action: None },
                Choice { label: "Replace".to_owned(), action: Some(Action::Output(save)) },
            ],
            preview: Vec::new(),
            selected: 0,
        }));
    }

    /// The prompt stays until the disk has said whether its path is any good.
    fn close_prompt_of(&mut self, program: ProgramId) {
        let kind = PromptKind::SaveOutput(program);
        self.overlay.take_if(
            |overlay| matches!(overlay, Overlay::Prompt(Prompt { kind: open, .. }) if *open == kind),
        );
    }
}

/// A program's name as part of the name of a file.
fn file_stem(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let stem: String = name.chars().take(40).map(plain).collect();
    let stem = stem.trim_matches(['-', '.']);
    if stem.is_empty() { "terminal".to_owned() } else { stem.to_owned() }
}
