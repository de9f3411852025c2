//! Terminals without an agent: the person's own shell beside it.

use std::fs;

use nix::sys::signal::kill;
use nix::unistd::Pid;
use serde_json::Value;

use crate::command::binary;
use crate::harness::{Instance, on_both, wait_for};

impl Instance {
    /// Opens one and gives the id of its tab; a shell is at its prompt then.
    #[track_caller]
    fn terminal(&self, args: &[&str]) -> String {
        let said = self.ok(["terminal", "new"].iter().chain(args));
        let tab = said.trim().to_owned();
        if !args.contains(&"--") {
            self.wait_for_text(&tab, "$");
        }
        tab
    }

    fn text(&self, tab: &str) -> String {
        self.ok(["terminal", "text", "--tab", tab])
    }

    #[track_caller]
    fn send(&self, tab: &str, line: &str) {
        self.ok(["terminal", "send", "--tab", tab, "--enter", line]);
    }

    #[track_caller]
    fn wait_for_text(&self, tab: &str, text: &str) {
        let found = wait_for(|| self.text(tab).contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} in the terminal:\n{}", self.text(tab));
    }

    /// The tab as `status --json` has it; null once it is gone.
    fn terminal_tab(&self, id: &str) -> Value {
        let workspace = self.workspace("one");
        let tabs = workspace["tabs"].as_array().expect("a list");
        let id: u64 = id.parse().expect("a number");
        tabs.iter().find(|tab| tab["id"] == id).cloned().unwrap_or_default()
    }

    #[track_caller]
    fn wait_until_running(&self, tab: &str, program: &str) {
        let seen = wait_for(|| (self.terminal_tab(tab)["running"] == program).then_some(()));
        assert!(seen.is_some(), "{program} does not run: {}", self.terminal_tab(tab));
    }
}

#[test]
fn a_program_that_does_not_start_is_told_of_and_leaves_no_tab() {
    on_both(|instance| {
        instance.open("one");
        for args in [
            &["terminal", "new", "--", "/no/such"][..],
            &["do", "terminal.new", r#"{"command":["/no/such"]}"#][..],
        ] {
            let (code, line) = instance.refused(args);
            assert_eq!((code, line.contains("/no/such")), (1, true), "{args:?}: {line}");
            let tabs = instance.workspace("one")["tabs"].clone();
            assert_eq!(tabs.as_array().map(Vec::len), Some(0), "{args:?} leaves {tabs}");
        }
        let (code, line) = instance.refused(["terminal", "text", "-w", "nope"]);
        assert_eq!((code, line.contains("nope")), (1, true), "{line}");
    });
}

#[test]
fn a_shell_that_is_left_after_a_failure_closes_its_tab() {
    on_both(|instance| {
        instance.open("one");
        let tab = instance.terminal(&[]);
        instance.send(&tab, "false");
        instance.send(&tab, "exit");
        let gone = wait_for(|| instance.terminal_tab(&tab).is_null().then_some(()));
        assert!(gone.is_some(), "it stays: {}", instance.terminal_tab(&tab));
    });
}

#[test]
fn a_shell_runs_beside_the_agent_and_its_exit_closes_the_tab() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["cat"]);
        let tab = instance.terminal(&[]);
        instance.send(&tab, "echo $((40+2)) $TERM $TERM_PROGRAM");
        instance.wait_for_text(&tab, "42 xterm-256color trackside");
        assert_eq!(
            instance.terminal_tab(&tab)["kind"],
            "terminal",
            "{}",
            instance.terminal_tab(&tab)
        );
        assert_eq!(instance.terminal_tab(&tab)["title"], "sh", "named after its shell");
        assert_eq!(instance.workspace("one")["active_tab"].to_string(), tab, "on show");
        instance.ok(["type", "exit\n"]);
        let gone = wait_for(|| instance.terminal_tab(&tab).is_null().then_some(()));
        assert!(gone.is_some(), "its tab is closed: {}", instance.status());
        assert!(instance.workspace("one")["agent"]["pid"].is_u64(), "the agent lives on");
    });
}

#[test]
fn a_terminal_opens_where_the_focused_one_is() {
    let instance = Instance::headless();
    fs::create_dir(instance.path("one/inner")).unwrap();
    instance.open("one");
    let first = instance.terminal(&[]);
    instance.send(&first, "cd inner; echo there");
    instance.wait_for_text(&first, "\nthere");
    let second = instance.terminal(&[]);
    instance.send(&second, "pwd");
    instance.wait_for_text(&second, "/one/inner");
    // A directory that is gone is none.
    fs::remove_dir(instance.path("one/inner")).unwrap();
    let third = instance.terminal(&[]);
    instance.send(&third, "pwd; echo done");
    instance.wait_for_text(&third, "/one\ndone");

    let two = instance.path("two");
    let fourth = instance.terminal(&["--cwd", two.to_str().unwrap()]);
    instance.send(&fourth, "pwd");
    instance.wait_for_text(&fourth, "/two");
    let (code, line) = instance.refused(["terminal", "new", "--cwd", "/no/such/folder"]);
    assert_eq!((code, line.contains("/no/such/folder")), (1, true), "{line}");
}

