//! Each mapping, with what the agents send.

use super::*;

#[track_caller]
fn check(agent: Agent, payload: &str, expected: &str) {
    let words = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let shown = match event(agent, payload.as_bytes()) {
        None => "nothing".to_owned(),
        Some(Event::Works) => "works".to_owned(),
        Some(Event::Asks(Asks::Permission, text)) => format!("permission: {}", words(text)),
        Some(Event::Asks(Asks::Question, text)) => format!("question: {}", words(text)),
        Some(Event::Done(text)) => format!("done: {}", words(text)),
        Some(Event::Over) => "over".to_owned(),
    };
    assert_eq!(shown, expected, "{} tells {payload}", agent.name());
}

/// As Claude Code sends it, with what all of its events have.
#[track_caller]
fn check_claude(name: &str, rest: &str, expected: &str) {
    let common =
        r#""session_id":"0","transcript_path":"/t.jsonl","cwd":"/one","permission_mode":"default""#;
    let rest = if rest.is_empty() { String::new() } else { format!(",{rest}") };
    let payload = format!(r#"{{{common},"hook_event_name":"{name}"{rest}}}"#);
    check(Agent::Claude, &payload, expected);
}

#[test]
fn steps_of_a_turn_are_work() {
    check_claude("UserPromptSubmit", r#""prompt":"go on""#, "works");
    check_claude("PreToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#, "works");
    check_claude("PostToolUse", r#""tool_name":"Read","tool_response":{}"#, "works");
}

#[test]
fn a_request_names_the_tool_and_what_it_is_about() {
    let request = |rest: &str, expected: &str| check_claude("PermissionRequest", rest, expected);
    request(
        r#""tool_name":"Bash","tool_input":{"command":"touch a.txt","description":"Make a file"}"#,
        "permission: Bash: touch a.txt",
    );
    request(
        r#""tool_name":"Write","tool_input":{"file_path":"/one/a.txt","content":"x"}"#,
        "permission: Write: /one/a.txt",
    );
    request(
        r#""tool_name":"ExitPlanMode","tool_input":{"plan":"1. x"}"#,
        "permission: ExitPlanMode",
    );
    request(r#""tool_input":7"#, "permission: -");
}

#[test]
fn a_question_to_the_user_is_one_before_and_after_it_is_requested() {
    let ask =
        r#""tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which one?"}]}"#;
    check_claude("PreToolUse", ask, "question: Which one?");
    check_claude("PermissionRequest", ask, "question: Which one?");
    check_claude("PostToolUse", ask, "works");
    check_claude("PreToolUse", r#""tool_name":"AskUserQuestion""#, "question: -");
}

#[test]
fn notifications_are_told_apart_by_their_kind() {
    let notify = |kind: &str, expected: &str| {
        let rest = format!(r#""message":"Claude needs you","notification_type":"{kind}""#);
        check_claude("Notification", &rest, expected);
    };
    notify("permission_prompt", "permission: -");
    notify("idle_prompt", "done: -");
    notify("elicitation_dialog", "question: Claude needs you");
    notify("auth_success", "nothing");
    check_claude("Notification", r#""message":"of an old version""#, "nothing");
}

#[test]
fn the_end_of_a_turn_has_its_last_line() {
    check_claude("Stop", r#""last_assistant_message":"First.\n\nShall I go on?\n""#, {
        "done: Shall I go on?"
    });
    check_claude("Stop", "", "done: -");
    check_claude("SessionEnd", r#""reason":"prompt_input_exit""#, "over");
}

#[test]
fn what_a_helper_of_the_agent_does_is_not_what_the_agent_does_but_its_requests_are_for_the_user() {
    let helper = r#""agent_id":"a1","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"ls"}"#;
    check_claude("PreToolUse", helper, "nothing");
    check_claude("PostToolUse", helper, "nothing");
    check_claude("Stop", helper, "nothing");
    check_claude("SubagentStop", helper, "nothing");
    check_claude("PermissionRequest", helper, "permission: Bash: ls");
    check_claude("PreToolUse", r#""agent_id":null,"tool_name":"Bash""#, "works");
}

#[test]
fn codex_tells_when_a_turn_is_over() {
    let payload = r#"{"type":"agent-turn-complete","thread-id":"7","turn-id":"1","cwd":"/one",
        "input-messages":["go on"],"last-assistant-message":"Done.\nAll tests pass."}"#;
    check(Agent::Codex, payload, "done: All tests pass.");
    check(
        Agent::Codex,
        r#"{"type":"agent-turn-complete","last-assistant-message":null}"#,
        "done: -",
    );
    check(Agent::Codex, r#"{"type":"approval-requested"}"#, "nothing");
}

#[test]
fn aider_tells_no_more_than_that_it_waits() {
    check(Agent::Aider, "", "done: -");
}

#[test]
fn what_is_not_understood_says_nothing() {
    for payload in ["", "{", "[]", "null", "7", r#"{"hook_event_name":7}"#, "\u{1b}[31m"] {
        check(Agent::Claude, payload, "nothing");
        check(Agent::Codex, payload, "nothing");
    }
    check_claude("TeammateIdle", "", "nothing");
    assert_eq!(event(Agent::Claude, b"{\"hook_event_name\":\"\xff\"}"), None, "no text at all");
}

#[test]
fn a_payload_that_is_too_long_says_nothing() {
    let content = "x".repeat(1 << 20);
    let rest = format!(r#""tool_name":"Write","tool_input":{{"content":"{content}"}}"#);
    check_claude("PermissionRequest", &rest, "nothing");
}

#[test]
fn deep_nesting_ends_nothing() {
    let deep = format!(r#"{{"hook_event_name":"Stop","x":{}}}"#, "[".repeat(100_000));
    check(Agent::Claude, &deep, "nothing");
}

#[test]
fn words_are_short_and_hold_nothing_that_a_terminal_obeys() {
    check_claude(
        "PermissionRequest",
        r#""tool_name":"Bash","tool_input":{"command":"echo a\u001b[2J\n  b\u0007"}"#,
        "permission: Bash: echo a[2J b",
    );
    let long = format!(r#""last_assistant_message":"{}""#, "word ".repeat(9_999));
    let expected = format!("done: {}", "word ".repeat(40));
    check_claude("Stop", &long, expected.as_str());
}

#[track_caller]
fn check_session(agent: Agent, payload: &str, expected: Option<&str>) {
    let id = session_id(agent, payload.as_bytes());
    assert_eq!(id.as_deref(), expected, "{agent:?} {payload}");
}

#[test]
fn the_session_is_known_where_it_is_told_and_a_mere_name() {
    check_session(Agent::Claude, r#"{"session_id":"0c1d-7e"}"#, Some("0c1d-7e"));
    check_session(Agent::Codex, r#"{"thread-id":"7"}"#, Some("7"));
    check_session(Agent::Codex, r#"{"session_id":"7"}"#, None);
    check_session(Agent::Aider, r#"{"session_id":"7"}"#, None);
    for id in ["", "--dangerous", "a b", "a\\nb", "$(x)", "../x", &"x".repeat(200)] {
        check_session(Agent::Claude, &format!(r#"{{"session_id":"{id}"}}"#), None);
    }
    check_session(Agent::Claude, "not json", None);
}
