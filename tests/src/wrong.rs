//! Saying that the rail is wrong: what is saved plays the same, and holds no secrets.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::harness::{Instance, Setup};

const KEY: &str = "sk-ant-api03-Abc123Def456Ghi789";
const MAIL: &str = "somebody@example.org";

/// Prints secrets, one of them in pieces, and then waits in a way that looks like work.
fn misleading(home: &Path) -> String {
    let home = home.display();
    format!(
        r"printf 'key {KEY}\r\nmail {MAIL}\r\nhome {home}/x\r\n'; \
          printf 'sk-ant-api03-'; printf '\033[1mAbc123\033[m'; printf 'Def456Ghi789\r\n'; \
          printf '\033]7501;state=working\033\\Waiting for you'; read answer"
    )
}

impl Instance {
    fn replayed(&self, file: &Path) -> String {
        self.ok(["replay".as_ref(), file.as_os_str()])
    }

    /// All that can be read in a recording.
    fn text_of(&self, file: &Path) -> String {
        self.ok(["replay".as_ref(), "--text".as_ref(), file.as_os_str()])
    }
}

fn start() -> Instance {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", &misleading(&instance.path("home"))]);
    instance.wait_for_screen("one", "Waiting for you");
    instance.wait("one", "running");
    instance
}

#[test]
fn what_was_wrong_is_saved_without_secrets_and_is_wrong_again_when_played() {
    let instance = start();
    let said = instance.ok(["agent", "wrong", "-w", "one", "--expected", "needs_input"]);
    let file = PathBuf::from(said.lines().next().expect("a path"));
    let folder = instance.path("state/trackside/recordings");
    assert!(file.starts_with(&folder), "{} is with the others", file.display());
    assert!(said.contains("read it before you share it"), "the person is told: {said}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600), "nobody else can read it");

    let replayed = instance.replayed(&file);
    let end = "ends as running, expected needs_input: wrong (shown when it was saved: running)";
    assert!(replayed.lines().last() == Some(end), "the same state again: {replayed}");

    let home = instance.path("home").display().to_string();
    let (raw, text) = (fs::read_to_string(&file).unwrap(), instance.text_of(&file));
    assert!(text.contains("Waiting for you"), "what is no secret stays: {text}");
    for secret in [KEY, "Abc123", "Def456", MAIL, "somebody", &home] {
        assert!(!text.contains(secret) && !raw.contains(secret), "{secret} is gone: {text}");
    }
}

#[test]
fn what_was_typed_is_saved_as_keys_and_not_as_words() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "stty -echo; echo ready; read it; echo got; read x"]);
    instance.wait_for_screen("one", "ready");
    instance.ok(["agent", "send", "-w", "one", "--enter", "hunter2"]);
    instance.wait_for_screen("one", "got");
    let file = instance.path("typed.jsonl");
    let out = file.to_str().expect("a path");
    instance.ok(["agent", "wrong", "-w", "one", "--out", out]);
    let text = instance.text_of(&file);
    assert!(text.contains("[typed xxxxxxx"), "keys without their words: {text}");
    let (code, refusal) = instance.refused(["agent", "wrong", "-w", "one", "--out", out]);
    assert_eq!(code, 1, "{refusal}");
    assert!(refusal.contains("is there already; choose another path"), "{refusal}");
}

#[test]
fn a_refusal_names_its_reason() {
    let instance = Setup::headless().config("[recording]\nkeep = false\n").start();
    instance.open("one");
    let (code, refusal) = instance.refused(["agent", "wrong", "-w", "one"]);
    assert!(code == 1 && refusal.contains("no agent"), "{code} {refusal}");
    instance.start_agent("one", &["sh", "-c", "echo hi; read x"]);
    instance.wait_for_screen("one", "hi");
    let (code, refusal) = instance.refused(["agent", "wrong", "-w", "one"]);
    assert!(code == 1 && refusal.contains("nothing is kept of sh"), "{code} {refusal}");
    let odd = ["agent", "wrong", "-w", "one", "--expected", "odd"];
    let (code, refusal) = instance.refused(odd);
    assert!(code == 2 && refusal.contains("unknown state `odd`"), "{code} {refusal}");
    assert!(!instance.path("state/trackside/recordings").exists(), "nothing was written");
}

#[test]
fn the_palette_asks_what_is_right_and_says_where_it_is() {
    let instance = start();
    instance.ok(["do", "agent.this_is_wrong"]);
    // The first answer saves nothing; the third is that it waits.
    instance.ok(["keys", "right", "right", "enter"]);
    let folder = instance.path("state/trackside/recordings");
    let saved = || Some(fs::read_dir(&folder).ok()?.next()?.ok()?.path());
    let file = crate::harness::wait_for(saved).expect("a file");
    let whole = || instance.replayed(&file).contains("expected needs_input: wrong").then_some(());
    assert!(crate::harness::wait_for(whole).is_some(), "{}", instance.replayed(&file));
}
