//! Programs that do not want to end (D35, F13): none outlives a stop or a drop, not as a zombie.

use std::thread;

use super::shapes::ZOO;
use super::*;
use crate::family::MARK;
use crate::processes;

#[track_caller]
fn check(shape: &str, count: usize, script: &str, end: impl FnOnce(Fixture)) {
    let fixture = Fixture::sh("zoo", &format!("echo mark ${MARK}; {script}"));
    let pids = fixture.wait_for_pids(count);
    let text = fixture.text();
    let mark = text.lines().find_map(|line| line.strip_prefix("mark ")).expect("the mark is set");
    end(fixture);
    for pid in pids {
        assert!(!exists(pid), "{shape}: process {pid} is left");
    }
    let entry = format!("{MARK}={mark}");
    let left = processes::scan().unwrap().into_iter().find(|p| p.has_in_environment(&entry));
    assert!(left.is_none(), "{shape}: {left:?} is left");
}

#[test]
fn nobody_outlives_a_stop() {
    // All at once, as each takes the better part of a second.
    thread::scope(|scope| {
        for (shape, count, script) in ZOO {
            scope.spawn(|| check(shape, *count, script, |fixture| fixture.stop()));
        }
    });
}

#[test]
fn nobody_outlives_a_drop_which_takes_a_second_at_most() {
    for (shape, count, script) in ZOO {
        check(shape, *count, script, |fixture| within(Duration::from_secs(1), || drop(fixture)));
    }
}

#[test]
fn a_drop_cuts_a_stop_short() {
    let fixture = Fixture::sh("cut", "trap '' TERM HUP; echo pid $$; sleep 100");
    let pids = fixture.wait_for_pids(1);
    fixture.session.stop(Duration::from_secs(60), || {});
    within(Duration::from_secs(1), || drop(fixture));
    assert!(!exists(pids[0]), "killed before its grace was over");
}

#[test]
fn other_sessions_are_left_alone() {
    let other = Fixture::sh("other", "setsid sleep 100 & echo pid $!; cat");
    let pids = other.wait_for_pids(1);
    let fixture = Fixture::sh("this", "echo ready; sleep 100");
    fixture.wait_for("ready");
    fixture.stop();
    assert!(other.exits.is_empty(), "its program runs on");
    assert!(exists(pids[0]), "and what it started");
}
