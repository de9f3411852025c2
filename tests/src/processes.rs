//! Whatever an agent starts is gone when it is stopped or the program ends, and nothing it was
//! not told to do is done on the way.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::harness::{Instance, Setup, on_both, timed, wait_at_most, wait_for};
use crate::system::{Known, is_alive};

/// What the product promises for the end of everything an agent started.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// Ways to outlive one's parent. Each writes its number into a file of its name (`$0`) first.
const ZOO: &[&str] = &[
    "sh -c \"trap '' HUP; $BODY\" ignores_hup &",
    "sh -c \"trap '' HUP TERM INT QUIT; $BODY\" ignores_all &",
    "setsid sh -c \"$BODY\" setsid &",
    "(sh -c \"$BODY\" double_fork &)",
    "setsid sh -c '(sh -c \"$BODY\" daemon </dev/null >/dev/null 2>&1 &)'",
    "nohup sh -c \"$BODY\" nohup >/dev/null 2>&1 &",
    "sh -c \"$NOTE; kill -STOP \\$\\$; exec sleep 1000\" stopped &",
    "setsid sh -c \"trap '' HUP TERM; $BODY\" holds_tty 3</dev/tty &",
];

/// A script that starts the whole zoo, whose members write their numbers into the folder.
fn zoo_script(folder: &Path, last: &str) -> String {
    let note = format!("echo $$ >{0}/$0.new; mv {0}/$0.new {0}/$0", folder.display());
    let shapes = ZOO.join("\n");
    // Variables, so that the shapes need no third level of quotes.
    format!("export NOTE='{note}' BODY='{note}; exec sleep 1000'\n{shapes}\n{last}")
}

fn start_zoo(instance: &Instance, workspace: &str, last: &str) -> Known {
    let folder = instance.path("pids");
    fs::create_dir(&folder).unwrap();
    let script = zoo_script(&folder, last);
    instance.start_agent(workspace, &["sh", "-c", &script]);
    Known::in_folder(&folder, ZOO.len())
}

#[test]
fn stop_ends_a_child_that_ignores_sigterm() {
    on_both(|instance| {
        instance.open("one");
        instance
            .start_agent("one", &["sh", "-c", "trap '' TERM HUP INT; echo deaf; sleep 1000; cat"]);
        instance.wait_for_screen("one", "deaf");
        let pid = instance.agent_pid("one");
        let (_, took) = timed(|| instance.ok(["agent", "stop"]));
        assert!(!is_alive(pid), "it is gone when `stop` returns");
        assert!(took < GONE_WITHIN, "it took {took:?}");
        let workspace = instance.workspace("one");
        assert_eq!(workspace["status"], "stopped", "a stop by the user is not a failure");
        assert_eq!(workspace["agent"]["state"], "exited", "the process is gone");
    });
}

#[test]
fn stop_ends_an_obedient_child_by_sigterm_and_at_once() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["sleep", "1000"]);
    let (_, took) = timed(|| instance.ok(["agent", "stop"]));
    assert_eq!(instance.workspace("one")["agent"]["signal"], "SIGTERM", "after {took:?}");
    assert_eq!(instance.workspace("one")["agent"]["exit_code"], 143, "128 + 15");
}

#[test]
fn an_agent_starts_with_no_signal_blocked_or_ignored() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"]);
    instance.wait("one", "exited");
    let screen = instance.screen("one");
    for field in ["SigBlk:", "SigIgn:"] {
        let mask = screen.lines().find_map(|line| line.strip_prefix(field)).expect("a mask");
        let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
        // Above are the real-time signals, which belong to the C library or to nobody.
        assert_eq!(mask & 0x7fff_ffff, 0, "{field} {mask:x}");
    }
}

#[test]
fn ctrl_c_interrupts_the_agent() {
    let instance = Instance::headless();
    instance.open("one");
    instance.start_agent("one", &["sleep", "1000"]);
    instance.ok(["keys", "ctrl-c"]);
    let ended = wait_at_most(Duration::from_secs(10), || {
        (instance.workspace("one")["agent"]["state"] == "exited").then_some(())
    });
    assert!(ended.is_some(), "ctrl-c had no effect: {}", instance.workspace("one"));
    assert_eq!(instance.workspace("one")["agent"]["signal"], "SIGINT", "it was interrupted");
}

#[test]
fn no_descendant_survives_stop_whatever_it_does() {
    let instance = Instance::headless();
    instance.open("one");
    instance.open("two");
    instance.start_agent("two", &["cat"]);
    let zoo = start_zoo(&instance, "one", "wait; cat");
    assert_eq!(zoo.alive().len(), ZOO.len(), "they live as long as nobody stops them");
    let (_, took) = timed(|| instance.ok(["agent", "stop", "-w", "one"]));
    let none: [&str; 0] = [];
    assert_eq!(zoo.alive(), none, "gone when `stop` returns");
    assert!(took < GONE_WITHIN, "it took {took:?}");
    assert!(is_alive(instance.agent_pid("two")), "the other agent was not touched");
}

