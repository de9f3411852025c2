//! What is shown of the three dialects.

use super::*;

/// Plays the strings in order and writes what comes of them.
#[track_caller]
fn check(strings: &[&str], expected: &str) {
    let mut parts = Parts::default();
    let mut told = Vec::new();
    for string in strings {
        if let Some(step) = osc::step(string.as_bytes(), "here", &mut parts) {
            told.push(match step {
                Step::Signal(TerminalSignal::Notification { title, body }) => {
                    format!("{}{body}", title.map(|title| format!("{title}: ")).unwrap_or_default())
                }
                Step::Signal(TerminalSignal::Progress(Progress { state, percent })) => {
                    format!("{state:?}{}", percent.map(|n| format!(" {n}%")).unwrap_or_default())
                }
                other => format!("{other:?}"),
            });
        }
    }
    assert_eq!(told.join(" | "), expected, "{strings:?}");
}

#[test]
fn a_text_is_a_notification() {
    check(&["9;Approval requested: touch a.txt"], "Approval requested: touch a.txt");
    check(&["9;5 tests failed"], "5 tests failed");
    check(&["9;a;b"], "a;b");
    check(&["9;42"], "42");
    check(&["9;"], "");
    check(&["9"], "");
    check(&["9;\u{202e}evil\u{200b}"], "evil");
    check(&["9; \u{200b} "], "");
}

#[test]
fn a_command_is_no_notification() {
    check(
        &["9;1;100", "9;2;hello", "9;3;tab", "9;5", "9;6;m", "9;7;cmd", "9;8;v", "9;10", "9;12"],
        "",
    );
    check(&["9;11;comment", "9;4;9", "9;4;x"], "");
}

#[test]
fn progress_tolerates_what_is_missing() {
    check(&["9;4;3;", "9;4;0;"], "Indeterminate | Removed");
    check(&["9;4;1;50", "9;4;1", "9;4;1;"], "Normal 50% | Normal | Normal");
    check(
        &["9;4;2;7", "9;4;4;100", "9;4;1;999", "9;4;1;99999999999999999999"],
        "Error 7% | Paused 100% | Normal 100% | Normal",
    );
    check(&["9;4", "9;4;"], "Removed | Removed");
    check(&["9;4;3;50", "9;4;0;50", "9;4;1;-5"], "Indeterminate | Removed | Normal");
}

#[test]
fn a_title_and_a_body_are_a_notification() {
    check(&["777;notify;Claude Code;Claude needs you"], "Claude Code: Claude needs you");
    check(&["777;notify;t;a;b"], "t: a;b");
    check(&["777;notify;only"], "only");
    check(&["777;notify;;body"], "body");
    check(&["777;notify;", "777;notify", "777;", "777;preexec;x"], "");
    check(&["777;notify;warp://cli-agent;{\"v\":1}"], "");
}

#[test]
fn a_notification_may_come_in_parts() {
    check(
        &[
            "99;i=713:d=0:p=title;Claude Code",
            "99;i=713:p=body;Claude needs you",
            "99;i=713:d=1:a=focus;",
        ],
        "Claude Code: Claude needs you",
    );
    check(&["99;;Hello world"], "Hello world");
    check(&["99;i=1:d=0;Hel", "99;i=2:d=0;Oth", "99;i=1;lo", "99;i=2;er"], "Hello | Other");
    check(&["99;i=1:e=1;SGVsbG8="], "Hello");
    check(&["99;i=1:e=1;SGk\u{e9}"], "");
    check(&["99;i=1:d=0;a", "99;i=1:p=icon:d=1;xyz"], "a");
    check(&["99;i=1:d=0;a", "99;i=1:p=close;", "99;i=1:p=alive;", "99;i=1;"], "");
    check(&["99", "99;", "99;:::;"], "");
    check(&["99;i=1:p=body:e=1;YQpi"], "a b");
}

#[test]
fn half_sent_notifications_make_room_for_newer_ones() {
    let begun: Vec<String> = (0..5).map(|id| format!("99;i={id}:d=0;n{id}")).collect();
    let mut strings: Vec<&str> = begun.iter().map(String::as_str).collect();
    strings.extend(["99;i=0;!", "99;i=4;!"]);
    check(&strings, "! | n4!");
}

#[test]
fn long_texts_are_cut() {
    let title = "t".repeat(300);
    let body = "b".repeat(5000);
    let expected = format!("{}: {}", "t".repeat(256), "b".repeat(1024));
    check(&[&format!("777;notify;{title};{body}")], &expected);
    check(&[&format!("99;d=0;{title}"), &format!("99;p=body;{body}")], &expected);
    check(&[&format!("9;{body}")], &"b".repeat(1024));
}
