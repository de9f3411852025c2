//! Saves that fail or are killed at every step, in a process of their own.
//!
//! The test program starts itself again to run [`child`] under a file size limit, or under `strace`
//! where that works, which makes system calls fail or kills the process at them.

use std::process::{Command, Stdio};

use super::*;

const CHILD_FOLDER: &str = "TRACKSIDE_TEST_SAVE_FOLDER";
const OLD: &[u8] = b"the old text\n";

fn new_text() -> Vec<u8> {
    b"the new text\n".repeat(8000)
}

/// Saves in the folder it is told and writes down what came of it; does nothing when run as a test.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD_FOLDER).map(PathBuf::from) else {
        return;
    };
    let path = folder.join("file");
    let expected = load(&path, MAX_FILE_LEN).unwrap().stamp;
    let request = SaveRequest { path, bytes: new_text(), expected, force: false };
    let result = save(&request, &folder.join("state/backups"));
    fs::write(folder.join("result"), result.map_or_else(|err| err.to_string(), |_| "saved".into()))
        .unwrap();
}

/// What stands under the name before the save.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    New,
    Existing,
    /// Has a second name, so it is written in place.
    Linked,
}

/// Runs [`child`] behind `wrapper`; gives the folder and what the child wrote down, if it could.
fn run(shape: Shape, wrapper: &[&str]) -> (Folder, Option<String>) {
    let folder = Folder::new();
    if shape != Shape::New {
        folder.write("file", OLD);
    }
    if shape == Shape::Linked {
        fs::hard_link(folder.path("file"), folder.path("other")).unwrap();
    }
    let (_crate, module) = module_path!().split_once("::").unwrap();
    Command::new(wrapper[0])
        .args(&wrapper[1..])
        .arg(std::env::current_exe().unwrap())
        .args([&format!("{module}::child"), "--exact", "--test-threads=1"])
        .env(CHILD_FOLDER, folder.root.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let result = fs::read_to_string(folder.path("result")).ok();
    (folder, result)
}

/// A save that failed changed nothing, left nothing and says so.
#[track_caller]
fn check_unchanged(shape: Shape, folder: &Folder, result: &str, context: &str) {
    let content = fs::read(folder.path("file")).ok();
    let old = (shape != Shape::New).then(|| OLD.to_vec());
    assert_eq!(content, old, "{context}: the file is unchanged");
    assert!(result.contains(&*folder.path("file").to_string_lossy()), "{context}: {result}");
    folder.check_clean();
}

#[test]
fn a_limit_on_file_size_leaves_the_old_file() {
    // The limit stands for a full disk: the write fails half way. Works without privileges.
    let limit = ["sh", "-c", r#"trap "" XFSZ; ulimit -f 16; exec "$0" "$@""#];
    for shape in [Shape::New, Shape::Existing, Shape::Linked] {
        let (folder, result) = run(shape, &limit);
        let result = result.expect("the child wrote its result");
        assert!(result.contains("file too large; the file is unchanged"), "{shape:?}: {result}");
        check_unchanged(shape, &folder, &result, &format!("{shape:?}"));
    }
}

fn strace_works() -> bool {
    let traced = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let works = traced.is_ok_and(|status| status.success());
    if !works {
        println!("not tested: strace is missing or may not trace here");
    }
    works
}

/// Runs a save with one system call tampered with.
fn run_tampered(shape: Shape, call: &str, tampering: &str) -> (Folder, Option<String>) {
    let inject = format!("inject={call}:{tampering}");
    run(shape, &["strace", "-f", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject])
}

/// Every call by which a save changes the disk, and how often at most.
const CALLS: [(&str, u32); 6] = [
    ("pwrite64", 1),
    ("fsync", 3),
    ("fchmod", 1),
    ("renameat,renameat2", 1),
    ("ftruncate", 1),
    ("fallocate", 1),
];

fn each_step(mut check: impl FnMut(Shape, &str, u32)) {
    for shape in [Shape::New, Shape::Existing, Shape::Linked] {
        for (call, times) in CALLS {
            (1..=times).for_each(|time| check(shape, call, time));
        }
    }
}

#[test]
fn a_full_disk_at_any_step_leaves_the_old_file() {
    if !strace_works() {
        return;
    }
    let mut n_failed = 0;
    each_step(|shape, call, time| {
        let context = format!("{shape:?}: {call} number {time}");
        let (folder, result) = run_tampered(shape, call, &format!("error=ENOSPC:when={time}"));
        match result.expect("the child wrote its result").as_str() {
            // The call is not made for this shape, or the save can do without.
            "saved" => {
                assert_eq!(fs::read(folder.path("file")).unwrap(), new_text(), "{context}");
                folder.check_clean();
            }
            result => {
                n_failed += 1;
                assert!(result.contains("no space left on device"), "{context}: {result}");
                check_unchanged(shape, &folder, result, &context);
            }
        }
    });
    assert!(n_failed >= 10, "only {n_failed} saves failed: was anything tampered with?");
}

#[test]
fn a_save_that_cannot_be_undone_says_where_the_old_text_is() {
    if !strace_works() {
        return;
    }
    // In place: the copy and its folder are flushed, then the file, then the file put back.
    let (folder, result) = run_tampered(Shape::Linked, "fsync", "error=EIO:when=3+");
    let result = result.expect("the child wrote its result");
    let (_, backup) = result.split_once("what it held is kept in ").expect(&result);
    assert_eq!(fs::read(backup).unwrap(), OLD, "the old text");
    drop(folder);
}

#[test]
fn a_kill_at_any_step_leaves_the_old_or_the_new_file() {
    if !strace_works() {
        return;
    }
    let mut n_killed = 0;
    each_step(|shape, call, time| {
        let (folder, result) = run_tampered(shape, call, &format!("signal=SIGKILL:when={time}"));
        n_killed += u32::from(result.is_none());
        let content = fs::read(folder.path("file")).ok();
        let old = (shape != Shape::New).then(|| OLD.to_vec());
        let is_whole = content == old || content == Some(new_text());
        // In place there is a moment between; then the old text is in the backup.
        let backup = fs::read_dir(folder.backups()).into_iter().flatten().next();
        let is_kept = backup.is_some_and(|entry| fs::read(entry.unwrap().path()).unwrap() == OLD);
        let torn = content.map(|content| content.len());
        assert!(is_whole || (shape == Shape::Linked && is_kept), "{shape:?} {call}: {torn:?}");
    });
    assert!(n_killed >= 10, "only {n_killed} saves were killed: was anything tampered with?");
}

#[test]
fn a_read_only_file_system_is_refused_with_a_way_out() {
    if !strace_works() {
        return;
    }
    for shape in [Shape::New, Shape::Existing] {
        let call = "access,faccessat,faccessat2";
        let (folder, result) = run_tampered(shape, call, "error=EROFS");
        let result = result.expect("the child wrote its result");
        let way_out = "read-only file system; make it writable and save again";
        assert!(result.ends_with(way_out), "{shape:?}: {result}");
        check_unchanged(shape, &folder, &result, "read-only file system");
    }
}

#[test]
fn a_folder_that_refuses_the_rename_gets_the_text_in_place() {
    if !strace_works() {
        return;
    }
    let (folder, result) = run_tampered(Shape::Existing, "renameat,renameat2", "error=EBUSY");
    assert_eq!(result.as_deref(), Some("saved"), "written in place");
    assert_eq!(fs::read(folder.path("file")).unwrap(), new_text(), "whole");
    folder.check_clean();
}

#[test]
fn a_file_with_attributes_is_written_in_place() {
    if !strace_works() {
        return;
    }
    // Attributes are not available on every file system, so the listing of them is faked: it fails.
    let (folder, result) =
        run_tampered(Shape::Existing, "renameat,renameat2,flistxattr", "error=EIO");
    assert_eq!(result.as_deref(), Some("saved"), "no rename was needed");
    assert_eq!(fs::read(folder.path("file")).unwrap(), new_text(), "whole");
}
