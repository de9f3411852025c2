//! Answering agents from the list of those that wait, without going to them.

use std::fs;

use crate::harness::{Instance, Setup, wait_for};

/// Shows a menu, takes one key, writes it down, and asks the next thing.
const MENU: &str = r"stty raw -echo
    ask() { printf '\033[2J\033[HRun %s?\r\nDo you want to proceed?\r\n> 1. Yes\r\n  2. No\r\n' $1; }
    ask first; head -c 1 >>answers; echo >>answers; ask second; head -c 1 >>answers; sleep 60";

impl Instance {
    fn menu_in(&self, name: &str) {
        fs::create_dir_all(self.path(name)).unwrap();
        self.open(name);
        self.start_agent(name, &["sh", "-c", MENU]);
        self.wait(name, "needs_input");
        self.wait_for_screen(name, "proceed");
    }

    fn answers(&self, name: &str) -> String {
        fs::read_to_string(self.path(name).join("answers")).unwrap_or_default()
    }

    #[track_caller]
    fn wait_for_answer(&self, name: &str, answers: &str) {
        let found = wait_for(|| (self.answers(name) == answers).then_some(()));
        assert!(found.is_some(), "{name} was answered {:?}", self.answers(name));
    }

    /// Presses until the question has been on show for long enough to be read.
    fn answer_with(&self, keys: &str) {
        wait_for(|| self.cli(["keys", keys]).status.success().then_some(())).expect("an answer");
    }
}

#[test]
fn agents_are_answered_without_going_to_them() {
    for setup in [Setup::headless(), Setup::windowed()] {
        let instance = setup.start();
        instance.menu_in("one");
        instance.menu_in("two");
        fs::create_dir_all(instance.path("three")).unwrap();
        instance.open("three");
        instance.ok(["keys", "ctrl-shift-l"]);
        instance.answer_with("2");
        instance.wait_for_answer("one", "2\n");
        instance.answer_with("enter");
        instance.wait_for_answer("two", "1\n");
        assert_eq!(instance.workspace("three")["active"], true, "nobody went anywhere");
    }
}

#[test]
fn with_nobody_waiting_the_list_says_so() {
    let instance = Instance::headless();
    fs::create_dir_all(instance.path("one")).unwrap();
    instance.open("one");
    let (_, line) = instance.refused(["keys", "ctrl-shift-l"]);
    assert!(line.contains("no agent needs you"), "{line}");
}

/// Shows options side by side, the selected one on a background of its own, takes arrows and Enter, and
/// writes down all that it reads. What else it does is said by its argument.
const OPTIONS: &str = r#"
import os, sys, tty
tty.setraw(0)
how, at, asked = sys.argv[1], 0, "touch x"
options = {
    "twins": ["Yes", "Yes", "No"],
    "control": ["Allow\x07 once", "Al\u202eways", "Re\x00ject"],
    "colours": ["Al\x1b[0;31mlow\x1b[0m once", "Always", "Reject"],
}.get(how, ["Allow once", "Allow always", "Reject"])
def draw():
    shown = [f"\x1b[43m {it} \x1b[0m" if n == at else f" {it} " for n, it in enumerate(options)]
    rows = ["△ Permission required", "  $ " + asked, "", "   " + " ".join(shown) + "     enter confirm"]
    if how == "away":
        rows[-1] = "   " + " ".join(shown[1:]) + "     enter confirm"
    sys.stdout.write("\x1b[?2026h\x1b[2J\x1b[H" + "\r\n".join(rows) + "\r\n\x1b[?2026l")
    sys.stdout.flush()
def numbered():
    sys.stdout.write("\x1b[2J\x1b[Hrm -rf x\r\nDo you want to proceed?\r\n1. Yes\r\n2. No\r\n")
    sys.stdout.flush()
draw()
while True:
    read = os.read(0, 64)
    with open("keys", "ab") as keys:
        keys.write(read)
    if how == "changes":
        numbered()
        continue
    moves = 0 if how == "stuck" else read.count(b"\x1b[C") - read.count(b"\x1b[D")
    at = max(0, min(len(options) - 1, at + moves))
    if b"\r" in read:
        with open("took", "w") as took:
            took.write(options[at])
        asked = "rm x"
    draw()
"#;

impl Instance {
    fn options_in(&self, name: &str, how: &str) {
        fs::create_dir_all(self.path(name)).unwrap();
        self.open(name);
        self.start_agent(name, &["python3", "-c", OPTIONS, how]);
        self.wait(name, "needs_input");
        self.wait_for_screen(name, "enter confirm");
    }

