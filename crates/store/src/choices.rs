//! Which agent was started last in each folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::file::{self, Loaded, StoreError};

/// Folders that are remembered; the one chosen for longest ago is forgotten first.
const KEPT: usize = 500;

/// What was started: an agent by its name, or a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    Agent(String),
    Command(Vec<String>),
}

/// The last choice of each folder, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    choices: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    folder: String,
    #[serde(flatten)]
    choice: Choice,
}

impl Choices {
    /// # Errors
    /// The file is there and cannot be read. One that makes no sense is set aside instead.
    pub fn load(state_dir: &Path) -> Result<Loaded<Self>, StoreError> {
        file::load(&path(state_dir))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Choice)> {
        self.choices.iter().map(|entry| (Path::new(&entry.folder), &entry.choice))
    }

    /// Remembers what was started there.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn keep(state_dir: &Path, folder: &Path, choice: Choice) -> Result<(), StoreError> {
        let not_text = || StoreError::NotText { path: folder.to_owned() };
        let folder = folder.to_str().ok_or_else(not_text)?.to_owned();
        file::change(&path(state_dir), |choices: &mut Self| {
            choices.choices.retain(|entry| entry.folder != folder);
            choices.choices.insert(0, Entry { folder, choice });
            choices.choices.truncate(KEPT);
        })?;
        Ok(())
    }
}

fn path(state_dir: &Path) -> PathBuf {
    state_dir.join("choices.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(state: &Path) -> Vec<(PathBuf, Choice)> {
        let choices = Choices::load(state).unwrap().value;
        choices.iter().map(|(folder, choice)| (folder.to_owned(), choice.clone())).collect()
    }

    #[test]
    fn the_last_choice_of_each_folder_is_kept() {
        let state = tempfile::tempdir().unwrap();
        let keep = |folder: &str, choice| {
            Choices::keep(state.path(), Path::new(folder), choice).unwrap();
        };
        let agent = |name: &str| Choice::Agent(name.to_owned());
        let command = Choice::Command(vec!["sh".to_owned(), "-c x".to_owned()]);
        keep("/a", agent("claude"));
        keep("/b", command.clone());
        keep("/a", agent("codex"));
        let expected = [("/a".into(), agent("codex")), ("/b".into(), command)];
        assert_eq!(listed(state.path()), expected, "the newest first, each folder once");
    }

    #[test]
    fn the_oldest_choices_are_forgotten() {
        let state = tempfile::tempdir().unwrap();
        let many = (0..KEPT + 3)
            .map(|n| Entry { folder: format!("/{n}"), choice: Choice::Agent("a".to_owned()) });
        let mut choices = Choices { choices: many.collect() };
        file::change(&path(state.path()), |kept| std::mem::swap(kept, &mut choices)).unwrap();
        Choices::keep(state.path(), Path::new("/new"), Choice::Agent("b".to_owned())).unwrap();
        assert_eq!(listed(state.path()).len(), KEPT, "no more than so many");
        assert_eq!(listed(state.path())[0].0, Path::new("/new"), "the new one is there");
    }
}