#[test]
fn closing_asks_while_something_runs_and_ends_it_all() {
    on_both(|instance| {
        instance.open("one");
        let tab = instance.terminal(&[]);
        instance.send(&tab, "sleep 1000 & echo pid $!; cat");
        instance.wait_until_running(&tab, "cat");
        assert_eq!(instance.terminal_tab(&tab)["title"], "cat", "named after what runs");
        let (code, line) = instance.refused(["terminal", "close", "--tab", &tab]);
        assert_eq!((code, line.contains("cat is running")), (1, true), "{line}");
        instance.ok(["keys", "ctrl-shift-w", "enter"]);
        assert!(!instance.terminal_tab(&tab).is_null(), "Enter keeps it");

        let pids = |text: String| -> Option<i32> {
            text.lines().find_map(|line| line.strip_prefix("pid ")?.trim().parse().ok())
        };
        let sleep = wait_for(|| pids(instance.text(&tab))).expect("a number");
        instance.ok(["keys", "ctrl-shift-w", "right", "enter"]);
        assert!(instance.terminal_tab(&tab).is_null(), "closed");
        let ended = wait_for(|| kill(Pid::from_raw(sleep), None).is_err().then_some(()));
        assert!(ended.is_some(), "what it had in the background is ended, too");
    });
}

#[test]
fn a_shell_at_its_prompt_closes_at_once_and_one_with_a_job_does_not() {
    let instance = Instance::headless();
    instance.open("one");
    let tab = instance.terminal(&[]);
    let (code, line) = instance.refused(["terminal", "close", "--tab", "99"]);
    assert_eq!((code, line.contains("there is no tab 99 in one")), (1, true), "{line}");
    instance.ok(["terminal", "close", "--tab", &tab]);
    assert!(instance.terminal_tab(&tab).is_null(), "nothing to ask about");

    let tab = instance.terminal(&[]);
    instance.send(&tab, "sleep 1000 & echo started");
    instance.wait_for_text(&tab, "\nstarted");
    // Just forked, it still goes by the name of the shell.
    let refusal = || instance.refused(["terminal", "close", "--tab", &tab]).1;
    let named = wait_for(|| refusal().contains("sleep is running").then_some(()));
    assert!(named.is_some(), "{}", refusal());
    // Leaving the shell does not end the job behind one's back.
    instance.send(&tab, "exit");
    let exited = wait_for(|| (instance.terminal_tab(&tab)["exit_code"] == 0).then_some(()));
    assert!(exited.is_some(), "its tab stays: {}", instance.status());
    assert_eq!(instance.terminal_tab(&tab)["running"], "sleep", "and says what is left");
    instance.ok(["terminal", "close", "--tab", &tab, "--force"]);
    assert!(instance.terminal_tab(&tab).is_null(), "gone with the job");
}

#[test]
fn a_command_that_failed_stays_and_enter_runs_it_again() {
    on_both(|instance| {
        instance.open("one");
        let tab = instance.terminal(&["--", "sh", "-c", "echo life; exit 3"]);
        let exited = wait_for(|| (instance.terminal_tab(&tab)["exit_code"] == 3).then_some(()));
        assert!(exited.is_some(), "{}", instance.terminal_tab(&tab));
        instance.ok(["keys", "enter"]);
        let lives = || instance.text(&tab).matches("life").count();
        assert!(wait_for(|| (lives() == 2).then_some(())).is_some(), "{}", instance.text(&tab));
        let (code, line) = instance.refused(["terminal", "new", "--", "no-such-program"]);
        assert_eq!((code, line.contains("no-such-program")), (1, true), "{line}");
    });
}

#[test]
fn a_terminal_never_colours_the_rail() {
    let instance = Instance::headless();
    instance.open("one");
    instance.terminal(&[]);
    assert_eq!(instance.workspace("one")["status"], "idle", "there is no agent");
    assert!(instance.workspace("one")["agent"].is_null(), "none at all");
}

#[test]
fn the_persons_own_shell_may_drive_us_and_an_agent_may_not() {
    let instance = Instance::headless();
    instance.open("one");
    let ask = format!("{} status; echo code $?", binary().display());
    let tab = instance.terminal(&[]);
    instance.send(&tab, &ask);
    instance.wait_for_text(&tab, "code 0");

    instance.start_agent("one", &["sh", "-c", &format!("{ask}; cat")]);
    instance.wait_for_screen("one", "code 1");
    // Neither an agent's mark on somebody in the terminal, nor the other way round, will do.
    let marked = format!("TRACKSIDE_SESSION=1-1-1 {ask}");
    instance.send(&tab, &format!("clear; {marked}"));
    instance.wait_for_text(&tab, "code 1");
}

#[test]
fn terminals_are_listed_and_end_with_us() {
    let mut instance = Instance::headless();
    instance.open("one");
    let tab = instance.terminal(&[]);
    instance.send(&tab, "sleep 1000");
    instance.wait_until_running(&tab, "sleep");
    let list = instance.ok(["terminal", "list"]);
    assert!(list.starts_with(&tab) && list.contains("running sleep"), "{list}");
    let pid = i32::try_from(instance.terminal_tab(&tab)["pid"].as_i64().unwrap()).unwrap();
    instance.quit();
    assert!(kill(Pid::from_raw(pid), None).is_err(), "the shell is gone");
}
