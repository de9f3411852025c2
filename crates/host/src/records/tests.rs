//! Records that are true, outdated, spoiled and forged (D36).

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use tempfile::TempDir;

use super::*;

const GRACE: Duration = Duration::from_millis(600);

fn private_folder() -> TempDir {
    let private = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(private).tempdir().unwrap()
}

/// A program of a host that is no more.
fn program(mark: &str, script: &str) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env(pty::SESSION_VARIABLE, mark).process_group(0);
    command.spawn().unwrap()
}

/// Waits until it is that program: in the middle of `exec` it shows no mark.
#[track_caller]
fn settle(child: &Child, name: &str) {
    let ticks = crossbeam_channel::tick(Duration::from_millis(1));
    let read = |file: &str| fs::read(format!("/proc/{}/{file}", child.id())).unwrap();
    let is_it = || {
        let environ = String::from_utf8_lossy(&read("environ")).into_owned();
        read("comm").trim_ascii() == name.as_bytes() && environ.contains(pty::SESSION_VARIABLE)
    };
    assert!(ticks.iter().take(10_000).any(|_| is_it()), "{name} should start");
}

fn start_ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields = stat.rsplit_once(')').unwrap().1;
    fields.split_whitespace().nth(19).unwrap().parse().unwrap()
}

fn record(child: &Child, mark: &str) -> Record {
    Record {
        pid: i32::try_from(child.id()).unwrap(),
        start_ticks: start_ticks(child.id()),
        boot_id: pty::boot_id(),
        mark: mark.to_owned(),
        name: "agent".to_owned(),
        label: json!({"workspace": 3}),
        host: (1, 0),
    }
}

/// What is said of a record that `spoil` has changed; the program is never harmed.
#[track_caller]
fn check(spoil: impl FnOnce(&mut Record), expected: Verdict) {
    let folder = private_folder();
    let mut child = program("1-2-3", "exec sleep 100");
    settle(&child, "sleep");
    let mut record = record(&child, "1-2-3");
    spoil(&mut record);
    Records::of(folder.path()).write(&record).unwrap();
    let orphans = orphans(folder.path()).unwrap();
    let verdicts: Vec<&Verdict> = orphans.iter().map(|orphan| &orphan.verdict).collect();
    let ended: Vec<io::Result<bool>> = orphans.iter().map(|it| it.end(Duration::ZERO)).collect();
    let is_alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(verdicts, [&expected], "of {record:?}");
    assert!(ended.iter().all(|it| matches!(it, Ok(false))), "nothing was ended: {ended:?}");
    assert!(is_alive, "the process was left alone: {record:?}");
}

#[test]
fn what_the_kernel_does_not_confirm_is_never_signalled() {
    let ourselves = pty::own_identity();
    // Neither its time nor its mark.
    check(
        |it| {
            it.start_ticks += 1;
            it.mark = "9-9-9".to_owned();
        },
        Verdict::Another,
    );
    check(|it| it.boot_id = "another".to_owned(), Verdict::Dead);
    check(|it| it.mark = "9-9-9".to_owned(), Verdict::Another);
    for mark in ["", "1-2", "1-2-x", "--", "1-2-3-4", "1-2-3\0"] {
        check(|it| it.mark = mark.to_owned(), Verdict::Another);
    }
    for pid in [1, 0, -1, i32::MIN, ourselves.0] {
        check(|it| it.pid = pid, Verdict::Another);
    }
    check(|it| (it.pid, it.start_ticks) = ourselves, Verdict::Another);
    check(|it| it.host = ourselves, Verdict::Hosted);
}

#[test]
fn files_that_are_no_records_are_told_and_left() {
    let folder = private_folder();
    let records = folder.path().join("host/pids");
    fs::create_dir_all(&records).unwrap();
    fs::write(records.join("a.json"), "hello").unwrap();
    fs::write(records.join("b.json"), "").unwrap();
    fs::write(records.join("c.json"), "{\"version\":1,\"pid\":7}").unwrap();
    fs::write(records.join("d.json"), "{\"version\":2,\"pid\":7}").unwrap();
    fs::write(records.join("e.json"), "{\"version\":1,\"pid\":99999999999999}").unwrap();
    symlink("/etc/passwd", records.join("f.json")).unwrap();
    fs::create_dir(records.join("g.json")).unwrap();
    nix::unistd::mkfifo(&records.join("h.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::write(records.join("other.txt"), "not looked at").unwrap();
    let orphans = orphans(folder.path()).unwrap();
    assert_eq!(orphans.len(), 8, "each is told");
    for orphan in &orphans {
        let is_unreadable = matches!(orphan.verdict, Verdict::Unreadable { .. });
        assert!(is_unreadable, "{orphan:?}");
        orphan.forget();
        assert!(!orphan.end(Duration::ZERO).unwrap(), "nothing to end");
        assert!(fs::symlink_metadata(&orphan.path).is_ok(), "it stays");
    }
    let Verdict::Unreadable { why } = &orphans[3].verdict else { unreachable!() };
    assert_eq!(why, "of version 2, this is 1", "of the future");
    assert_eq!(super::orphans(Path::new("/no/such/place")).unwrap(), [], "nor is there any");
}

#[test]
fn an_orphan_is_ended_with_all_that_it_started() {
    let folder = private_folder();
    let mark = format!("7-{}-1", std::process::id());
    let script = "trap '' TERM HUP; sleep 100 & setsid sleep 100 & while :; do sleep 9; done";
    let mut child = program(&mark, script);
    settle(&child, "sh");
    Records::of(folder.path()).write(&record(&child, &mark)).unwrap();
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found[0].verdict, Verdict::Alive { pid: i32::try_from(child.id()).unwrap() });
    assert_eq!(found[0].label, json!({"workspace": 3}), "whose it was");
    // Whoever inherits it reaps it; here we have to.
    let waiting = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| child.wait().unwrap());
        assert!(found[0].end(GRACE).unwrap(), "nothing is left");
        waiting.join().unwrap()
    });
    assert!(!waiting.success(), "it was killed");
    assert_eq!(orphans(folder.path()).unwrap(), [], "and the record is gone");
}

#[test]
fn what_a_dead_program_left_behind_is_found_by_its_mark() {
    let folder = private_folder();
    let mark = format!("8-{}-1", std::process::id());
    let mut child = program(&mark, "setsid sleep 100 >/dev/null & exit 0");
    let record = record(&child, &mark);
    child.wait().unwrap();
    Records::of(folder.path()).write(&record).unwrap();
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found[0].verdict, Verdict::Alive { pid: record.pid }, "a daemon of it");
    assert!(found[0].end(GRACE).unwrap(), "nothing is left");
    Records::of(folder.path()).write(&record).unwrap();
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found[0].verdict, Verdict::Dead, "now it is");
    found[0].forget();
    assert_eq!(orphans(folder.path()).unwrap(), [], "forgotten");
}
