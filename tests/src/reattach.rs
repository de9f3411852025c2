//! The window goes, and what runs in it goes on: a later one shows it as if nothing had been.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, Setup, wait_at_most, wait_for};
use crate::system::is_alive;

fn hosted() -> Instance {
    Setup::headless().start()
}

impl Instance {
    /// As a crash would end it, and a new start.
    fn crash_and_start_again(&mut self) {
        self.crash();
        self.start_again_with(&["--size", "1200x800"]);
    }

    fn session(&self) -> String {
        std::fs::read_to_string(self.path("state/trackside/session.json")).unwrap_or_default()
    }
}

#[test]
fn agents_live_on_when_the_window_is_killed() {
    let mut instance = hosted();
    instance.open("one");
    let script = "echo ready; while read line; do echo got $line; done";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "ready");
    let pid = instance.agent_pid("one");
    instance.ok(["agent", "send", "--enter", "first"]);
    instance.wait_for_screen("one", "got first");
    instance.crash_and_start_again();
    assert!(is_alive(pid), "nobody told it");
    instance.wait_for_screen("one", "got first");
    assert_eq!(instance.agent_pid("one"), pid, "the same program");
    instance.ok(["agent", "send", "--enter", "second"]);
    instance.wait_for_screen("one", "got second");
    let screen = instance.screen("one");
    let lines: Vec<&str> = screen.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["ready", "first", "got first", "second", "got second"], "once each");
    instance.ok(["agent", "stop"]);
    assert!(!is_alive(pid), "it can be stopped as ever");
}

#[test]
fn states_and_ages_are_those_of_before() {
    let mut instance = hosted();
    instance.open("one");
    instance.open("two");
    let asks = "printf 'Remove all? [y/N] '; read answer; echo got $answer; exec cat";
    instance.start_agent("one", &["sh", "-c", asks]);
    instance.start_agent("two", &["sh", "-c", "while :; do echo tick; sleep 0.2; done"]);
    instance.wait("one", "needs_input");
    instance.wait("two", "running");
    let before = instance.workspace("one")["agent"].clone();
    // Old enough for an age that begins anew to be told from it.
    let aged = |instance: &Instance| {
        instance.workspace("one")["agent"]["since_ms"].as_u64().is_some_and(|it| it > 3000)
    };
    wait_for(|| aged(&instance).then_some(())).expect("time passes");
    instance.crash_and_start_again();
    let after = instance.workspace("one")["agent"].clone();
    assert_eq!(after["state"], "needs_input", "{after}");
    assert_eq!(after["reason"], before["reason"], "what it asks");
    assert_eq!(after["pid"], before["pid"], "the same program");
    let age = after["since_ms"].as_u64().unwrap();
    assert!(age >= 3000, "it still waits: {age} ms");
    instance.wait_for_screen("one", "Remove all?");
    assert_eq!(instance.workspace("two")["agent"]["state"], "running", "it works on");
    instance.wait_for_screen("one", "Remove all?");
    assert_eq!(instance.workspace("one")["agent"]["state"], "needs_input", "also when looked at");
    instance.ok(["agent", "send", "-w", "one", "--enter", "y"]);
    instance.wait_for_screen("one", "got y");
}

#[test]
fn what_happened_meanwhile_is_told_with_its_time() {
    let mut instance = hosted();
    for name in ["one", "two"] {
        instance.open(name);
    }
    instance.start_agent("one", &["sh", "-c", "echo here; read line"]);
    instance.start_agent("two", &["sh", "-c", "echo here; read line; echo bye; exit 7"]);
    instance.wait_for_screen("one", "here");
    instance.wait_for_screen("two", "here");
    let pid = Pid::from_raw(instance.agent_pid("one"));
    let other = Pid::from_raw(instance.agent_pid("two"));
    instance.crash();
    kill(pid, Signal::SIGKILL).unwrap();
    wait_for(|| (!is_alive(pid.as_raw())).then_some(())).expect("it is reaped");
    // Long enough for its age to be told from one that begins at the start.
    wait_at_most(Duration::from_secs(2), || None::<()>);
    instance.start_again_with(&[]);
    instance.wait("one", "errored");
    let agent = instance.workspace("one")["agent"].clone();
    assert_eq!(
        (&agent["signal"], &agent["exit_code"]),
        (&"SIGKILL".into(), &137.into()),
        "{agent}"
    );
    assert!(agent["since_ms"].as_u64().unwrap() >= 2000, "when it ended: {agent}");
    instance.wait_for_screen("one", "here");

    // And if nothing is left, so that there is no host any more.
    let host = instance.host_pid().expect("a host");
    wait_for(|| instance.session().contains("/two\"").then_some(())).expect("it is written soon");
    instance.crash();
    kill(other, Signal::SIGKILL).unwrap();
    wait_for(|| (!is_alive(host)).then_some(())).expect("it has nothing to do");
    instance.start_again_with(&[]);
    instance.wait("two", "errored");
    let agent = instance.workspace("two")["agent"].clone();
    assert_eq!(agent["signal"], "SIGKILL", "{agent}");
}

