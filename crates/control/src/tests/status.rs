//! The JSON that scripts read.

use crate::{
    AgentStatus, Event, ReasonKind, ReasonStatus, StateWord, StatusReply, StatusWord, TabKind,
    TabStatus, TerminalStatus, Timing, VERSION, WAIT_STATES, WorkspaceStatus,
};

fn tab(id: u64, kind: TabKind, title: &str) -> TabStatus {
    TabStatus {
        id,
        kind,
        path: None,
        title: title.to_owned(),
        modified: None,
        pinned: None,
        pane: None,
        terminal: None,
    }
}

fn terminal() -> TerminalStatus {
    TerminalStatus {
        command: vec!["/bin/bash".to_owned()],
        pid: Some(43),
        running: Some("vim".to_owned()),
        exit_code: None,
        signal: None,
        failure: None,
    }
}

fn example() -> StatusReply {
    let agent = AgentStatus {
        name: "claude".to_owned(),
        command: vec!["claude".to_owned()],
        pid: Some(4242),
        state: StateWord::NeedsInput,
        since_ms: 1830,
        reason: Some(ReasonStatus {
            kind: ReasonKind::Permission,
            text: Some("Run cargo test?".to_owned()),
            about: None,
        }),
        exit_code: None,
        signal: None,
        launches: 1,
    };
    let file = TabStatus {
        path: Some("/src/api/lib.rs".to_owned()),
        modified: Some(false),
        ..tab(2, TabKind::File, "lib.rs")
    };
    let workspace = WorkspaceStatus {
        id: 1,
        name: "api".to_owned(),
        path: "/src/api".to_owned(),
        active: true,
        status: StatusWord::NeedsInput,
        branch: Some("main".to_owned()),
        agent: Some(agent),
        tabs: vec![
            TabStatus { pinned: Some(true), ..tab(1, TabKind::Agent, "claude") },
            file,
            TabStatus { terminal: Some(terminal()), ..tab(3, TabKind::Terminal, "bash") },
        ],
        active_tab: Some(1),
    };
    StatusReply { version: VERSION, workspaces: vec![workspace], warnings: Vec::new() }
}

#[test]
fn the_status_is_exactly_the_documented_json() {
    let documented = concat!(
        r#"{"version":1,"workspaces":[{"id":1,"name":"api","path":"/src/api","active":true,"status":"needs_input","branch":"main","#,
        r#""agent":{"name":"claude","command":["claude"],"pid":4242,"state":"needs_input","since_ms":1830,"#,
        r#""reason":{"kind":"permission","text":"Run cargo test?"},"exit_code":null,"signal":null,"launches":1},"#,
        r#""tabs":[{"id":1,"kind":"agent","title":"claude","pinned":true},"#,
        r#"{"id":2,"kind":"file","path":"/src/api/lib.rs","title":"lib.rs","modified":false},"#,
        r#"{"id":3,"kind":"terminal","title":"bash","command":["/bin/bash"],"pid":43,"running":"vim","#,
        r#""exit_code":null,"signal":null,"failure":null}],"active_tab":1}]}"#
    );
    let status = example();
    assert_eq!(serde_json::to_string(&status).unwrap(), documented, "names and order");
    let through_value = serde_json::to_value(&status).unwrap().to_string();
    assert_eq!(through_value, documented, "the order survives the reply");
    assert_eq!(serde_json::from_str::<StatusReply>(documented).unwrap(), status, "and back");
}

#[test]
fn what_is_absent_is_null() {
    let mut status = example();
    let workspace = &mut status.workspaces[0];
    (workspace.agent, workspace.branch, workspace.active_tab) = (None, None, None);
    workspace.tabs.clear();
    workspace.status = StatusWord::Idle;
    let expected = r#"{"version":1,"workspaces":[{"id":1,"name":"api","path":"/src/api","active":true,"status":"idle","branch":null,"agent":null,"tabs":[],"active_tab":null}]}"#;
    assert_eq!(serde_json::to_string(&status).unwrap(), expected, "an idle workspace");
}

#[test]
fn newer_fields_are_passed_over() {
    let text = r#"{"version":1,"workspaces":[],"host":{"pid":1}}"#;
    assert!(serde_json::from_str::<StatusReply>(text).unwrap().workspaces.is_empty(), "read");
}

#[test]
fn words_are_the_same_in_code_and_on_the_wire() {
    use {StateWord as State, StatusWord as Status};
    let mut words: Vec<&str> = Vec::new();
    for word in [
        Status::Idle,
        Status::Running,
        Status::NeedsInput,
        Status::Stale,
        Status::Completed,
        Status::Errored,
        Status::Stopped,
    ] {
        assert_eq!(serde_json::to_value(word).unwrap(), word.name(), "status");
        words.push(word.name());
    }
    for word in [
        State::Starting,
        State::Running,
        State::NeedsInput,
        State::Stale,
        State::Exited,
        State::Stopped,
    ] {
        assert_eq!(serde_json::to_value(word).unwrap(), word.name(), "state");
        words.push(word.name());
    }
    words.sort_unstable();
    words.dedup();
    let mut waited = WAIT_STATES;
    waited.sort_unstable();
    assert_eq!(words, waited, "`wait` takes every one of them");
}

#[test]
fn an_event_looks_like_this() {
    let event = Event::AgentState {
        workspace: 1,
        name: "api".to_owned(),
        agent: "sh".to_owned(),
        from: Some(StateWord::Running),
        to: StateWord::Exited,
        status: StatusWord::Errored,
        reason: None,
        exit_code: Some(143),
        signal: Some("SIGTERM".to_owned()),
    };
    let expected = r#"{"kind":"agent_state","workspace":1,"name":"api","agent":"sh","from":"running","to":"exited","status":"errored","reason":null,"exit_code":143,"signal":"SIGTERM"}"#;
    assert_eq!(event.to_value().to_string(), expected, "on the wire");
    assert_eq!(serde_json::from_str::<Event>(expected).unwrap(), event, "and back");
}

#[test]
fn timings_sum_up_samples() {
    let mut samples: Vec<u64> = (1..=100).rev().collect();
    let timing = Timing::from_samples(500, &mut samples);
    let expected = Timing { count: 500, last_us: 1, p50_us: 51, p99_us: 100, max_us: 100 };
    assert_eq!(timing, expected, "of a hundred");
    assert_eq!(Timing::from_samples(0, &mut []), Timing::default(), "of none");
}
