//! Strangers on the socket: refused or closed, and nobody else notices.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;

use control::path::find_host_socket;

use super::*;

struct Raw {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Fixture {
    fn raw(&self) -> Raw {
        let path = find_host_socket(self.folder.path(), None);
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Raw { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }
}

impl Raw {
    fn say(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        // The host may have hung up.
        drop(self.stream.write_all(bytes.as_ref()));
        self
    }

    /// The next line without its end; empty once the host has closed.
    fn line(&mut self) -> String {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(_) => line.trim_end().to_owned(),
            Err(err) if err.kind() == ErrorKind::ConnectionReset => String::new(),
            Err(err) => panic!("reading: {err}"),
        }
    }
}

const APP: &str = "{\"host\":{\"newest\":1,\"oldest\":1},\"role\":\"app\"}\n";

#[test]
fn a_hello_that_cannot_be_met_is_refused_with_a_reason() {
    let fixture = Fixture::new();
    for (hello, expected) in [
        ("garbage\n", "that is no hello"),
        ("\n", "that is no hello"),
        ("\u{0}\u{1}\n", "that is no hello"),
        ("{\"host\":{\"newest\":9,\"oldest\":7},\"role\":\"app\"}\n", "versions 7 to 9"),
        ("{\"host\":{\"newest\":0,\"oldest\":0},\"role\":\"app\"}\n", "versions 1 to 2;"),
        (
            "{\"host\":{\"newest\":1,\"oldest\":1},\"role\":\"data\",\"program\":7,\"offset\":0}\n",
            "no program 7",
        ),
        (&"x".repeat(5_000), "longer than 4096 bytes"),
    ] {
        let mut raw = fixture.raw();
        let answer = raw.say(hello).line();
        assert!(answer.contains("refused") && answer.contains(expected), "{hello:?}: {answer}");
        assert_eq!(raw.line(), "", "{hello:?}: and that is the end");
    }
    let mut newer = fixture.raw();
    let hello =
        "{\"host\":{\"newest\":3,\"oldest\":1,\"x\":0},\"role\":\"app\",\"mood\":\"good\"}\n";
    assert!(newer.say(hello).line().contains("\"version\":2"), "a newer app is welcome");
    let mut older = fixture.raw();
    assert!(older.say(APP).line().contains("\"version\":1"), "and so is an older one");
    fixture.assert_serves();
}

#[test]
fn garbage_after_the_hello_is_answered_and_harmless() {
    let fixture = Fixture::new();
    let mut raw = fixture.raw();
    raw.say(APP).line();
    for request in [
        "garbage",
        "{}",
        "[]",
        "{\"id\":1}",
        "{\"id\":1,\"request\":\"dance\"}",
        "{\"id\":-1,\"request\":\"list\"}",
        "{\"id\":1,\"request\":\"spawn\",\"argv\":7}",
        &"[".repeat(100_000),
    ] {
        let answer = raw.say(format!("{request}\n")).line();
        assert!(answer.contains("\"error\""), "{answer}");
    }
    let answer = raw.say("{\"id\":5,\"request\":\"list\",\"x\":[1]}\n").line();
    assert!(answer.starts_with("{\"id\":5,\"ok\":"), "still in step: {answer}");
    // Half a message, and gone.
    raw.say("{\"id\":6,\"request\":\"li");
    drop(raw);
    fixture.assert_serves();
}

#[test]
fn a_line_without_end_is_cut_off_and_costs_no_memory() {
    let fixture = Fixture::new();
    let mut raw = fixture.raw();
    raw.say(APP).line();
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..200 {
        if raw.stream.write_all(&chunk).is_err() {
            break;
        }
    }
    let memory = status_number(fixture.pid, "VmHWM");
    assert!(memory < 24 * 1024, "{memory} KiB at most");
    fixture.assert_serves();
}

#[test]
fn hundreds_of_idle_connections_hold_nobody_up() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("echo ready; exec cat");
    fixture.tail(spawned.program, 0).until("ready");
    let idle: Vec<Raw> = (0..500).map(|_| fixture.raw()).collect();
    let mut greeted: Vec<Raw> = (0..100).map(|_| fixture.raw()).collect();
    for raw in &mut greeted {
        raw.say(APP);
    }
    fixture.assert_serves();
    fixture.tail(spawned.program, 0).until("ready");
    let memory = status_number(fixture.pid, "VmRSS");
    assert!(memory < 16 * 1024, "{memory} KiB");
    drop((idle, greeted));
    fixture.assert_serves();
}

#[test]
fn who_only_listens_and_talks_is_sent_away() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("echo ready; exec cat");
    let mut raw = fixture.raw();
    let role = format!("\"role\":\"data\",\"program\":{},\"offset\":0", spawned.program);
    raw.say(format!("{{\"host\":{{\"newest\":1,\"oldest\":1}},{role}}}\n"));
    assert!(raw.line().contains("\"from\":0"), "welcome");
    assert_eq!(raw.line(), "ready", "the bytes");
    raw.say("hello");
    assert_eq!(raw.line(), "", "sent away");
    assert!(is_running(spawned.pid), "its program is none the wiser");
}

/// Prints the answer to nothing.
const CONNECT: &str = "import socket, sys; s = socket.socket(socket.AF_UNIX); \
                       s.connect(sys.argv[1]); \
                       print(s.makefile().readline())";

#[test]
fn programs_of_the_host_may_not_use_it() {
    let fixture = Fixture::new();
    let socket = find_host_socket(fixture.folder.path(), None);
    for script in [
        format!("python3 -c '{CONNECT}' {}; sleep 100", socket.display()),
        // A daemon of it.
        format!("(setsid python3 -c '{CONNECT}' {} &); sleep 100", socket.display()),
    ] {
        let (spawned, _terminal) = fixture.sh(&script);
        fixture.tail(spawned.program, 0).until("programs of this host may not use it");
    }
    fixture.assert_serves();
}

/// The same for one who may be hung up on before it has said anything.
const GREET: &str = "
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
try:
    s.send(sys.argv[2].encode())
except OSError:
    pass
print(s.makefile().readline())
";

/// A host that was itself started with that mark or without; what it says to one that has a mark.
fn said_to_a_marked_one(host: &[&str]) -> String {
    let folder = private_folder();
    let mut start = start(folder.path(), &[]);
    start.args = host.iter().map(Into::into).chain([start.program.into()]).collect();
    start.program = "env".into();
    let (client, notices) = connect(start);
    let fixture = Fixture { pid: client.pid(), client: Some(client), notices, folder };
    let socket = find_host_socket(fixture.folder.path(), None);
    let mut peer = Command::new("python3");
    peer.args(["-c", GREET]).arg(socket).arg(APP).env(pty::SESSION_VARIABLE, "1-1-1");
    let said = String::from_utf8(peer.output().unwrap().stdout).unwrap();
    fixture.assert_serves();
    said
}

#[test]
fn programs_of_another_trackside_may_not_use_it_unless_it_is_of_one_itself() {
    let mark = |value: &str| format!("{}={value}", pty::SESSION_VARIABLE);
    let said = said_to_a_marked_one(&[&mark("2-2-2")]);
    assert!(said.contains("welcome"), "its own app is marked: {said}");
    if std::env::var_os(pty::SESSION_VARIABLE).is_some() {
        // We would be refused ourselves.
        return;
    }
    let said = said_to_a_marked_one(&[]);
    assert!(said.contains("programs of another Trackside may not"), "refused: {said}");
}
