//! What agents have printed is kept, and read while they run, when they have ended, and without us.

use std::os::unix::fs::PermissionsExt as _;

use crate::harness::{Setup, wait_for};

const COLOURS: &str = r#"printf '\033]0;title\007\033[32mlife %s\033[0m\n' $$; seq 1 500; exit 3"#;

#[test]
fn all_launches_are_read_in_order_and_nothing_acts_on_the_terminal() {
    let mut instance = Setup::headless().start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", COLOURS]);
    instance.wait("one", "errored");
    instance.ok(["agent", "restart"]);
    instance.wait("one", "errored");
    let text = instance.ok(["transcript"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 * 502, "two launches of 501 lines, and a head for each:\n{text}");
    assert_eq!((lines[0], lines[502]), ("── launch 1 ──", "── launch 2 ──"), "in order");
    assert!(lines[1].starts_with("life ") && lines[1] != lines[503], "each its own:\n{text}");
    assert_eq!((lines[2], lines[501], lines[1003]), ("1", "500", "500"), "in full");
    assert!(!text.contains('\x1b'), "no sequences");
    let raw = instance.ok(["transcript", "--raw", "-w", "one"]);
    assert!(raw.contains("\x1b]0;title\x07\x1b[32mlife"), "as it was");
    assert_eq!(instance.ok(["transcript", "--since", "1h"]), text, "it is not old");

    let (code, line) = instance.refused(["transcript", "-w", "other"]);
    assert_eq!(
        (code, line.as_str()),
        (1, "trackside: no workspace is called `other`\n"),
        "unknown"
    );
    instance.open("two");
    let (_, line) = instance.refused(["transcript", "-w", "two"]);
    assert!(line.contains("nothing is kept of an agent in"), "{line}");

    instance.quit();
    assert_eq!(instance.ok(["transcript", "-w", "one"]), text, "by its name, though nothing runs");
    let path = instance.path("one");
    assert_eq!(instance.ok(["transcript", "-w", path.to_str().unwrap()]), text, "by its folder");
}

#[test]
fn what_any_agent_has_printed_is_found_and_shown() {
    let mut instance = Setup::headless().start();
    instance.open("one");
    instance.start_agent("one", &["sh", "-c", "seq 300; echo a Needle here; seq 50; exec cat"]);
    instance.wait_for_screen("one", "50");
    instance.ok(["agent", "stop"]);
    instance.quit();
    instance.start_again_with(&["--fresh", "--size", "1200x800"]);
    // Of a folder that is not open any more.
    instance.open("two");
    instance.ok(["do", "agent.search"]);
    instance.ok(["type", "needle"]);
    let found = wait_for(|| {
        instance.ok(["keys", "enter"]);
        let tabs = instance.workspace("two")["tabs"].as_array().cloned().unwrap_or_default();
        tabs.into_iter().find(|tab| tab["kind"] == "file")
    });
    let tab = found.expect("it is opened");
    assert_eq!(tab["title"], "one-1.txt", "{tab}");
    wait_for(|| instance.screen("two").contains("a Needle here").then_some(())).expect("its line");
    assert!(!instance.screen("two").starts_with("1\n"), "not from the beginning");
    let path = std::path::PathBuf::from(tab["path"].as_str().unwrap());
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "for the user alone");
}
