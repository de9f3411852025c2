//! What programs may copy, and what is asked before text is pasted.

use crate::harness::{Instance, on_both, wait_for};

/// `rm -rf ~` and a line feed, as a program would send it to the clipboard.
const TRAP: &str = "\\033]52;c;cm0gLXJmIH4K\\007";
/// `kept`
const KEPT: &str = "\\033]52;c;a2VwdA==\\007";

#[test]
fn a_program_that_nobody_looks_at_cannot_set_the_clipboard() {
    on_both(|instance| {
        instance.open("one");
        let script = format!("printf '{KEPT}ready'; read x; printf '{TRAP}tried'; exec cat");
        instance.start_agent("one", &["sh", "-c", &script]);
        instance.wait_for_screen("one", "ready");
        instance.open("two");
        instance.start_agent("two", &["cat"]);
        let before = instance.screenshot();
        instance.ok(["agent", "send", "-w", "one", "--enter", "go"]);
        instance.wait_for_screen("one", "tried");
        let marked = wait_for(|| instance.screenshot().differs(&before).then_some(()));
        assert!(marked.is_some(), "its tile is marked");
        instance.ok(["do", "edit.paste"]);
        instance.wait_for_screen("two", "kept");
        assert!(!instance.screen("two").contains("rm"), "{}", instance.screen("two"));
    });
}

#[test]
fn a_paste_of_several_lines_is_asked_about_unless_the_program_can_tell() {
    let instance = Instance::headless();
    instance.open("one");
    // `one`, a line feed and `two`
    let copy = "\\033]52;c;b25lCnR3bw==\\007";
    instance.start_agent("one", &["sh", "-c", &format!("printf '{copy}ready'; exec cat")]);
    instance.wait_for_screen("one", "ready");
    instance.ok(["keys", "ctrl-shift-v"]);
    assert!(instance.screenshot().has_overlay(), "it asks");
    instance.ok(["keys", "esc"]);
    assert!(!instance.screen("one").contains("two"), "nothing was pasted");
    instance.ok(["keys", "ctrl-shift-v enter"]);
    instance.wait_for_screen("one", "two");

    instance.open("two");
    let script = format!("printf '\\033[?2004h{copy}ready'; exec cat -v");
    instance.start_agent("two", &["sh", "-c", &script]);
    instance.wait_for_screen("two", "ready");
    instance.ok(["keys", "ctrl-shift-v"]);
    instance.wait_for_screen("two", "^[[200~one");
}

#[test]
fn what_is_selected_is_pasted_with_the_middle_button() {
    let instance = crate::harness::Setup::windowed().start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "echo picked other; exec cat"]);
    instance.wait_for_screen("one", "picked");
    let display = instance.display();
    let window = display.focus_window();
    display.xdotool(&["mousemove", "--window", &window, "--sync", "260", "60"]);
    display.xdotool(&["click", "--repeat", "2", "--delay", "50", "1"]);
    display.xdotool(&["click", "2"]);
    instance.wait_for_screen("one", "picked other\npicked");
    instance.ok(["type", " \n"]);
    instance.ok(["keys", "shift-insert"]);
    instance.wait_for_screen("one", "picked\npicked");
}
