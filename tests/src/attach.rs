//! An agent's terminal in another one, beside the window or without it.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, Setup, wait_for};
use crate::outer::Outer;
use crate::system::is_alive;

/// Programs belong to a host.
fn hosted() -> Instance {
    Instance::headless()
}

/// Programs are the instance's own.
fn unhosted() -> Instance {
    Setup::headless().arg("--no-host").start()
}

/// Answers each line.
const ECHOES: &str = "echo ready; while read line; do echo got $line; done";
/// Prints its size now, and whenever it is told another.
const SIZES: &str = "trap 'stty size' WINCH; stty size; while :; do sleep 1000 & wait; done";

fn with_agent(script: &str) -> Instance {
    let instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["bash", "-c", script]);
    instance
}

/// The last line of the agent's screen.
fn last_line(instance: &Instance) -> String {
    let screen = instance.screen("one");
    screen.lines().rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[track_caller]
fn wait_for_last_line(instance: &Instance, expected: &str) {
    let found = wait_for(|| (last_line(instance) == expected).then_some(()));
    assert!(found.is_some(), "no {expected:?} in the end: {}", instance.screen("one"));
}

#[test]
fn an_agent_is_shown_typed_to_and_left_to_itself() {
    let instance = with_agent(ECHOES);
    instance.wait_for_screen("one", "ready");
    let outer = Outer::new(&instance, "outer", 80, 24);
    outer.line("echo before; $TRACKSIDE agent attach -w one; echo code $?");
    outer.wait_for("ready");
    assert!(outer.screen().contains("ctrl-\\ detaches"), "it says how: {}", outer.screen());
    outer.line("hello");
    outer.wait_for("got hello");
    instance.wait_for_screen("one", "got hello");
    assert!(!outer.screen().contains("detaches"), "a key takes the note away");
    instance.ok(["agent", "send", "--enter", "other"]);
    outer.wait_for("got other");
    outer.detach();
    outer.wait_for("code 0");
    let screen = outer.screen();
    assert!(screen.contains("before") && !screen.contains("got"), "its own screen: {screen}");
    assert!(screen.contains("goes on"), "{screen}");
    outer.assert_usual();
    assert!(is_alive(instance.agent_pid("one")), "it goes on");
    instance.ok(["agent", "send", "--enter", "later"]);
    instance.wait_for_screen("one", "got later");
}

#[test]
fn the_smallest_of_all_who_show_it_wins_and_the_size_goes_back() {
    let instance = with_agent(SIZES);
    instance.wait_for_screen("one", " ");
    let own = last_line(&instance);
    let wide = Outer::attached(&instance, "wide", 60, 20);
    wait_for_last_line(&instance, "20 60");
    assert_eq!(instance.screen("one").lines().count(), 20, "the window has the size, too");
    let high = Outer::attached(&instance, "high", 40, 30);
    wait_for_last_line(&instance, "20 40");
    high.resize(50, 10);
    wait_for_last_line(&instance, "10 50");
    wide.wait_for("10 50");
    high.detach();
    wait_for_last_line(&instance, "20 60");
    kill(Pid::from_raw(wide.attached_pid()), Signal::SIGKILL).unwrap();
    wait_for_last_line(&instance, &own);
}

#[test]
fn a_window_that_shows_another_tab_takes_no_part() {
    let instance = with_agent(SIZES);
    instance.wait_for_screen("one", " ");
    let own = last_line(&instance);
    instance.open("two");
    let outer = Outer::attached(&instance, "outer", 250, 90);
    wait_for_last_line(&instance, "90 250");
    instance.open("one");
    wait_for_last_line(&instance, &own);
    outer.wait_for(&own);
    instance.open("two");
    wait_for_last_line(&instance, "90 250");
    outer.detach();
    instance.open("one");
    wait_for_last_line(&instance, &own);
}

#[test]
fn an_editor_is_drawn_as_it_is_and_again_after_each_size() {
    let instance = hosted();
    instance.open("one");
    let file = instance.path("one/text");
    let lines: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    std::fs::write(&file, lines).unwrap();
    instance.start_agent("one", &["vim", "-u", "NONE", "-i", "NONE", file.to_str().unwrap()]);
    instance.wait_for_screen("one", "line 9");
    let outer = Outer::attached(&instance, "outer", 60, 12);
    outer.wait_for("line 11");
    assert!(!outer.screen().contains("line 12"), "it fits: {}", outer.screen());
    outer.keys(&["G"]);
    outer.wait_for("line 30");
    outer.keys(&["i", "inserted ", "Escape"]);
    outer.wait_for("inserted line 30");
    instance.wait_for_screen("one", "inserted line 30");
    let same = || {
        let (screen, ours) = (outer.screen(), instance.screen("one"));
        let text = |screen: &str| -> Vec<String> {
            screen.lines().map(|line| line.trim_end().to_owned()).collect()
        };
        (text(&screen) == text(&ours)).then_some(())
    };
    assert!(wait_for(same).is_some(), "{}\n{}", outer.screen(), instance.screen("one"));
    outer.detach();
    instance.wait_for_screen("one", "line 2\n");
    outer.assert_usual();
}

#[test]
fn only_a_terminal_is_attached_and_only_to_what_runs() {
    let mut instance = hosted();
    instance.open("one");
    let (code, line) = instance.refused(["agent", "attach", "-w", "one"]);
    assert_eq!((code, line.contains("terminal on standard input")), (1, true), "{line}");
    let outer = Outer::new(&instance, "outer", 100, 24);
    outer.line("$TRACKSIDE agent attach -w one; echo code $?");
    outer.wait_for("there is no agent in one");
    outer.wait_for("code 1");
    instance.start_agent("one", &["sh", "-c", "exit 3"]);
    instance.wait("one", "errored");
    outer.line("clear; $TRACKSIDE agent attach -w one; echo code $?");
    outer.wait_for("does not run any more");
    outer.wait_for("code 1");
    outer.line("clear; $TRACKSIDE agent attach -w nowhere; echo code $?");
    outer.wait_for("no workspace is called");
    outer.line("clear; $TRACKSIDE agent attach --detach-key alt-x; echo code $?");
    outer.wait_for("code 2");
    instance.quit();
    outer.line("clear; $TRACKSIDE agent attach -w one; echo code $?");
    outer.wait_for("code 3");
}

#[test]
fn programs_of_the_host_may_not_attach() {
    let instance = hosted();
    instance.open("one");
    let binary = crate::command::binary();
    let script = format!("{} agent attach -w one; echo code $?; exec cat", binary.display());
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait_for_screen("one", "code 1");
    assert!(
        instance.screen("one").contains("may not"),
        "it is told why: {}",
        instance.screen("one")
    );
}

#[test]
fn from_within_another_trackside_one_may_not_attach_unless_all_is_within() {
    let mut instance = with_agent("echo ready; exec cat");
    instance.wait_for_screen("one", "ready");
    let outer = Outer::new(&instance, "outer", 200, 24);
    let is_refused = |when: &str| {
        outer.line(&format!("TRACKSIDE_SESSION=1-1-1 $TRACKSIDE agent attach; echo {when} $?"));
        outer.wait_for(&format!("{when} 1"));
        let screen = outer.screen();
        assert!(screen.contains("from a terminal that is not one of Trackside's own"), "{screen}");
        outer.line(&format!("clear; echo after {when} | tr a-z A-Z"));
        outer.wait_for(&format!("AFTER {}", when.to_uppercase()));
    };
    is_refused("with");
    instance.crash();
    is_refused("without");

    let nested = Setup::headless().env("TRACKSIDE_SESSION", "1-1-1").start();
    nested.open("one");
    nested.start_agent("one", &["sh", "-c", "echo ready; exec cat"]);
    assert!(nested.host_pid().is_some(), "it reaches its own host");
    let outer = Outer::new(&nested, "outer", 100, 24);
    outer.line("TRACKSIDE_SESSION=1-1-1 $TRACKSIDE agent attach");
    outer.wait_for("ready");
    outer.detach();
}

#[test]
fn a_program_that_asks_and_never_reads_does_not_lock_anybody_in() {
    // More questions than may wait, no faster than they are drawn.
    let asks = "import os, sys, time, tty; print('ready', flush=True); sys.stdin.readline(); tty.setraw(0)\n\
                for _ in range(100): os.write(1, b'\\x1b[5n' * 15000); time.sleep(0.02)\n\
                os.write(1, b'asked'); time.sleep(1000)";
    let mut instance = hosted();
    instance.open("one");
    instance.start_agent("one", &["python3", "-c", asks]);
    instance.wait_for_screen("one", "ready");
    let outer = Outer::attached(&instance, "outer", 80, 24);
    outer.wait_for("ready");
    instance.crash();
    outer.line("go");
    outer.wait_for("asked");
    outer.detach();
    outer.assert_usual();
}

#[test]
fn an_agent_that_is_the_instances_own_is_refused() {
    let instance = unhosted();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    let outer = Outer::new(&instance, "outer", 100, 24);
    outer.line("$TRACKSIDE agent attach -w one; echo code $?");
    outer.wait_for("without a host");
    outer.wait_for("code 1");
}

#[test]
fn when_the_agent_ends_it_is_said_how() {
    let instance = with_agent("echo ready; read line; echo bye; exit 3");
    let outer = Outer::new(&instance, "outer", 80, 24);
    outer.line("$TRACKSIDE agent attach; echo code $?");
    outer.wait_for("ready");
    outer.line("x");
    outer.wait_for("has ended: exit code 3");
    outer.wait_for("code 0");
    outer.assert_usual();
    instance.start_agent("one", &["sh", "-c", "echo again; exec sleep 1000"]);
    outer.line("clear; $TRACKSIDE agent attach");
    outer.wait_for("again");
    kill(Pid::from_raw(instance.agent_pid("one")), Signal::SIGKILL).unwrap();
    outer.wait_for("has ended: SIGKILL");
}

#[test]
fn the_window_may_go_and_come_again_meanwhile() {
    // Asks its terminal whether it is fine, and shows the answer; a second one would be the next line.
    let asks = "echo ready; while IFS= read -r line; do stty -icanon -echo; printf '\\e[5n'; \
                IFS= read -rsd n -t 30 answer; stty icanon echo; printf '%s: %q\\n' \"$line\" \"$answer\"; done";
    let mut instance = with_agent(asks);
    instance.wait_for_screen("one", "ready");
    let outer = Outer::attached(&instance, "outer", 80, 24);
    let ask = |text: &str| {
        outer.line(text);
        outer.wait_for(&format!("{text}: $'\\E[0'"));
    };
    ask("both");
    ask("both again");
    instance.crash();
    ask("alone");
    ask("still alone");
    let other = Outer::new(&instance, "other", 80, 24);
    other.line("$TRACKSIDE agent attach -w one");
    other.wait_for("still alone:");
    ask("two");
    ask("two again");
    other.detach();
    // The only agent needs no name.
    other.line("clear; $TRACKSIDE agent attach");
    other.wait_for("two again:");
    instance.start_again();
    instance.wait_for_screen("one", "two again:");
    ask("together");
    ask("together again");
    let screen = outer.screen();
    let answers = screen.lines().filter(|line| line.contains(": ")).count();
    assert_eq!(answers, 8, "one answer each: {screen}");
}

#[test]
fn what_is_typed_there_is_an_answer_like_any_other() {
    let instance = with_agent("echo ready; exec cat");
    let outer = Outer::attached(&instance, "outer", 80, 24);
    outer.wait_for("ready");
    instance.ok(["report", "-w", "one", "needs_input", "--reason", "permission"]);
    instance.wait("one", "needs_input");
    outer.keys(&["y"]);
    outer.wait_for("ready\ny");
    let state = instance.workspace("one")["agent"]["state"].clone();
    assert_eq!(state, "needs_input", "nothing is handed in yet");
    outer.keys(&["Enter"]);
    instance.wait("one", "running");
}

#[test]
fn the_terminal_is_what_it_was_however_it_ends() {
    let modes = r"printf '\e[?1049h\e[?1000h\e[?1006h\e[?2004h\e[?25l\e[?1h\e=\e]2;a title\a'; echo ready; cat";
    let instance = with_agent(modes);
    let outer = Outer::new(&instance, "outer", 80, 24);
    let title = outer.title();
    for signal in [None, Some(Signal::SIGTERM), Some(Signal::SIGHUP), Some(Signal::SIGINT)] {
        outer.line("clear; $TRACKSIDE agent attach; echo code $?");
        let is_mirrored = || (outer.modes() == "1 0 1 1 1 1 0").then_some(());
        assert!(wait_for(is_mirrored).is_some(), "{}", outer.modes());
        let is_titled = wait_for(|| (outer.title() == "a title").then_some(()));
        assert!(is_titled.is_some(), "{}", outer.title());
        match signal {
            None => outer.detach(),
            Some(signal) => {
                kill(Pid::from_raw(outer.attached_pid()), signal).unwrap();
                outer.wait_for("code 1");
            }
        }
        outer.assert_usual();
        assert_eq!(outer.title(), title, "its own");
    }
    assert!(outer.sent().contains("\x1b[?2004l"), "pastes, which tmux does not tell");
}

#[test]
fn one_that_was_stopped_draws_all_again() {
    let instance = with_agent(r"printf '\e[?1000h\e]2;a title\a'; echo ready; exec cat");
    let outer = Outer::new(&instance, "outer", 80, 24);
    let title = outer.title();
    outer.line("$TRACKSIDE agent attach");
    outer.wait_for("ready");
    let pid = Pid::from_raw(outer.attached_pid());
    kill(pid, Signal::SIGSTOP).unwrap();
    outer.wait_for("Stopped");
    // The terminal is still raw.
    outer.keys(&["clear", "C-j", "fg", "C-j"]);
    // The shell's words are drawn over only when it goes on.
    let goes_on = || {
        let screen = outer.screen();
        (screen.contains("ready") && !screen.contains("Stopped")).then_some(())
    };
    wait_for(goes_on).expect("it is in front again");
    outer.line("hello");
    outer.wait_for("hello\nhello");
    outer.detach();
    outer.assert_usual();
    assert_eq!(outer.title(), title, "its own");
}

#[test]
fn nothing_of_what_an_agent_prints_reaches_the_outer_terminal() {
    let hostile = r"printf 'ready\e]52;c;ZXZpbA==\a\e[c\e[6n\eP$qm\e\\\e]9;evil\a\e[>q\e[18t\e[?5h\e]8;;evil://x\aX\e]8;;\a'; \
                    while read line; do printf '\e]52;c;ZXZpbA==\a\e[c\e[5n%s done\n' $line; done";
    let instance = with_agent(hostile);
    let outer = Outer::attached(&instance, "outer", 80, 24);
    outer.wait_for("ready");
    outer.line("live");
    outer.wait_for("live done");
    outer.detach();
    let sent = outer.sent();
    for evil in ["]52", "]9;", "\x1b[6n", "\x1b[5n", "$q", "[>q", "[18t", "[?5h", "]8;", "evil"] {
        assert!(!sent.contains(evil), "{evil:?} was sent: {sent:?}");
    }
    assert_eq!(sent.matches("\x1b[c").count(), 1, "our own question, once: {sent:?}");
}

#[test]
fn a_flood_delays_no_key() {
    let instance = with_agent("echo ready; read line; exec yes flood");
    let outer = Outer::attached(&instance, "outer", 80, 24);
    outer.wait_for("ready");
    outer.line("x");
    outer.wait_for("flood\nflood\nflood");
    outer.detach();
    outer.assert_usual();
    instance.ok(["agent", "stop", "-w", "one"]);
}

#[test]
fn another_key_detaches_where_it_is_set() {
    let setup = Setup::headless().config("[attach]\ndetach_key = \"ctrl-]\"\n");
    let instance = setup.start();
    instance.open("one");
    instance.start_agent(
        "one",
        &["bash", "-c", "trap 'echo quit' QUIT; echo ready; while :; do read x; done"],
    );
    let outer = Outer::attached(&instance, "outer", 80, 24);
    outer.wait_for("ctrl-] detaches");
    outer.keys(&["C-\\"]);
    outer.wait_for("quit");
    outer.keys(&["C-]"]);
    outer.wait_for("detached from one");
    outer.line("clear; $TRACKSIDE agent attach --detach-key ctrl-q");
    outer.wait_for("ctrl-q detaches");
    outer.keys(&["C-q"]);
    outer.wait_for("detached from one");
}

#[test]
fn agent_start_attaches_where_somebody_sits_and_there_is_no_window() {
    let instance = hosted();
    instance.open("one");
    let outer = Outer::new(&instance, "outer", 80, 24);
    outer.line("$TRACKSIDE agent start -w one -- sh -c 'echo ready; read line; exit'");
    outer.wait_until_attached();
    outer.wait_for("ready");
    outer.line("x");
    outer.wait_for("has ended: exit code 0");
    outer
        .line("clear; $TRACKSIDE agent start --no-attach -w one -- sh -c 'exec cat'; echo code $?");
    outer.wait_for("code 0");
    outer.assert_usual();
    instance.ok(["agent", "stop", "-w", "one"]);
    outer.line("clear; $TRACKSIDE agent start -w one -- sh -c 'exec cat' | cat; echo piped");
    outer.wait_for("piped");
    outer.assert_usual();
    let own = unhosted();
    own.open("one");
    let outer = Outer::new(&own, "outer", 80, 24);
    outer.line("$TRACKSIDE agent start -w one -- cat; echo code $?");
    outer.wait_for("code 0");
    outer.assert_usual();
}

#[test]
fn beside_a_window_agent_start_stays_where_it_is() {
    let instance = Setup::windowed().start();
    instance.open("one");
    let outer = Outer::new(&instance, "outer", 40, 10);
    outer.line("$TRACKSIDE agent start -w one -- sleep 1000; echo code $?");
    outer.wait_for("code 0");
    outer.assert_usual();
    instance.ok(["agent", "stop", "-w", "one"]);
    instance.start_agent("one", &["bash", "-c", SIZES]);
    instance.wait_for_screen("one", " ");
    let own = last_line(&instance);
    outer.line("clear; $TRACKSIDE agent attach");
    outer.wait_for("10 40");
    wait_for_last_line(&instance, "10 40");
    outer.detach();
    wait_for_last_line(&instance, &own);
}
