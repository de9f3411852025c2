//! Full disks, damaged files and clocks that jump: the host and its programs go on, and so does the window.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{Instance, timed, wait_for};
use crate::hosted::hosted;
use crate::system::{Known, is_alive};

const STARTED_WITHIN: Duration = Duration::from_secs(3);
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

impl Instance {
    /// An agent that repeats what it is told.
    fn start_parrot(&self) -> i32 {
        self.open("one");
        let script = "echo here; while read -r line; do echo got $line; done";
        self.start_agent("one", &["sh", "-c", script]);
        self.wait_for_screen("one", "here");
        self.agent_pid("one")
    }

    #[track_caller]
    fn check_parrot(&self, word: &str) {
        self.ok(["agent", "send", "-w", "one", "--enter", word]);
        self.wait_for_screen("one", &format!("got {word}"));
    }

    /// No file of the host may grow further than that, as on a full disk.
    fn limit_files(&self, limit: &str) {
        let host = self.host_pid().expect("a host");
        let pid = format!("--pid={host}");
        let limit = format!("--fsize={limit}:unlimited");
        let status = Command::new("prlimit").args([pid, limit]).status().unwrap();
        assert!(status.success(), "prlimit should work");
    }

    /// The files of the only launch there was.
    fn transcript_files(&self) -> Vec<PathBuf> {
        let below = |folder: &Path| -> PathBuf {
            fs::read_dir(folder).unwrap().next().expect("one").unwrap().path()
        };
        let launch = below(&below(&self.path("state/trackside/transcripts")));
        let files = fs::read_dir(launch).unwrap().map(|file| file.unwrap().path());
        files.collect()
    }
}

#[test]
fn a_full_disk_stops_nobody_and_is_told_as_long_as_it_lasts() {
    let mut instance = hosted();
    let agent = instance.start_parrot();
    assert_eq!(instance.warnings(), "null", "all is well");
    instance.limit_files("1");
    instance.check_parrot("first");
    instance.wait_for_warning("sh: it goes on, but the transcript cannot be written");
    instance.crash();
    instance.start_hosted_again();
    instance.wait_for_warning("sh: it goes on, but the transcript cannot be written");
    assert_eq!(instance.agent_pid("one"), agent, "it is served again");
    instance.check_parrot("second");
    instance.limit_files("unlimited");
    instance.check_parrot("third");
    instance.wait_for_no_warning();
    assert!(instance.ok(["transcript"]).contains("got third"), "it is kept again");

    // Also if there never was one.
    instance.ok(["agent", "stop"]);
    let transcripts = instance.path("state/trackside/transcripts");
    fs::remove_dir_all(&transcripts).unwrap();
    fs::write(&transcripts, "in the way").unwrap();
    instance.ok(["agent", "restart"]);
    instance.wait_for_screen("one", "launch 2 ──\nhere");
    instance.wait_for_warning("sh: it goes on, but the transcript cannot be written");
    instance.check_parrot("fourth");
    instance.ok(["agent", "stop"]);
    instance.wait_for_no_warning();
}

/// A file is spoiled so; the agent runs on and is served, whatever is left of what it printed.
#[track_caller]
fn check_spoiled(what: &str, is_it: impl Fn(&Path) -> bool, spoil: impl Fn(&Path)) {
    let mut instance = hosted();
    let agent = instance.start_parrot();
    instance.check_parrot("before");
    instance.wait_until_kept("\"alive\"");
    // What says where it is may be spoiled.
    let host = Known::one("host", instance.host_pid().expect("a host"));
    instance.crash();
    let state = ["host.lock", "host.start.lock", "host.log", "session.json"];
    let files = state.map(|name| instance.path("state/trackside").join(name)).into_iter();
    let records = fs::read_dir(instance.path("state/trackside/host/pids")).unwrap();
    let records = records.map(|record| record.unwrap().path());
    let files: Vec<PathBuf> = files.chain(records).chain(instance.transcript_files()).collect();
    let spoiled = files.iter().filter(|path| is_it(path)).map(|path| spoil(path)).count();
    assert!(spoiled > 0, "{what}: there is such a file");
    let ((), took) = timed(|| instance.start_hosted_again());
    assert!(took < STARTED_WITHIN, "{what}: it took {took:?}");
    let is_back = || instance.workspace("one")["agent"]["pid"] == agent;
    assert!(wait_for(|| is_back().then_some(())).is_some(), "{what}: it is there again");
    instance.check_parrot("after");
    assert!(is_alive(agent), "{what}: it runs on");
    instance.ok(["quit", "--stop-agents"]);
    wait_for(|| host.alive().is_empty().then_some(())).expect("nothing is left to do");
}

