//! Text that is only in memory, written down while it is typed.
//!
//! Each unsaved text has a file of its own: what it belongs to, the whole text, then one record for each
//! change since. A record is length, checksum and content, so that a file that was cut short at any
//! byte gives all records before that.
//!
//! Invariants:
//! - A journal is put in place whole, by renaming, and then only grows: there is no moment at which less
//!   than before can be read from it.
//! - Nothing here is taken for text unless its checksum says that it is what was written.

mod format;
mod read;

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

pub use self::format::{Base, Change, Place, Subject};
pub use self::read::{Found, Journals, read_all};
use crate::file::{StoreError, options};

/// Changes may take so many bytes before the whole text is written anew, however short that is.
const LEAST_SLACK: u64 = 64 * 1024;
const EXTENSION: &str = "journal";

/// The journal of one text, open for more.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    subject: Subject,
    file: File,
    /// Bytes of the last whole text, and of the changes since.
    whole: u64,
    changes: u64,
}

impl Journal {
    /// Begins a journal with a whole text, in place of what is there by that name. It is on the disk when
    /// this returns.
    ///
    /// # Errors
    /// What was there before is still there.
    pub fn begin(
        path: &Path,
        subject: Subject,
        text: &[u8],
        place: Place,
    ) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Write { path: path.to_owned(), source };
        let folder = path.parent().unwrap_or(Path::new("/"));
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let new = path.with_extension("new");
        // A rest of a run that was cut short.
        match fs::remove_file(&new) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(failed(err)),
            Ok(()) | Err(_) => {}
        }
        let write = || {
            let mut file = options().append(true).create_new(true).open(&new)?;
            file.write_all(&format::beginning(&subject, text, place))?;
            file.sync_all()?;
            fs::rename(&new, path)?;
            File::open(folder)?.sync_all()?;
            Ok(file)
        };
        let file = write().map_err(failed)?;
        let (whole, changes) = (text.len() as u64, 0);
        Ok(Self { path: path.to_owned(), subject, file, whole, changes })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Adds what has changed. It is the system's when this returns, and on the disk after [`Self::sync`].
    ///
    /// # Errors
    /// Part of it may have been written, which is not taken for anything: begin anew.
    pub fn add(&mut self, change: &Change<'_>, place: Place) -> Result<(), StoreError> {
        let record = format::record(&format::change(change, place));
        self.changes += record.len() as u64;
        self.file.write_all(&record).map_err(|source| self.failed(source))
    }

    /// # Errors
    /// What was added may not be on the disk.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(|source| self.failed(source))
    }

    /// Whether it is better begun anew: much of it is outdated, or it is not there any more.
    pub fn wants_a_new_beginning(&self) -> bool {
        self.changes > self.whole.max(LEAST_SLACK) || !self.is_in_place()
    }

    /// Whether it is still what its path leads to: somebody may have deleted it, with its folder.
    pub fn is_in_place(&self) -> bool {
        let there = fs::symlink_metadata(&self.path);
        match (there, self.file.metadata()) {
            (Ok(there), Ok(ours)) => (there.dev(), there.ino()) == (ours.dev(), ours.ino()),
            _ => false,
        }
    }

    fn failed(&self, source: io::Error) -> StoreError {
        StoreError::Write { path: self.path.clone(), source }
    }
}

/// Removes a journal whose text is saved, or given up.
///
/// # Errors
/// It is still there.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Write { path: path.to_owned(), source })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// How many journals the folder has, whatever is in them.
pub fn n_journals(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|it| it == EXTENSION)).count()
}

/// A name for a journal that nothing in the folder has.
pub fn free_name(folder: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    let names = (1_u64..).map(|number| folder.join(format!("{number}.{EXTENSION}")));
    names.into_iter().find(is_free).unwrap_or_else(|| folder.join(EXTENSION))
}

#[cfg(test)]
mod tests;
