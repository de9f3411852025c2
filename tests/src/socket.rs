//! The control socket: where it is, who may use it, and what nobody can do through it.

use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::{refusal, run_to_end, trackside};
use crate::harness::{Instance, PATIENCE, Setup, set_mode, timed};

impl Instance {
    /// What starting to draw takes is taken before anything is measured.
    fn has_drawn(&self) {
        self.ok(["screenshot".as_ref(), self.path("drawn.png").as_os_str()]);
    }

    fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(self.socket()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// What a connection that sent these bytes is answered; `None` if it is closed without a word.
    pub(crate) fn answer(&self, bytes: &[u8]) -> Option<Value> {
        let mut stream = self.connect();
        // It may be refused before all is sent, and that is an answer as well.
        stream.write_all(bytes).unwrap_or_default();
        let mut line = String::new();
        match BufReader::new(stream).read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap()),
            Err(err) if err.kind() == ErrorKind::ConnectionReset => None,
            Err(err) => panic!("neither answered nor closed: {err}"),
        }
    }

    /// A good client is served, and at once.
    #[track_caller]
    fn check_it_answers(&self, while_what: &str) {
        let mut times: Vec<_> = (0..5).map(|_| timed(|| self.status()).1).collect();
        times.sort();
        assert!(times[2] < Duration::from_millis(100), "{while_what}: {times:?}");
    }
}

#[test]
fn a_request_is_answered_by_its_id() {
    let instance = Instance::headless();
    let mut stream = instance.connect();
    for id in [7, 8] {
        let request = json!({"version": 1, "id": id, "call": "status", "args": {}});
        writeln!(stream, "{request}").unwrap();
    }
    let mut lines = BufReader::new(stream).lines();
    for id in [7, 8] {
        let reply: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(reply["id"], id, "in order: {reply}");
        assert_eq!(reply["ok"]["version"], 1, "{reply}");
    }
}

