//! Records that are true, outdated, spoiled and forged (D36, D42).

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::records::Records;

const GRACE: Duration = Duration::from_millis(600);

fn private_folder() -> TempDir {
    let private = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(private).tempdir().unwrap()
}

/// A program of a host that is no more.
/// Of this run alone: whoever carries a mark is found, whichever test has started it.
fn mark(number: u32) -> String {
    format!("{}-{number}-3", std::process::id())
}

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
    let mut child = program(&mark(1), "exec sleep 100");
    settle(&child, "sleep");
    let mut record = record(&child, &mark(1));
    spoil(&mut record);
    Records::of(folder.path()).write(&record).unwrap();
    let orphans = orphans(folder.path()).unwrap();
    let verdicts: Vec<&Verdict> = orphans.iter().map(|orphan| &orphan.verdict).collect();
    let ended: Vec<io::Result<bool>> = orphans.iter().map(|it| it.end(Duration::ZERO)).collect();
    assert_eq!(tidy(&orphans), [] as [&Path; 0], "nothing is put aside");
    let is_alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    let n_left = super::orphans(folder.path()).unwrap().len();
    assert_eq!(verdicts, [&expected], "of {record:?}");
    assert!(ended.iter().all(|it| matches!(it, Ok(false))), "nothing was ended: {ended:?}");
    assert!(is_alive, "the process was left alone: {record:?}");
    let is_hosted = matches!(expected, Verdict::Hosted { .. });
    assert_eq!(n_left, usize::from(is_hosted), "a host keeps its own: {record:?}");
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
    // Of a host that runs nothing is touched, even if it seems outdated.
    for pid in [ourselves.0, 1] {
        let hosted = |it: &mut Record| (it.pid, it.host) = (pid, ourselves);
        check(hosted, Verdict::Hosted { pid });
    }
    check(|it| (it.host, it.boot_id) = (ourselves, "another".to_owned()), Verdict::Dead);
}

#[test]
fn a_program_that_has_ended_is_dead() {
    let folder = private_folder();
    let mut child = program(&mark(1), "exec sleep 100");
    settle(&child, "sleep");
    let record = record(&child, &mark(1));
    child.kill().unwrap();
    child.wait().unwrap();
    Records::of(folder.path()).write(&record).unwrap();
    let orphans = orphans(folder.path()).unwrap();
    assert_eq!(orphans[0].verdict, Verdict::Dead, "its number is nobody's");
    tidy(&orphans);
    assert_eq!(super::orphans(folder.path()).unwrap(), [], "it is forgotten");
}

