//! Finding text in terminals, and saving what they have shown.

use std::fs;

use crate::harness::{Instance, on_both, wait_for};

/// A terminal that has printed many lines, of which some are to be found.
fn instance_with_output(instance: &Instance) {
    instance.open("one");
    let script = "seq 1 3000 | sed 's/^/line /'; echo the end; exec cat";
    instance.start_agent("one", &["sh", "-c", script]);
    instance.wait_for_screen("one", "the end");
}

#[test]
fn a_line_far_up_is_found_and_shown() {
    on_both(|instance| {
        instance_with_output(instance);
        instance.ok(["keys", "ctrl-shift-f"]);
        instance.ok(["type", "line 77"]);
        // The newest first: 779 is above 2977 no match, so the last of 77, 770 to 779.
        instance.wait_for_screen("one", "line 779");
        instance.ok(["keys", "enter"]);
        instance.wait_for_screen("one", "line 778");
        instance.ok(["keys", "esc"]);
        instance.ok(["type", "hello\n"]);
        instance.wait_for_screen("one", "hello");
    });
}

#[test]
fn all_output_is_saved_and_no_file_replaced_unasked() {
    let instance = Instance::headless();
    instance_with_output(&instance);
    let path = instance.path("one/kept.txt");
    let saved = |wanted: &str| {
        wait_for(|| {
            let text = fs::read_to_string(&path).unwrap_or_default();
            text.contains(wanted).then_some(text)
        })
    };
    instance.ok(["do", "terminal.save_output", r#"{"path": "kept.txt"}"#]);
    let text = fs::read_to_string(&path).expect("it is there when the command returns");
    assert!(text.contains("the end"), "all of it");
    assert!(text.starts_with("line 1\nline 2\n"), "from the oldest line: {}", &text[..40]);
    assert_eq!(text.lines().filter(|line| line.starts_with("line ")).count(), 3000, "each once");

    fs::write(&path, "mine\n").unwrap();
    let (code, line) = instance.refused(["do", "terminal.save_output", r#"{"path": "kept.txt"}"#]);
    let says_why = line.contains(path.to_str().unwrap()) && line.contains("a file already");
    assert_eq!((code, says_why, line.lines().count()), (1, true, 1), "{line}");
    assert!(instance.screenshot().has_overlay(), "it asks");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n", "nothing was replaced");
    instance.ok(["keys", "right enter"]);
    assert!(saved("the end").is_some(), "replaced once that was said");
}

/// Saving to that path is refused, for a reason that is told with it.
#[track_caller]
fn check_refused(instance: &Instance, path: &str, reason: &str) {
    let args = format!("{{\"path\": \"{path}\"}}");
    let (code, line) = instance.refused(["do", "terminal.save_output", &args]);
    let is_told = line.contains(path) && line.contains(reason) && line.lines().count() == 1;
    assert_eq!((code, is_told), (1, true), "{line}");
}

#[test]
fn a_command_that_cannot_save_says_why_and_fails() {
    let instance = Instance::headless();
    instance_with_output(&instance);
    check_refused(&instance, "/no/such/folder/x.txt", "there is no folder /no/such/folder");
    check_refused(&instance, instance.path("one").to_str().unwrap(), "it is a folder");
    check_refused(&instance, "/proc/trackside.txt", "cannot save");
}
