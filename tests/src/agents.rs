//! Agents from launch to end, seen through `status` and through the rail's pixels.

use crate::harness::{Instance, on_both};

/// The dark theme's colours of status, as the design has them.
const RUNNING: u32 = 0x003f_b950;
const NEEDS_INPUT: u32 = 0x00f2_c744;
const COMPLETED: u32 = 0x004c_c9a4;
const ERRORED: u32 = 0x00f8_5149;

#[test]
fn an_agent_runs_asks_is_answered_and_fails() {
    on_both(|instance| {
        instance.open("one");
        instance.open("two");
        let script = "echo hi; read x; exit 3";
        instance.start_agent("one", &["sh", "-c", script]);
        instance.wait("one", "running");
        assert_eq!(instance.workspace("two")["status"], "idle", "the other has no agent");
        assert!(instance.screenshot().on_rail(RUNNING) > 20, "a green tile");

        instance.wait("one", "needs_input");
        let agent = &instance.workspace("one")["agent"];
        assert_eq!(agent["reason"]["kind"], "silence", "only the timer spoke");
        assert!(agent["reason"]["text"].is_null(), "and that says nothing more");
        assert_eq!(agent["state"], "needs_input", "the agent's own state");
        assert_eq!(agent["command"][2], script, "the command as given");
        let picture = instance.screenshot();
        assert!(picture.on_rail(NEEDS_INPUT) > 20, "a yellow tile");
        assert_eq!(picture.on_rail(RUNNING), 0, "no longer green");

        instance.ok(["agent", "send", "-w", "one", "--enter", "yes"]);
        instance.wait("one", "errored");
        let agent = &instance.workspace("one")["agent"];
        assert_eq!(agent["exit_code"], 3, "the true code");
        assert!(agent["signal"].is_null(), "it was not killed");
        assert!(agent["pid"].is_null(), "it is gone");
        assert!(instance.screenshot().on_rail(ERRORED) > 20, "a red tile");
    });
}

#[test]
fn a_program_that_prints_nothing_needs_input_too() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["cat"]);
        assert_eq!(instance.workspace("one")["agent"]["state"], "starting", "nothing seen yet");
        instance.wait("one", "needs_input");
        instance.ok(["agent", "send", "--enter", "meow"]);
        instance.wait_for_screen("one", "meow\nmeow");
    });
}

#[test]
fn exit_0_is_completed() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "echo done; exit 0"]);
        instance.wait("one", "completed");
        assert_eq!(instance.workspace("one")["agent"]["exit_code"], 0, "the code");
        assert!(instance.screenshot().on_rail(COMPLETED) > 20, "a teal tile");
    });
}

#[test]
fn a_restart_keeps_the_scrollback_above_a_separator() {
    on_both(|instance| {
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "echo first life; exit 1"]);
        instance.wait("one", "errored");
        instance.ok(["agent", "restart"]);
        instance.wait("one", "errored");
        let screen = instance.screen("one");
        let lives: Vec<_> = screen.match_indices("first life").map(|(at, _)| at).collect();
        let separator = screen.find("restarted").expect("a separator line");
        assert_eq!(lives.len(), 2, "both lives are on the screen:\n{screen}");
        assert!(lives[0] < separator && separator < lives[1], "it is between them:\n{screen}");
        assert_eq!(instance.workspace("one")["agent"]["launches"], 2, "counted");
    });
}

#[test]
fn a_living_agent_is_neither_replaced_nor_restarted() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    let (code, line) = instance.refused(["agent", "start", "--", "cat"]);
    assert_eq!((code, line.contains("still running")), (1, true), "{line}");
    let (code, line) = instance.refused(["agent", "restart"]);
    assert_eq!((code, line.contains("still running")), (1, true), "{line}");
    let (code, _) = instance.refused(["do", "workspace.close"]);
    assert_eq!(code, 1, "its workspace stays open");
}

#[test]
fn the_end_of_an_agent_is_told_by_code_or_by_signal() {
    let instance = Instance::headless();
    instance.open("one");
    for (script, code, signal) in [
        ("exit 0", 0, None),
        ("exit 1", 1, None),
        ("exit 126", 126, None),
        ("exit 127", 127, None),
        ("exit 255", 255, None),
        ("kill -SEGV $$", 139, Some("SIGSEGV")),
        ("kill -KILL $$", 137, Some("SIGKILL")),
        ("kill -TERM $$", 143, Some("SIGTERM")),
    ] {
        instance.start_agent("one", &["sh", "-c", script]);
        instance.wait("one", "exited");
        let agent = &instance.workspace("one")["agent"];
        assert_eq!(agent["exit_code"], code, "of `{script}`");
        assert_eq!(agent["signal"].as_str(), signal, "of `{script}`");
    }
}

#[test]
fn events_tell_every_state_in_order() {
    let mut instance = Instance::headless();
    instance.open("one");
    let mut listener = crate::command::trackside(instance.dir.path())
        .args(["events", "--json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = listener.stdout.take().unwrap();
    // The stream begins with what is there, so that nothing is missed in between.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("workspace_opened"), "{first}");
    // It prints nothing before its start was told, however busy the machine is.
    let gate = instance.dir.path().join("gate");
    nix::unistd::mkfifo(&gate, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let script = "read go <\"$0\"; echo hi; read x; exit 3";
    instance.start_agent("one", &["sh", "-c", script, gate.to_str().unwrap()]);
    let started = lines.find(|line| line.as_ref().is_ok_and(|it| it.contains("starting")));
    assert!(started.is_some(), "the start is told");
    std::fs::write(&gate, "go\n").unwrap();
    instance.wait("one", "needs_input");
    instance.ok(["agent", "send", "--enter", "x"]);
    instance.wait("one", "errored");
    instance.quit();
    let states: Vec<String> = lines
        .map_while(Result::ok)
        .map(|line| serde_json::from_str::<serde_json::Value>(&line).unwrap())
        .filter(|event| event["kind"] == "agent_state")
        .map(|event| event["to"].as_str().unwrap().to_owned())
        .collect();
    listener.wait().unwrap();
    let expected = ["running", "needs_input", "running", "exited"];
    assert_eq!(states, expected, "each state once, after the start");
}
