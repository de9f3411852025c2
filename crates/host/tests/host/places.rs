//! Where a host may be, and that there is one.

use std::io::Write as _;
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
fn whatever_is_in_the_place_of_its_files_is_put_aside() {
    let state = private_folder();
    type Make = fn(&Path);
    let make: [(&str, Make); 5] = [
        ("a folder", |path| fs::create_dir(path).unwrap()),
        ("a link", |path| symlink("/etc/passwd", path).unwrap()),
        ("a link to nowhere", |path| symlink("/no/such/file", path).unwrap()),
        ("a FIFO", |path| {
            nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }),
        ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
    ];
    for name in ["host.lock", "host.start.lock", "host.log"] {
        for (what, make) in &make {
            let path = state.path().join(name);
            fs::remove_file(&path).unwrap_or_default();
            make(&path);
            let before = fs::symlink_metadata(&path).unwrap().file_type();
            let (client, notices) = connect(start(state.path(), &[]));
            client.list().expect(what);
            assert!(fs::symlink_metadata(&path).unwrap().is_file(), "{what}: {name} is a file");
            let aside = state.path().join(format!("{name}.bad-1"));
            let kept = fs::symlink_metadata(&aside).expect("it is kept");
            assert_eq!(kept.file_type(), before, "{what} in the place of {name}");
            fs::remove_dir(&aside).or_else(|_| fs::remove_file(&aside)).unwrap();
            client.quit(Duration::ZERO, || {});
            assert!(notices.iter().any(|it| it == Notice::Lost), "it ends");
        }
    }
}

#[test]
fn whatever_is_written_in_its_files_it_starts() {
    let state = private_folder();
    let long = "9".repeat(1 << 20);
    let texts = ["", "-1\n", "1\n/etc/passwd\n", "\n\n\n", "\u{0}\u{1}\n\u{0}", &long];
    for name in ["host.lock", "host.start.lock", "host.log"] {
        for text in texts {
            fs::write(state.path().join(name), text).unwrap();
            let (client, notices) = connect(start(state.path(), &[]));
            client.list().expect("it serves");
            client.quit(Duration::ZERO, || {});
            assert!(notices.iter().any(|it| it == Notice::Lost), "it ends");
        }
    }
    assert!(Path::new("/etc/passwd").is_file(), "what was named there is left alone");
}

#[test]
fn a_host_of_another_version_is_left_alone_with_a_reason() {
    let state = private_folder();
    let answers = [
        (
            "{\"refused\":{\"version\":9,\"error\":{\"kind\":\"version\",\"message\":\"I speak 9\"}}}",
            "I speak 9",
        ),
        ("{\"welcome\":{\"version\":9,\"pid\":1}}", "version 9"),
        ("{\"welcome\":{\"version\":0,\"pid\":1}}", "version 0"),
        ("{\"farewell\":1}", "no answer"),
        ("hello", "no answer"),
    ];
    for (answer, expected) in answers {
        let path = state.path().join("host.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let error = thread::scope(|scope| {
            scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                assert!(stream.read(&mut [0; 1024]).unwrap() > 0, "a hello");
                stream.write_all(format!("{answer}\n").as_bytes()).unwrap();
            });
            Client::find(start(state.path(), &[]), |_| {}).unwrap_err().to_string()
        });
        assert!(error.contains(expected), "{answer}: {error}");
        assert!(path.exists(), "{answer}: its socket stays");
        fs::remove_file(&path).unwrap();
    }
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