#[test]
fn what_is_no_request_is_answered_with_an_error_or_closed() {
    let instance = Instance::headless();
    let deep = format!("{}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let deep_args = format!(
        "{{\"version\":1,\"id\":1,\"call\":\"status\",\"args\":{}1{}}}\n",
        "{\"a\":".repeat(10_000),
        "}".repeat(10_000),
    );
    for (what, bytes) in [
        ("garbage", b"\x00\x01\x02garbage\n".to_vec()),
        ("an empty line", b"\n".to_vec()),
        ("another protocol", b"GET / HTTP/1.1\r\n\r\n".to_vec()),
        ("invalid UTF-8", b"{\"version\":1,\"id\":1,\"call\":\"\xff\xfe\"}\n".to_vec()),
        ("deep nesting", deep.into_bytes()),
        ("deep arguments", deep_args.into_bytes()),
        ("no object", b"[1,2,3]\n".to_vec()),
        ("an unknown call", b"{\"version\":1,\"id\":1,\"call\":\"dance\",\"args\":{}}\n".to_vec()),
        (
            "a newer version",
            b"{\"version\":99,\"id\":1,\"call\":\"status\",\"args\":{}}\n".to_vec(),
        ),
        (
            "wrong arguments",
            b"{\"version\":1,\"id\":1,\"call\":\"type\",\"args\":{\"text\":1}}\n".to_vec(),
        ),
    ] {
        let reply = instance.answer(&bytes);
        let is_error =
            |reply: &Value| reply["error"]["message"].is_string() && reply["ok"].is_null();
        assert!(reply.as_ref().is_none_or(is_error), "{what}: {reply:?}");
        instance.check_it_answers(what);
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let instance = Instance::headless();
    for (call, kind, says) in [
        (json!({"version": 1, "id": 1, "call": "dance", "args": {}}), "usage", "dance"),
        (json!({"version": 99, "id": 1, "call": "status", "args": {}}), "version", "99"),
        (
            json!({"version": 1, "id": 1, "call": "screen", "args": {"workspace": "x"}}),
            "failed",
            "`x`",
        ),
    ] {
        let reply = instance.answer(format!("{call}\n").as_bytes()).expect("an answer");
        assert_eq!(reply["error"]["kind"], kind, "{call}: {reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains(says), "{call}: {reply}");
        assert_eq!(reply["id"], 1, "{call}: {reply}");
    }
}

#[test]
fn a_line_without_end_is_cut_off() {
    let instance = Instance::headless();
    instance.has_drawn();
    let before = instance.stats()["memory"]["resident_bytes"].as_u64().unwrap();
    let mut stream = instance.connect();
    let chunk = vec![b'x'; 1 << 20];
    let mut sent = 0;
    while sent < 100 && stream.write_all(&chunk).is_ok() {
        sent += 1;
        if sent % 20 == 0 {
            instance.check_it_answers("while the line comes in");
        }
    }
    let mut reply = Vec::new();
    let ended = stream.read_to_end(&mut reply);
    let was_reset = ended.as_ref().is_err_and(|err| err.kind() == ErrorKind::ConnectionReset);
    assert!(ended.is_ok() || was_reset, "the connection is closed: {ended:?}");
    assert!(!String::from_utf8_lossy(&reply).contains("\"ok\""), "and the line refused");
    let after = instance.stats()["memory"]["resident_bytes"].as_u64().unwrap();
    assert!(after.saturating_sub(before) < 16 << 20, "{before} bytes have become {after}");
    instance.check_it_answers("afterwards");
}

#[test]
fn half_a_message_holds_nobody_up_and_does_nothing() {
    let instance = Instance::headless();
    instance.open("one");
    let half = b"{\"version\":1,\"id\":1,\"call\":\"quit\",\"args\":{\"stop_agents\":true}}";
    let mut waiting = instance.connect();
    waiting.write_all(half).unwrap();
    let mut gone = instance.connect();
    gone.write_all(half).unwrap();
    drop(gone);
    instance.check_it_answers("with half a message");
    // The rest of it makes it a whole one.
    waiting.write_all(b"\n").unwrap();
    let mut reply = String::new();
    BufReader::new(waiting).read_line(&mut reply).unwrap();
    assert!(reply.contains("\"ok\""), "{reply}");
}

#[test]
fn a_thousand_idle_connections_hold_nobody_up() {
    let instance = Instance::headless();
    instance.has_drawn();
    let before = instance.stats()["memory"]["resident_bytes"].as_u64().unwrap();
    let idle: Vec<_> =
        (0..1_000).map_while(|_| UnixStream::connect(instance.socket()).ok()).collect();
    assert!(idle.len() > 100, "only {} connections", idle.len());
    instance.check_it_answers("beside idle connections");
    let after = instance.stats()["memory"]["resident_bytes"].as_u64().unwrap();
    assert!(after.saturating_sub(before) < 16 << 20, "{before} bytes have become {after}");
    drop(idle);
    instance.check_it_answers("after they have gone");
}

#[test]
fn a_client_that_reads_nothing_holds_nobody_up() {
    let instance = Instance::headless();
    instance.open("one");
    let mut stream = instance.connect();
    stream.set_nonblocking(true).unwrap();
    let request = json!({"version": 1, "id": 1, "call": "screen", "args": {}}).to_string() + "\n";
    for _ in 0..20_000 {
        if stream.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    instance.check_it_answers("while replies pile up");
}

#[test]
fn the_socket_is_for_its_user_alone() {
    let instance = Instance::headless();
    let socket = instance.socket();
    let metadata = fs::symlink_metadata(&socket).unwrap();
    assert!(metadata.file_type().is_socket(), "a socket");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "its mode");
    let folder = fs::metadata(socket.parent().unwrap()).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700, "its folder's mode");
    let state = fs::metadata(instance.path("state/trackside")).unwrap();
    assert_eq!(state.permissions().mode() & 0o777, 0o700, "the state folder's mode");
}

#[test]
fn what_is_in_the_socket_s_place_is_neither_removed_nor_followed() {
    let mut instance = Instance::headless();
    let (socket, target) = (instance.socket(), instance.path("target"));
    instance.quit();
    fs::write(&target, "precious").unwrap();
    for what in ["file", "link", "folder"] {
        match what {
            "file" => fs::write(&socket, "precious").unwrap(),
            "link" => std::os::unix::fs::symlink(&target, &socket).unwrap(),
            _ => fs::create_dir(&socket).unwrap(),
        }
        let before = fs::symlink_metadata(&socket).unwrap();
        let output = run_to_end(trackside(instance.dir.path()).arg("--headless"));
        let (code, line) = refusal(&output);
        assert_eq!(code, 1, "{what}: {line}");
        assert!(line.contains(socket.to_str().unwrap()), "{what}: names the path: {line}");
        let after = fs::symlink_metadata(&socket).unwrap();
        let same = before.ino() == after.ino() && before.mode() == after.mode();
        assert!(same, "{what} is untouched");
        assert_eq!(fs::read(&target).unwrap(), b"precious", "{what}: nor is what it leads to");
        fs::rename(&socket, instance.path(what)).unwrap();
    }
    instance.start_again();
}

#[test]
fn a_stale_socket_is_replaced() {
    let mut instance = Instance::headless();
    let socket = instance.socket();
    instance.quit();
    drop(UnixListener::bind(&socket).unwrap());
    assert!(socket.exists(), "nobody listens, but the file is there");
    instance.start_again();
    assert_eq!(instance.socket(), socket, "the same place");
}

#[test]
fn a_program_killed_by_force_can_be_started_again() {
    let mut instance = Instance::headless();
    instance.signal(nix::sys::signal::Signal::SIGKILL);
    instance.wait_for_end();
    assert_eq!(refusal(&instance.cli(["status"])).0, 3, "a dead instance is no instance");
    instance.start_again();
}

#[test]
fn a_runtime_directory_that_is_missing_or_unsafe_is_not_used() {
    let unset = Setup::headless().without_env("XDG_RUNTIME_DIR");
    let open = Setup::headless();
    set_mode(&open.path("run"), 0o777);
    let missing = Setup::headless();
    fs::remove_dir(missing.path("run")).unwrap();
    let relative = Setup::headless().env("XDG_RUNTIME_DIR", "run");
    let cases =
        [("unset", unset), ("world-writable", open), ("missing", missing), ("relative", relative)];
    for (what, setup) in cases {
        let instance = setup.start();
        let socket = instance.socket();
        let state = instance.path("state/trackside");
        assert!(socket.starts_with(&state), "{what}: falls back to the state folder: {socket:?}");
        if what == "world-writable" {
            let mode = fs::metadata(instance.path("run")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o777, "{what}: what is not ours is not changed");
            assert_eq!(fs::read_dir(instance.path("run")).unwrap().count(), 0, "nor written to");
        }
    }
}

#[test]
fn a_path_longer_than_a_socket_s_address_may_be_works() {
    let instance = Setup::far_down().start();
    assert!(instance.socket().as_os_str().len() > 107, "{}", instance.socket().display());
    instance.open("one");
}

#[test]
fn an_agent_does_not_drive_the_program_it_runs_in() {
    let instance = Instance::headless();
    instance.open("two");
    instance.start_agent("two", &["cat"]);
    instance.open("one");
    let program = trackside(instance.dir.path()).get_program().to_str().unwrap().to_owned();
    let results = instance.path("results");
    for attempt in [
        "agent send -w two --enter injected",
        "agent stop -w two",
        "type injected",
        "keys enter",
        "do app.discard_and_quit",
        "agent start -w two -- cat",
        "quit --stop-agents",
    ] {
        for wrapper in ["", "setsid ", "env -i HOME=$HOME XDG_STATE_HOME=$XDG_STATE_HOME "] {
            let script = format!(
                "{wrapper}{program} {attempt} >{0} 2>&1; echo \"code $?\" >>{0}; exit 0",
                results.display()
            );
            instance.start_agent("one", &["sh", "-c", &script]);
            instance.wait("one", "exited");
            let result = fs::read_to_string(&results).unwrap();
            let lines: Vec<_> = result.lines().collect();
            assert_eq!(lines.len(), 2, "`{wrapper}{attempt}` gets one clear line: {result}");
            assert_eq!(lines[1], "code 1", "`{wrapper}{attempt}`: {result}");
            assert!(lines[0].contains("agent"), "`{wrapper}{attempt}` says why: {result}");
        }
    }
    assert!(!instance.screen("two").contains("injected"), "nothing arrived");
    assert_ne!(instance.workspace("two")["agent"]["pid"], Value::Null, "the other one lives");
    instance.ok(["agent", "send", "-w", "two", "--enter", "from the user"]);
    instance.wait_for_screen("two", "from the user");
}

#[test]
fn a_connection_handed_over_by_a_process_that_ended_is_refused() {
    let instance = Instance::headless();
    instance.open("one");
    let script = r#"
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
if os.fork() == 0:
    s.connect(sys.argv[1])
    os._exit(0)
os.wait()
s.sendall(b'{"version":1,"id":1,"call":"status"}\n')
print("answer", s.recv(4096).decode())
"#;
    let socket = instance.socket();
    let socket = socket.to_str().unwrap();
    instance.start_agent("one", &["python3", "-c", script, socket]);
    instance.wait("one", "completed");
    let screen = instance.screen("one").replace('\n', "");
    assert!(screen.contains("\"denied\""), "nobody knows who asks: {screen}");
}
