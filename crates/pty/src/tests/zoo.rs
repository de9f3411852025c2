//! Programs that do not want to end (D35, F13): none outlives a stop or a drop, not as a zombie.

use std::thread;

use super::*;
use crate::family::MARK;
use crate::processes;

/// Every shape prints `pid N` for each process that must be gone, the program itself included.
const ZOO: &[(&str, usize, &str)] = &[
    ("heeds everything", 1, "echo pid $$; sleep 100"),
    ("ignores HUP", 1, "trap '' HUP; echo pid $$; while :; do sleep 100; done"),
    ("ignores TERM", 1, "trap '' TERM; echo pid $$; while :; do sleep 100; done"),
    ("ignores all it can", 1, "trap '' TERM HUP INT QUIT; echo pid $$; while :; do sleep 9; done"),
    ("interactive shell", 1, "echo pid $$; exec sh -i"),
    ("setsid", 2, "setsid sh -c 'echo pid $$; exec sleep 100' & echo pid $$; wait"),
    (
        "stubborn setsid",
        2,
        "trap '' TERM HUP; setsid sh -c 'echo pid $$; sleep 100; sleep 100' & echo pid $$; wait",
    ),
    (
        "double fork",
        2,
        "(setsid sh -c 'sh -c \"echo pid \\$\\$; exec sleep 100\" & exit' &); echo pid $$; sleep 100",
    ),
    (
        "daemon of a program that has ended",
        2,
        "trap '' HUP; echo pid $$; (setsid sh -c 'sh -c \"echo pid \\$\\$; exec sleep 9\" & exit' &)",
    ),
    (
        "setsid with a wiped environment",
        2,
        "env -i $(which setsid) sh -c 'echo pid $$; exec sleep 100' & echo pid $$; wait",
    ),
    ("nohup", 2, "nohup sleep 100 >/dev/null 2>&1 & echo pid $!; echo pid $$; wait"),
    ("stopped", 1, "echo pid $$; kill -STOP $$; sleep 100"),
    ("stopped child", 2, "sh -c 'echo pid $$; kill -STOP $$; sleep 9' & echo pid $$; wait"),
    ("job in a group of its own", 2, "set -m; sleep 100 & echo pid $!; echo pid $$; wait"),
    ("holds the terminal", 2, "trap '' HUP; sleep 100 & echo pid $!; echo pid $$; exit 0"),
    ("starts another when told to end", 1, "trap 'setsid sleep 100 &' TERM; echo pid $$; sleep 9"),
    ("closed its terminal", 1, "echo pid $$; exec 0<&- 1>&- 2>&-; sleep 100; sleep 100"),
    ("orphans that have ended", 2, "(setsid sh -c 'echo pid $$' &); echo pid $$; sleep 100"),
    (
        "a family",
        1,
        "for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 9 & sleep 9) & done; echo pid $$; wait",
    ),
];

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