#[test]
fn full_screen_programs_are_drawn_as_they_were() {
    let mut instance = hosted();
    instance.open("one");
    let file = instance.path("one/text");
    std::fs::write(&file, "alpha\nbeta\ngamma\n").unwrap();
    instance.start_agent("one", &["vi", "-u", "NONE", file.to_str().unwrap()]);
    instance.wait_for_screen("one", "gamma");
    let before = instance.screen("one");
    instance.crash_and_start_again();
    instance.wait_for_screen("one", "gamma");
    // Asked to draw anew, vi leaves its message out.
    let text = |screen: &str| screen.lines().take_while(|it| !it.starts_with('"')).count();
    let after = instance.screen("one");
    let n_lines = text(&before);
    assert!(after.lines().take(n_lines).eq(before.lines().take(n_lines)), "{before}\n{after}");
    instance.ok(["agent", "send", "ggdd"]);
    wait_for(|| (!instance.screen("one").contains("alpha")).then_some(())).expect("it is served");
    instance.ok(["agent", "send", ":q!\r"]);
    instance.wait("one", "completed");
}

#[test]
fn plain_terminals_come_back_in_their_tabs() {
    let mut instance = hosted();
    instance.open("one");
    instance.ok(["terminal", "new"]);
    instance.ok(["terminal", "send", "--enter", "marker=$((6 * 7)); echo is $marker"]);
    instance.wait_for_screen("one", "is 42");
    instance.crash_and_start_again();
    instance.wait_for_screen("one", "is 42");
    instance.ok(["terminal", "send", "--enter", "echo still $marker"]);
    instance.wait_for_screen("one", "still 42");
    let tabs = instance.workspace("one")["tabs"].as_array().unwrap().len();
    assert_eq!(tabs, 1, "one tab, as before");
}

#[test]
fn what_is_not_in_the_session_is_found_all_the_same() {
    let mut instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("one", "here");
    let pid = instance.agent_pid("one");
    instance.crash();
    std::fs::write(instance.path("state/trackside/session.json"), "{ not").unwrap();
    instance.start_again_with(&[]);
    instance.wait_for_screen("one", "here");
    assert_eq!(instance.agent_pid("one"), pid, "it has its folder again");
}

#[test]
fn with_nothing_but_what_runs_a_fresh_start_is_fresh() {
    let mut instance = hosted();
    instance.open("one");
    instance.open("two");
    instance.start_agent("two", &["sh", "-c", "echo here; exec cat"]);
    instance.wait_for_screen("two", "here");
    instance.crash();
    instance.start_again_with(&["--fresh"]);
    instance.wait_for_screen("two", "here");
    let names: Vec<_> = instance.workspaces().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["two"], "what runs is not hidden");
}

#[test]
fn what_is_on_show_is_drawn_at_once() {
    let mut instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "seq 30; exec cat"]);
    instance.wait_for_screen("one", "30");
    instance.wait("one", "needs_input");
    let before = instance.screenshot().n_bright_pixels();
    instance.crash_and_start_again();
    instance.wait_for_screen("one", "30");
    let is_drawn = || {
        let after = instance.screenshot().n_bright_pixels();
        (after * 10 > before * 9).then_some(())
    };
    wait_for(is_drawn).expect("as much is written in the window as before");
}

#[test]
fn a_wish_that_comes_while_programs_are_caught_up_with_counts() {
    let mut instance = hosted();
    let script = "seq 20000; echo done; trap '' HUP TERM; while :; do sleep 1; done";
    for name in ["one", "two"] {
        instance.open(name);
        instance.start_agent(name, &["sh", "-c", script]);
    }
    instance.ok(["terminal", "new", "--", "sh", "-c", "seq 20000; exec cat"]);
    instance.wait_for_screen("one", "done");
    wait_for(|| instance.session().contains("/two\"").then_some(())).expect("it is written soon");
    let pids = ["one", "two"].map(|name| instance.agent_pid(name));
    // It is told to end before it serves anything, and knows them again the next time.
    instance.crash_and_start_again();
    instance.signal(Signal::SIGTERM);
    instance.wait_for_end();
    assert!(pids.iter().all(|pid| is_alive(*pid)), "they run on");
    instance.start_again();
    assert_eq!(["one", "two"].map(|name| instance.agent_pid(name)), pids, "the same programs");
    let tabs = instance.workspace("two")["tabs"].as_array().unwrap().len();
    assert_eq!(tabs, 2, "each in its tab: {}", instance.workspace("two"));
    instance.crash_and_start_again();
    let host = instance.host_pid().expect("a host");
    instance.quit();
    assert!(pids.iter().all(|pid| !is_alive(*pid)), "nothing is left");
    wait_for(|| (!is_alive(host)).then_some(())).expect("nor the host");
}

#[test]
fn who_crashes_after_a_new_start_is_started_again_as_before() {
    let config = "[agents.mortal]\nstart = ['sh', '-c', 'echo x >> lives; \
                  echo \"life $(wc -l < lives)\"; exec cat']\nrestart = 'on-crash'\n";
    let mut instance = Setup::headless().config(config).start();
    instance.open("one");
    instance.ok(["agent", "start", "mortal"]);
    instance.wait_for_screen("one", "life 1");
    instance.crash_and_start_again();
    instance.wait_for_screen("one", "life 1");
    kill(Pid::from_raw(instance.agent_pid("one")), Signal::SIGKILL).unwrap();
    instance.wait_for_screen("one", "life 2");
}
