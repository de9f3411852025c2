//! Which folders' own commands the user lets run.
//!
//! Trust is given to a folder *and* to what its settings say about commands at that moment: with
//! other commands in them it is another question, and is asked again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::file::{self, Loaded, StoreError};

/// Stands for the commands that were shown to the user; two that differ have different ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint(String);

/// The folders that are trusted. Paths are canonical: whoever asks has resolved them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trust {
    folders: BTreeMap<String, Fingerprint>,
}

impl Fingerprint {
    /// Of fields in their order; where one ends and the next begins matters.
    pub fn of<'a>(fields: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = Sha256::new();
        for field in fields {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field);
        }
        let hex = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self(hex)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Trust {
    /// # Errors
    /// The file is there and cannot be read. One that makes no sense is set aside instead.
    pub fn load(state_dir: &Path) -> Result<Loaded<Self>, StoreError> {
        file::load(&path(state_dir))
    }

    /// Whether the folder is trusted with exactly these commands.
    pub fn holds(&self, folder: &Path, fingerprint: &Fingerprint) -> bool {
        folder.to_str().and_then(|folder| self.folders.get(folder)) == Some(fingerprint)
    }

    /// Whether it was trusted, with these commands or with others.
    pub fn knows(&self, folder: &Path) -> bool {
        folder.to_str().is_some_and(|folder| self.folders.contains_key(folder))
    }

    pub fn folders(&self) -> impl Iterator<Item = (&Path, &Fingerprint)> {
        self.folders.iter().map(|(folder, fingerprint)| (Path::new(folder), fingerprint))
    }

    /// Remembers that the user trusts the folder with these commands, and no longer with others.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn grant(
        state_dir: &Path,
        folder: &Path,
        fingerprint: Fingerprint,
    ) -> Result<Loaded<Self>, StoreError> {
        let not_text = || StoreError::NotText { path: folder.to_owned() };
        let name = folder.to_str().ok_or_else(not_text)?.to_owned();
        file::change(&path(state_dir), |trust: &mut Self| {
            trust.folders.insert(name, fingerprint);
        })
    }

    /// Forgets the folder; says whether it was known.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn revoke(state_dir: &Path, folder: &Path) -> Result<bool, StoreError> {
        let mut known = false;
        file::change(&path(state_dir), |trust: &mut Self| {
            let removed = folder.to_str().and_then(|folder| trust.folders.remove(folder));
            known = removed.is_some();
        })?;
        Ok(known)
    }
}

fn path(state_dir: &Path) -> PathBuf {
    state_dir.join("trust.json")
}

#[cfg(test)]
mod tests;
