//! A place for one real agent: a network without anybody but a model of ours, and a home of its own.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use serde_json::Value;

use crate::command::trackside;
use crate::harness::{Instance, Setup, set_mode, wait_for};
use crate::live::kinds::Kind;
use crate::live::traces::{Checksums, checksums, mention_hooks, names, timeless, touched};

/// Where the agents are, if anywhere.
const AGENTS: &str = "TRACKSIDE_LIVE_AGENTS";
pub(super) const PORT: &str = "8765";
pub(super) const KEY: &str = "sk-test-dummy";

/// Where agents leave anything.
const FOLDERS: [&str; 2] = ["home", "one"];

/// Whether an agent is asked to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hooks {
    On,
    Off,
}

/// An instance in which an agent runs, once with hooks and once without.
pub(super) struct World {
    pub instance: Instance,
    kind: &'static Kind,
    events: Child,
}

/// What a session left behind.
pub(super) struct Left {
    /// Names of files that were made, changed or removed.
    pub touched: BTreeSet<String>,
    /// All files but those that no two sessions leave the same.
    pub constant: Checksums,
}

impl Hooks {
    pub(super) const BOTH: [Self; 2] = [Self::On, Self::Off];

    /// The name of the agent that is started so.
    fn agent(self) -> &'static str {
        match self {
            Self::On => "hooked",
            Self::Off => "plain",
        }
    }
}

impl World {
    /// `None`, and a loud line that says what was not tested, where the agent is not installed.
    pub(super) fn of(kind: &'static Kind) -> Option<Self> {
        let program = installed(kind.name)?;
        let setup = Setup::headless();
        let script = script(kind, &program, &setup.path("home"));
        let bin = setup.path("bin");
        fs::create_dir(&bin).unwrap();
        // By its own name, so that it is taken for what it is.
        let start = bin.join(kind.name);
        fs::write(&start, script).unwrap();
        set_mode(&start, 0o755);
        let words: Vec<String> = std::iter::once(start.to_str().unwrap())
            .chain(kind.arguments.iter().copied())
            .map(|word| format!("'{word}'"))
            .collect();
        let words = words.join(", ");
        let agents = Hooks::BOTH.map(|hooks| {
            // On is what is so without a word.
            let switch = if hooks == Hooks::Off { "hooks = false\n" } else { "" };
            format!("[agents.{}]\nstart = [{words}]\n{switch}", hooks.agent())
        });
        let instance = setup.config(&agents.concat()).start();
        instance.open("one");
        let listing = File::create(instance.path("events")).unwrap();
        let mut events = trackside(instance.dir.path());
        let events = events.args(["events", "--json"]).stdout(listing).spawn().unwrap();
        Some(Self { instance, kind, events })
    }

    /// A session of the agent in a home as new, up to its first prompt, and `during`; then it is ended.
    #[track_caller]
    pub(super) fn session(&self, hooks: Hooks, during: impl FnOnce(&Instance)) -> Left {
        let instance = &self.instance;
        self.furnish();
        let before = checksums(instance.dir.path(), &FOLDERS);
        instance.ok(["agent", "start", "-w", "one", hooks.agent()]);
        instance.wait("one", "needs_input");
        // One that is still busy with its start may show a prompt already, and lose what is typed.
        self.settle();
        during(instance);
        self.settle();
        instance.ok(["agent", "stop", "-w", "one"]);
        let after = checksums(instance.dir.path(), &FOLDERS);
        for name in self.kind.settings.iter().map(|(name, _)| format!("home/{name}")) {
            assert!(before.contains_key(&name), "{name} is there");
            assert_eq!(after.get(&name), before.get(&name), "{name} is the user's, {hooks:?}");
        }
        for file in mention_hooks(&instance.path("home")) {
            // It writes down in its transcript which hooks have run at the end of a turn.
            let is_transcript = file.contains("/.claude/projects/");
            assert!(hooks == Hooks::On && is_transcript, "{file} speaks of hooks");
        }
        let varies = |path: &str| self.kind.varying.iter().any(|part| path.contains(part));
        let constant = after.iter().filter(|(path, _)| !varies(path));
        let constant = constant.map(|(path, sum)| (timeless(path), sum.clone())).collect();
        Left { touched: touched(&before, &after), constant }
    }

