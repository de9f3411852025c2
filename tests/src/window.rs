//! The window itself: real keys, a real mouse and a window manager.

use std::fs;
use std::time::Duration;

use crate::display::Display;
use crate::harness::{Instance, Setup, wait_at_most, wait_for};
use crate::system::{is_alive, let_pass};

/// The middle of the second tile: a heading, then tiles 52 high with gaps of 2.
const SECOND_TILE: (&str, &str) = ("112", "124");

fn windowed() -> (Instance, String) {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    (instance, window)
}

impl Display {
    fn key(&self, chord: &str) {
        self.xdotool(&["key", "--clearmodifiers", chord]);
    }

    /// Asks the window manager to close the active window, as the cross in its title does.
    fn close_window(&self) {
        self.key("alt+F4");
    }

    fn click(&self, window: &str, (x, y): (&str, &str), button: &str) {
        self.xdotool(&["mousemove", "--window", window, "--sync", x, y, "click", button]);
    }
}

#[test]
fn typed_keys_reach_the_agent() {
    let (instance, _) = windowed();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    instance.display().xdotool(&["type", "--delay", "20", "Hello, World 42!"]);
    instance.display().key("Return");
    instance.wait_for_screen("one", "Hello, World 42!\nHello, World 42!");
    instance.display().key("ctrl+d");
    instance.wait("one", "completed");
}

#[test]
fn typed_keys_reach_a_file_and_ctrl_s_saves_it() {
    let (instance, _) = windowed();
    let file = instance.path("one/file");
    fs::write(&file, "").unwrap();
    instance.ok(["open", "one/file"]);
    instance.display().xdotool(&["type", "--delay", "20", "fn main() {}"]);
    instance.display().key("Return");
    instance.display().key("ctrl+s");
    let saved = wait_for(|| (fs::read(&file).unwrap() == b"fn main() {}\n").then_some(()));
    assert!(saved.is_some(), "{:?} is on disk", fs::read_to_string(&file));
}

#[test]
fn ctrl_shift_p_opens_the_palette_and_escape_closes_it() {
    let (instance, _) = windowed();
    instance.open("one");
    let before = instance.screenshot();
    instance.display().key("ctrl+shift+p");
    wait_for(|| instance.screenshot().has_overlay().then_some(())).expect("a palette");
    let open = instance.screenshot();
    instance.display().xdotool(&["type", "--delay", "20", "theme"]);
    wait_for(|| instance.screenshot().differs(&open).then_some(())).expect("it finds actions");
    instance.display().key("Escape");
    let closed = wait_for(|| (!instance.screenshot().differs(&before)).then_some(()));
    closed.expect("all as before");
}

#[test]
fn the_palette_does_what_is_chosen_in_it() {
    let (instance, _) = windowed();
    instance.open("one");
    let before = instance.screenshot();
    let background = before.pixel(before.width - 40, before.height / 2);
    instance.display().key("ctrl+shift+p");
    instance.display().xdotool(&["type", "--delay", "20", "light and dark"]);
    instance.display().key("Return");
    let light = wait_for(|| {
        let picture = instance.screenshot();
        (picture.pixel(picture.width - 40, picture.height / 2) != background).then_some(())
    });
    assert!(light.is_some(), "the theme has changed");
}

#[test]
fn the_palette_finds_an_action_by_any_word_of_its_name_or_description() {
    let instance = Instance::headless();
    instance.open("one");
    let background = instance.screenshot().pixel(1_150, 400);
    instance.ok(["keys", "ctrl-shift-p"]);
    instance.ok(["type", "theme"]);
    instance.ok(["keys", "enter"]);
    let now = instance.screenshot().pixel(1_150, 400);
    assert_ne!(now, background, "`theme` leads to view.toggle_theme");
}

#[test]
fn a_click_on_a_tile_goes_to_its_workspace() {
    let (instance, window) = windowed();
    instance.open("one");
    instance.open("two");
    instance.ok(["open", instance.path("one").to_str().unwrap()]);
    assert_eq!(instance.workspace("one")["active"], true, "the first is shown");
    instance.display().click(&window, SECOND_TILE, "1");
    let there = wait_for(|| (instance.workspace("two")["active"] == true).then_some(()));
    assert!(there.is_some(), "the second is shown: {}", instance.status());
}

#[test]
fn ctrl_alt_digits_go_to_workspaces() {
    let (instance, _) = windowed();
    instance.open("one");
    instance.open("two");
    instance.start_agent("one", &["cat"]);
    for (key, name) in [("ctrl+alt+2", "two"), ("ctrl+alt+1", "one")] {
        instance.display().key(key);
        let there = wait_for(|| (instance.workspace(name)["active"] == true).then_some(()));
        assert!(there.is_some(), "{key} goes to {name}");
    }
    assert!(!instance.screen("one").contains('1'), "the terminal does not get these keys");
}

#[test]
fn the_wheel_scrolls_back() {
    let (instance, window) = windowed();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "seq 1 500; cat"]);
    instance.wait_for_screen("one", "500");
    instance.display().click(&window, ("600", "300"), "4");
    let back = wait_for(|| (!instance.screen("one").contains("500")).then_some(()));
    assert!(back.is_some(), "older lines are shown");
    instance.ok(["do", "terminal.scroll_bottom"]);
    assert!(instance.screen("one").contains("500"), "the newest again");
}

