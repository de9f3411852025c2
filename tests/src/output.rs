//! Much output, late output and none at all, through the real program.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::command::trackside;
use crate::harness::{Instance, timed, wait_for};
use crate::system::{cpu_ticks, is_alive, let_pass};

#[test]
fn the_last_line_is_shown_though_the_program_exits_with_a_mebibyte_to_read() {
    let instance = Instance::headless();
    instance.open("one");
    // 131,072 lines of 8 bytes are 1 MiB; the terminal adds a carriage return to each.
    let script = "seq -f 'n%06.0f' 131072; exit 7";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait("one", "exited");
    assert_eq!(instance.workspace("one")["agent"]["exit_code"], 7, "the true code");
    instance.wait_for_screen("one", "n131072");
    let screen = instance.screen("one");
    let numbers: Vec<u32> =
        screen.lines().filter_map(|line| line.strip_prefix('n')?.parse().ok()).collect();
    assert!(numbers.len() > 10, "a screen full of lines:\n{screen}");
    assert!(numbers.is_sorted_by(|a, b| a + 1 == *b), "none is missing:\n{screen}");
}

#[test]
fn a_child_that_dies_at_once_has_its_words_and_its_code_shown() {
    let instance = Instance::headless();
    instance.open("one");
    for _ in 0..10 {
        instance.start_agent("one", &["sh", "-c", "echo last words; exit 9"]);
        instance.wait("one", "errored");
        assert_eq!(instance.workspace("one")["agent"]["exit_code"], 9, "the true code");
        instance.wait_for_screen("one", "last words");
    }
    instance.start_agent("one", &["true"]);
    instance.wait("one", "completed");
}

#[test]
fn an_exit_is_told_though_a_background_process_holds_the_terminal() {
    let instance = Instance::headless();
    instance.open("one");
    let (ready, go) = (instance.path("ready"), instance.path("go"));
    let script = format!(
        "(trap '' HUP; : >{0}; until [ -e {1} ]; do sleep 0.1; done; echo late words) & \
         until [ -e {0} ]; do sleep 0.1; done; exit 5",
        ready.display(),
        go.display()
    );
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait("one", "errored");
    assert_eq!(instance.workspace("one")["agent"]["exit_code"], 5, "the leader's code");
    assert!(!instance.screen("one").contains("late words"), "its child still waits");
    fs::write(&go, "").unwrap();
    instance.wait_for_screen("one", "late words");
    assert_eq!(instance.workspace("one")["status"], "errored", "late output revives nobody");
}

#[test]
fn a_child_that_closes_its_terminal_and_lives_is_not_shown_as_exited() {
    let instance = Instance::headless();
    instance.open("one");
    let closed = instance.path("closed");
    let script =
        format!("exec </dev/null >/dev/null 2>&1; echo >{}; exec sleep 1000", closed.display());
    instance.start_agent("one", &["sh", "-c", &script]);
    wait_for(|| closed.exists().then_some(())).expect("it closed its terminal");
    let pid = instance.agent_pid("one");
    let_pass(Duration::from_secs(1));
    let before = cpu_ticks(instance.pid());
    let_pass(Duration::from_secs(2));
    let spent = cpu_ticks(instance.pid()) - before;
    assert!(spent <= 4, "{spent} hundredths of a second of work in two seconds of nothing");
    let workspace = instance.workspace("one");
    assert_ne!(workspace["agent"]["state"], "exited", "it lives: {workspace}");
    assert_eq!(workspace["agent"]["pid"], pid, "the same process");
    instance.ok(["agent", "stop"]);
    assert!(!is_alive(pid), "and can be stopped");
}

#[test]
fn status_answers_while_agents_print_without_end() {
    let instance = Instance::headless();
    instance.open("one");
    instance.open("two");
    instance.start_agent("one", &["yes"]);
    instance.start_agent("two", &["sh", "-c", "while :; do seq 1 1000000; done"]);
    instance.wait("one", "running");
    instance.wait("two", "running");
    // Starting a process on a busy machine takes its own time: `--version` asks nobody.
    let started = median(&instance, &["--version"]);
    let answered = median(&instance, &["status"]);
    let alone = answered.saturating_sub(started);
    assert!(alone <= Duration::from_millis(100), "{alone:?} ({answered:?} less {started:?})");
    for workspace in ["one", "two"] {
        assert_eq!(instance.workspace(workspace)["status"], "running", "{workspace} goes on");
    }
    let (_, took) = timed(|| instance.ok(["agent", "stop", "-w", "one"]));
    assert!(took < Duration::from_secs(5), "a flood does not hold up `stop`: {took:?}");
}

/// The median time of 21 client commands.
fn median(instance: &Instance, args: &[&str]) -> Duration {
    let mut times: Vec<_> = (0..21)
        .map(|_| {
            let mut command = trackside(instance.dir.path());
            command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
            let (status, took) = timed(|| command.status().unwrap());
            assert!(status.success(), "{args:?} answers");
            took
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

#[test]
fn a_typed_key_is_answered_while_another_agent_prints_without_end() {
    let instance = Instance::headless();
    instance.open("one");
    instance.open("two");
    instance.start_agent("one", &["yes"]);
    instance.start_agent("two", &["cat"]);
    instance.ok(["type", "hello"]);
    instance.wait_for_screen("two", "hello");
}
