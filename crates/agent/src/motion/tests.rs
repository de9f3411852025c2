//! What moves, and how.

use terminal::{GridSize, Scroll, TerminalOptions};

use super::*;

/// Feeds each part a tenth of a second after the one before, and writes what the last look has shown.
#[track_caller]
fn check(parts: &[&str], expected: &str) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 20, rows: 4 }, TerminalOptions::default());
    let (mut watch, start) = (MotionWatch::default(), epoch());
    let mut motion = Motion::default();
    for (index, part) in parts.iter().enumerate() {
        terminal.feed(part.as_bytes());
        let at = start + Duration::from_millis(100) * u32::try_from(index).unwrap();
        motion = watch.look(&terminal, at).expect("a look");
    }
    let Motion { text, animated, counting, blinking, scrolled, .. } = motion;
    let counts = [
        ("text", text),
        ("animated", animated),
        ("counting", counting),
        ("blinking", blinking),
        ("scrolled", usize::try_from(scrolled).unwrap()),
    ];
    let seen: Vec<String> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{what} {n}")).collect();
    assert_eq!(seen.join(", "), expected, "after {parts:?}");
}

#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

#[test]
fn new_text_is_text_and_nothing_is_nothing() {
    check(&["hello"], "text 5");
    check(&["hello", ""], "");
    check(&["hello", "\rhallo"], "text 1");
    check(&["a\r\nb\r\nc\r\nd", "\r\ne"], "text 4, scrolled 1");
    check(&["hello", "\r\x1b[K"], "");
}

#[test]
fn two_values_are_a_blink_whatever_they_are() {
    check(&["●", "\r ", "\r●", "\r ", "\r●"], "blinking 1");
    check(&["x", "\r\x1b[7mx", "\r\x1b[mx", "\r\x1b[7mx", "\r\x1b[mx"], "blinking 1");
}

#[test]
fn more_values_are_an_animation() {
    check(&["·", "\r✢", "\r*", "\r✶", "\r✻"], "animated 1");
    check(&["x", "\r\x1b[31mx", "\r\x1b[32mx", "\r\x1b[33mx"], "animated 1");
    check(&["working", "\r\x1b[31mwor\x1b[mking"], "animated 3");
    check(&["-", "\r⠋"], "animated 1");
}

#[test]
fn digits_that_change_are_counted_apart() {
    check(&["(3s)", "\r(4s)"], "counting 1");
    check(&["(9s)", "\r(10s)"], "text 3, counting 1");
}

#[test]
fn another_size_and_a_scrolled_view_say_nothing() {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 20, rows: 4 }, TerminalOptions::default());
    let (mut watch, now) = (MotionWatch::default(), epoch());
    terminal.feed(b"a\r\nb\r\nc\r\nd\r\ne");
    assert!(watch.look(&terminal, now).unwrap().text > 0, "the first look");
    terminal.resize(GridSize { columns: 12, rows: 3 });
    assert_eq!(watch.look(&terminal, now).unwrap().text, 0, "another size");
    terminal.scroll(Scroll::Top);
    assert_eq!(watch.look(&terminal, now).unwrap().text, 0, "the screen is where it was");
    terminal.feed(b"\r\nnew");
    assert!(watch.look(&terminal, now).unwrap().text > 0, "seen although scrolled away");
}
