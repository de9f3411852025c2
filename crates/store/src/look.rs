//! How the person has left the window: for now, the rail.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::file::{self, Loaded, StoreError};

/// What was changed; what was not has no value, so that a better default still counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    pub compact_rail: Option<bool>,
    /// In logical pixels.
    pub rail_width: Option<u16>,
    pub grouped_rail: Option<bool>,
}

impl Look {
    /// # Errors
    /// The file is there and cannot be read. One that makes no sense is set aside instead.
    pub fn load(state_dir: &Path) -> Result<Loaded<Self>, StoreError> {
        file::load(&path(state_dir))
    }

    /// Remembers it.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn keep(self, state_dir: &Path) -> Result<(), StoreError> {
        file::change(&path(state_dir), |look: &mut Self| *look = self)?;
        Ok(())
    }
}

fn path(state_dir: &Path) -> PathBuf {
    state_dir.join("look.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_found_again() {
        let state = tempfile::tempdir().unwrap();
        assert_eq!(Look::load(state.path()).unwrap().value, Look::default(), "nothing yet");
        let look = Look { compact_rail: Some(true), rail_width: Some(300), grouped_rail: None };
        look.keep(state.path()).unwrap();
        assert_eq!(Look::load(state.path()).unwrap().value, look, "as it was left");
    }

    #[test]
    fn a_file_that_makes_no_sense_is_set_aside() {
        let state = tempfile::tempdir().unwrap();
        std::fs::write(path(state.path()), "{\"version\":1,\"rail_width\":-3}").unwrap();
        let loaded = Look::load(state.path()).unwrap();
        assert_eq!(loaded.value, Look::default(), "as if there were none");
        assert!(loaded.set_aside.is_some_and(|kept| kept.exists()), "and nothing is lost");
    }
}
