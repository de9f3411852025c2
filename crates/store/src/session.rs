//! What was open when the program was last heard of, to be opened again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::file::{self, Loaded, StoreError};

/// Everything that is open, in the order of the rail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Which start of the machine it was written in.
    pub boot: Option<String>,
    /// When, in milliseconds since 1970.
    #[serde(default)]
    pub written: u64,
    /// The place of the workspace on show.
    pub active: Option<usize>,
    pub workspaces: Vec<SessionWorkspace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionWorkspace {
    pub root: String,
    pub name: String,
    pub agent: Option<SessionAgent>,
    /// Which pane has the focus, counted as they are written.
    pub focused: usize,
    pub panes: SessionPanes,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SessionPanes {
    Tabs {
        /// The place of the tab on show.
        active: Option<usize>,
        tabs: Vec<SessionTab>,
    },
    Split {
        axis: SessionAxis,
        /// What the first part has, in thousandths.
        share: u16,
        first: Box<SessionPanes>,
        second: Box<SessionPanes>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionAxis {
    Row,
    Column,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SessionTab {
    Agent,
    File {
        path: String,
        /// Line and column, from 0.
        anchor: (u64, u64),
        cursor: (u64, u64),
        /// First visible line and column.
        scroll: (u64, u64),
    },
    Terminal {
        folder: Option<String>,
        /// By which its program is known, if that runs on.
        #[serde(default)]
        mark: Option<String>,
    },
}

/// An agent as it was launched, and what had become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionAgent {
    pub name: String,
    pub command: Vec<String>,
    /// Started by its name, which the settings know, and not as a command.
    pub by_name: bool,
    pub launches: u32,
    /// What the agent calls its own session, by which it can go on with it.
    pub session_id: Option<String>,
    pub end: SessionEnd,
    /// When that began, in seconds since 1970.
    pub since: u64,
    /// By which its program is known, if that runs on.
    #[serde(default)]
    pub mark: Option<String>,
    /// What it did, if it had not ended.
    #[serde(default)]
    pub doing: Option<SessionDoing>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionDoing {
    /// In words that others use, too: `running`, `needs_input`, and so on.
    pub state: String,
    /// Since when it waits, if it does, in seconds since 1970.
    pub waits_since: Option<u64>,
    /// What for, in a word and in its own words.
    pub reason: Option<String>,
    pub text: Option<String>,
    /// The person had looked at it.
    pub seen: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEnd {
    /// It had not ended.
    Alive,
    /// It had been alive when an earlier run ended, and was not started since.
    Stopped,
    Code(i32),
    Signal(i32),
    /// It ended because the user had asked for it.
    AskedCode(i32),
    AskedSignal(i32),
}

impl Session {
    /// # Errors
    /// The file is there and cannot be read. One that makes no sense is set aside instead.
    pub fn load(state_dir: &Path) -> Result<Loaded<Self>, StoreError> {
        file::load(&path(state_dir))
    }

    /// Remembers it in place of the one before.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn keep(self, state_dir: &Path) -> Result<(), StoreError> {
        file::change(&path(state_dir), |session: &mut Self| *session = self)?;
        Ok(())
    }

    /// Puts the file beside, where the last one so put is replaced. Says where, if there was one.
    ///
    /// # Errors
    /// It is still where it was.
    pub fn put_beside(state_dir: &Path) -> Result<Option<PathBuf>, StoreError> {
        let before = state_dir.join("session.json.before");
        match fs::rename(path(state_dir), &before) {
            Ok(()) => Ok(Some(before)),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StoreError::Write { path: before, source }),
        }
    }
}

fn path(state_dir: &Path) -> PathBuf {
    state_dir.join("session.json")
}

#[cfg(test)]
mod tests;
