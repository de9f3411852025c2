//! Where a host may be, and that there is one.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::thread;

use control::path::find_host_socket;

use super::*;

#[test]
fn two_that_start_one_at_once_end_up_with_the_same() {
    let mut fixture = Fixture::new();
    fixture.client().quit(Duration::ZERO, || {});
    fixture.leave();
    eventually("its end", || !is_running(fixture.pid));
    let start = || start(fixture.folder.path(), &[]);
    let apps = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| connect(start()))).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    let pids: Vec<i32> = apps.iter().map(|(client, _)| client.pid()).collect();
    assert!(pids.iter().all(|pid| *pid == pids[0]), "one host: {pids:?}");
    fixture.pid = pids[0];
}

#[test]
fn the_socket_is_for_this_user_alone_and_goes_with_its_host() {
    let mut fixture = Fixture::new();
    let path = find_host_socket(fixture.folder.path(), None);
    assert_eq!(path, fs::canonicalize(&fixture.folder).unwrap().join("host.sock"), "in the state");
    let mode = fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode, 0o600, "the socket");
    fixture.leave();
    eventually("its end", || !is_running(fixture.pid));
    assert!(!path.exists(), "the socket is gone");
    let (client, _notices) = connect(fixture.start());
    assert_ne!(client.pid(), fixture.pid, "another host");
    fixture.pid = client.pid();
}

#[test]
fn a_runtime_folder_that_is_not_safe_is_passed_over() {
    let runtime = private_folder();
    let host_in = |state: &Path, mode: u32| {
        fs::set_permissions(runtime.path(), fs::Permissions::from_mode(mode)).unwrap();
        let start = Start { runtime_dir: Some(runtime.path().to_owned()), ..start(state, &[]) };
        let (client, _notices) = connect(start);
        let socket = find_host_socket(state, None);
        assert!(UnixStream::connect(&socket).is_ok(), "found without the variable, too");
        drop(client);
        socket
    };
    let state = private_folder();
    assert!(host_in(state.path(), 0o700).starts_with(runtime.path()), "there");
    let state = private_folder();
    assert!(!host_in(state.path(), 0o777).starts_with(runtime.path()), "not there");
}

#[test]
fn a_dead_socket_is_replaced_and_anything_else_is_left() {
    let state = private_folder();
    let path = state.path().join("host.sock");
    drop(UnixListener::bind(&path).unwrap());
    drop(connect(start(state.path(), &[])));
    eventually("its end", || !path.exists());
    let refused = |what: &str| {
        let before = fs::symlink_metadata(&path).unwrap().file_type();
        let error = Client::start(start(state.path(), &[]), |_| {}).unwrap_err();
        assert!(error.to_string().contains("host"), "{what}: {error}");
        assert_eq!(fs::symlink_metadata(&path).unwrap().file_type(), before, "{what} stays");
    };
    fs::write(&path, "text").unwrap();
    refused("a file");
    fs::remove_file(&path).unwrap();
    symlink(state.path().join("nowhere"), &path).unwrap();
    refused("a link");
    fs::remove_file(&path).unwrap();
    fs::set_permissions(state.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let error = Client::start(start(state.path(), &[]), |_| {}).unwrap_err();
    assert!(error.to_string().contains("host"), "an open state folder: {error}");
}

#[test]
fn a_very_long_state_folder_will_do() {
    let state = private_folder();
    let deep = state.path().join("x".repeat(100)).join("y".repeat(100));
    fs::create_dir_all(&deep).unwrap();
    fs::set_permissions(&deep, fs::Permissions::from_mode(0o700)).unwrap();
    let (client, _notices) = connect(start(&deep, &[]));
    client.list().unwrap();
}
