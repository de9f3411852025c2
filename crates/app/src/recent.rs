//! The folders opened lately, one path a line, newest first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many are kept.
const KEPT: usize = 10;
/// A list longer than this is not ours.
const MAX_LEN: u64 = 64 * 1024;

/// Folders that are still there; a missing or damaged list is an empty one.
pub(crate) fn load(state_dir: &Path) -> Vec<PathBuf> {
    let path = list(state_dir);
    let small = fs::metadata(&path).is_ok_and(|meta| meta.len() <= MAX_LEN);
    let text = if small { fs::read_to_string(path).unwrap_or_default() } else { String::new() };
    text.lines().map(PathBuf::from).filter(|path| path.is_dir()).take(KEPT).collect()
}

/// Puts the folder first and writes the list whole.
///
/// # Errors
/// The list could not be written; the old one is still there.
pub(crate) fn add(state_dir: &Path, folder: &Path) -> io::Result<()> {
    let others = load(state_dir).into_iter().filter(|other| other != folder);
    let lines: Vec<String> = std::iter::once(folder.to_owned())
        .chain(others)
        .take(KEPT)
        .filter_map(|path| path.into_os_string().into_string().ok())
        .filter(|path| !path.contains('\n'))
        .collect();
    let new = state_dir.join("recent.new");
    fs::write(&new, lines.join("\n"))?;
    fs::rename(new, list(state_dir))
}

fn list(state_dir: &Path) -> PathBuf {
    state_dir.join("recent")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_folder_comes_first_and_once() {
        let state = tempfile::tempdir().unwrap();
        let folders = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folders.path().join(name));
        for folder in [&a, &b, &a] {
            fs::create_dir_all(folder).unwrap();
            add(state.path(), folder).unwrap();
        }
        assert_eq!(load(state.path()), [a.clone(), b.clone()], "a was opened last");
        fs::remove_dir(&a).unwrap();
        assert_eq!(load(state.path()), [b], "what is gone is not offered");
    }
}
