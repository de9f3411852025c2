//! What each launch becomes.

use super::*;

const REPORTER: Reporter<'_> = Reporter { program: "/opt/my apps/it's", launch: 7 };

fn words(command: &str) -> Vec<String> {
    command.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn added(command: &str) -> Option<Vec<String>> {
    arguments(&words(command), REPORTER, &OwnSettings::default())
}

/// `@` stands for what is added.
#[track_caller]
fn check(command: &str, expected: &str) {
    let Some(found) = added(command) else {
        assert_eq!("unchanged", expected, "{command}");
        return;
    };
    let n_added = found.len() - words(command).len();
    let shown = [&found[..1], &["@".to_owned()], &found[1 + n_added..]].concat().join(" ");
    assert_eq!(shown, expected, "{command}");
}

#[test]
fn an_agent_is_known_by_its_program_and_asked_before_all_else() {
    check("claude", "claude @");
    check("/usr/local/bin/claude --model x", "/usr/local/bin/claude @ --model x");
    check("claude --add-dir a b -- do it", "claude @ --add-dir a b -- do it");
    check("claude -p hello", "claude @ -p hello");
    check("claude --resume 123", "claude @ --resume 123");
    check("codex", "codex @");
    check("codex resume --last", "codex @ resume --last");
    check("codex -c model=x fork 1", "codex @ -c model=x fork 1");
    check("aider --model x", "aider @ --model x");
}

#[test]
fn programs_that_take_no_hooks_are_left_alone() {
    for command in ["", "sh", "opencode", "gemini", "vim claude", "claude-code", "/claude/x"] {
        assert_eq!(added(command), None, "{command}");
    }
}

#[test]
fn what_is_no_session_is_left_alone() {
    for command in [
        "claude mcp list",
        "claude --debug doctor",
        "claude --bare",
        "claude --bg x",
        "claude --version",
        "codex exec hello",
        "codex -m x e hello",
        "codex login",
        "codex --remote ws://there",
        "aider --gui",
    ] {
        check(command, "unchanged");
    }
    check("claude -- mcp", "claude @ -- mcp");
}

#[test]
fn what_the_user_has_set_stays_theirs() {
    for command in [
        "claude --settings mine.json",
        "claude --model x --settings={}",
        "codex -c notify=[]",
        "codex -c model=x --config notify=[\"a\"]",
        "codex --config=notify=[]",
        "codex -cnotify=[]",
        "codex -c profiles.a.notify=[]",
        "aider --notifications",
        "aider --no-notifications",
        "aider --notifications-command=say",
        "aider --notif",
    ] {
        check(command, "unchanged");
    }
    check("claude -- --settings", "claude @ -- --settings");
    check("codex -c notifyx=1 -c tui.notifications=true", {
        "codex @ -c notifyx=1 -c tui.notifications=true"
    });
}

#[test]
fn what_the_user_s_files_say_stays_theirs() {
    let mut own = OwnSettings::default();
    own.read(Agent::Codex, "notify = ['mine']");
    own.read_variable("AIDER_NOTIFICATIONS");
    for command in ["codex", "aider"] {
        assert_eq!(arguments(&words(command), REPORTER, &own), None, "{command}");
    }
    assert!(arguments(&words("claude"), REPORTER, &own).is_some(), "it runs all hooks");
}

#[test]
fn claude_code_gets_settings_as_json() {
    let found = added("claude").unwrap();
    assert_eq!(found[1], "--settings", "the option");
    let settings: Value = serde_json::from_str(&found[2]).unwrap();
    let command = r"'/opt/my apps/it'\''s' report --hook claude --launch 7 >/dev/null 2>&1 || :";
    let steps = settings["hooks"].as_object().unwrap();
    let names: Vec<&str> = steps.keys().map(String::as_str).collect();
    let expected =
        "UserPromptSubmit PreToolUse PostToolUse PermissionRequest Notification Stop SessionEnd";
    assert_eq!(names.join(" "), expected, "its steps");
    for (name, groups) in steps {
        let hook = &groups[0]["hooks"][0];
        assert_eq!(hook["command"], command, "{name}");
        assert_eq!(hook["timeout"], 5, "{name}");
        let is_last = name == "SessionEnd";
        assert_eq!(hook["async"].as_bool(), (!is_last).then_some(true), "{name}");
    }
    let matcher = |name: &str| settings["hooks"][name][0]["matcher"].as_str();
    assert_eq!(matcher("PreToolUse"), Some("AskUserQuestion"), "no race with requests");
    assert_eq!(matcher("PermissionRequest"), None, "for all tools");
    assert_eq!(settings.as_object().unwrap().len(), 1, "and nothing else is set: {settings}");
}

#[test]
fn codex_gets_a_command_in_toml() {
    let found = added("codex").unwrap();
    let expected =
        r#"notify=["/opt/my apps/it's","report","--hook","codex","--launch","7","--payload"]"#;
    assert_eq!(found[1..], ["-c", expected], "one more argument will follow");
}

#[test]
fn aider_gets_a_command_for_its_shell() {
    let found = added("aider").unwrap();
    let command = r"'/opt/my apps/it'\''s' report --hook aider --launch 7 >/dev/null 2>&1 || :";
    assert_eq!(
        found[1..],
        ["--notifications", "--notifications-command", command],
        "as documented"
    );
}