#[test]
fn nothing_is_left_after_quit() {
    let mut instance = Instance::headless();
    instance.open("one");
    instance.open("two");
    instance.start_agent(
        "two",
        &["sh", "-c", "trap '' TERM HUP; echo deaf; while :; do sleep 1; done"],
    );
    instance.wait_for_screen("two", "deaf");
    let other = instance.agent_pid("two");
    let zoo = start_zoo(&instance, "one", "wait; cat");
    let said = instance.quit();
    let none: [&str; 0] = [];
    assert_eq!(zoo.alive(), none, "of the zoo");
    assert!(!is_alive(other), "the second agent is gone too");
    assert!(said.contains("stopped"), "`quit` says that it stopped the agents: {said:?}");
}

#[test]
fn what_an_ended_agent_left_behind_is_gone_after_quit() {
    let mut instance = Instance::headless();
    instance.open("one");
    let go = instance.path("go");
    let last = format!("until [ -e {} ]; do sleep 0.1; done; exit 0", go.display());
    let zoo = start_zoo(&instance, "one", &last);
    fs::write(&go, "").unwrap();
    instance.wait("one", "completed");
    instance.quit();
    let none: [&str; 0] = [];
    assert_eq!(zoo.alive(), none, "of the zoo");
}

#[test]
fn quit_of_an_instance_without_agents_is_quick_and_leaves_no_socket() {
    let mut instance = Instance::headless();
    let socket = instance.socket();
    assert!(socket.exists(), "it listens");
    instance.quit();
    assert!(!socket.exists(), "the socket is removed");
    assert_eq!(instance.refused(["status"]).0, 3, "nobody answers any more");
}

/// A shell that has been typed into, but not been told to go on.
fn half_typed(instance: &Instance) {
    instance.open("one");
    instance.start_agent("one", &["sh", "-i"]);
    instance.wait_for_screen("one", "$");
    instance.ok(["agent", "send", "touch half-typed"]);
    instance.wait_for_screen("one", "touch half-typed");
}

#[test]
fn a_half_typed_command_does_not_run_when_its_agent_is_stopped() {
    let instance = Instance::headless();
    half_typed(&instance);
    instance.ok(["agent", "stop"]);
    assert!(!instance.path("one/half-typed").exists(), "nobody pressed Enter");
}

#[test]
fn a_half_typed_command_does_not_run_on_quit() {
    let mut instance = Instance::headless();
    half_typed(&instance);
    instance.quit();
    assert!(!instance.path("one/half-typed").exists(), "nobody pressed Enter");
}

#[test]
fn a_half_typed_command_does_not_run_when_the_program_is_killed() {
    for args in [&[][..], &["--no-host"]] {
        let setup = args.iter().fold(Setup::headless(), |setup, arg| setup.arg(arg));
        let mut instance = setup.start();
        half_typed(&instance);
        let shell = instance.agent_pid("one");
        instance.kill_all();
        let ended = wait_for(|| (!is_alive(shell)).then_some(()));
        assert!(ended.is_some(), "the terminal hangs up");
        assert!(!instance.path("one/half-typed").exists(), "nobody pressed Enter");
    }
}

#[test]
fn a_signal_to_the_program_ends_what_is_its_own_and_keeps_unsaved_text() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let mut instance = Setup::headless().arg("--no-host").start();
        instance.open("one");
        instance.start_agent("one", &["sh", "-c", "trap '' TERM HUP INT; echo deaf; sleep 1000"]);
        instance.wait_for_screen("one", "deaf");
        let agent = instance.agent_pid("one");
        let file = instance.path("one/letter.txt");
        fs::write(&file, "Dear ").unwrap();
        instance.open("one/letter.txt");
        instance.ok(["keys", "ctrl-end"]);
        instance.ok(["type", "reader\u{2026}"]);
        instance.signal(signal);
        let (_, took) = timed(|| instance.wait_for_end());
        assert!(took < GONE_WITHIN, "{signal}: it took {took:?}");
        assert!(!is_alive(agent), "{signal}: the agent is gone");
        assert_eq!(fs::read_to_string(&file).unwrap(), "Dear ", "{signal}: nobody saved");
        instance.start_again();
        assert_eq!(instance.screen("one").trim(), "Dear reader\u{2026}", "{signal}: it is kept");
    }
}

#[test]
fn nothing_is_left_of_what_has_cleared_its_environment() {
    let mut instance = Instance::headless();
    instance.open("one");
    let pid = instance.path("one/pid");
    let script = "(env -i /usr/bin/setsid sh -c 'echo $$ > pid; exec sleep 1000' &); exec cat";
    instance.start_agent("one", &["sh", "-c", script]);
    let read = || fs::read_to_string(&pid).ok()?.trim().parse::<i32>().ok();
    let stray = wait_for(read).expect("it has started");
    instance.quit();
    wait_for(|| (!is_alive(stray)).then_some(())).expect("the host has ended it");
}
