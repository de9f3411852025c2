//! The host as a process: what it costs, and when it ends.

use std::process::Command;

use host::Verdict;

use super::*;

#[test]
fn it_leads_a_session_of_its_own_with_nothing_of_ours() {
    let _inherited = fs::File::open("/dev/null").unwrap();
    let fixture = Fixture::new();
    let stat = fs::read_to_string(format!("/proc/{}/stat", fixture.pid)).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    assert_eq!(fields[3], fixture.pid.to_string(), "its session");
    assert_eq!(fields[4], "0", "no terminal");
    let target = |fd: u32| fs::read_link(format!("/proc/{}/fd/{fd}", fixture.pid)).unwrap();
    eventually("a silent output", || target(1) == Path::new("/dev/null"));
    assert_eq!(target(0), Path::new("/dev/null"), "no input");
    let log = fs::canonicalize(&fixture.folder).unwrap().join("host.log");
    assert_eq!(target(2), log, "a log");
    // As when the terminal goes that the app was started from.
    let (spawned, _terminal) = fixture.sh("echo ready; exec cat");
    fixture.tail(spawned.program, 0).until("ready");
    kill(Pid::from_raw(fixture.pid), Signal::SIGHUP).unwrap();
    fixture.assert_serves();
    assert!(is_running(spawned.pid), "so does its program");
}

#[test]
fn it_ends_with_its_last_program_and_its_last_app() {
    let mut fixture = Fixture::new();
    let go = fixture.folder.path().join("go");
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (spawned, terminal) = fixture.sh("read -r x < go; exit 4");
    drop(terminal);
    fixture.leave();
    a_while(Duration::from_millis(100));
    assert!(is_running(fixture.pid), "it lives for its program");
    fs::write(&go, "\n").unwrap();
    eventually("its end", || !is_running(fixture.pid));
    let folder = PathBuf::from(spawned.transcript.unwrap());
    let exit = host::Transcript::open(&folder).unwrap().exit().unwrap();
    assert_eq!(exit.code, Some(4), "what its last program said is written down");
}

#[test]
fn told_to_end_it_stops_everything_first() {
    check_told_to_end(Signal::SIGTERM);
    check_told_to_end(Signal::SIGINT);
}

#[track_caller]
fn check_told_to_end(signal: Signal) {
    let fixture = Fixture::new();
    let scripts =
        ["echo pid $$; sleep 100", "trap '' HUP TERM; echo pid $$; while :; do sleep 9; done"];
    let pids: Vec<i32> = scripts
        .iter()
        .map(|script| fixture.tail(fixture.sh(script).0.program, 0).pids(1)[0])
        .collect();
    kill(Pid::from_raw(fixture.pid), signal).unwrap();
    eventually("its end", || !is_running(fixture.pid));
    for pid in pids {
        assert!(!is_running(pid), "{signal}: process {pid} is left");
    }
    assert_eq!(host::orphans(fixture.folder.path()).unwrap(), [], "no record is left");
}

#[test]
fn quitting_is_answered_when_all_is_over() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("trap '' HUP; sleep 100");
    let (ended, end) = crossbeam_channel::bounded(1);
    fixture.client().quit(GRACE, move || ended.send(()).unwrap());
    end.recv_timeout(PATIENCE).expect("it should end");
    assert!(!is_running(spawned.pid), "its program is gone");
    eventually("its end", || !is_running(fixture.pid));
    let lost = fixture.notices.iter().any(|notice| notice == Notice::Lost);
    assert!(lost, "the app is told");
}

#[test]
fn what_a_killed_host_leaves_is_found_and_ended() {
    let mut fixture = Fixture::new();
    let (spawned, terminal) = fixture.sh("trap '' HUP TERM; echo ready; while :; do sleep 9; done");
    fixture.tail(spawned.program, 0).until("ready");
    let verdicts = || -> Vec<Verdict> {
        let orphans = host::orphans(fixture.folder.path()).unwrap();
        orphans.into_iter().map(|orphan| orphan.verdict).collect()
    };
    assert_eq!(verdicts(), [Verdict::Hosted { pid: spawned.pid }], "all is well");
    kill(Pid::from_raw(fixture.pid), Signal::SIGKILL).unwrap();
    eventually("its end", || !is_running(fixture.pid));
    assert_eq!(verdicts(), [Verdict::Alive { pid: spawned.pid }], "it is found");
    let orphans = host::orphans(fixture.folder.path()).unwrap();
    assert_eq!(orphans[0].label, json!({"workspace": 1}), "and known");
    assert!(orphans[0].end(GRACE).unwrap(), "it is ended");
    assert!(!is_running(spawned.pid), "indeed");
    assert_eq!(verdicts(), [], "and forgotten");
    drop(terminal);
    fixture.leave();
    let (client, _notices) = connect(fixture.start());
    fixture.pid = client.pid();
}

/// Voluntary context switches of all its threads.
fn switches(pid: i32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let count = |task: &Path| -> u64 {
        let status = fs::read_to_string(task.join("status")).unwrap_or_default();
        let line = status.lines().find_map(|it| it.strip_prefix("voluntary_ctxt_switches:"));
        line.map_or(0, |line| line.trim().parse().unwrap())
    };
    tasks.map(|task| count(&task.unwrap().path())).sum()
}

#[test]
fn with_nothing_to_do_it_does_nothing_and_a_program_costs_little() {
    let fixture = Fixture::new();
    let (spawned, _terminal) = fixture.sh("echo ready; exec cat");
    let _tail = fixture.tail(spawned.program, 0).until("ready").start;
    let alone = status_number(fixture.pid, "VmRSS");
    let programs: Vec<(Spawned, OwnedFd)> =
        (0..50).map(|_| fixture.sh("echo ready; exec cat")).collect();
    let mut tails: Vec<Tail> =
        programs.iter().map(|(spawned, _)| fixture.tail(spawned.program, 0)).collect();
    for tail in &mut tails {
        tail.until("ready");
    }
    let memory = status_number(fixture.pid, "VmRSS");
    println!("{alone} KiB with 1 program, {memory} KiB with 51");
    assert!(memory <= 8 * 1024 + 51 * 64, "{memory} KiB with 51 programs");
    // It may just be going to sleep.
    let mut before = 0;
    eventually("peace", || {
        let now = switches(fixture.pid);
        std::mem::replace(&mut before, now) == now
    });
    a_while(Duration::from_secs(2));
    assert_eq!(switches(fixture.pid) - before, 0, "wake-ups in two seconds");
}

#[test]
fn without_arguments_it_says_no() {
    let status = Command::new(env!("CARGO_BIN_EXE_host-process")).status().unwrap();
    assert!(!status.success(), "there is no state directory");
}
