//! Who is trusted with what.

use super::*;

fn print(fields: &[&str]) -> Fingerprint {
    Fingerprint::of(fields.iter().copied())
}

#[test]
fn a_fingerprint_is_the_hash_of_fields_with_their_lengths() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(print(&[]).to_string(), empty, "SHA-256 of nothing");
    assert_ne!(print(&["ab", "c"]), print(&["a", "bc"]), "where a field ends matters");
    assert_ne!(print(&["a"]), print(&["a", ""]), "an empty field is a field");
    assert_eq!(print(&["a", "b"]), print(&["a", "b"]), "the same is the same");
}

/// Folders that are granted in turn, then one that is asked about.
#[track_caller]
fn check(granted: &[(&str, &str)], asked: (&str, &str), expected: bool) {
    let state = tempfile::tempdir().unwrap();
    for (folder, commands) in granted {
        Trust::grant(state.path(), Path::new(folder), print(&[commands])).unwrap();
    }
    let trust = Trust::load(state.path()).unwrap().value;
    let (folder, commands) = asked;
    assert_eq!(trust.holds(Path::new(folder), &print(&[commands])), expected, "{asked:?}");
}

#[test]
fn trust_is_for_a_folder_and_its_commands() {
    check(&[], ("/a", "x"), false);
    check(&[("/a", "x")], ("/a", "x"), true);
    check(&[("/a", "x")], ("/a", "y"), false);
    check(&[("/a", "x")], ("/a/b", "x"), false);
    check(&[("/a", "x")], ("/", "x"), false);
    check(&[("/a", "x"), ("/a", "y")], ("/a", "x"), false);
    check(&[("/a", "x"), ("/b", "y")], ("/a", "x"), true);
}

#[test]
fn what_is_revoked_is_forgotten() {
    let state = tempfile::tempdir().unwrap();
    let folder = Path::new("/a");
    assert!(!Trust::revoke(state.path(), folder).unwrap(), "it was not known");
    Trust::grant(state.path(), folder, print(&["x"])).unwrap();
    assert!(Trust::load(state.path()).unwrap().value.knows(folder), "now it is");
    assert!(Trust::revoke(state.path(), folder).unwrap(), "it was known");
    assert_eq!(Trust::load(state.path()).unwrap().value, Trust::default(), "and is no more");
}

#[test]
fn a_folder_whose_name_is_no_text_is_not_mistaken_for_another() {
    use std::os::unix::ffi::OsStrExt as _;
    let state = tempfile::tempdir().unwrap();
    let folder = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff"));
    let refusal = Trust::grant(state.path(), folder, print(&[])).unwrap_err();
    assert!(matches!(refusal, StoreError::NotText { .. }), "{refusal}");
    Trust::grant(state.path(), Path::new("/a\u{fffd}"), print(&[])).unwrap();
    assert!(!Trust::load(state.path()).unwrap().value.holds(folder, &print(&[])), "another one");
}
