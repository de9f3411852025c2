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
