//! How programs end, and when that is told.

use std::fs;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

#[track_caller]
fn check(script: &str, expected: Ended) {
    let fixture = Fixture::sh("end", script);
    assert_eq!(fixture.exit(), expected, "{script}");
    fixture.stop();
    assert!(!exists(fixture.session.pid().cast_signed()), "{script}: no zombie is left");
    assert!(fixture.exits.is_empty(), "{script}: the exit is told once");
}

#[test]
fn a_session_may_be_used_from_any_thread() {
    fn check<T: Send + Sync>() {}
    check::<PtySession>();
    check::<PtyWriter>();
}

#[test]
fn codes_are_told_as_they_are() {
    for code in [0, 1, 3, 126, 127, 255] {
        check(&format!("exit {code}"), Ended::Code(code));
    }
}

#[test]
fn signals_are_told_from_codes() {
    check("kill -SEGV $$", Ended::Signal(11));
    check("kill -KILL $$", Ended::Signal(9));
    check("kill -TERM $$", Ended::Signal(15));
    check("kill -34 $$", Ended::Signal(34));
    check("exit 137", Ended::Code(137));
}

#[test]
fn a_stopped_program_that_is_killed_ended_by_that_signal() {
    let fixture = Fixture::sh("stopped", "echo ready; kill -STOP $$");
    fixture.wait_for("ready");
    assert!(fixture.exits.is_empty(), "being stopped is no end");
    kill(Pid::from_raw(fixture.session.pid().cast_signed()), Signal::SIGKILL).unwrap();
    assert_eq!(fixture.exit(), Ended::Signal(9), "the signal that ended it");
}

/// Lets the script print 200 000 numbered lines, which is more than a PTY holds.
#[track_caller]
fn check_complete(script: &str) {
    let fixture = Fixture::sh("drain", script);
    assert_eq!(fixture.exit(), Ended::Code(0), "{script}");
    let text = fixture.text();
    let mut lines = text.lines();
    for number in 1..=200_000 {
        assert_eq!(lines.next(), Some(format!("{number:06}").as_str()), "{script}");
    }
}

#[test]
fn an_exit_waits_for_all_output() {
    check_complete("exec seq -w 1 200000");
    check_complete("trap '' HUP; sleep 100 & exec seq -w 1 200000");
}

#[test]
fn an_exit_is_told_while_another_process_holds_the_terminal() {
    let script = "trap '' HUP; (while [ ! -e go ]; do sleep 0.02; done; echo later) & exit 3";
    let fixture = Fixture::sh("holder", script);
    assert_eq!(fixture.exit(), Ended::Code(3), "told though the terminal is open");
    fs::write(fixture.path("go"), "").unwrap();
    fixture.wait_for("later");
    fixture.wait_for("<closed>");
    eventually("reaping", || !exists(fixture.session.pid().cast_signed()));
}

#[test]
fn an_exit_is_told_while_another_process_floods_the_terminal() {
    let fixture = Fixture::sh("flood", "trap '' HUP; yes & exit 4");
    let ended = fixture.exits.recv_timeout(Duration::from_secs(2));
    assert_eq!(ended, Ok(Ended::Code(4)), "the flood holds it up for a moment only");
    fixture.stop();
}

#[test]
fn background_processes_outlive_the_program_until_it_is_stopped() {
    let fixture = Fixture::sh("background", "trap '' HUP; sleep 100 & echo pid $!; exit 0");
    let pids = fixture.wait_for_pids(1);
    assert_eq!(fixture.exit(), Ended::Code(0), "the program itself has ended");
    assert_idle("background");
    assert!(exists(pids[0]), "what it started runs on");
    fixture.stop();
    assert!(!exists(pids[0]), "until it is stopped");
}

#[test]
fn stopping_twice_or_after_the_end_answers_each_time() {
    let fixture = Fixture::sh("twice", "exit 0");
    fixture.exit();
    fixture.stop();
    fixture.stop();

    let fixture = Fixture::sh("twice", "trap '' TERM HUP; echo ready; sleep 100");
    fixture.wait_for("ready");
    let (stopped, news) = crossbeam_channel::unbounded();
    for _ in 0..2 {
        let stopped = stopped.clone();
        fixture.session.stop(GRACE, move || stopped.send(()).unwrap());
    }
    for _ in 0..2 {
        news.recv_timeout(DEADLINE).expect("both are answered");
    }
    assert_eq!(fixture.exit(), Ended::Signal(9), "the exit is told as well");
}

#[test]
fn a_program_that_heeds_sigterm_is_gone_long_before_the_grace_is_over() {
    let fixture = Fixture::start("polite", &["sleep", "100"]);
    let (stopped, news) = crossbeam_channel::bounded(1);
    fixture.session.stop(Duration::from_secs(60), move || stopped.send(()).unwrap());
    news.recv_timeout(DEADLINE).expect("nobody waits for the grace to pass");
    assert_eq!(fixture.exit(), Ended::Signal(15), "it ended by the first signal");
}
