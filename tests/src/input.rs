//! What a program in a terminal is sent: focus, mouse, keys of other layouts, pastes.

use std::fs;
use std::process::Command;

use crate::display::Display;
use crate::harness::{Instance, Setup, wait_for};

/// Asks for what `modes` says, and shows all it is sent on one line.
fn start_listening(instance: &Instance, modes: &str) {
    let script = format!("stty raw -echo; printf '{modes}ready '; exec cat -v");
    instance.start_agent("one", &["sh", "-c", &script]);
    instance.wait_for_screen("one", "ready");
}

fn windowed() -> (Instance, String) {
    let instance = Setup::windowed().start();
    let window = instance.display().focus_window();
    instance.open("one");
    (instance, window)
}

/// What it was sent so far, however the screen breaks it into lines.
fn sent(instance: &Instance) -> String {
    let screen = instance.screen("one").replace('\n', "");
    screen.split_once("ready").map_or("", |(_, sent)| sent.trim_start()).to_owned()
}

#[track_caller]
fn wait_for_sent(instance: &Instance, expected: &str) {
    let came = wait_for(|| (sent(instance) == expected).then_some(()));
    assert!(came.is_some(), "{expected} is sent: {}", sent(instance));
}

#[test]
fn a_program_hears_when_a_prompt_or_another_folder_takes_its_focus() {
    let headless = Instance::headless();
    headless.open("one");
    for instance in [headless, windowed().0] {
        start_listening(&instance, "\\033[?1004h");
        instance.ok(["keys", "ctrl-shift-p"]);
        wait_for_sent(&instance, "^[[O");
        instance.ok(["keys", "esc"]);
        wait_for_sent(&instance, "^[[O^[[I");
        instance.open("two");
        instance.open("one");
        wait_for_sent(&instance, "^[[O^[[I^[[O^[[I");
    }
}

#[test]
fn a_program_hears_when_the_window_loses_the_focus() {
    let (instance, window) = windowed();
    start_listening(&instance, "\\033[?1004h");
    instance.display().xdotool(&["windowminimize", "--sync", &window]);
    wait_for_sent(&instance, "^[[O");
    instance.display().xdotool(&["windowactivate", "--sync", &window]);
    wait_for_sent(&instance, "^[[O^[[I");
}

/// A place in the terminal's pane: cells are 8 by 21 from 238, 50 on.
const CELL_3_2: (&str, &str) = ("258", "80");
const SAME_CELL: (&str, &str) = ("261", "85");
const CELL_5_2: (&str, &str) = ("274", "80");
const OUTSIDE: (&str, &str) = ("100", "700");

impl Display {
    fn set_layout(&self, layout: &str) {
        let mut setxkbmap = Command::new("setxkbmap");
        let status = setxkbmap.args(["-display", self.name(), "-layout", layout]).status();
        assert!(status.is_ok_and(|status| status.success()), "Xvfb comes with setxkbmap");
    }
}

fn mouse(display: &Display, window: &str, (x, y): (&str, &str), rest: &[&str]) {
    let to = ["mousemove", "--window", window, x, y];
    display.xdotool(&[&to[..], rest].concat());
}

#[test]
fn a_program_that_asked_gets_the_mouse_cell_by_cell() {
    let (instance, window) = windowed();
    start_listening(&instance, "\\033[?1002h\\033[?1006h");
    let display = instance.display();
    mouse(display, &window, CELL_3_2, &["mousedown", "1"]);
    mouse(display, &window, SAME_CELL, &[]);
    mouse(display, &window, CELL_5_2, &[]);
    wait_for_sent(&instance, "^[[<0;3;2M^[[<32;5;2M");
    // Let go of outside of the pane: the nearest cell.
    mouse(display, &window, OUTSIDE, &["mouseup", "1"]);
    let released = wait_for(|| sent(&instance).ends_with('m').then_some(()));
    assert!(released.is_some(), "the release is told: {}", sent(&instance));
}