#[test]
fn closing_the_window_leaves_agents_running() {
    let (mut instance, _) = windowed();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo here; exec cat"]);
    let pid = instance.agent_pid("one");
    // The manager takes its keys anew after the first one of a fresh display, and may miss that.
    let closed = wait_for(|| {
        instance.display().close_window();
        wait_at_most(Duration::from_secs(2), || instance.has_ended().then_some(()))
    });
    closed.expect("it closes at once");
    assert!(is_alive(pid), "the agent goes on");
    instance.start_again();
    assert_eq!(instance.agent_pid("one"), pid, "and is there again");
    let said = instance.leave();
    assert!(said.contains("1 agent goes on"), "it is said: {said}");
    let (code, line) = instance.refused(["quit"]);
    assert_eq!(code, 3, "nobody is there: {line}");
    assert_eq!(instance.ok(["quit", "--stop-agents"]), "stopped 1 program\n", "but what goes on");
    assert!(!is_alive(pid), "it is gone");
}

#[test]
fn closing_the_window_asks_while_an_agent_lives_that_would_end() {
    let mut instance = Setup::windowed().arg("--no-host").start();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    let pid = instance.agent_pid("one");
    assert!(!instance.screenshot().has_overlay(), "nobody is asked yet");
    // The manager takes its keys anew after the first one of a fresh display, and may miss that.
    let asked = wait_for(|| {
        instance.display().close_window();
        let shown = || instance.screenshot().has_overlay().then_some(());
        wait_at_most(Duration::from_secs(2), shown)
    });
    asked.expect("a question");
    assert!(is_alive(pid), "nothing was stopped before it is answered");
    instance.display().key("Escape");
    let closed = wait_for(|| (!instance.screenshot().has_overlay()).then_some(()));
    closed.expect("the question is gone");
    assert!(is_alive(pid), "nor after a no");
    instance.ok(["agent", "stop"]);
    instance.display().close_window();
    assert!(instance.wait_for_end().success(), "with no agent it closes at once");
}

#[test]
fn a_resized_window_resizes_the_agent_s_terminal() {
    let (instance, window) = windowed();
    instance.open("one");
    instance.start_agent("one", &["sh"]);
    let size = |asked: &str| {
        instance.ok(["agent", "send", "--enter", &format!("clear; echo {asked}=$(stty size)=")]);
        let answer = wait_for(|| {
            let screen = instance.screen("one");
            let (_, rest) = screen
                .rsplit_once(&format!("\n{asked}="))
                .or_else(|| screen.strip_prefix(&format!("{asked}=")).map(|rest| ("", rest)))?;
            let (size, _) = rest.split_once('=')?;
            let (rows, columns) = size.split_once(' ')?;
            Some((rows.parse::<u32>().ok()?, columns.parse::<u32>().ok()?))
        });
        answer.unwrap_or_else(|| panic!("no answer:\n{}", instance.screen("one")))
    };
    let before = size("before");
    instance.display().xdotool(&["windowsize", "--sync", &window, "700", "420"]);
    let after = wait_for(|| Some(size("after")).filter(|after| *after != before));
    let after = after.expect("another size");
    assert!(after.0 < before.0 && after.1 < before.1, "{before:?} becomes {after:?}");
    let picture = instance.screenshot();
    assert_eq!((picture.width, picture.height), (700, 420), "the picture follows");
}

#[test]
fn windows_may_be_tiny() {
    let (instance, window) = windowed();
    instance.open("one");
    instance.start_agent("one", &["cat"]);
    for (width, height) in [("1", "1"), ("300", "20"), ("900", "600")] {
        instance.display().xdotool(&["windowsize", &window, width, height]);
        instance.screenshot();
    }
    instance.ok(["type", "alive"]);
    instance.wait_for_screen("one", "alive");
}

#[test]
fn a_hidden_agent_causes_no_frames() {
    let (instance, _) = windowed();
    instance.open("one");
    instance.open("two");
    let script = "while :; do echo tick; sleep 0.2; done";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait("one", "running");
    instance.ok(["open", instance.path("two").to_str().unwrap()]);
    let numbers = || {
        let stats = instance.stats();
        let bytes = stats["terminals"][0]["bytes_parsed"].as_u64().unwrap();
        (stats["frames"].as_u64().unwrap(), bytes)
    };
    // What the change of workspaces has to draw is drawn first.
    let_pass(Duration::from_secs(1));
    let before = numbers();
    let_pass(Duration::from_secs(3));
    let after = numbers();
    assert!(after.1 > before.1 + 20, "it printed: {before:?} {after:?}");
    assert_eq!(after.0, before.0, "and nothing was drawn");
}

#[test]
fn an_idle_instance_does_not_wake_up() {
    let instance = Instance::headless();
    for name in ["one", "two"] {
        instance.open(name);
        instance.start_agent(name, &["sh", "-c", "echo hi; exit 1"]);
        instance.wait(name, "errored");
    }
    let numbers = || {
        let stats = instance.stats();
        (stats["wake_ups"].as_u64().unwrap(), stats["frames"].as_u64().unwrap())
    };
    let_pass(Duration::from_secs(1));
    // What asking costs: it wakes the instance itself.
    let (first, second) = (numbers(), numbers());
    let asking = second.0 - first.0;
    let_pass(Duration::from_secs(4));
    let third = numbers();
    assert!(third.0 - second.0 <= asking, "woken {} times by itself", third.0 - second.0 - asking);
    assert_eq!(third.1, second.1, "nothing was drawn");
}

#[test]
fn a_window_in_the_background_rests_when_nothing_happens() {
    let (instance, _) = windowed();
    instance.open("one");
    instance.start_agent("one", &["true"]);
    instance.wait("one", "completed");
    let frames = || instance.stats()["frames"].as_u64().unwrap();
    let_pass(Duration::from_secs(2));
    let before = frames();
    let_pass(Duration::from_secs(3));
    assert!(frames() - before <= 1, "{} frames of nothing", frames() - before);
}
