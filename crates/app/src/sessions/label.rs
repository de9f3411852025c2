//! What the host keeps for us of each program, so that a later run of ours knows it again.

use std::path::{Path, PathBuf};

use control::host::Text;
use serde_json::{Value, json};
use workspace::{PlainKind, ProgramId, State, WorkspaceId};

const VERSION: u64 = 1;
/// Bytes of a command that are kept; the host takes no long labels.
const MAX_COMMAND: usize = 8 * 1024;

/// Whose program it is, and which launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// By which hooks know the launch.
    pub launch: u64,
    /// The folder of its workspace.
    pub root: PathBuf,
    pub kind: Labelled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Labelled {
    Agent { name: String, command: Vec<String>, by_name: bool, launches: u32 },
    Terminal { command: Vec<String>, kind: PlainKind },
}

impl Label {
    /// Of a program that is about to be started.
    pub(crate) fn of(state: &State, program: ProgramId, workspace: WorkspaceId) -> Option<Self> {
        let workspace = state.workspace(workspace)?;
        let kind = match program {
            ProgramId::Agent(id) => {
                let agent = state.agent(id)?;
                Labelled::Agent {
                    name: agent.name().to_owned(),
                    command: kept(agent.command()),
                    by_name: workspace.is_agent_by_name(),
                    launches: agent.launches(),
                }
            }
            ProgramId::Terminal(id) => {
                let plain = state.plain_terminal(id)?;
                Labelled::Terminal { command: kept(plain.command()), kind: plain.kind() }
            }
        };
        Some(Self { launch: 0, root: workspace.root().to_owned(), kind })
    }

    pub(crate) fn to_json(&self) -> Value {
        let root = serde_json::to_value(Text::from(self.root.as_path())).unwrap_or_default();
        let (kind, program) = match &self.kind {
            Labelled::Agent { name, command, by_name, launches } => (
                "agent",
                json!({
                    "name": name, "command": command, "by_name": by_name, "launches": launches,
                }),
            ),
            Labelled::Terminal { command, kind } => {
                ("terminal", json!({ "command": command, "is_shell": *kind == PlainKind::Shell }))
            }
        };
        json!({ "version": VERSION, "launch": self.launch, "root": root, kind: program })
    }

    /// What a host gives back; `None` if it is of none of ours, or of a later one.
    pub(crate) fn from_json(label: &Value) -> Option<Self> {
        if label.get("version")?.as_u64()? != VERSION {
            return None;
        }
        let root = serde_json::from_value::<Text>(label.get("root")?.clone()).ok()?;
        let root = PathBuf::from(root);
        let words = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|word| word.as_str().map(ToOwned::to_owned)).collect()
        };
        let kind = match (label.get("agent"), label.get("terminal")) {
            (Some(agent), _) => Labelled::Agent {
                name: agent.get("name")?.as_str()?.to_owned(),
                command: words(agent.get("command")?)?,
                by_name: agent.get("by_name")?.as_bool()?,
                launches: u32::try_from(agent.get("launches")?.as_u64()?).ok()?,
            },
            (None, Some(terminal)) => Labelled::Terminal {
                command: words(terminal.get("command")?)?,
                kind: match terminal.get("is_shell")?.as_bool()? {
                    true => PlainKind::Shell,
                    false => PlainKind::Command,
                },
            },
            (None, None) => return None,
        };
        let launch = label.get("launch")?.as_u64()?;
        root.is_absolute().then_some(Self { launch, root, kind })
    }

    /// The folder of its transcripts: one for the agents of a workspace, one for its other terminals.
    pub(crate) fn transcripts(&self) -> String {
        match self.kind {
            Labelled::Agent { .. } => agent_transcripts(&self.root),
            Labelled::Terminal { .. } => transcripts("terminal", &self.root),
        }
    }
}

/// The folder of the transcripts of all agents that have run there.
pub(crate) fn agent_transcripts(root: &Path) -> String {
    transcripts("agent", root)
}

fn transcripts(what: &str, root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let is_plain = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name.chars().filter(is_plain).take(40).collect();
    format!("{what}-{name}-{:016x}", control::path::hash(root))
}

/// A command that is too long is known by its program alone.
fn kept(command: &[String]) -> Vec<String> {
    let len: usize = command.iter().map(String::len).sum();
    let n_kept = if len > MAX_COMMAND { 1 } else { command.len() };
    command.iter().take(n_kept).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    fn agent() -> Label {
        let command = vec!["claude".to_owned(), "--continue".to_owned()];
        let name = "claude".to_owned();
        let kind = Labelled::Agent { name, command, by_name: true, launches: 2 };
        Label { launch: 7, root: "/home/me/api".into(), kind }
    }

    fn terminal(root: &OsStr) -> Label {
        let command = vec!["/bin/sh".to_owned()];
        let kind = Labelled::Terminal { command, kind: PlainKind::Shell };
        Label { launch: 1, root: root.into(), kind }
    }

    #[test]
    fn transcripts_of_folders_of_one_name_are_apart_and_names_are_plain() {
        let name = |root: &[u8]| terminal(OsStr::from_bytes(root)).transcripts();
        assert_ne!(name(b"/a/api"), name(b"/b/api"), "two folders");
        assert_ne!(name(b"/home/me/api"), agent().transcripts(), "an agent's are its own");
        for root in [&b"/"[..], b"/a/..", b"/a/\x1b[31m\n", b"/a/\xff"] {
            let name = name(root);
            let is_plain = |c: char| c.is_alphanumeric() || c == '-';
            assert!(name.starts_with("terminal-") && name.chars().all(is_plain), "{name}");
        }
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        for label in [agent(), terminal(OsStr::from_bytes(b"/a/\xff b"))] {
            assert_eq!(Label::from_json(&label.to_json()).as_ref(), Some(&label), "there and back");
        }
        let mut later = agent().to_json();
        later["version"] = json!(2);
        let mut nowhere = agent().to_json();
        nowhere["root"] = json!("api");
        for label in [later, nowhere, json!({}), json!("agent"), json!({ "version": 1 })] {
            assert_eq!(Label::from_json(&label), None, "{label}");
        }
    }

    #[test]
    fn a_long_command_is_known_by_its_program() {
        let long = vec!["claude".to_owned(), "x".repeat(MAX_COMMAND)];
        assert_eq!(kept(&long), ["claude"], "the label stays short");
        assert_eq!(kept(&long[..1]), ["claude"], "as it is");
    }
}
