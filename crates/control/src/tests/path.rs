//! Where the socket goes, and that both halves agree on it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::path::{
    LOCK_FILE, MAX_SOCKET_PATH, choose_socket, find_socket, is_private, socket_path,
};

struct Dirs {
    _root: TempDir,
    state: PathBuf,
    runtime: PathBuf,
}

fn dirs() -> Dirs {
    let root = TempDir::new().unwrap();
    let (state, runtime) = (root.path().join("state"), root.path().join("run"));
    for dir in [&state, &runtime] {
        fs::create_dir(dir).unwrap();
        set_mode(dir, 0o700);
    }
    Dirs { _root: root, state, runtime }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Instance and client agree on a socket in the runtime directory, or in the state directory.
#[track_caller]
fn check(dirs: &Dirs, expect_runtime: bool) {
    let chosen = choose_socket(&dirs.state, Some(&dirs.runtime)).unwrap();
    assert_eq!(chosen.starts_with(&dirs.runtime), expect_runtime, "chose {}", chosen.display());
    assert_eq!(chosen.starts_with(&dirs.state), !expect_runtime, "chose {}", chosen.display());
    assert_eq!(find_socket(&dirs.state, Some(&dirs.runtime)), chosen, "the client looks there");
}

#[test]
fn the_path_is_a_function_of_the_two_directories() {
    let state = Path::new("/home/u/.local/state/trackside");
    let runtime = Some(Path::new("/run/user/1000"));
    let path = socket_path(state, runtime);
    assert_eq!(path, Path::new("/run/user/1000/trackside/62870ba45f5bdc5a.sock"), "stable");
    assert_ne!(path, socket_path(Path::new("/other"), runtime), "one for each state directory");
    assert_eq!(socket_path(state, None), state.join("control.sock"), "no runtime directory");
    let relative = Some(Path::new("run"));
    assert_eq!(socket_path(state, relative), state.join("control.sock"), "not an absolute one");
}

#[test]
fn a_runtime_directory_too_long_for_an_address_is_passed_over() {
    let state = Path::new("/state");
    let long = PathBuf::from(format!("/{}", "x".repeat(MAX_SOCKET_PATH - 33)));
    let path = socket_path(state, Some(&long));
    assert_eq!(path.as_os_str().len(), MAX_SOCKET_PATH, "the longest that fits");
    let longer = PathBuf::from(format!("{}x", long.display()));
    assert_eq!(socket_path(state, Some(&longer)), state.join("control.sock"), "one byte more");
}

#[test]
fn a_private_runtime_directory_is_used() {
    check(&dirs(), true);
}

#[test]
fn a_runtime_directory_others_can_write_to_is_passed_over() {
    for mode in [0o777, 0o770, 0o702, 0o1777] {
        let dirs = dirs();
        set_mode(&dirs.runtime, mode);
        check(&dirs, false);
        assert_eq!(
            fs::metadata(&dirs.runtime).unwrap().permissions().mode() & 0o7777,
            mode,
            "untouched"
        );
    }
}

#[test]
fn a_folder_of_ours_that_is_not_ours_is_passed_over() {
    let writable = dirs();
    fs::create_dir(writable.runtime.join("trackside")).unwrap();
    set_mode(&writable.runtime.join("trackside"), 0o777);
    check(&writable, false);

    let linked = dirs();
    symlink(&linked.state, linked.runtime.join("trackside")).unwrap();
    check(&linked, false);

    let file = dirs();
    fs::write(file.runtime.join("trackside"), "").unwrap();
    check(&file, false);
}

#[test]
fn a_runtime_directory_that_is_missing_is_passed_over() {
    let dirs = dirs();
    fs::remove_dir(&dirs.runtime).unwrap();
    check(&dirs, false);
}

#[test]
fn another_users_directory_is_not_private() {
    let dirs = dirs();
    let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&dirs.state).unwrap());
    assert!(is_private(&dirs.state, owner), "our own");
    assert!(!is_private(&dirs.state, owner + 1), "somebody else's");
}

#[test]
fn a_client_without_a_runtime_directory_finds_what_the_instance_chose() {
    let dirs = dirs();
    let chosen = choose_socket(&dirs.state, Some(&dirs.runtime)).unwrap();
    fs::write(dirs.state.join(LOCK_FILE), format!("4242\n{}\n", chosen.display())).unwrap();
    assert_eq!(find_socket(&dirs.state, None), chosen, "written down");
    for record in ["", "4242\n", "4242\nrelative\n", "\0\0\0"] {
        fs::write(dirs.state.join(LOCK_FILE), record).unwrap();
        let fallback = fs::canonicalize(&dirs.state).unwrap().join("control.sock");
        assert_eq!(find_socket(&dirs.state, None), fallback, "for the record {record:?}");
    }
}

#[test]
fn different_names_of_a_state_directory_are_one() {
    let dirs = dirs();
    let link = dirs.state.with_file_name("link");
    symlink(&dirs.state, &link).unwrap();
    let runtime = Some(dirs.runtime.as_path());
    assert_eq!(find_socket(&link, runtime), find_socket(&dirs.state, runtime), "by a link");
    let dotted = dirs.state.join("../state/.");
    assert_eq!(find_socket(&dotted, runtime), find_socket(&dirs.state, runtime), "by dots");
}
