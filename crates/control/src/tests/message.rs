//! Requests: read, written, and refused in words.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{
    AgentChoice, Call, ErrorKind, MAX_LINE, ReasonKind, Reply, ReportedState, Request, SendError,
};

fn every_call() -> Vec<Call> {
    let workspace = Some("api".to_owned());
    vec![
        Call::Ping,
        Call::Status,
        Call::Stats,
        Call::Doctor,
        Call::Actions,
        Call::Do { action: "file.open".to_owned(), args: json!({"path": "/x"}) },
        Call::Open { path: PathBuf::from("/x"), line: Some(3), column: None, wait: false },
        Call::AgentStart {
            workspace: workspace.clone(),
            agent: AgentChoice::Command(vec!["sh".to_owned(), "-c".to_owned()]),
        },
        Call::AgentStop { workspace: None },
        Call::AgentRestart { workspace: workspace.clone() },
        Call::AgentResume { workspace: workspace.clone() },
        Call::AgentSend { workspace: workspace.clone(), text: "y\u{1b}\n".to_owned(), enter: true },
        Call::AgentWrong {
            workspace: workspace.clone(),
            expected: Some("needs_input".to_owned()),
            path: Some(PathBuf::from("/x/r.jsonl")),
        },
        Call::TerminalNew {
            workspace: workspace.clone(),
            cwd: Some(PathBuf::from("/x")),
            command: Some(vec!["make".to_owned()]),
        },
        Call::TerminalSend { workspace: None, tab: Some(4), text: "ls".to_owned(), enter: true },
        Call::TerminalClose { workspace: workspace.clone(), tab: None, force: true },
        Call::Wait { workspace, state: "exited".to_owned(), timeout_ms: Some(5) },
        Call::Explain { workspace: Some("api".to_owned()) },
        Call::Report {
            workspace: None,
            state: ReportedState::NeedsInput,
            reason: Some(ReasonKind::Permission),
            text: Some("Run it?".to_owned()),
            sequence: Some(7),
            launch: Some(3),
            session: Some("0c1d-2".to_owned()),
        },
        Call::Screen { workspace: None, tab: Some(2) },
        Call::Screenshot { path: PathBuf::from("/x.png") },
        Call::Keys { keys: "ctrl-x".to_owned() },
        Call::Type { text: "é\"".to_owned() },
        Call::Events,
        Call::Quit { stop_agents: true },
    ]
}

/// The request is refused with that kind and message; `id` is the one that comes back.
#[track_caller]
fn refused(line: impl AsRef<[u8]>, id: Option<u64>, kind: ErrorKind, message: &str) {
    let reply = Request::parse(line.as_ref()).unwrap_err();
    assert_eq!(reply, Reply::error(id, kind, message), "the reply");
}

#[test]
fn every_call_survives_the_wire() {
    for (id, call) in (0..).zip(every_call()) {
        let request = Request { id, call };
        let line = request.to_line().unwrap();
        assert_eq!(line.last(), Some(&b'\n'), "one line");
        assert_eq!(Request::parse(&line).unwrap(), request, "there and back");
    }
}

#[test]
fn the_names_are_those_of_the_calls() {
    let names: Vec<&str> = every_call().iter().map(Call::name).collect();
    assert_eq!(names, Call::NAMES, "each call, in order");
}

#[test]
fn a_request_looks_like_this() {
    let call = Call::AgentStart { workspace: None, agent: AgentChoice::Name("claude".to_owned()) };
    let line = String::from_utf8(Request { id: 7, call }.to_line().unwrap()).unwrap();
    let expected =
        r#"{"version":1,"id":7,"call":"agent_start","args":{"agent":{"name":"claude"}}}"#;
    assert_eq!(line.trim_end(), expected, "on the wire");
}

#[test]
fn replies_look_like_this() {
    let line = |reply: Reply| String::from_utf8(reply.to_line()).unwrap();
    assert_eq!(line(Reply::ok(7, json!({"a": 1}))), "{\"id\":7,\"ok\":{\"a\":1}}\n", "done");
    assert_eq!(line(Reply::event(7, json!(null))), "{\"id\":7,\"event\":null}\n", "event");
    assert_eq!(
        line(Reply::error(None, ErrorKind::Busy, "later")),
        "{\"id\":null,\"error\":{\"kind\":\"busy\",\"message\":\"later\"}}\n",
        "error"
    );
}

#[test]
fn arguments_may_be_left_out() {
    for line in [
        r#"{"version":1,"id":1,"call":"quit"}"#,
        r#"{"version":1,"id":1,"call":"quit","args":null}"#,
        r#"{"args":{"stop_agents":false},"call":"quit","id":1,"version":1}"#,
    ] {
        let request = Request::parse(line.as_bytes()).unwrap();
        assert_eq!(request.call, Call::Quit { stop_agents: false }, "for {line}");
    }
    let bare = Request::parse(br#"{"version":1,"id":1,"call":"ping","args":{}}"#).unwrap();
    assert_eq!(bare.call, Call::Ping, "empty arguments are none");
}

#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    let usage = ErrorKind::Usage;
    refused(
        r#"{"version":1,"id":3,"call":"agent_stat"}"#,
        Some(3),
        usage,
        "unknown call `agent_stat`, expected one of ping, status, stats, doctor, actions, do, \
         open, agent_start, agent_stop, agent_restart, agent_resume, agent_send, agent_wrong, terminal_new, terminal_send, terminal_close, wait, explain, report, screen, screenshot, \
         keys, type, events, quit",
    );
    refused(
        r#"{"version":1,"id":3,"call":"wait","args":{"stat":"idle"}}"#,
        Some(3),
        usage,
        "wait: unknown field `stat`, expected one of `workspace`, `state`, `timeout_ms`",
    );
    refused(
        r#"{"version":1,"id":3,"call":"ping","args":{"x":1}}"#,
        Some(3),
        usage,
        "ping: unknown field `x`, expected none",
    );
    refused(
        r#"{"version":1,"id":3,"call":"ping","arg":{}}"#,
        Some(3),
        usage,
        "unknown field `arg`, expected one of `version`, `id`, `call`, `args`",
    );
    refused(
        r#"{"version":1,"id":3,"call":"agent_start","args":{"agent":{"nam":"x"}}}"#,
        Some(3),
        usage,
        "agent_start: unknown variant `nam`, expected `name` or `command`",
    );
}

