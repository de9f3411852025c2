//! Where a socket may be made, and what is left alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::Path;

use control::{Call, Client, ConnectError};
use serde_json::json;

use super::{ControlServer, Harness, Incoming, private_folder};
use crate::socket::BindError;

fn pong(incoming: Incoming) {
    incoming.reply.done(json!("pong"));
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Binding is refused with that, and what is at the path stays.
#[track_caller]
fn refused(path: &Path, expected: &str) {
    let before = fs::symlink_metadata(path).map(|found| (found.file_type(), found.len()));
    let err = ControlServer::bind(path, pong).unwrap_err();
    assert_eq!(err.to_string().replace(&path.display().to_string(), "PATH"), expected, "why");
    let after = fs::symlink_metadata(path).map(|found| (found.file_type(), found.len()));
    assert_eq!(before.ok(), after.ok(), "untouched");
}

#[test]
fn the_socket_and_its_folder_are_for_this_user_alone() {
    let folder = private_folder();
    let path = folder.path().join("trackside/control.sock");
    let server = ControlServer::bind(&path, pong).unwrap();
    assert_eq!(mode(path.parent().unwrap()), 0o700, "the folder, made here");
    assert_eq!(mode(&path), 0o600, "the socket");
    assert_eq!(server.path(), path, "where it was asked for");
}

#[test]
fn a_dropped_server_leaves_no_socket() {
    let mut harness = Harness::new();
    harness.assert_serves();
    harness.server = None;
    assert!(!harness.path.exists(), "the file is gone");
    let err = Client::connect(&harness.path).unwrap_err();
    assert!(matches!(err, ConnectError::NoInstance { .. }), "got {err:?}");
}

#[test]
fn a_server_removes_no_socket_but_its_own() {
    let mut harness = Harness::new();
    fs::rename(&harness.path, harness.folder.path().join("moved")).unwrap();
    let _other = UnixListener::bind(&harness.path).unwrap();
    harness.server = None;
    assert!(harness.path.exists(), "the other's socket stays");
}

#[test]
fn a_live_socket_is_another_instance() {
    let harness = Harness::new();
    let err = ControlServer::bind(&harness.path, pong).unwrap_err();
    assert!(matches!(err, BindError::AlreadyRunning { .. }), "got {err:?}");
    harness.assert_serves();
}

#[test]
fn a_live_socket_whose_queue_is_full_is_another_instance() {
    let folder = private_folder();
    let path = folder.path().join("control.sock");
    let listener = UnixListener::bind(&path).unwrap();
    nix::sys::socket::listen(&listener, nix::sys::socket::Backlog::new(0).unwrap()).unwrap();
    let _waiting = UnixStream::connect(&path).unwrap();
    refused(&path, "another instance listens on PATH");
}

#[test]
fn a_stale_socket_is_replaced() {
    let folder = private_folder();
    let path = folder.path().join("control.sock");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "left behind, as by a crash");
    let _server = ControlServer::bind(&path, pong).unwrap();
    let answer = Client::connect(&path).unwrap().call(Call::Ping).unwrap();
    assert_eq!(answer, json!("pong"), "answered by the new one");
    assert_eq!(mode(&path), 0o600, "the new one's mode");
}

#[test]
fn what_is_not_a_socket_stays() {
    let folder = private_folder();
    let at = |name: &str| folder.path().join(name);
    let advice = "not a socket; move it away, or use another --state-dir";
    fs::write(at("file"), "text").unwrap();
    refused(&at("file"), &format!("PATH is a file, {advice}"));
    fs::create_dir(at("folder")).unwrap();
    refused(&at("folder"), &format!("PATH is a folder, {advice}"));
    symlink(at("nowhere"), at("link")).unwrap();
    refused(&at("link"), &format!("PATH is a symbolic link, {advice}"));
    let _other_kind = UnixDatagram::bind(at("datagram")).unwrap();
    refused(&at("datagram"), "cannot listen on PATH");
}

#[test]
fn a_folder_others_can_write_to_is_refused_and_not_changed() {
    for open in [0o777, 0o770, 0o1777] {
        let folder = private_folder();
        fs::set_permissions(folder.path(), Permissions::from_mode(open)).unwrap();
        let err = ControlServer::bind(&folder.path().join("control.sock"), pong).unwrap_err();
        assert!(matches!(err, BindError::UnsafeFolder { .. }), "got {err:?}");
        assert_eq!(mode(folder.path()), open, "no chmod");
    }
}

#[test]
fn a_link_instead_of_the_folder_is_refused() {
    let folder = private_folder();
    let elsewhere = private_folder();
    symlink(elsewhere.path(), folder.path().join("trackside")).unwrap();
    let err = ControlServer::bind(&folder.path().join("trackside/x.sock"), pong).unwrap_err();
    assert!(matches!(err, BindError::UnsafeFolder { .. }), "got {err:?}");
}

#[test]
fn a_missing_place_is_an_error() {
    let folder = private_folder();
    let err = ControlServer::bind(&folder.path().join("a/b/x.sock"), pong).unwrap_err();
    assert!(matches!(err, BindError::Folder { .. }), "got {err:?}");
}

#[test]
fn a_path_longer_than_an_address_works() {
    let folder = private_folder();
    let path = folder.path().join("x".repeat(150)).join("control.sock");
    let server = ControlServer::bind(&path, pong).unwrap();
    let answer = Client::connect(&path).unwrap().call(Call::Ping).unwrap();
    assert_eq!(answer, json!("pong"), "answered");
    let err = ControlServer::bind(&path, pong).unwrap_err();
    assert!(matches!(err, BindError::AlreadyRunning { .. }), "got {err:?}");
    drop(server);
    assert!(!path.exists(), "and removed");
}