#[test]
fn files_that_are_no_records_are_told_and_put_aside() {
    let folder = private_folder();
    let records = folder.path().join("host/pids");
    fs::create_dir_all(&records).unwrap();
    let pid = std::process::id();
    let texts = [
        ("text", "hello".to_owned()),
        ("empty", String::new()),
        ("a number", pid.to_string()),
        ("a list", format!("[{pid}]")),
        ("half", format!("{{\"version\":1,\"pid\":{pid}")),
        ("too little", format!("{{\"version\":1,\"pid\":{pid}}}")),
        ("no version", format!("{{\"pid\":{pid}}}")),
        ("a later version", format!("{{\"version\":2,\"pid\":{pid}}}")),
        ("a huge number", "{\"version\":1,\"pid\":99999999999999}".to_owned()),
        ("deep", "[".repeat(100_000)),
        ("huge", " ".repeat(8 * 1024 * 1024)),
    ];
    for (name, text) in &texts {
        fs::write(records.join(name).with_extension("json"), text).unwrap();
    }
    fs::write(records.join("not text.json"), [0xff, 0xfe, 0]).unwrap();
    symlink("/etc/passwd", records.join("link.json")).unwrap();
    symlink("loop.json", records.join("loop.json")).unwrap();
    fs::create_dir(records.join("folder.json")).unwrap();
    nix::unistd::mkfifo(&records.join("fifo.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::write(records.join("other.txt"), "not looked at").unwrap();
    let n_files = texts.len() + 5;
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found.len(), n_files, "each is told");
    for orphan in &found {
        assert!(matches!(orphan.verdict, Verdict::Bad { .. }), "{orphan:?}");
        assert!(!orphan.end(Duration::ZERO).unwrap(), "nothing to end");
        assert!(fs::symlink_metadata(&orphan.path).is_ok(), "looking changes nothing");
    }
    let later = found.iter().find(|it| it.path.ends_with("a later version.json")).unwrap();
    let why = "of version 2, this is 1".to_owned();
    assert_eq!(later.verdict, Verdict::Bad { why }, "of the future");
    let aside = tidy(&found);
    assert_eq!(aside.len(), n_files, "each is kept: {aside:?}");
    assert!(aside.contains(&records.join("text.json.bad-1")), "beside itself: {aside:?}");
    assert_eq!(fs::read(records.join("text.json.bad-1")).unwrap(), b"hello", "as it was");
    assert_eq!(fs::read_link(records.join("link.json.bad-1")).unwrap(), Path::new("/etc/passwd"));
    assert!(records.join("other.txt").exists(), "what is not ours stays");
    assert_eq!(orphans(folder.path()).unwrap(), [], "and the rest is not in the way");
    fs::write(records.join("text.json"), "again").unwrap();
    let aside = tidy(&orphans(folder.path()).unwrap());
    assert_eq!(aside, [records.join("text.json.bad-2")], "the next gets another name");
}

#[test]
fn without_a_folder_there_is_nothing_and_a_bad_one_is_an_error() {
    assert_eq!(orphans(Path::new("/no/such/place")).unwrap(), [], "none");
    let folder = private_folder();
    fs::create_dir(folder.path().join("host")).unwrap();
    fs::write(folder.path().join("host/pids"), "text").unwrap();
    assert!(orphans(folder.path()).is_err(), "a file in its place");
}

#[test]
fn what_cannot_be_read_is_left_where_it_is() {
    let folder = private_folder();
    let path = folder.path().join("a.json");
    let why = "input/output error".to_owned();
    let verdict = Verdict::Unreadable { why };
    let (label, name) = (Value::Null, String::new());
    fs::write(&path, "it may be fine").unwrap();
    let orphan = Orphan { path: path.clone(), verdict, label, name, process: None, host: None };
    assert_eq!(tidy(&[orphan]), [] as [&Path; 0], "nothing is put aside");
    assert!(path.exists(), "it stays");
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
    let waiting = thread::scope(|scope| {
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
    tidy(&found);
    assert_eq!(orphans(folder.path()).unwrap(), [], "forgotten");
}

#[test]
fn many_are_ended_side_by_side() {
    let folder = private_folder();
    let script = "trap '' TERM HUP; while :; do sleep 9; done";
    let mark = |n: usize| format!("9-{}-{n}", std::process::id());
    let mut children: Vec<Child> = (0..20).map(|n| program(&mark(n), script)).collect();
    for (n, child) in children.iter().enumerate() {
        settle(child, "sh");
        Records::of(folder.path()).write(&record(child, &mark(n))).unwrap();
    }
    let found = orphans(folder.path()).unwrap();
    assert!(!found[0].await_end(Duration::from_millis(50)).unwrap(), "not by itself");
    let n_gone = thread::scope(|scope| {
        // Whoever inherits them reaps them; here we have to.
        for child in &mut children {
            scope.spawn(|| child.wait().unwrap());
        }
        let ended = end_orphans(&found, GRACE);
        ended.into_iter().filter(|(_, result)| matches!(result, Ok(true))).count()
    });
    assert_eq!(n_gone, 20, "nothing is left");
    assert_eq!(orphans(folder.path()).unwrap(), [], "nor any record");
    assert!(found[0].await_end(GRACE).unwrap(), "it has ended");
}

#[test]
fn a_host_that_is_about_to_end_is_waited_for() {
    let folder = private_folder();
    let mut host = program(&mark(2), "exec sleep 100");
    let mut child = program(&mark(1), "exec sleep 100");
    settle(&host, "sleep");
    settle(&child, "sleep");
    let identity = (i32::try_from(host.id()).unwrap(), start_ticks(host.id()));
    let record = Record { host: identity, ..record(&child, &mark(1)) };
    Records::of(folder.path()).write(&record).unwrap();
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found[0].verdict, Verdict::Hosted { pid: record.pid }, "it is looked after");
    assert!(!found[0].await_end_of_host(Duration::from_millis(50)).unwrap(), "the host lives");
    host.kill().unwrap();
    // It is not reaped yet, and counts as gone all the same.
    assert!(found[0].await_end_of_host(GRACE).unwrap(), "now it does not");
    let found = orphans(folder.path()).unwrap();
    assert_eq!(found[0].verdict, Verdict::Alive { pid: record.pid }, "nobody looks after it");
    assert!(found[0].await_end_of_host(Duration::ZERO).unwrap(), "nobody to wait for");
    for it in [&mut host, &mut child] {
        it.kill().unwrap_or_default();
        it.wait().unwrap();
    }
}
