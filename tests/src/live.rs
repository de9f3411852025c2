//! Real agents, where `cargo xtask live --install` has put them, against a model of our own.
//!
//! Each runs in a network namespace that has a loopback device and nothing else, with a home of its
//! own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Instance, Setup, set_mode, wait_for};

/// Where they are, if anywhere.
const AGENTS: &str = "TRACKSIDE_LIVE_AGENTS";
const PORT: &str = "8765";
const KEY: &str = "sk-test-dummy";

/// The program, or a loud line that says what was not tested.
fn installed(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(AGENTS).map(PathBuf::from)?.join(name).join("node_modules/.bin");
    let can_isolate = Command::new("unshare").args(["-rn", "true"]).status();
    let found = folder.join(name).exists() && can_isolate.is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: no {name} to test with; `cargo xtask live --install` fetches it");
    }
    found.then_some(folder)
}

/// An instance whose agent of that name finds no network but a model at a port of its own.
fn isolated(folder: &Path, name: &str, config: &str) -> Instance {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/live/model.py");
    let is_up =
        format!("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {PORT}))'");
    // The agent by its own name, so that it is taken for what it is.
    let script = format!(
        r#"#!/bin/sh
[ -n "$ISOLATED" ] || ISOLATED=1 exec unshare -rn "$0" "$@"
ip link set lo up
python3 '{model}' {PORT} >/dev/null 2>&1 &
until {is_up}; do :; done 2>/dev/null
exec '{program}' "$@"
"#,
        model = model.display(),
        program = folder.join(name).display()
    );
    let setup = Setup::headless();
    let bin = setup.path("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join(name), script).unwrap();
    set_mode(&bin.join(name), 0o755);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let base = format!("http://127.0.0.1:{PORT}");
    setup
        .config(config)
        .env("PATH", &path)
        .env("ANTHROPIC_BASE_URL", &base)
        .env("ANTHROPIC_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .start()
}

impl Instance {
    /// What the agent's hooks were last heard to say.
    fn heard(&self) -> Option<Value> {
        let text = self.ok(["explain", "-w", "one", "--json"]);
        let explanation: Value = serde_json::from_str(&text).unwrap();
        let losers = explanation["losers"].as_array().cloned().unwrap_or_default();
        let mut claims = std::iter::once(explanation["winner"].clone()).chain(losers);
        claims.find(|claim| claim["source"] == "report")
    }

    #[track_caller]
    fn wait_until_heard(&self, reason: &str, text: &str) {
        let is_it = |claim: &Value| claim["reason"] == reason && claim["text"] == text;
        let found = wait_for(|| self.heard().filter(is_it));
        assert!(found.is_some(), "no {reason}: {:?}\n{}", self.heard(), self.screen("one"));
    }

    #[track_caller]
    fn wait_until_it_waits_for(&self, kind: &str) {
        let agent = || self.workspace("one")["agent"].clone();
        let found = wait_for(|| (agent()["reason"]["kind"] == kind).then_some(()));
        assert!(found.is_some(), "not {kind}: {}\n{}", agent(), self.screen("one"));
    }

    /// One turn with one request, which is granted; then the agent is ended.
    fn take_a_turn(&self, on_request: impl FnOnce(), on_end: impl FnOnce()) {
        self.wait("one", "needs_input");
        self.ok(["agent", "send", "-w", "one", "make a file"]);
        self.wait_for_screen("one", "make a file");
        self.ok(["agent", "send", "-w", "one", "--enter", ""]);
        self.wait_until_it_waits_for("permission");
        on_request();
        let made = self.path("one/made-by-agent");
        let granted = wait_for(|| {
            // A dialog that has just come up takes no keys for a moment.
            if self.workspace("one")["agent"]["reason"]["kind"] == "permission" {
                self.ok(["agent", "send", "-w", "one", "--enter", ""]);
            }
            made.exists().then_some(())
        });
        assert!(granted.is_some(), "it runs: {}", self.screen("one"));
        self.wait_until_it_waits_for("turn_done");
        on_end();
        self.ok(["agent", "stop", "-w", "one"]);
    }

    /// Files below the home that speak of our hooks.
    fn home_files_that_mention_hooks(&self) -> Vec<String> {
        let found =
            Command::new("grep").args(["-rlI", "--", "--hook"]).arg(self.path("home")).output();
        let found = String::from_utf8(found.unwrap().stdout).unwrap();
        found.lines().map(str::to_owned).collect()
    }
}

fn prepare_claude(instance: &Instance) -> PathBuf {
    let root = instance.path("one").canonicalize().unwrap();
    let project = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
    let state = json!({
        "hasCompletedOnboarding": true, "theme": "dark", "projects": {root.to_str().unwrap(): project},
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
    });
    fs::write(instance.path("home/.claude.json"), state.to_string()).unwrap();
    let settings = instance.path("home/.claude/settings.json");
    fs::create_dir_all(instance.path("home/.claude")).unwrap();
    let own = format!("touch '{}'", instance.path("own-hook").display());
    let own = json!({"Stop": [{"hooks": [{"type": "command", "command": own}]}]});
    fs::write(&settings, json!({"hooks": own}).to_string()).unwrap();
    settings
}

#[test]
fn claude_code_reports_by_its_hooks_and_its_settings_stay() {
    let Some(folder) = installed("claude") else { return };
    for hooks in [true, false] {
        let instance = isolated(&folder, "claude", &format!("[agents.claude]\nhooks = {hooks}\n"));
        let settings = prepare_claude(&instance);
        let before = fs::read(&settings).unwrap();
        instance.open("one");
        instance.start_agent("one", &["claude", "--permission-mode", "default"]);
        let on_request = || {
            if hooks {
                instance.wait_until_heard("permission", "Bash: touch made-by-agent");
            }
        };
        let on_end = || match hooks {
            true => instance.wait_until_heard("turn_done", "The file is there."),
            false => assert_eq!(instance.heard(), None, "nothing was asked for"),
        };
        instance.take_a_turn(on_request, on_end);
        assert_eq!(fs::read(&settings).unwrap(), before, "its settings, hooks = {hooks}");
        assert!(instance.path("own-hook").exists(), "the user's own hook runs, hooks = {hooks}");
        for file in instance.home_files_that_mention_hooks() {
            // It writes down which hooks have run at the end of a turn.
            assert!(hooks && file.contains("/.claude/projects/"), "{file} speaks of hooks");
        }
    }
}

#[test]
fn codex_reports_by_its_hook_and_its_settings_stay() {
    let Some(folder) = installed("codex") else { return };
    let provider = format!(
        "model_providers.own={{name=\"own\",base_url=\"http://127.0.0.1:{PORT}/v1\",env_key=\"OPENAI_API_KEY\",wire_api=\"responses\"}}"
    );
    let settings = [
        "model_provider=\"own\"",
        "model=\"gpt-5.1-codex\"",
        &provider,
        "check_for_update_on_startup=false",
    ];
    let settings =
        settings.iter().chain(&["sandbox_mode=\"read-only\"", "approval_policy=\"on-request\""]);
    let command: Vec<&str> =
        std::iter::once("codex").chain(settings.flat_map(|setting| ["-c", setting])).collect();
    let written = [true, false].map(|hooks| {
        let instance = isolated(&folder, "codex", &format!("[agents.codex]\nhooks = {hooks}\n"));
        let config = instance.path("home/.codex/config.toml");
        fs::create_dir_all(instance.path("home/.codex")).unwrap();
        let root = instance.path("one").canonicalize().unwrap();
        let trust = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", root.display());
        fs::write(&config, trust).unwrap();
        instance.open("one");
        instance.start_agent("one", &command);
        let on_end = || match hooks {
            true => instance.wait_until_heard("turn_done", "The file is there."),
            false => assert_eq!(instance.heard(), None, "nothing was asked for"),
        };
        instance.take_a_turn(|| (), on_end);
        assert_eq!(
            instance.home_files_that_mention_hooks(),
            Vec::<String>::new(),
            "hooks = {hooks}"
        );
        let dir = instance.dir.path().to_str().unwrap();
        fs::read_to_string(config).unwrap().replace(dir, "DIR")
    });
    // It adds to its settings by itself; what it adds is the same.
    assert_eq!(written[0], written[1], "with hooks and without");
}
