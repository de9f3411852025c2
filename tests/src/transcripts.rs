//! What agents have printed is kept, and read while they run, when they have ended, and without us.

use crate::harness::Setup;

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
