//! Running a program for what it prints.

use std::os::fd::AsFd;

use super::*;
use crate::Capture;

/// What the script prints within so long; `$DIR` is a folder of the test's.
#[track_caller]
fn capture(script: &str, limit: Duration) -> (String, TempDir) {
    become_subreaper().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let SpawnRequest { argv, mut env, cwd, .. } =
        request(&["/bin/sh", "-c", script], folder.path());
    env.push(("DIR".into(), folder.path().into()));
    let (stop, _open) = std::io::pipe().unwrap();
    let capture = Capture { argv, env, cwd, limit, max_bytes: 10_000 };
    let printed = capture.run(stop.as_fd()).unwrap();
    (String::from_utf8(printed).unwrap(), folder)
}

#[test]
fn what_was_printed_is_there_when_it_ends() {
    assert_eq!(capture("echo one; echo two", DEADLINE).0, "one\ntwo\n", "all of it");
    assert_eq!(capture("read x || echo no input", DEADLINE).0, "no input\n", "nothing to read");
    assert_eq!(capture("tty; echo $?", DEADLINE).0, "not a tty\n1\n", "no terminal");
    let (said, _) = capture("exec 3</dev/tty || true; echo after", DEADLINE);
    assert!(!said.contains("opened"), "none to be opened either: {said}");
}

#[test]
fn a_program_that_hangs_is_killed_with_all_it_started() {
    let script = "sleep 100 & setsid sleep 101 & echo $! > $DIR/pid; echo begun; wait; sleep 102";
    let (printed, folder) = capture(script, Duration::from_millis(300));
    assert_eq!(printed, "begun\n", "what it printed until then");
    let pid: i32 = fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
    let is_running = || crate::processes::find(pid).is_some_and(|process| !process.is_zombie);
    eventually("the end of what left the session", || !is_running());
}

#[test]
fn a_background_process_that_holds_the_output_open_is_not_waited_for() {
    let (printed, _) = capture("sleep 3 & echo done", DEADLINE);
    assert_eq!(printed, "done\n", "its own end counts");
}

#[test]
fn output_without_end_is_cut() {
    let (printed, _) = capture("yes", DEADLINE);
    assert!((10_000..20_000).contains(&printed.len()), "{} bytes", printed.len());
}

#[test]
fn closing_the_stop_pipe_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let SpawnRequest { argv, env, cwd, .. } = request(&["/bin/sleep", "100"], folder.path());
    let (stop, open) = std::io::pipe().unwrap();
    let capture = Capture { argv, env, cwd, limit: Duration::from_secs(100), max_bytes: 1 };
    drop(open);
    within(DEADLINE, move || drop(capture.run(stop.as_fd()).unwrap()));
}
