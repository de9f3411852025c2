//! Reading `/proc/PID/stat`, and pinning what was read.

use super::*;

/// A line of `stat` with 17 fields between state and start time that do not matter here.
#[track_caller]
fn check(name: &str, state: &str, n_threads: u32, is_zombie: bool) {
    let stat =
        format!("7 ({name}) {state} 5 6 4 0 -1 0 0 0 0 0 1 2 3 4 20 0 {n_threads} 0 4711 0 0");
    let process = parse(7, &stat).expect("the line is well formed");
    let ids = (process.parent, process.group, process.session, process.id.start);
    assert_eq!(ids, (5, 6, 4, 4711), "{stat}");
    assert_eq!(process.is_zombie, is_zombie, "{stat}");
}

#[test]
fn a_name_may_hold_anything() {
    check("sh", "S", 1, false);
    check("a b", "R", 1, false);
    check(") Z 1 (", "T", 1, false);
}

#[test]
fn a_process_whose_first_thread_ended_is_no_zombie() {
    check("sh", "Z", 1, true);
    check("sh", "Z", 2, false);
}

#[test]
fn a_line_cut_short_is_nobody() {
    assert!(parse(7, "7 (sh) S 1 2").is_none(), "fields are missing");
    assert!(parse(7, "").is_none(), "the process is gone");
}

#[test]
fn a_process_that_took_over_the_number_cannot_be_pinned() {
    let ourselves = ourselves().expect("we run");
    ourselves.pin().expect("we are who we are");
    let mut earlier = ourselves;
    earlier.id.start -= 1;
    let err = earlier.pin().expect_err("the number is the same, the process is not");
    assert_eq!(err.raw_os_error(), Some(nix::libc::ESRCH), "as if it was gone");
}
