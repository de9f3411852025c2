//! What a session leaves in files: checksums of all of them, before and after.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The SHA-256 of every file, by its path; of a link, where it leads.
pub(super) type Checksums = BTreeMap<String, String>;

/// The files below these folders of `dir`, while somebody may be at work there.
pub(super) fn names(dir: &Path, folders: &[&str]) -> BTreeSet<String> {
    let found = Command::new("find").args(folders).current_dir(dir).output().unwrap();
    String::from_utf8_lossy(&found.stdout).lines().map(str::to_owned).collect()
}

/// Of all files below these folders of `dir`. Nothing may be at work there.
pub(super) fn checksums(dir: &Path, folders: &[&str]) -> Checksums {
    let listed = |rest: &[&str]| {
        let found = Command::new("find").args(folders).args(rest).current_dir(dir).output();
        let found = found.unwrap();
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        String::from_utf8(found.stdout).unwrap()
    };
    let files = listed(&["-type", "f", "-exec", "sha256sum", "{}", "+"]);
    let links = listed(&["-type", "l", "-printf", "%l  %p\n"]);
    let lines = files.lines().chain(links.lines()).filter_map(|line| line.split_once("  "));
    lines.map(|(sum, path)| (path.to_owned(), sum.to_owned())).collect()
}

/// The paths that are new, gone, or of other content, each as any session would have named it.
pub(super) fn touched(before: &Checksums, after: &Checksums) -> BTreeSet<String> {
    let differs = |path: &&String| before.get(*path) != after.get(*path);
    before.keys().chain(after.keys()).filter(differs).map(|path| timeless(path)).collect()
}

/// A path without the ids and times of one session. A database is one file with its journals, which
/// come and go.
pub(super) fn timeless(path: &str) -> String {
    let path =
        ["-wal", "-shm", "-journal"].iter().find_map(|it| path.strip_suffix(it)).unwrap_or(path);
    let words = path.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let word = |word: &str| {
        let end = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len();
        let (name, rest) = word.split_at(end);
        let is_hex = name.len() >= 4 && name.chars().all(|c| c.is_ascii_hexdigit());
        let is_id = is_hex || name.chars().any(|c| c.is_ascii_digit());
        if is_id { format!("#{rest}") } else { word.to_owned() }
    };
    words.map(word).collect()
}

/// The files below a folder that speak of a hook of ours.
pub(super) fn mention_hooks(folder: &Path) -> Vec<String> {
    let found = Command::new("grep").args(["-rlaF", "--", "--hook"]).arg(folder).output();
    let found = String::from_utf8(found.unwrap().stdout).unwrap();
    found.lines().map(str::to_owned).collect()
}

#[test]
fn names_of_two_sessions_are_the_same_without_ids_and_times() {
    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(timeless(path), expected, "{path}");
    }
    check("home/.aider.conf.yml", "home/.aider.conf.yml");
    check("a/2026-11-18T20-13/5e8b.lock", "a/#-#-#-#/#.lock");
    check("chats/0db4fade-beef-4ace-8aaf-0123456789ab.jsonl", "chats/#-#-#-#-#.jsonl");
    check("state_5.sqlite-wal", "state_#.sqlite");
}

#[test]
fn a_file_that_is_new_gone_or_another_was_touched() {
    let sums = |files: &[(&str, &str)]| {
        files.iter().map(|(path, sum)| ((*path).to_owned(), (*sum).to_owned())).collect()
    };
    let before: Checksums = sums(&[("same", "x"), ("gone", "x"), ("other", "x")]);
    let after: Checksums = sums(&[("same", "x"), ("other", "y"), ("new", "x")]);
    let expected = ["gone", "new", "other"].map(str::to_owned);
    assert_eq!(touched(&before, &after), BTreeSet::from(expected), "and nothing else");
}