#[test]
fn whatever_becomes_of_its_files_what_the_host_holds_is_served() {
    let noise: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let ends = |end: &'static str| move |path: &Path| path.to_string_lossy().ends_with(end);
    let all = |_: &Path| true;
    check_spoiled("all are noise", all, |path| fs::write(path, &noise).unwrap());
    check_spoiled("all are empty", all, |path| fs::write(path, "").unwrap());
    check_spoiled("no index", ends(".index"), |path| fs::remove_file(path).unwrap());
    check_spoiled("no text", ends(".raw"), |path| fs::remove_file(path).unwrap());
    check_spoiled("a cut index", ends(".index"), |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() - 3]).unwrap();
    });
    check_spoiled("an index of the future", ends(".index"), |path| {
        fs::write(path, "{\"version\":9}\n{\"at\":0,\"ms\":18446744073709551615}\n").unwrap();
    });
    check_spoiled("a record of the future", ends(".json"), |path| {
        fs::write(path, "{\"version\":9}").unwrap();
    });
}

/// Seconds by a clock that nobody sets.
fn uptime() -> f64 {
    let uptime = fs::read_to_string("/proc/uptime").unwrap();
    uptime.split(' ').next().unwrap().parse().unwrap()
}

/// D43: the times that were written down are of a clock that has been set since.
#[test]
fn a_clock_that_jumps_makes_no_age_absurd_and_starts_nothing() {
    let mut instance = hosted();
    let started = uptime();
    let agent = instance.start_parrot();
    instance.check_parrot("before");
    instance.wait_until_kept("\"alive\"");
    for (what, shift) in [
        ("a day back", -i128::from(DAY_MS)),
        ("a day ahead", i128::from(DAY_MS)),
        ("1970", -i128::from(u64::MAX)),
        ("for ever", i128::from(u64::MAX)),
    ] {
        instance.crash();
        let moved = |ms: u64| {
            u64::try_from((i128::from(ms) + shift).clamp(0, i128::from(u64::MAX))).unwrap()
        };
        for index in instance.transcript_files() {
            if index.extension().is_some_and(|it| it == "index") {
                let text = fs::read_to_string(&index).unwrap();
                // The host may have written to it since it was last replaced here.
                let lines = text.lines().filter_map(|line| {
                    let mut entry: Value = serde_json::from_str(line).ok()?;
                    entry["ms"] = moved(entry["ms"].as_u64().unwrap()).into();
                    Some(format!("{entry}\n"))
                });
                fs::write(&index, lines.collect::<String>()).unwrap();
            }
        }
        let file = instance.path("state/trackside/session.json");
        let mut session: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let since = &mut session["workspaces"][0]["agent"]["since"];
        *since = (moved(since.as_u64().expect("a time") * 1000) / 1000).into();
        fs::write(&file, session.to_string()).unwrap();
        instance.start_hosted_again();
        instance.wait_for_screen("one", "here");
        let status = instance.workspace("one")["agent"].clone();
        assert_eq!((&status["pid"], &status["launches"]), (&agent.into(), &1.into()), "{what}");
        let age = status["since_ms"].as_f64().expect("an age");
        let most = 1000.0 * (uptime() - started) + 2000.0;
        assert!(age <= most, "{what}: older than its program: {status}");
        instance.check_parrot("after");
    }
}
