//! Where things are on disk.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::cli;

/// The paths of one instance.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub state_dir: PathBuf,
    pub config_file: PathBuf,
    pub runtime_dir: Option<PathBuf>,
    /// For what can be had again, or is not missed.
    pub cache_dir: PathBuf,
    pub home: Option<PathBuf>,
}

impl Places {
    /// # Errors
    /// Neither the flags nor the environment say where the state belongs.
    pub(crate) fn find(flags: &cli::Places) -> Result<Self> {
        let home = env_path("HOME");
        let base = |variable: &str, below_home: &str| {
            env_path(variable)
                .or_else(|| Some(home.as_ref()?.join(below_home)))
                .map(|base| base.join("trackside"))
                .with_context(|| format!("neither {variable} nor HOME is set"))
        };
        let state_dir = match &flags.state_dir {
            Some(dir) => std::path::absolute(dir)?,
            None => base("XDG_STATE_HOME", ".local/state")?,
        };
        let config_file = match &flags.config {
            Some(file) => std::path::absolute(file)?,
            None => base("XDG_CONFIG_HOME", ".config")?.join("config.toml"),
        };
        let cache_dir =
            base("XDG_CACHE_HOME", ".cache").unwrap_or_else(|_| state_dir.join("cache"));
        let runtime_dir = env_path("XDG_RUNTIME_DIR");
        Ok(Self { state_dir, config_file, runtime_dir, cache_dir, home })
    }

    /// Where a client looks for the running instance.
    pub(crate) fn running_socket(&self) -> PathBuf {
        control::path::find_socket(&self.state_dir, self.runtime_dir.as_deref())
    }

    /// Where a new instance listens; the state folder must exist.
    ///
    /// # Errors
    /// The state folder cannot be looked at.
    pub(crate) fn own_socket(&self) -> Result<PathBuf> {
        control::path::choose_socket(&self.state_dir, self.runtime_dir.as_deref())
            .with_context(|| format!("cannot use the state folder {}", self.state_dir.display()))
    }

    /// Unsaved text, while it is typed.
    pub(crate) fn journal_dir(&self) -> PathBuf {
        self.state_dir.join("journal")
    }

    /// Recordings of agents whose state was wrong.
    pub(crate) fn recordings_dir(&self) -> PathBuf {
        self.state_dir.join("recordings")
    }

    /// What agents have printed, as texts to be looked at.
    pub(crate) fn transcript_texts(&self) -> PathBuf {
        self.cache_dir.join("transcripts")
    }

    /// Images that were pasted into terminals.
    pub(crate) fn pasted_dir(&self) -> PathBuf {
        self.cache_dir.join("pasted")
    }

    /// Copies of files that have to be written in place.
    pub(crate) fn backup_dir(&self) -> PathBuf {
        self.state_dir.join("backup")
    }
}

/// An absolute path from the environment; relative ones are to be ignored, says the XDG standard.
fn env_path(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// What this machine calls itself, as far as it can be said in text.
pub(crate) fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
