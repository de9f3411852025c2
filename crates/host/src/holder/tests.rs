//! Locks that are held, and such as only say so.

use std::io::Write as _;

use super::*;

/// The lock of a host with that record in it.
fn lock(record: &str) -> (tempfile::TempDir, File) {
    let folder = tempfile::tempdir().unwrap();
    let mut lock = File::create(folder.path().join(HOST_LOCK_FILE)).unwrap();
    lock.write_all(record.as_bytes()).unwrap();
    (folder, lock)
}

fn ourselves() -> i32 {
    i32::try_from(std::process::id()).unwrap()
}

#[test]
fn who_holds_the_lock_is_the_host() {
    let socket = "/a/rather/long/path/to/some/socket";
    let (folder, lock) = lock(&format!("{}\n{socket}\n", ourselves()));
    let among = |pids: &[i32]| host_among(folder.path(), pids);
    assert_eq!(among(&[1, ourselves()]), None, "the lock is free");
    lock.lock().unwrap();
    assert_eq!(among(&[1, ourselves()]), Some(ourselves()), "it holds it");
    assert_eq!(among(&[1]), None, "it is none of these");
    lock.unlock().unwrap();
    assert_eq!(among(&[1, ourselves()]), None, "it holds it no longer");
}

#[test]
fn what_names_nobody_is_no_host() {
    for record in ["", "\n", "x", "-1\n", "99999999999\n", "\u{e4}\n", &"1".repeat(100)] {
        let (folder, lock) = lock(record);
        lock.lock().unwrap();
        assert_eq!(host_among(folder.path(), &[1, ourselves()]), None, "{record:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(host_among(folder.path(), &[1]), None, "there is no lock");
    nix::unistd::mkfifo(&folder.path().join(HOST_LOCK_FILE), nix::sys::stat::Mode::S_IRWXU)
        .unwrap();
    assert_eq!(host_among(folder.path(), &[1]), None, "nor is a FIFO one, and nobody waits");
}

#[test]
fn one_whose_descriptors_cannot_be_seen_is_taken_for_the_host() {
    let (_folder, lock) = lock("");
    let file = lock.metadata().unwrap();
    assert!(holds_lock(i32::MAX, (file.dev(), file.ino())).is_err(), "it cannot be seen");
}
