//! Clients that send rubbish, too much, too little, or come in crowds.

use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use control::{Call, CallError, ErrorKind, MAX_LINE};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;

use super::{Harness, PATIENCE, Raw, ServerOptions, now};

const PING: &str = "{\"version\":1,\"id\":8,\"call\":\"ping\"}\n";
const STATUS: &str = "{\"version\":1,\"id\":7,\"call\":\"status\"}\n";
const PONG: &str = r#"{"id":8,"ok":"pong"}"#;

/// The bytes are answered with an error that holds those words, and the client may go on.
#[track_caller]
fn answered(bytes: impl AsRef<[u8]>, words: &str) {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(bytes);
    let line = raw.line();
    assert!(line.contains("\"error\":") && line.contains(words), "got {line:?}");
    raw.send(PING);
    assert_eq!(raw.line(), PONG, "still in step");
}

#[test]
fn rubbish_is_answered_and_forgotten() {
    answered("hello\n", "not a JSON object");
    answered("\n", "not a JSON object");
    answered(b"\xff\xfe\0\x1b]0;x\x07\n", "not UTF-8 at byte 0");
    answered(
        "{\"version\":1,\"id\":1,\"call\":\"fly\"}\n",
        "unknown call `fly`, expected one of ping,",
    );
    answered("{\"version\":2,\"id\":1,\"fly\":{}}\n", "\"kind\":\"version\"");
    answered("{\"version\":1,\"id\":1,\"call\":\"ping\",\"x\":1}\n", "unknown field `x`");
    answered(format!("{}\n", "[".repeat(10_000)), "nested too deeply");
    answered(format!("{}\n", "{\"a\":".repeat(10_000)), "nested too deeply");
    answered(format!("[{}]\n", "0,".repeat(300_000)), "too many values");
}

#[test]
fn a_line_of_the_greatest_length_is_read_and_one_longer_is_not() {
    let harness = Harness::new();
    let frame = "{\"version\":1,\"id\":8,\"call\":\"ping\"}".len();
    let mut raw = harness.raw();
    raw.send(format!("{}{PING}", " ".repeat(MAX_LINE - frame)));
    assert_eq!(raw.line(), PONG, "exactly as long as allowed");
    raw.send(format!("{}{PING}", " ".repeat(MAX_LINE - frame + 1)));
    assert!(raw.line().contains("longer than 1048576 bytes"), "one byte more");
    assert_eq!(raw.line(), "", "and closed");
}

#[test]
fn a_hundred_megabytes_without_an_end_are_cut_off_early() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    let chunk = vec![b'x'; 64 * 1024];
    let mut sent = 0;
    while sent < 100 << 20 && raw.stream.write_all(&chunk).is_ok() {
        sent += chunk.len();
    }
    assert!(sent < 4 << 20, "took {sent} bytes");
    assert!(raw.line().contains("longer than"), "says why");
    harness.assert_serves();
}

#[test]
fn half_a_message_is_no_request() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(&STATUS[..20]);
    raw.stream.shutdown(Shutdown::Write).unwrap();
    assert!(raw.line().contains("no end of line"), "says so");
    assert_eq!(raw.line(), "", "and closes");
    let mut gone = harness.raw();
    gone.send(&STATUS[..20]);
    drop(gone);
    harness.assert_serves();
    assert!(harness.incoming.try_recv().is_err(), "the application heard nothing of it");
}

#[test]
fn another_user_is_denied() {
    let allowed_uid = nix::unistd::geteuid().as_raw() + 1;
    let harness = Harness::with(ServerOptions { allowed_uid, ..ServerOptions::default() });
    match harness.client().call(Call::Status) {
        Err(CallError::Refused(error)) => assert_eq!(error.kind, ErrorKind::Denied, "{error}"),
        other => panic!("got {other:?}"),
    }
    assert!(harness.incoming.try_recv().is_err(), "the application heard nothing of it");
}

#[test]
fn the_silent_make_room_and_those_who_wait_do_not() {
    let harness = Harness::with(ServerOptions { max_clients: 2, ..ServerOptions::default() });
    let mut waiting = harness.raw();
    waiting.send(STATUS);
    let first = harness.request();
    let mut silent = harness.raw();
    silent.send(PING);
    assert_eq!(silent.line(), PONG, "is served");
    let mut newcomer = harness.raw();
    newcomer.send(STATUS);
    let second = harness.request();
    assert!(silent.line().contains("\"kind\":\"busy\""), "the silent one is told");
    assert_eq!(silent.line(), "", "and sent away");

    let mut late = harness.raw();
    assert!(late.line().contains("\"kind\":\"busy\""), "all others wait for answers");
    first.reply.done(json!(1));
    second.reply.done(json!(2));
    assert_eq!(waiting.line(), r#"{"id":7,"ok":1}"#, "nobody who waited lost by it");
    assert_eq!(newcomer.line(), r#"{"id":7,"ok":2}"#, "nobody who waited lost by it");
}

#[test]
fn a_client_that_never_reads_cannot_hold_its_place() {
    let harness = Harness::with(ServerOptions { max_clients: 1, ..ServerOptions::default() });
    let mut deaf = harness.raw();
    deaf.send(STATUS);
    harness.request().reply.done(json!("x".repeat(8 << 20)));
    harness.assert_serves();
}

#[test]
fn a_thousand_silent_connections_leave_the_server_quick() {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, soft.max(hard.min(4_096)), hard).unwrap();
    let harness = Harness::new();
    let mut crowd: Vec<UnixStream> = Vec::new();
    let mut times = Vec::new();
    for i in 0..1_000 {
        crowd.push(UnixStream::connect(&harness.path).unwrap());
        if i % 20 == 0 {
            let start = now();
            harness.assert_serves();
            times.push(start.elapsed());
        }
    }
    times.sort_unstable();
    // The middle one, so that a machine busy with other things does not fail the test.
    let middle = times[times.len() / 2];
    assert!(middle.as_millis() <= 100, "a good client waited {middle:?}; all: {times:?}");

    let first = crowd.remove(0);
    first.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut first =
        Raw { lines: std::io::BufReader::new(first.try_clone().unwrap()), stream: first };
    assert!(first.line().contains("\"kind\":\"busy\""), "the earliest was told");
    let n_threads = std::fs::read_dir("/proc/self/task").unwrap().count();
    assert!(n_threads < 600, "{n_threads} threads");
}

#[test]
fn a_server_ends_at_once_whatever_its_clients_do() {
    let mut harness = Harness::new();
    let mut crowd: Vec<Raw> = (0..50).map(|_| harness.raw()).collect();
    for raw in &mut crowd[..20] {
        raw.send(&STATUS[..10]);
    }
    for raw in &mut crowd[20..40] {
        raw.send(STATUS);
    }
    let open: Vec<_> = (0..20).map(|_| harness.request()).collect();
    let start = now();
    harness.server = None;
    assert!(start.elapsed() < PATIENCE / 4, "joined after {:?}", start.elapsed());
    assert!(open.iter().all(|incoming| !incoming.reply.is_open()), "nobody waits any more");
}