#[test]
fn wrong_and_missing_fields_are_named() {
    let usage = ErrorKind::Usage;
    refused(
        r#"{"version":1,"id":3}"#,
        Some(3),
        usage,
        "missing field `call`, expected the name of one",
    );
    refused(
        r#"{"version":1,"id":3,"call":7}"#,
        Some(3),
        usage,
        "missing field `call`, expected the name of one",
    );
    refused(
        r#"{"version":1,"id":-3,"call":"ping"}"#,
        None,
        usage,
        "missing field `id`, expected a whole number",
    );
    refused(r#"{"id":3,"call":"ping"}"#, Some(3), usage, "missing field `version`, expected 1");
    refused(
        r#"{"version":1,"id":3,"call":"open","args":[]}"#,
        Some(3),
        usage,
        "open: `args` is not an object",
    );
    refused(r#"{"version":1,"id":3,"call":"open"}"#, Some(3), usage, "open: missing field `path`");
    refused(
        r#"{"version":1,"id":3,"call":"open","args":{"path":"/x","line":-1}}"#,
        Some(3),
        usage,
        "open: invalid value: integer `-1`, expected u32",
    );
}

#[test]
fn another_version_is_told_so_whatever_else_it_says() {
    refused(
        r#"{"version":2,"id":9,"verb":{"new":"shape"}}"#,
        Some(9),
        ErrorKind::Version,
        "the request is of version 2, the running instance speaks version 1; \
         use the same trackside for both, or restart the instance",
    );
}

#[test]
fn what_is_no_json_is_refused() {
    let usage = ErrorKind::Usage;
    refused("", None, usage, "not a JSON object: EOF while parsing a value at line 1 column 0");
    refused("hello", None, usage, "not a JSON object: expected value at line 1 column 1");
    refused(
        "[1]",
        None,
        usage,
        "not a JSON object: invalid type: sequence, expected a map at line 1 column 0",
    );
    refused(
        r#"{"version":1,"#,
        None,
        usage,
        "not a JSON object: EOF while parsing a value at line 1 column 13",
    );
    refused(b"{\"id\":\"\xff\"}", None, usage, "not UTF-8 at byte 7");
    refused(b"\0\x1b[31m", None, usage, "not a JSON object: expected value at line 1 column 1");
}

#[test]
fn deep_and_wide_messages_are_refused_before_they_cost_memory() {
    let usage = ErrorKind::Usage;
    let deep = format!(r#"{{"version":1,"id":1,"call":"do","args":{}"#, "[".repeat(10_000));
    refused(&deep, None, usage, "the message is nested too deeply");
    let objects = r#"{"a":"#.repeat(10_000);
    refused(&objects, None, usage, "the message is nested too deeply");
    let wide = format!(r#"{{"version":1,"args":[{}0]}}"#, "0,".repeat(400_000));
    refused(&wide, None, usage, "the message has too many values");
    let brackets_in_text = Call::Type { text: "[{\\\",".repeat(20_000) };
    let request = Request { id: 1, call: brackets_in_text };
    assert_eq!(Request::parse(&request.to_line().unwrap()).unwrap(), request, "text is no shape");
}

#[test]
fn a_strangers_words_are_shortened_and_harmless() {
    let name = format!("\u{1b}[31m\u{202e}{}", "x".repeat(100_000));
    let line = json!({"version": 1, "id": 1, "call": name}).to_string();
    let Reply { body: crate::ReplyBody::Error(error), .. } =
        Request::parse(line.as_bytes()).unwrap_err()
    else {
        panic!("an error")
    };
    assert!(error.message.starts_with("unknown call `\\u{1b}[31m\\u{202e}xxx"), "got {error}");
    assert!(error.message.len() < 700, "{} bytes", error.message.len());
}

#[test]
fn what_the_wire_cannot_hold_is_not_sent() {
    let call = Call::Type { text: "x".repeat(MAX_LINE) };
    let too_long = Request { id: 1, call }.to_line().unwrap_err();
    assert!(matches!(too_long, SendError::TooLong { .. }), "got {too_long}");
    let path = PathBuf::from(OsStr::from_bytes(b"/\xff"));
    let odd = Request { id: 1, call: Call::Screenshot { path } }.to_line().unwrap_err();
    assert!(matches!(odd, SendError::Json(_)), "got {odd}");
}

#[test]
fn kinds_of_errors_have_their_exit_codes() {
    for (kind, code) in [
        (ErrorKind::Failed, 1),
        (ErrorKind::Usage, 2),
        (ErrorKind::Timeout, 4),
        (ErrorKind::Busy, 1),
        (ErrorKind::Denied, 1),
        (ErrorKind::Version, 1),
    ] {
        assert_eq!(kind.exit_code(), code, "{kind:?}");
        let word = serde_json::to_value(kind).unwrap();
        assert_eq!(word, Value::String(format!("{kind:?}").to_lowercase()), "its word");
    }
}