    /// One turn with one request, which is granted.
    #[track_caller]
    pub(super) fn turn(
        &self,
        instance: &Instance,
        on_request: impl FnOnce(),
        on_end: impl FnOnce(),
    ) {
        let is_heard = || (self.states().last()? == "needs_input").then_some(());
        assert!(wait_for(is_heard).is_some(), "its prompt is told: {:?}", self.states());
        let n_before = self.states().len();
        instance.ok(["agent", "send", "-w", "one", "make a file"]);
        instance.wait_for_screen("one", "make a file");
        instance.ok(["agent", "send", "-w", "one", "--enter", ""]);
        instance.wait_until_it_waits_for(self.kind.asks);
        on_request();
        let made = instance.path("one/made-by-agent");
        let mut n_answers = 0;
        let granted = wait_for(|| {
            // A dialog that has just come up takes no keys for a moment, and is then still there.
            if instance.workspace("one")["agent"]["reason"]["kind"] == self.kind.asks {
                n_answers += 1;
                instance.ok(["agent", "send", "-w", "one", "--enter", ""]);
            }
            made.exists().then_some(())
        });
        assert!(granted.is_some(), "it runs: {}", instance.screen("one"));
        instance.wait_until_it_waits_for("turn_done");
        on_end();
        let expected = ["running", "needs_input"].repeat(1 + n_answers);
        wait_for(|| (self.states().len() >= n_before + expected.len()).then_some(()));
        let states = self.states().split_off(n_before);
        assert_eq!(states, expected, "and nothing between: {}", instance.screen("one"));
    }

    /// Waits until the agent has done what it does by itself: no file has come or gone for a second or so.
    fn settle(&self) {
        let (mut present, mut n_looks) = (BTreeSet::new(), 0);
        let is_settled = wait_for(|| {
            let now = names(self.instance.dir.path(), &FOLDERS);
            n_looks = if now == present { n_looks + 1 } else { 0 };
            present = now;
            (n_looks > 40).then_some(())
        });
        assert!(is_settled.is_some(), "ever other files: {present:?}");
    }

    /// The states that the agent was seen in so far.
    fn states(&self) -> Vec<String> {
        let listed = fs::read_to_string(self.instance.path("events")).unwrap();
        // The last line may not be whole yet.
        let events = listed.lines().map_while(|line| serde_json::from_str::<Value>(line).ok());
        let events = events.filter(|event| event["kind"] == "agent_state");
        events.map(|event| event["to"].as_str().unwrap().to_owned()).collect()
    }

    /// A home as new, and nothing to work on.
    fn furnish(&self) {
        let root = self.instance.path("one").canonicalize().unwrap();
        let own = root.join("own-hook");
        for folder in FOLDERS.map(|name| self.instance.path(name)) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
                    .unwrap();
            }
        }
        for (name, text) in self.kind.settings.iter().chain(self.kind.state) {
            let path = self.instance.path("home").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = Kind::filled(text, root.to_str().unwrap(), own.to_str().unwrap());
            fs::write(path, text).unwrap();
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.events.kill());
        drop(self.events.wait());
    }
}

/// The program of an agent; where there is none, a loud line that says what was not tested.
fn installed(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(AGENTS).map(PathBuf::from)?.join(name);
    let places = ["node_modules/.bin", "bin"].map(|place| folder.join(place).join(name));
    let can_isolate = Command::new("unshare").args(["-rn", "true"]).status();
    if !can_isolate.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: {name} cannot be kept from the network here");
        return None;
    }
    let found = places.into_iter().find(|place| place.exists());
    if found.is_none() {
        eprintln!("SKIPPED: no {name} to test with; `cargo xtask live --install` fetches it");
    }
    found
}

/// Runs the agent where it finds no network but a model at a port of its own.
fn script(kind: &Kind, program: &Path, home: &Path) -> String {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/live/model.py");
    let is_up =
        format!("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {PORT}))'");
    let folders = [("CONFIG", "config"), ("DATA", "local/share"), ("STATE", "local/state")];
    let folders = folders.iter().chain(&[("CACHE", "cache")]);
    let folders = folders
        .map(|(name, folder)| format!("export XDG_{name}_HOME='{}/.{folder}'\n", home.display()));
    let env = kind
        .env
        .iter()
        .map(|(name, value)| format!("export {name}='{}'\n", Kind::filled(value, "", "")));
    // Tests may run where nobody watches; the agent is to draw as for a person.
    format!(
        r#"#!/bin/sh
[ -n "$ISOLATED" ] || ISOLATED=1 exec unshare -rn "$0" "$@"
ip link set lo up
unset CI
{exports}python3 '{model}' {PORT} >/dev/null 2>&1 &
until {is_up}; do :; done 2>/dev/null
exec '{program}' "$@"
"#,
        exports = folders.chain(env).collect::<String>(),
        model = model.display(),
        program = program.display()
    )
}
