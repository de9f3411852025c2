//! Requests reach the application, and its answers the right client.

use std::net::Shutdown;

use control::{AgentChoice, Call, CallError, ErrorKind};
use serde_json::{Value, json};

use super::{Harness, ServerOptions, eventually};

const STATUS: &str = "{\"version\":1,\"id\":7,\"call\":\"status\"}\n";
const PING: &str = "{\"version\":1,\"id\":8,\"call\":\"ping\"}\n";
const EVENTS: &str = "{\"version\":1,\"id\":9,\"call\":\"events\"}\n";

#[test]
fn a_request_arrives_as_it_was_sent_with_who_sent_it() {
    let harness = Harness::new();
    let agent = AgentChoice::Command(vec!["sh".to_owned()]);
    let call = Call::AgentStart { workspace: Some("api".to_owned()), agent };
    let mut client = harness.client();
    let answer = std::thread::scope(|scope| {
        let asked = scope.spawn(|| client.call(call.clone()));
        let incoming = harness.request();
        assert_eq!(incoming.request.call, call, "the call");
        assert_eq!(incoming.peer.uid, nix::unistd::geteuid().as_raw(), "the user");
        assert_eq!(incoming.peer.pid, i32::try_from(std::process::id()).ok(), "the process");
        incoming.reply.done(json!({"workspace": 1}));
        asked.join().unwrap()
    });
    assert_eq!(answer.unwrap(), json!({"workspace": 1}), "the answer");
}

#[test]
fn a_refusal_arrives_with_its_kind() {
    let harness = Harness::new();
    let mut client = harness.client();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| client.call(Call::Status));
        harness.request().reply.fail(ErrorKind::Denied, "not for agents");
        match asked.join().unwrap() {
            Err(CallError::Refused(error)) => {
                assert_eq!(error.kind, ErrorKind::Denied, "kind");
                assert_eq!(error.message, "not for agents", "message");
            }
            other => panic!("got {other:?}"),
        }
    });
}

#[test]
fn a_request_nobody_answers_is_told_so() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(STATUS);
    drop(harness.request());
    assert_eq!(
        raw.line(),
        r#"{"id":7,"error":{"kind":"failed","message":"the instance gave up on the request; is it quitting?"}}"#,
        "instead of silence"
    );
}

#[test]
fn the_next_request_waits_for_the_answer_to_the_first() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(format!("{STATUS}{PING}{STATUS}"));
    let first = harness.request();
    assert!(harness.incoming.try_recv().is_err(), "one at a time");
    first.reply.done(json!(1));
    assert_eq!(raw.line(), r#"{"id":7,"ok":1}"#, "the first");
    assert_eq!(raw.line(), r#"{"id":8,"ok":"pong"}"#, "the second");
    harness.request().reply.done(json!(3));
    assert_eq!(raw.line(), r#"{"id":7,"ok":3}"#, "the third");
}

#[test]
fn a_client_that_has_said_all_still_gets_its_answer() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(STATUS);
    raw.stream.shutdown(Shutdown::Write).unwrap();
    harness.request().reply.done(json!(1));
    assert_eq!(raw.line(), r#"{"id":7,"ok":1}"#, "answered");
    assert_eq!(raw.line(), "", "and closed");
}

#[test]
fn an_answer_knows_that_its_client_has_left() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(STATUS);
    let incoming = harness.request();
    assert!(incoming.reply.is_open(), "somebody waits");
    drop(raw);
    eventually("the client's leaving is seen", || !incoming.reply.is_open());
    incoming.reply.done(json!(1));
    harness.assert_serves();
}

#[test]
fn an_answer_longer_than_the_queue_arrives_whole() {
    let harness = Harness::with(ServerOptions { max_queued: 1_000, ..ServerOptions::default() });
    let mut raw = harness.raw();
    raw.send(STATUS);
    harness.request().reply.done(Value::String("x".repeat(5_000_000)));
    assert_eq!(raw.line().len(), 5_000_000 + r#"{"id":7,"ok":""}"#.len(), "every byte");
}

#[test]
fn a_reply_sent_just_before_the_end_arrives() {
    let mut harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(STATUS);
    let incoming = harness.request();
    incoming.reply.done(json!("bye"));
    harness.server = None;
    assert_eq!(raw.line(), r#"{"id":7,"ok":"bye"}"#, "the last word");
    assert_eq!(raw.line(), "", "and the end");
}

#[test]
fn answers_after_the_end_go_nowhere() {
    let mut harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(STATUS);
    let incoming = harness.request();
    harness.server = None;
    assert!(!incoming.reply.is_open(), "nobody waits");
    incoming.reply.done(json!(1));
    assert_eq!(raw.line(), "", "closed");
}

#[test]
fn events_come_until_one_side_ends_them() {
    let harness = Harness::new();
    let mut events = harness.client().events().unwrap();
    let stream = harness.request().reply;
    for i in 0..100 {
        assert!(stream.send_event(json!(i)), "taken");
        assert_eq!(events.next().unwrap().unwrap(), json!(i), "given");
    }
    assert!(stream.send_event(json!("last")), "taken");
    drop(stream);
    assert_eq!(events.next().unwrap().unwrap(), json!("last"), "what was queued comes first");
    assert!(events.next().is_none(), "then the end");

    let listener = harness.client().events().unwrap();
    let stream = harness.request().reply;
    drop(listener);
    eventually("events to nobody are refused", || !stream.send_event(json!(1)));
}

#[test]
fn a_listener_that_does_not_read_is_dropped() {
    let harness = Harness::new();
    let mut raw = harness.raw();
    raw.send(EVENTS);
    let stream = harness.request().reply;
    let event = "x".repeat(10_000);
    let mut queued = 0;
    while stream.send_event(Value::String(event.clone())) {
        queued += event.len();
        assert!(queued < 8 << 20, "the queue has no end");
    }
    assert!(queued > 1 << 20, "dropped after only {queued} bytes");
    assert!(!stream.is_open(), "gone");
    eventually("its connection is closed", || raw.line().is_empty());
    harness.assert_serves();
}
