//! Looking at the disk before the state hears of a path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use base::LogErr as _;
use workspace::{Action, FileAction, Workspace, WorkspaceAction};

use crate::app::App;
use crate::recent;

/// A path as typed, perhaps with a line and a column behind it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub path: PathBuf,
    pub at: Option<(u32, u32)>,
}

impl Location {
    /// Reads `PATH[:LINE[:COLUMN]]`; a file that is really named `a:3` wins over reading it so.
    pub(crate) fn parse(text: &str) -> Self {
        let whole = Self { path: PathBuf::from(text), at: None };
        if fs::symlink_metadata(text).is_ok() {
            return whole;
        }
        let mut parts = text.rsplitn(3, ':');
        let numbers = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
        let (last, middle, first) = (parts.next(), parts.next(), parts.next());
        match (numbers(last), numbers(middle), first) {
            (Some(column), Some(line), Some(path)) if !path.is_empty() => {
                Self { path: PathBuf::from(path), at: Some((line, column)) }
            }
            (Some(line), None, _) => {
                let path = text.rsplit_once(':').map_or(text, |(path, _)| path);
                Self { path: PathBuf::from(path), at: Some((line, 1)) }
            }
            (Some(line), Some(_), None) => {
                let path = middle.unwrap_or(text);
                Self { path: PathBuf::from(path), at: Some((line, 1)) }
            }
            _ => whole,
        }
    }
}

impl App {
    /// Opens a folder as a workspace, or a file in the workspace that holds it.
    ///
    /// # Errors
    /// The path is not there or cannot be read.
    pub(crate) fn open_path(
        &mut self,
        path: &Path,
        at: Option<(u32, u32)>,
        now: Instant,
    ) -> Result<()> {
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => self.open_folder(path, now),
            Ok(_) => self.open_file(path, at, now),
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                if parent.is_none_or(|parent| !parent.is_dir()) || ends_as_folder(path) {
                    bail!("{}: no such file or folder", path.display());
                }
                self.open_file(path, at, now)
            }
            Err(err) => Err(err).with_context(|| format!("cannot open {}", path.display())),
        }
    }

    /// # Errors
    /// It is not there, not a folder, or cannot be read.
    pub(crate) fn open_folder(&mut self, path: &Path, now: Instant) -> Result<()> {
        let cannot_read = || format!("cannot read the folder {}", path.display());
        let root = path.canonicalize().with_context(cannot_read)?;
        // Being able to list it is what an agent and a person will need.
        drop(fs::read_dir(&root).with_context(cannot_read)?);
        recent::add(&self.places.state_dir, &root).log_err("keeping the list of recent folders");
        self.update(Action::Workspace(WorkspaceAction::Open(root)), now)?;
        if let Some(id) = self.state.active_workspace().map(Workspace::id) {
            self.look_at_project(id, now);
        }
        Ok(())
    }

    fn open_file(&mut self, path: &Path, at: Option<(u32, u32)>, now: Instant) -> Result<()> {
        let cannot_open = || format!("cannot open {}", path.display());
        let folder = path.parent().unwrap_or(Path::new("/"));
        let folder = folder.canonicalize().with_context(cannot_open)?;
        let name = path.file_name().with_context(cannot_open)?;
        let path = folder.join(name);
        if self.state.workspace_holding(&path).is_none() {
            self.open_folder(&folder, now)?;
        }
        self.update(Action::File(FileAction::Open { path, at }), now)
    }

    /// Opens what was typed into a prompt. The prompt stays, with the reason, if that fails.
    pub(crate) fn open_typed(&mut self, text: &str, relative_to: Option<&Path>, now: Instant) {
        let Location { path, at } = Location::parse(&self.expand_home(text));
        let overlay = self.state.overlay().cloned();
        let opened = match relative_to {
            Some(folder) => self.open_path(&folder.join(&path), at, now),
            // Asked for a folder, a name that is nothing yet is a slip, not a new file.
            None if !path.exists() => Err(anyhow!("{}: no such folder", path.display())),
            None => self.open_path(&path, at, now),
        };
        match opened {
            Ok(()) if self.state.overlay() == overlay.as_ref() => {
                self.wish(Action::Overlay(workspace::OverlayAction::Cancel), now);
            }
            Ok(()) => {}
            Err(refusal) => {
                self.observe(workspace::Fact::Refused(format!("{refusal:#}")), now);
            }
        }
    }

    pub(crate) fn expand_home(&self, text: &str) -> String {
        match (text.strip_prefix('~'), &self.places.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                format!("{}{rest}", home.display())
            }
            _ => text.to_owned(),
        }
    }
}

fn ends_as_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, path: &str, at: Option<(u32, u32)>) {
        let expected = Location { path: PathBuf::from(path), at };
        assert_eq!(Location::parse(text), expected, "reading {text}");
    }

    #[test]
    fn lines_and_columns_follow_the_path() {
        check("src/x.rs", "src/x.rs", None);
        check("src/x.rs:12", "src/x.rs", Some((12, 1)));
        check("src/x.rs:12:5", "src/x.rs", Some((12, 5)));
        check("a:b:7", "a:b", Some((7, 1)));
        check("a:b", "a:b", None);
        check(":3", "", Some((3, 1)));
    }

    #[test]
    fn a_file_that_is_really_named_so_wins() {
        let dir = tempfile::tempdir().unwrap();
        let name = dir.path().join("a:3");
        fs::write(&name, "").unwrap();
        check(name.to_str().unwrap(), name.to_str().unwrap(), None);
    }
}
