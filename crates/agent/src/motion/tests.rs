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

/// Feeds each part a second after the one before, and says whether anything in them was new or moved,
/// apart from the first.
#[track_caller]
fn check_moves(parts: &[String], expected: bool) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 40, rows: 6 }, TerminalOptions::default());
    let (mut watch, start) = (MotionWatch::default(), epoch());
    let mut moved = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        terminal.feed(part.as_bytes());
        let at = start + Duration::from_secs(1) * u32::try_from(index).unwrap();
        let Motion { text, animated, counting, scrolled, .. } = watch.look(&terminal, at).unwrap();
        moved.push(text + animated + counting > 0 || scrolled > 0);
    }
    assert_eq!(moved[1..].contains(&true), expected, "moved: {moved:?} by {parts:?}");
}

/// A corner with a time that goes on from that one, second by second.
fn ticking(hours: u32, minutes: u32, seconds: u32) -> Vec<String> {
    let begin = (hours * 60 + minutes) * 60 + seconds;
    let ticks = (begin..begin + 12).map(|now| (now / 3600 % 24, now / 60 % 60, now % 60));
    ticks.map(|(h, m, s)| format!("\x1b7\x1b[1;20H {h:02}:{m:02}:{s:02} \x1b8")).collect()
}

#[test]
fn the_time_of_day_is_no_work_but_the_time_that_something_takes_is() {
    check_moves(&ticking(9, 59, 55), false);
    check_moves(&ticking(23, 59, 55), false);
    check_moves(&ticking(0, 0, 0), true);
    let takes: Vec<String> = (0..12).map(|s| format!("\r(0:00:{s:02} elapsed)")).collect();
    check_moves(&takes, true);
    let takes: Vec<String> = (0..12).map(|s| format!("\r(1m {s:02}s)")).collect();
    check_moves(&takes, true);
}

#[test]
fn a_clock_that_was_seen_is_known_however_long_the_program_runs() {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 40, rows: 6 }, TerminalOptions::default());
    let (mut watch, start) = (MotionWatch::default(), epoch());
    let mut look = |text: &str, seconds: u64| {
        terminal.feed(text.as_bytes());
        watch.look(&terminal, start + Duration::from_secs(seconds)).unwrap().counting
    };
    look("\r01:00:00", 0);
    assert_eq!(look("\r01:00:01", 1), 0, "a clock");
    look("\r03:00:00", 7200);
    assert_eq!(look("\r03:00:01", 7201), 0, "the same clock, two hours later");
    look("\r00:01:00", 7260);
    assert_eq!(look("\r00:01:01", 7261), 1, "what takes time since a minute");
}

#[test]
fn what_is_drawn_again_as_it_was_is_nothing_new() {
    let screen = |text: &str| format!("\x1b[2J\x1b[H{text}\r\n\r\n> ");
    check_moves(&vec![screen("Done. What next?"); 5], false);
    check_moves(&[screen("Done."), screen("Done, too.")], true);
    let line = "the same line\r\n".repeat(3);
    check_moves(&vec![line; 5], true);
}

#[test]
fn a_look_in_the_middle_of_a_redraw_sees_nothing_new_either() {
    let text_after = |last: &str| {
        let terminal =
            TerminalBuffer::new(GridSize { columns: 20, rows: 4 }, TerminalOptions::default());
        let (mut watch, start) = (MotionWatch::default(), epoch());
        let mut look = |text: &str, ms: u64| {
            terminal.feed(text.as_bytes());
            watch.look(&terminal, start + Duration::from_millis(ms)).unwrap().text
        };
        look("hello", 0);
        look("\x1b[2J\x1b[H", 6000);
        look(last, 6300)
    };
    assert_eq!(text_after("hello"), 0, "the same again");
    assert_eq!(text_after("hallo"), 1, "something else");
}
