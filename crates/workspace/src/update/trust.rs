//! Asking whether a folder's own settings may decide what runs.

use config::Setting;

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentAction, Choice, Confirm, Effect, FileAction, Launch, Overlay,
    ProjectSettings, State, TrustLevel, WorkspaceId,
};

/// As much as a small window shows. More than that is not offered for trust here: what one cannot
/// see, one cannot allow.
const MAX_LINES: usize = 14;
const COLUMNS: usize = 66;
/// Width and height of a question with all its lines, in logical pixels.
const LARGEST: (f32, f32) = (540.0, 410.0);
const INDENT: &str = "    ";

impl State {
    /// The user has seen what is behind the fingerprint, and allows it.
    pub(super) fn trust_and_start(
        &mut self,
        workspace: WorkspaceId,
        fingerprint: String,
        launch: Launch,
    ) -> Outcome {
        let found = self.workspace(workspace).ok_or(ActionError::NoWorkspace)?;
        let root = found.root.clone();
        Ok(vec![Effect::Trust { workspace, root, fingerprint, launch }])
    }

    /// Opens the question, if there still is one.
    pub(crate) fn ask_for_trust(&mut self, id: WorkspaceId, launch: Launch) {
        let Some(workspace) = self.workspace(id) else { return };
        let ProjectSettings::Read { project, fingerprint, trust } = &workspace.project else {
            return;
        };
        let agent = match &launch {
            Launch::Named(name) => name.as_str(),
            Launch::Command(_) => return,
        };
        let lines = lines(project.settings(), agent);
        let fits = lines.len() <= MAX_LINES && self.has_room_for_question();
        let name = &workspace.name;
        let question = match trust {
            TrustLevel::Outdated => format!("The settings of {name} have changed. Trust them?"),
            TrustLevel::None | TrustLevel::Full => format!("Trust the settings of {name}?"),
        };
        let detail = if fits {
            "This folder's .trackside/config.toml decides what runs here:".to_owned()
        } else {
            let root = workspace.root.display();
            format!("Too much to show here. Read it, then run `trackside trust {root}`.")
        };
        let open = FileAction::Open { path: project.file().to_owned(), at: None };
        let start = AgentAction::TrustAndStart {
            workspace: id,
            fingerprint: fingerprint.clone(),
            launch: launch.clone(),
        };
        let choice = |label: &str, action| Choice { label: label.to_owned(), action };
        let trust = choice("Trust and start", Some(Action::Agent(start)));
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: None,
            question,
            detail,
            choices: [
                Some(choice("Do not trust", None)),
                Some(choice("Open the file", Some(Action::File(open)))),
                Some(trust).filter(|_| fits),
            ]
            .into_iter()
            .flatten()
            .collect(),
            preview: if fits { lines } else { lines.into_iter().take(MAX_LINES).collect() },
            selected: 0,
        }));
    }

    /// Whether the longest question is seen in full: guessed from the cells that fit beside the
    /// rail, and rather too strictly.
    fn has_room_for_question(&self) -> bool {
        let cells = self.rooms.whole.terminal;
        let size = self.font_size();
        let width = f32::from(cells.columns) * size * 0.6;
        let height = f32::from(cells.rows) * size * 1.4;
        width >= LARGEST.0 && height >= LARGEST.1
    }

    /// Trust is on disk: what was wished for can be tried again.
    pub(crate) fn folder_trusted(&mut self, workspace: WorkspaceId, launch: Launch) -> Vec<Effect> {
        let start = AgentAction::Start { workspace: Some(workspace), launch };
        vec![Effect::Act(Box::new(Action::Agent(start)))]
    }

    /// The list of agents, with what was started here last already chosen.
    pub(super) fn ask_for_agent(&mut self) -> Outcome {
        let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
        super::agents::refuse_second_agent(workspace)?;
        self.overlay = Some(Overlay::agents(self));
        NO_EFFECTS
    }
}

/// What would be allowed, what concerns the agent first; long lines go on below.
fn lines(settings: &[Setting], agent: &str) -> Vec<String> {
    let (own, others): (Vec<_>, Vec<_>) =
        settings.iter().partition(|setting| setting.agent == agent);
    own.into_iter().chain(others).flat_map(|setting| wrapped(&setting.to_string())).collect()
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut columns) = (String::new(), 0);
    for c in text.chars() {
        if columns + width(c) > COLUMNS {
            let rest = format!("{INDENT}{}", take_last_word(&mut line));
            columns = rest.chars().map(width).sum();
            lines.push(std::mem::replace(&mut line, rest));
        }
        line.push(c);
        columns += width(c);
    }
    lines.push(line);
    lines
}

/// Characters beyond ASCII may be wide; to wrap too early hides nothing.
fn width(c: char) -> usize {
    if c.is_ascii() { 1 } else { 2 }
}

/// What stands behind the last comma goes to the next line, unless that is most of this one.
fn take_last_word(line: &mut String) -> String {
    let after = line.rfind(", ").map(|at| at + 2).filter(|at| *at > line.len() / 2);
    after.map_or_else(String::new, |at| line.split_off(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(wrapped(text), expected, "wrapping {text}");
    }

    #[test]
    fn long_lines_go_on_below_and_nothing_is_lost() {
        check("a.start = [\"a\"]", &["a.start = [\"a\"]"]);
        let long = "x".repeat(COLUMNS + 1);
        check(&long, &[&long[..COLUMNS], "    x"]);
        let words = format!("[\"{}\", \"b c\", \"dddddddd\"]", "a".repeat(50));
        check(&words, &[&words[..62], "    \"dddddddd\"]"]);
        let wide = "漢".repeat(COLUMNS / 2 + 1);
        check(&wide, &[&"漢".repeat(COLUMNS / 2), "    漢"]);
    }
}
