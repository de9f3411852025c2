//! The little we ask of a repository so far: which branch a folder is on, and which repository it is.
//!
//! Only files are read; no program of the repository's choosing runs.

use std::fs;
use std::path::{Path, PathBuf};

/// Longest `HEAD` or `.git` file that is believed.
const MAX_LEN: u64 = 4096;

/// The branch's name, or the first digits of a detached commit; `None` outside of repositories.
pub(crate) fn branch(root: &Path) -> Option<String> {
    let git_dir = root.ancestors().find_map(git_dir_of)?;
    let head = read_line(&git_dir.join("HEAD"))?;
    let name = match head.strip_prefix("ref: ") {
        Some(reference) => reference.strip_prefix("refs/heads/").unwrap_or(reference),
        None => head.get(..8)?,
    };
    let clean: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    (!clean.is_empty()).then_some(clean)
}

/// The folder that all worktrees of the repository share; `None` outside of repositories.
pub(crate) fn repository(root: &Path) -> Option<PathBuf> {
    let git_dir = root.ancestors().find_map(git_dir_of)?;
    // A worktree has a folder of its own, and in it a line that leads to the shared one.
    let common = match read_line(&git_dir.join("commondir")) {
        Some(line) => git_dir.join(line),
        None => git_dir,
    };
    fs::canonicalize(common).ok()
}

/// `.git` is a folder, or in a worktree a file that names one.
fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let path = folder.join(".git");
    if path.is_dir() {
        return Some(path);
    }
    let line = read_line(&path)?;
    Some(folder.join(line.strip_prefix("gitdir: ")?))
}

fn read_line(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_LEN {
        return None;
    }
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with those files, and another one in it.
    fn tree(files: &[(&str, &str)], folder: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(dir.path().join(folder)).unwrap();
        dir
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], folder: &str, expected: Option<&str>) {
        let dir = tree(files, folder);
        assert_eq!(branch(&dir.path().join(folder)).as_deref(), expected, "in {files:?}");
    }

    #[test]
    fn the_branch_is_read_from_head() {
        check(&[(".git/HEAD", "ref: refs/heads/feature/x\n")], "sub", Some("feature/x"));
        check(&[(".git/HEAD", "0123456789abcdef\n")], ".", Some("01234567"));
        check(&[("w/.git", "gitdir: ../g\n"), ("g/HEAD", "ref: refs/heads/w\n")], "w", Some("w"));
        check(&[(".git/HEAD", "ref: refs/heads/a\u{1b}[2Jb\n")], ".", Some("a[2Jb"));
        check(&[(".git/HEAD", "x")], ".", None);
    }

    #[track_caller]
    fn check_repository(files: &[(&str, &str)], folder: &str, expected: Option<&str>) {
        let dir = tree(files, folder);
        let top = fs::canonicalize(dir.path()).unwrap();
        let found = repository(&dir.path().join(folder));
        assert_eq!(found, expected.map(|path| top.join(path)), "{folder} of {files:?}");
    }

    #[test]
    fn worktrees_and_subfolders_share_a_repository() {
        let head = ("api/.git/HEAD", "ref: refs/heads/main\n");
        let worktree = [
            head,
            ("fix/.git", "gitdir: ../api/.git/worktrees/fix\n"),
            ("api/.git/worktrees/fix/commondir", "../..\n"),
        ];
        check_repository(&[head], "api", Some("api/.git"));
        check_repository(&[head], "api/src/deep", Some("api/.git"));
        check_repository(&worktree, "fix", Some("api/.git"));
        check_repository(&worktree, "fix/src", Some("api/.git"));
        check_repository(&[head], "notes", None);
        check_repository(&[("w/.git", "gitdir: ../gone\n")], "w", None);
    }
}