    /// Opens the list as soon as somebody is in it.
    fn list(&self) {
        wait_for(|| self.cli(["keys", "ctrl-shift-l"]).status.success().then_some(()))
            .expect("somebody who waits");
    }

    #[track_caller]
    fn wait_until_it_holds(&self, path: &str, expected: &str) {
        let read = || fs::read_to_string(self.path(path)).unwrap_or_default();
        let found = wait_for(|| (read() == expected).then_some(()));
        assert!(found.is_some(), "{path} has {:?}, not {expected:?}", read());
    }
}

#[test]
fn an_option_without_a_number_is_gone_to_and_taken_once_it_is_selected() {
    for setup in [Setup::headless(), Setup::windowed()] {
        let instance = setup.start();
        instance.options_in("one", "plain");
        instance.options_in("two", "plain");
        instance.list();
        instance.answer_with("3");
        instance.wait_until_it_holds("one/took", "Reject");
        instance.wait_until_it_holds("one/keys", "\x1b[C\x1b[C\r");
        instance.answer_with("enter");
        instance.wait_until_it_holds("two/took", "Allow once");
        instance.wait_until_it_holds("two/keys", "\r");
    }
}

#[test]
fn a_menu_that_changes_after_the_arrows_gets_no_enter() {
    let instance = Instance::headless();
    instance.options_in("one", "changes");
    instance.list();
    instance.answer_with("2");
    instance.wait_for_screen("one", "rm -rf x");
    // What it asks now is answered like any other question, and nothing came between.
    instance.ok(["keys", "escape"]);
    instance.list();
    instance.answer_with("2");
    instance.wait_until_it_holds("one/keys", "\x1b[C2");
}

#[test]
fn a_menu_that_does_not_move_is_listed_again() {
    let instance = Instance::headless();
    instance.options_in("one", "stuck");
    instance.list();
    instance.answer_with("2");
    instance.wait_until_it_holds("one/keys", "\x1b[C");
    instance.ok(["keys", "escape"]);
    instance.list();
    instance.answer_with("1");
    instance.wait_until_it_holds("one/keys", "\x1b[C\r");
    instance.wait_until_it_holds("one/took", "Allow once");
}

#[test]
fn options_that_nobody_can_tell_apart_or_see_are_not_offered() {
    let instance = Instance::headless();
    for (name, how) in [("one", "twins"), ("two", "away"), ("four", "colours")] {
        instance.options_in(name, how);
    }
    fs::create_dir_all(instance.path("three")).unwrap();
    instance.open("three");
    for name in ["one", "two", "four"] {
        instance.list();
        // No such answer; then the one choice that is left, which is going there.
        instance.answer_with("1");
        instance.ok(["keys", "enter"]);
        assert_eq!(
            instance.workspace(name)["active"],
            true,
            "there is nothing but going to {name}"
        );
        instance.ok(["agent", "send", "-w", name, "\r"]);
        instance.wait_until_it_holds(&format!("{name}/keys"), "\r");
        instance.ok(["agent", "stop", "-w", name]);
        instance.wait(name, "exited");
    }
}

#[test]
fn an_option_with_control_characters_is_taken_like_any_other() {
    let instance = Instance::headless();
    instance.options_in("one", "control");
    instance.list();
    instance.answer_with("2");
    instance.wait_until_it_holds("one/keys", "\x1b[C\r");
}

#[test]
fn a_text_is_sent_without_going_there() {
    let instance = Instance::headless();
    for (name, command) in [
        ("one", &["bash", "--norc", "--noprofile", "-i"][..]),
        ("two", &["sh", "-c", "printf 'What is its name? '; read name; echo $name >made"]),
    ] {
        fs::create_dir_all(instance.path(name)).unwrap();
        instance.open(name);
        instance.start_agent(name, command);
        instance.wait(name, "needs_input");
    }
    fs::create_dir_all(instance.path("three")).unwrap();
    instance.open("three");
    // Who asks is listed before who is done.
    for (name, text) in [("two", "Bob"), ("one", "echo Ann >made")] {
        instance.list();
        instance.ok(["keys", "r"]);
        instance.ok(["type", text]);
        instance.answer_with("enter");
        let expected = text.split(' ').nth(1).unwrap_or(text);
        instance.wait_until_it_holds(&format!("{name}/made"), &format!("{expected}\n"));
        instance.ok(["keys", "escape"]);
    }
    assert_eq!(instance.workspace("three")["active"], true, "nobody went anywhere");
}
