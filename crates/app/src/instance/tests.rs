//! Who gets the state directory, and which places are none.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use control::path::{LOCK_FILE, find_socket};
use tempfile::TempDir;

use super::{InstanceLock, LockError};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Acquiring is refused with that line.
#[track_caller]
fn refused(state_dir: &Path, expected: &str) {
    let err = InstanceLock::acquire(state_dir).unwrap_err();
    assert_eq!(err.to_string().replace(&state_dir.display().to_string(), "DIR"), expected, "why");
}

#[test]
fn the_state_directory_is_made_for_this_user_alone() {
    let root = TempDir::new().unwrap();
    let state_dir = root.path().join("share/trackside");
    let _lock = InstanceLock::acquire(&state_dir).unwrap();
    assert_eq!(mode(&state_dir), 0o700, "the folder");
    assert_eq!(mode(&state_dir.join(LOCK_FILE)), 0o600, "the lock");
}

#[test]
fn a_second_instance_is_told_who_the_first_is() {
    let root = TempDir::new().unwrap();
    let lock = InstanceLock::acquire(root.path()).unwrap();
    let us = std::process::id();
    let expected = format!("an instance already runs on the state directory DIR (process {us})");
    refused(root.path(), &expected);
    lock.record_socket(Path::new("/somewhere/control.sock")).unwrap();
    refused(root.path(), &expected);
    drop(lock);
    InstanceLock::acquire(root.path()).unwrap();
}

#[test]
fn clients_find_the_socket_that_was_recorded() {
    let root = TempDir::new().unwrap();
    let lock = InstanceLock::acquire(root.path()).unwrap();
    lock.record_socket(Path::new("/run/user/7/trackside/long-name.sock")).unwrap();
    lock.record_socket(Path::new("/somewhere/control.sock")).unwrap();
    assert_eq!(find_socket(root.path(), None), Path::new("/somewhere/control.sock"), "the last");
}

#[test]
fn a_file_that_is_left_behind_holds_nobody_up() {
    let root = TempDir::new().unwrap();
    fs::write(root.path().join(LOCK_FILE), "1\n/old/control.sock\nand more").unwrap();
    let lock = InstanceLock::acquire(root.path()).unwrap();
    let record = fs::read_to_string(root.path().join(LOCK_FILE)).unwrap();
    assert_eq!(record, format!("{}\n", std::process::id()), "nothing of the old is left");
    drop(lock);
}

#[test]
fn the_lock_dies_with_its_process() {
    let root = TempDir::new().unwrap();
    let path = root.path().join(LOCK_FILE);
    fs::write(&path, "").unwrap();
    let Ok(mut holder) = Command::new("flock")
        .arg(&path)
        .args(["-c", "echo held; exec 1>&-; read line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    else {
        return; // util-linux is not everywhere; the rule is the kernel's.
    };
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let err = InstanceLock::acquire(root.path()).unwrap_err();
    assert!(matches!(err, LockError::AlreadyRunning { pid: None, .. }), "got {err:?}");
    drop(holder.stdin.take());
    holder.wait().unwrap();
    InstanceLock::acquire(root.path()).unwrap();
}

#[test]
fn an_agent_does_not_inherit_the_lock() {
    let root = TempDir::new().unwrap();
    let lock = InstanceLock::acquire(root.path()).unwrap();
    let mut agent = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    drop(lock);
    InstanceLock::acquire(root.path()).unwrap();
    drop(agent.stdin.take());
    agent.wait().unwrap();
}

#[test]
fn what_is_no_state_directory_is_refused() {
    let root = TempDir::new().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    refused(&file, "the state directory DIR is not a folder");
    refused(&file.join("below"), "cannot create the state directory DIR");
    refused(Path::new("/proc/trackside"), "cannot create the state directory DIR");
}

#[test]
fn a_state_directory_others_can_write_to_is_refused_and_not_changed() {
    let root = TempDir::new().unwrap();
    fs::set_permissions(root.path(), Permissions::from_mode(0o777)).unwrap();
    refused(root.path(), "others can write to the state directory DIR; run chmod go-w DIR");
    assert_eq!(mode(root.path()), 0o777, "no chmod");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_refused() {
    let root = TempDir::new().unwrap();
    fs::set_permissions(root.path(), Permissions::from_mode(0o500)).unwrap();
    // Modes do not hold root back.
    if !nix::unistd::geteuid().is_root() {
        refused(root.path(), "cannot write in the state directory DIR");
    }
}

#[test]
fn a_lock_that_is_no_file_is_refused_and_stays() {
    let advice = "is not a regular file; move it away";
    let root = TempDir::new().unwrap();
    let path = root.path().join(LOCK_FILE);
    let target = root.path().join("target");
    symlink(&target, &path).unwrap();
    refused(root.path(), &format!("DIR/{LOCK_FILE} {advice}"));
    assert!(!target.exists(), "the link was not followed");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refused(root.path(), &format!("DIR/{LOCK_FILE} {advice}"));
    fs::remove_dir(&path).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR)
        .unwrap();
    refused(root.path(), &format!("DIR/{LOCK_FILE} {advice}"));
}

#[test]
fn a_link_to_the_state_directory_is_the_users_choice() {
    let root = TempDir::new().unwrap();
    let real = root.path().join("real");
    let link = root.path().join("link");
    fs::create_dir(&real).unwrap();
    fs::set_permissions(&real, Permissions::from_mode(0o700)).unwrap();
    symlink(&real, &link).unwrap();
    let _lock = InstanceLock::acquire(&link).unwrap();
    refused(
        &real,
        &format!(
            "an instance already runs on the state directory DIR (process {})",
            std::process::id()
        ),
    );
}
