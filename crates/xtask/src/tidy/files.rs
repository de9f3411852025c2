//! Rules about files of any kind: which there are, how large, and what they must not hold.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::Problem;

const LARGEST: u64 = 200 * 1024;
/// Minutes of a real agent.
const SIGNALS: &str = "tests/data/signals/";
const LARGEST_RECORDING: u64 = 320 * 1024;
const ARCHITECTURE: &str = "docs/ARCHITECTURE.md";
const ARCHITECTURE_LINES: usize = 300;

/// A file that is, or is about to be, under version control.
#[derive(Debug)]
pub(super) struct File {
    /// From the root, with `/`.
    pub(super) path: String,
}

/// All files of the checkout but the ignored ones.
pub(super) fn list(root: &Path) -> anyhow::Result<Vec<File>> {
    let output = Command::new("git")
        // The checkout may belong to another user, as it does in some containers.
        .args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start git")?;
    if !output.status.success() {
        bail!("`git ls-files` failed ({})", output.status);
    }
    let listing = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let paths = listing.split_terminator('\0').map(str::to_owned);
    let mut files: Vec<File> = paths.map(|path| File { path }).collect();
    // One that was removed but not yet staged as removed is still listed.
    files.retain(|file| root.join(&file.path).is_file());
    Ok(files)
}

impl File {
    pub(super) fn check(&self, root: &Path) -> anyhow::Result<Vec<Problem>> {
        let bytes = self.read(root)?;
        let size = u64::try_from(bytes.len())?;
        let problems = [
            check_size(&self.path, size),
            check_paths(&self.path, &bytes, root),
            check_architecture(&self.path, &bytes),
            check_manifest(&self.path, &bytes),
        ];
        Ok(problems.into_iter().flatten().collect())
    }

    /// Its text, if it is Rust.
    pub(super) fn source(&self, root: &Path) -> anyhow::Result<Option<String>> {
        if !self.path.ends_with(".rs") {
            return Ok(None);
        }
        let text = String::from_utf8(self.read(root)?);
        Ok(Some(text.with_context(|| format!("{} is not UTF-8", self.path))?))
    }

    fn read(&self, root: &Path) -> anyhow::Result<Vec<u8>> {
        fs::read(root.join(&self.path)).with_context(|| format!("cannot read {}", self.path))
    }
}

pub(super) fn check_size(path: &str, size: u64) -> Option<Problem> {
    let may_be_large = path.starts_with("assets/fonts/") || path == "Cargo.lock";
    let largest = if path.starts_with(SIGNALS) { LARGEST_RECORDING } else { LARGEST };
    let what = format!("has {} KiB; the limit is {} KiB", size.div_ceil(1024), largest / 1024);
    (size > largest && !may_be_large).then(|| Problem::error(path, what))
}

/// A path of one machine means nothing on the next.
pub(super) fn check_paths(path: &str, bytes: &[u8], root: &Path) -> Option<Problem> {
    // A checkout in `/src` would forbid every mention of that.
    if root.components().count() < 3 {
        return None;
    }
    let root = root.as_os_str().as_encoded_bytes();
    let at = bytes.windows(root.len()).position(|window| window == root)?;
    let line = bytes[..at].split(|byte| *byte == b'\n').count();
    Some(Problem::error(path, "holds the path of this checkout").at_line(line))
}

pub(super) fn check_architecture(path: &str, bytes: &[u8]) -> Option<Problem> {
    let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let what = format!("has {n_lines} lines and must have fewer than {ARCHITECTURE_LINES}");
    (path == ARCHITECTURE && n_lines >= ARCHITECTURE_LINES).then(|| Problem::error(path, what))
}

/// A crate that forgets to take over the workspace's lints has none. One that is a workspace of its
/// own, for another compiler, cannot.
pub(super) fn check_manifest(path: &str, bytes: &[u8]) -> Option<Problem> {
    let text = String::from_utf8_lossy(bytes);
    let is_crate = path.ends_with("Cargo.toml")
        && text.contains("[package]")
        && !text.contains("\n[workspace]\n");
    let takes_lints = text.contains("[lints]\nworkspace = true");
    let what = "does not take over the workspace's lints (`[lints] workspace = true`)";
    (is_crate && !takes_lints).then(|| Problem::error(path, what))
}