#[test]
fn side_buttons_and_both_wheels_are_reported_and_shift_keeps_the_mouse_ours() {
    let (instance, window) = windowed();
    start_listening(&instance, "\\033[?1000h\\033[?1006h");
    let display = instance.display();
    mouse(display, &window, CELL_3_2, &["click", "8"]);
    wait_for_sent(&instance, "^[[<128;3;2M^[[<128;3;2m");
    // The server's own test device makes two turns of each click on a wheel.
    mouse(display, &window, CELL_3_2, &["click", "4", "click", "7"]);
    let turned = "^[[<64;3;2M^[[<64;3;2M^[[<67;3;2M^[[<67;3;2M";
    wait_for_sent(&instance, &format!("^[[<128;3;2M^[[<128;3;2m{turned}"));
    let shifted = ["keydown", "shift", "click", "1", "click", "4", "keyup", "shift"];
    mouse(display, &window, CELL_3_2, &shifted);
    mouse(display, &window, CELL_3_2, &["click", "8"]);
    let again = format!("^[[<128;3;2M^[[<128;3;2m{turned}^[[<128;3;2M^[[<128;3;2m");
    wait_for_sent(&instance, &again);
}

#[test]
fn on_the_alternate_screen_the_wheel_sends_cursor_keys_and_nothing_with_shift() {
    let (instance, window) = windowed();
    start_listening(&instance, "\\033[?1049h\\033[H");
    let display = instance.display();
    mouse(display, &window, CELL_3_2, &["keydown", "shift", "click", "4", "keyup", "shift"]);
    display.xdotool(&["key", "x"]);
    wait_for_sent(&instance, "x");
    mouse(display, &window, CELL_3_2, &["click", "5"]);
    let turned = wait_for(|| sent(&instance).starts_with("x^[[B^[[B").then_some(()));
    assert!(turned.is_some(), "without Shift it is sent: {}", sent(&instance));
}

#[test]
fn shortcuts_and_text_work_on_a_keyboard_without_latin_letters() {
    let (instance, _) = windowed();
    start_listening(&instance, "");
    // Keys that type Cyrillic, at the places of `c` and `p`.
    let display = instance.display();
    display.set_layout("ru");
    display.xdotool(&["key", "--clearmodifiers", "Cyrillic_es"]);
    wait_for_sent(&instance, "M-QM-^A");
    display.xdotool(&["key", "--clearmodifiers", "ctrl+Cyrillic_es", "ctrl+alt+Cyrillic_es"]);
    wait_for_sent(&instance, "M-QM-^A^C^[^C");
    display.xdotool(&["key", "ctrl+shift+Cyrillic_ze"]);
    wait_for(|| instance.screenshot().has_overlay().then_some(())).expect("a palette");
}

#[test]
fn altgr_types_and_dead_keys_compose() {
    let (instance, _) = windowed();
    start_listening(&instance, "");
    let display = instance.display();
    display.set_layout("de");
    display.xdotool(&["key", "--clearmodifiers", "at"]);
    wait_for_sent(&instance, "@");
    display.xdotool(&["key", "--clearmodifiers", "dead_acute", "e"]);
    wait_for_sent(&instance, "@M-CM-)");
}

#[test]
fn a_program_that_asked_is_told_keys_apart_and_their_releases() {
    let (instance, _) = windowed();
    let display = instance.display();
    start_listening(&instance, "\\033[>1u");
    let keys = ["shift+Return", "Return", "Escape", "ctrl+c", "a", "KP_5", "alt+x"];
    display.xdotool(&[&["key", "--clearmodifiers"][..], &keys].concat());
    wait_for_sent(&instance, "^[[13;2u^M^[[27u^[[99;5ua5^[[120;3u");
    instance.ok(["agent", "stop"]);
    start_listening(&instance, "\\033[>31u");
    // A shortcut of ours and the key that leaves it are not the program's, nor are their releases.
    display.xdotool(&["key", "ctrl+shift+p"]);
    display.xdotool(&["key", "Escape"]);
    display.xdotool(&["key", "Return"]);
    wait_for_sent(&instance, "^[[57442;5u^[[57441;6u^[[13u^[[13;1:3u");
}

#[test]
fn a_paste_larger_than_any_queue_arrives_whole() {
    let mut instance = Instance::headless();
    instance.open("one");
    let line = "0123456789abcde\n";
    fs::write(instance.path("one/large"), line.repeat(400_000)).unwrap();
    let script = "stty raw -echo; echo ready; head -c 6400000 | tr '\\r' '\\n' | cksum";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "ready");
    instance.ok(["open", "one/large"]);
    // The last keys say that so many lines are meant.
    instance.ok(["keys", "ctrl-a", "ctrl-c", "ctrl-tab", "ctrl-shift-v", "right", "enter"]);
    // What `cksum` says of the file.
    instance.wait_for_screen("one", "1738907503 6400000");
    instance.quit();
}
