//! Unsaved text when the program must end without being asked.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use workspace::State;

/// Writes every file with unsaved changes into the folder, whole and synced. Returns how many.
///
/// # Errors
/// The first file that could not be written; the others have been tried all the same.
pub(crate) fn save_unsaved(state: &State, folder: &Path) -> io::Result<usize> {
    let unsaved: Vec<_> = state.files().filter(|(_, file)| file.is_modified()).collect();
    if unsaved.is_empty() {
        return Ok(0);
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let stamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis());
    let mut result = Ok(unsaved.len());
    for (id, file) in unsaved {
        // Short enough for any file system, whatever the file is called.
        let title: String = file.title().chars().take(40).collect();
        let path = folder.join(format!("{stamp}-{id}-{title}"));
        let written = write_new(&path, &file.document().to_bytes());
        if result.is_ok() {
            result = written.and(result);
        }
    }
    result
}

/// How many files a former run left.
pub(crate) fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
