//! Programs that the host holds: they are served and end as if they were the instance's own.

use std::fs;
use std::time::Duration;

use crate::harness::{Instance, Setup, timed, wait_for};
use crate::system::is_alive;

fn hosted() -> Instance {
    Setup::headless().start()
}

#[test]
fn there_is_a_host_as_long_as_it_is_needed() {
    let mut instance = hosted();
    instance.open("one");
    assert_eq!(instance.host_pid(), None, "nothing runs yet");
    instance.start_agent("one", &["sh", "-c", "echo here; read line; echo got $line; exit 3"]);
    instance.wait_for_screen("one", "here");
    let host = instance.host_pid().expect("it holds the agent");
    instance.ok(["agent", "send", "--enter", "hello"]);
    instance.wait("one", "errored");
    assert!(instance.screen("one").contains("got hello"), "{}", instance.screen("one"));
    assert_eq!(instance.workspace("one")["agent"]["exit_code"], 3, "its code");
    instance.ok(["terminal", "new"]);
    instance.ok(["terminal", "send", "--enter", "echo $((6 * 7))"]);
    instance.wait_for_screen("one", "42");
    assert_eq!(instance.host_pid(), Some(host), "one for all");
    instance.quit();
    wait_for(|| (!is_alive(host)).then_some(())).expect("it ends by itself");
}

#[test]
fn what_the_host_holds_is_stopped_and_started_again() {
    let instance = hosted();
    instance.open("one");
    let deaf = "trap '' TERM HUP; echo deaf; (trap '' TERM HUP; sleep 1000) & wait";
    instance.start_agent("one", &["sh", "-c", deaf]);
    instance.wait_for_screen("one", "deaf");
    let pid = instance.agent_pid("one");
    let (_, took) = timed(|| instance.ok(["agent", "stop"]));
    assert!(!is_alive(pid), "it is gone when `stop` returns");
    assert!(took < Duration::from_secs(5), "it took {took:?}");
    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "launch 2 ──\ndeaf");
}

#[test]
fn a_program_that_the_host_holds_may_not_drive_us() {
    let instance = hosted();
    instance.open("one");
    let binary = crate::command::binary();
    let script = format!("{} agent stop; echo code $?; exec cat", binary.display());
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait_for_screen("one", "code 1");
    assert!(instance.screen("one").contains("may not drive Trackside"), "it is told why");
}

#[test]
fn a_program_that_the_host_holds_may_not_drive_one_that_has_no_host() {
    let mut instance = hosted();
    instance.open("one");
    let (go, said) = (instance.path("go"), instance.path("said"));
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let ask = format!("env -u TRACKSIDE_SESSION {} status", crate::command::binary().display());
    let (go_to, said_to) = (go.display(), said.display());
    let script =
        format!("read x < {go_to}; {ask} > {said_to} 2>&1; echo code $? >> {said_to}; cat");
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.crash();
    instance.start_again_with(&["--no-host"]);
    fs::write(&go, "\n").unwrap();
    let read = || fs::read_to_string(&said).ok().filter(|said| said.contains("code"));
    let said = wait_for(read).expect("it is answered");
    assert!(said.contains("may not drive Trackside") && said.contains("code 1"), "{said}");
    instance.ok(["status"]);
}

#[test]
fn programs_end_with_the_terminal_when_the_host_is_killed() {
    let instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("one", "here");
    let (host, agent) = (instance.host_pid().expect("a host"), instance.agent_pid("one"));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(host), nix::sys::signal::Signal::SIGKILL)
        .unwrap();
    instance.wait("one", "errored");
    let reason = instance.workspace("one")["agent"]["reason"]["text"].to_string();
    assert!(reason.contains("the host was killed"), "{reason}");
    wait_for(|| (!is_alive(agent)).then_some(())).expect("it was hung up on");
    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "launch 2 ──\nhere");
    assert_ne!(instance.host_pid(), Some(host), "another host");
}

#[test]
fn without_a_host_programs_are_our_own_and_the_person_is_told() {
    let instance = hosted();
    fs::write(instance.host_socket(), "in the way").unwrap();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("one", "here");
    assert_eq!(instance.host_pid(), None, "there is none");
    instance.ok(["agent", "stop"]);
}
