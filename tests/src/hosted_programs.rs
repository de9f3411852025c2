//! What a program of the host gets and gives: descriptors, signals, secrets, and much more than can be kept.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, timed, wait_at_most, wait_for};
use crate::hosted::{hosted, hosted_setup};
use crate::system::{is_alive, let_pass};

/// What the product promises for the end of everything.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// D41: nothing of ours, nor of the terminal that we were started in.
#[test]
fn a_program_inherits_three_descriptors_no_signals_and_no_secret_of_another() {
    let setup = hosted_setup();
    let foreign = [
        ("TRACKSIDE_SESSION", "1-2-3"),
        ("TRACKSIDE_SOCKET", "/foreign/socket"),
        ("TRACKSIDE_WORKSPACE", "foreign"),
        ("TRACKSIDE_TOKEN", "foreign-token"),
    ];
    let setup = foreign.into_iter().fold(setup, |setup, (name, value)| setup.env(name, value));
    let instance = setup.start();
    instance.open("one");
    // A neighbour, whose descriptors and mark are none of its business.
    instance.open("two");
    instance.start_agent("two", &["sh", "-c", "env >env; echo here; exec cat"]);
    instance.wait_for_screen("two", "here");
    instance.open("one");
    let script = "ls -1 /proc/$$/fd; grep -E 'Sig(Blk|Ign)' /proc/self/status >signals; env >env; \
                  echo here; exec cat";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "here");
    let read = |name: &str| fs::read_to_string(instance.path(name)).unwrap();
    let screen = instance.screen("one");
    assert!(screen.starts_with("0\n1\n2\nhere\n"), "its terminal three times: {screen}");
    for line in read("one/signals").lines() {
        let mask = line.split_whitespace().last().expect("a mask");
        let mask = u64::from_str_radix(mask, 16).unwrap();
        assert_eq!(mask & 0x7fff_ffff, 0, "{line}");
    }
    let ours = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("TRACKSIDE_")).map(str::to_owned).collect()
    };
    let (one, two) = (ours(&read("one/env")), ours(&read("two/env")));
    let is_foreign = |it: &&String| it.contains("foreign") || it.ends_with("=1-2-3");
    assert_eq!(one.iter().find(is_foreign), None, "nothing of where we were started: {one:?}");
    let mark = one.iter().find(|it| it.starts_with("TRACKSIDE_SESSION=")).expect("its own mark");
    assert!(!two.contains(mark), "each has its own: {two:?}");
    let host = instance.host_pid().expect("a host");
    let environ = fs::read(format!("/proc/{host}/environ")).unwrap();
    assert!(!String::from_utf8_lossy(&environ).contains(mark.as_str()), "the host has none");
}

fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { size_of(&path) } else { path.metadata().unwrap().size() })
        .sum()
}

/// The most that a process has had in memory, in KiB.
fn peak(pid: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_line_of_two_hundred_mebibytes_costs_neither_memory_nor_answers() {
    let instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["true"]);
    instance.wait("one", "completed");
    let before = peak(instance.host_pid().expect("a host"));
    let script = "head -c 200M /dev/zero | tr '\\0' x; echo; echo done; exec cat";
    instance.start_agent("one", &["sh", "-c", script]);
    let mut slowest = Duration::ZERO;
    let done = wait_for(|| {
        let (screen, took) = timed(|| instance.screen("one"));
        slowest = slowest.max(took);
        screen.contains("done").then_some(())
    });
    assert!(done.is_some(), "it ends: {}", instance.screen("one"));
    assert!(slowest < Duration::from_secs(2), "it answers meanwhile, after {slowest:?} at most");
    let memory = peak(instance.host_pid().expect("a host"));
    assert!(memory - before < 2 * 1024, "the host needed {before} KiB, then {memory}");
    let size = size_of(&instance.path("state/trackside/transcripts"));
    assert!(size <= 64 << 20, "{size} bytes are kept");
    instance.ok(["agent", "send", "--enter", "hello"]);
    instance.wait_for_screen("one", "hello");
}

impl Instance {
    #[track_caller]
    fn signal_host(&self, signal: Signal) -> i32 {
        let host = self.host_pid().expect("a host");
        kill(Pid::from_raw(host), signal).unwrap();
        host
    }
}

/// D44, for the host.
#[test]
fn a_host_that_is_told_to_end_ends_what_it_holds_in_order() {
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let instance = hosted();
        instance.open("one");
        let polite = "trap 'echo bye >bye; exit 0' TERM; echo here; while :; do read -r x; done";
        instance.start_agent("one", &["sh", "-c", polite]);
        instance.wait_for_screen("one", "here");
        instance.open("two");
        let deaf =
            "trap '' TERM HUP INT; echo deaf; (setsid sleep 1000 &); while :; do sleep 9; done";
        instance.start_agent("two", &["sh", "-c", deaf]);
        instance.wait_for_screen("two", "deaf");
        let agents = ["one", "two"].map(|name| instance.agent_pid(name));
        let host = instance.signal_host(signal);
        let gone = wait_at_most(GONE_WITHIN, || (!is_alive(host)).then_some(()));
        assert!(gone.is_some(), "{signal}: it ends in time");
        assert!(agents.iter().all(|pid| !is_alive(*pid)), "{signal}: and so have its programs");
        assert_eq!(fs::read_to_string(instance.path("one/bye")).unwrap(), "bye\n", "in order");
        instance.wait("two", "errored");
        assert_eq!(instance.workspace("two")["agent"]["signal"], "SIGKILL", "{signal}: the truth");
        assert_eq!(instance.ok(["agent", "list", "--orphans"]), "nothing was left behind\n");
        // And the window goes on, with another one.
        instance.ok(["agent", "restart", "-w", "two"]);
        instance.wait_for_screen("two", "launch 2 ──\ndeaf");
        assert_ne!(instance.host_pid(), Some(host), "{signal}: another host");
    }
}

#[test]
fn a_host_does_not_end_with_the_terminal_of_the_app() {
    let instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("one", "here");
    let host = instance.signal_host(Signal::SIGHUP);
    let_pass(Duration::from_millis(300));
    assert!(is_alive(host) && is_alive(instance.agent_pid("one")), "nothing happens");
}

/// D44, for the app.
#[test]
fn an_app_with_a_host_ends_in_time_and_keeps_unsaved_text() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let mut instance = hosted();
        instance.open("one");
        instance
            .start_agent("one", &["sh", "-c", "trap '' TERM HUP INT; echo deaf; exec sleep 1000"]);
        instance.wait_for_screen("one", "deaf");
        let agent = instance.agent_pid("one");
        let file = instance.path("one/letter.txt");
        fs::write(&file, "Dear ").unwrap();
        instance.open("one/letter.txt");
        instance.ok(["keys", "ctrl-end"]);
        instance.ok(["type", "reader\u{2026}"]);
        instance.signal(signal);
        let (_, took) = timed(|| instance.wait_for_end());
        assert!(took < GONE_WITHIN, "{signal}: it took {took:?}");
        assert!(is_alive(agent), "{signal}: its agent was handed over");
        assert_eq!(fs::read_to_string(&file).unwrap(), "Dear ", "{signal}: nobody saved");
        instance.start_hosted_again();
        assert_eq!(instance.agent_pid("one"), agent, "{signal}: and is there again");
        instance.open("one/letter.txt");
        assert_eq!(instance.screen("one").trim(), "Dear reader\u{2026}", "{signal}: it is kept");
    }
}
