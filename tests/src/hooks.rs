//! Hooks: scripted agents that call what they were given, as the real ones do.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::command::binary;
use crate::harness::{Instance, Setup, set_mode, timed, wait_for};

/// Writes down how it was started, and does what the test puts into `steps`.
const AGENT: &str = r#"#!/bin/sh
for word; do printf '%s\n' "$word"; done > argv
touch started
. ./steps
"#;

/// Defines `hook JSON`, which calls a hook with that on its input.
const CLAUDE: &str = r#"
settings=$2
command=$(printf %s "$settings" | python3 -c 'import json, sys
print(json.load(sys.stdin)["hooks"]["Stop"][0]["hooks"][0]["command"])')
hook() { printf '%s' "$1" | sh -c "$command"; echo "hook exits $?"; }
"#;

/// An instance that finds the scripted agents before any real ones.
fn with_agents(config: &str) -> Instance {
    let setup = Setup::headless();
    let bin = setup.path("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["claude", "codex", "aider"] {
        fs::write(bin.join(name), AGENT).unwrap();
        set_mode(&bin.join(name), 0o755);
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let instance = setup.config(config).env("PATH", &path).start();
    instance.open("one");
    instance
}

impl Instance {
    /// Starts an agent by name that does these steps, and gives the arguments it was started with.
    fn start_scripted(&self, name: &str, steps: &str) -> Vec<String> {
        fs::write(self.path("one/steps"), steps).unwrap();
        self.ok(["agent", "start", "-w", "one", name]);
        self.arguments()
    }

    fn arguments(&self) -> Vec<String> {
        let started = self.path("one/started");
        wait_for(|| started.exists().then_some(())).expect("it started");
        fs::remove_file(started).unwrap();
        let argv = fs::read_to_string(self.path("one/argv")).unwrap();
        argv.lines().map(str::to_owned).collect()
    }

    /// Waits until the agent of `one` waits for that reason, in those words.
    #[track_caller]
    fn wait_for_reason(&self, kind: &str, text: Option<&str>) {
        let agent = || self.workspace("one")["agent"].clone();
        let is_it = |agent: &Value| {
            agent["reason"]["kind"] == kind && agent["reason"]["text"].as_str() == text
        };
        let found = wait_for(|| is_it(&agent()).then_some(()));
        assert!(found.is_some(), "not {kind} {text:?}: {} {}", agent(), self.screen("one"));
    }

    fn winner(&self) -> Value {
        let text = self.ok(["explain", "-w", "one", "--json"]);
        serde_json::from_str::<Value>(&text).unwrap()["winner"].clone()
    }
}

#[test]
fn claude_reports_each_of_its_steps() {
    let instance = with_agents("");
    let steps = [
        CLAUDE,
        r#"echo begin; hook '{"hook_event_name":"UserPromptSubmit"}'; read go"#,
        r#"hook '{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls -l"}}'; read go"#,
        r#"hook '{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which?"}]}}'; read go"#,
        r#"hook '{"hook_event_name":"Stop","last_assistant_message":"Well.\nAll done."}'; read go"#,
    ];
    let argv = instance.start_scripted("claude", &steps.join("\n"));
    assert_eq!(argv.len(), 2, "only the settings: {argv:?}");
    assert_eq!(argv[0], "--settings", "{argv:?}");
    assert!(argv[1].contains("report --hook claude --launch"), "{argv:?}");
    instance.wait_for_screen("one", "hook exits 0");
    assert_eq!(instance.winner()["source"], "report", "{}", instance.winner());
    for (kind, text) in
        [("permission", "Bash: ls -l"), ("question", "Which?"), ("turn_done", "All done.")]
    {
        instance.ok(["agent", "send", "-w", "one", "--enter", "go"]);
        instance.wait_for_reason(kind, Some(text));
        assert_eq!(instance.winner()["source"], "report", "{kind}");
    }
    assert_eq!(instance.workspace("one")["agent"]["name"], "claude", "it goes by its name");
}

#[test]
fn codex_and_aider_report_that_they_wait() {
    let instance = with_agents("");
    // As Codex does it: the words of the setting, and one more.
    let codex = r#"
        payload='{"type":"agent-turn-complete","last-assistant-message":"Ready."}'
        python3 -c 'import subprocess, sys, tomllib
words = tomllib.loads(sys.argv[1])["notify"]
print("exits", subprocess.run(words + [sys.argv[2]]).returncode)' "$2" "$payload"
        sleep 60"#;
    let argv = instance.start_scripted("codex", codex);
    assert_eq!(argv.len(), 2, "{argv:?}");
    assert!(argv[0] == "-c" && argv[1].starts_with("notify=[\""), "{argv:?}");
    instance.wait_for_reason("turn_done", Some("Ready."));
    instance.wait_for_screen("one", "exits 0");
    instance.ok(["agent", "stop", "-w", "one"]);

    let argv =
        instance.start_scripted("aider", "echo begin; sh -c \"$3\"; echo exits $?; sleep 60");
    assert_eq!(argv[..2], ["--notifications", "--notifications-command"], "{argv:?}");
    instance.wait_for_reason("turn_done", None);
    instance.wait_for_screen("one", "exits 0");
}

#[test]
fn hooks_can_be_switched_off_for_each_agent() {
    let instance = with_agents("[agents.claude]\nhooks = false\n");
    assert_eq!(instance.start_scripted("claude", ""), Vec::<String>::new(), "as configured");
    instance.wait("one", "exited");
    assert_eq!(instance.start_scripted("codex", "").len(), 2, "the other has them");
    instance.wait("one", "exited");
    instance.start_agent("one", &["claude", "--model", "x"]);
    assert_eq!(instance.arguments(), ["--model", "x"], "as typed");
    instance.wait("one", "exited");
    instance.start_agent("one", &["codex", "-c", "notify=[]"]);
    assert_eq!(instance.arguments(), ["-c", "notify=[]"], "what the user sets is theirs");
    instance.wait("one", "exited");
    fs::create_dir_all(instance.path("home/.codex")).unwrap();
    fs::write(instance.path("home/.codex/config.toml"), "notify = ['mine']\n").unwrap();
    assert_eq!(instance.start_scripted("codex", ""), Vec::<String>::new(), "also in their file");
}

#[test]
fn an_agent_whose_hooks_fail_works_as_before() {
    let instance = with_agents("");
    // A copy of the program that is gone once the agent runs; and an instance that nobody finds.
    let gone = r#"
        broken=$(printf %s "$command" | sed "s#^'[^']*'#'/no/such/trackside'#")
        printf '{}' | sh -c "$broken"; echo "gone exits $?"
        printf '{"hook_event_name":"Stop"}' | TRACKSIDE_SOCKET=/nowhere sh -c "$command"; echo "lonely exits $?"
        printf 'no json' | sh -c "$command"; echo "garbled exits $?"
        sleep 60"#;
    instance.start_scripted("claude", &format!("{CLAUDE}{gone}"));
    for what in ["gone", "lonely", "garbled"] {
        instance.wait_for_screen("one", &format!("{what} exits 0"));
    }
    let screen = instance.screen("one");
    assert_eq!(screen.trim().lines().count(), 3, "and nothing is printed: {screen}");
}

#[test]
fn a_hook_keeps_no_agent_whatever_it_waits_for() {
    let instance = with_agents("");
    let hook = |socket: &str, input: std::process::Stdio| {
        let mut command = std::process::Command::new(binary());
        command
            .args(["report", "--hook", "claude", "--launch", "1"])
            .env("TRACKSIDE_SOCKET", socket);
        command.stdin(input).env_remove("HOME").env_remove("XDG_STATE_HOME");
        let mut child = command.spawn().unwrap();
        // Kept open: input that never ends.
        let _input = child.stdin.take();
        timed(|| child.wait().unwrap())
    };
    let (status, took) = hook("/nowhere", std::process::Stdio::piped());
    assert!(status.success(), "{status}");
    assert!(took.as_secs() < 10, "it gives up soon: {took:?}");
    // An instance that takes connections and answers nobody.
    let socket = instance.path("deaf.sock");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let payload = instance.path("payload");
    fs::write(&payload, r#"{"hook_event_name":"Stop"}"#).unwrap();
    let input = fs::File::open(&payload).unwrap();
    let (status, took) = hook(socket.to_str().unwrap(), input.into());
    assert!(status.success(), "{status}");
    assert!(took.as_secs() < 10, "it gives up soon: {took:?}");
}

/// What each of these calls says changes nothing.
#[test]
fn reports_that_are_forged_late_or_too_long_are_not_believed() {
    let instance = with_agents("");
    let permission = r#"{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"real"}}"#;
    let forged = format!(
        r#"{CLAUDE}
        hook '{permission}'
        stop='{{"hook_event_name":"Stop","last_assistant_message":"forged"}}'
        other=$(printf %s "$command" | sed 's/--launch [0-9]*/--launch 99/')
        printf %s "$stop" | sh -c "$other"; echo "other launch"
        printf %s "$stop" | TRACKSIDE_SESSION=1-1 sh -c "$command"; echo "other mark"
        printf %s "$stop" | env -u TRACKSIDE_SESSION sh -c "$command"; echo "no mark"
        python3 -c 'print("{{\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"" + "x" * 1048576 + "\"}}")' | sh -c "$command"
        echo "all $?"; sleep 60"#
    );
    instance.start_scripted("claude", &forged);
    instance.wait_for_screen("one", "all 0");
    instance.wait_for_reason("permission", Some("Bash: real"));
    let screen = instance.screen("one");
    assert!(screen.contains("other launch\nother mark\nno mark\nall 0"), "nothing said: {screen}");
    // From outside, by a person: it must be this very launch too.
    let raw = |launch: u64, sequence: u64| {
        let args = json!({"workspace": "one", "state": "completed", "launch": launch, "sequence": sequence});
        let request = json!({"version": 1, "id": 1, "call": "report", "args": args});
        instance.answer(format!("{request}\n").as_bytes()).expect("an answer").to_string()
    };
    let refused = raw(99, u64::MAX);
    assert!(refused.contains("another launch"), "{refused}");
    let late = raw(1, 1);
    assert!(late.contains("ok"), "{late}");
    instance.wait_for_reason("permission", Some("Bash: real"));
}

#[test]
fn what_an_earlier_launch_left_behind_reports_no_more() {
    let instance = with_agents("");
    // It outlives the agent, with its mark and its launch.
    let steps = format!(
        r#"{CLAUDE}
        if [ -e again ]; then rm again; echo second; sleep 60; fi
        touch again
        (trap '' HUP TERM; while [ ! -e late ]; do sleep 0.1; done
         hook '{{"hook_event_name":"PermissionRequest","tool_name":"Late"}}'; touch reported) >/dev/null 2>&1 &
        exit 0"#
    );
    instance.start_scripted("claude", &steps);
    instance.wait("one", "exited");
    instance.ok(["agent", "restart", "-w", "one"]);
    instance.wait_for_screen("one", "second");
    fs::write(instance.path("one/late"), "").unwrap();
    let reported: PathBuf = instance.path("one/reported");
    // It may have been ended with its launch, which is as good.
    let _found = crate::harness::wait_at_most(std::time::Duration::from_secs(5), || {
        reported.exists().then_some(())
    });
    assert_ne!(instance.workspace("one")["agent"]["reason"]["text"], "Late", "of another life");
}
