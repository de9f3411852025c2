//! Transcripts made by hand, read as text.

use std::fs;

use super::fixture::Fixture;
use super::*;

impl Fixture {
    fn text(&self) -> String {
        let transcript = self.open();
        let mut out = Vec::new();
        write_text(&transcript, transcript.start(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn text_since(&self, ms: u64) -> String {
        let transcript = self.open();
        let mut out = Vec::new();
        write_text(&transcript, transcript.offset_at(ms).unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }
}

#[track_caller]
fn check(output: &str, expected: &str) {
    let fixture = Fixture::new(&[(0, (20, 4), output)]);
    assert_eq!(fixture.text(), expected, "{output:?}");
}

#[test]
fn text_is_what_was_to_be_read() {
    check("", "");
    check("one\r\ntwo\r\n", "one\ntwo\n");
    check("\r\n\r\none", "\n\none\n");
    check("\x1b[1;31mred\x1b[0m\r\n", "red\n");
    check("10 %\r50 %\r100 %\r\nready", "100 %\nready\n");
    check("a line that is longer than its screen\r\n", "a line that is longer than its screen\n");
    check("a\tb\r\n", "a\tb\n");
    check("cut short \x1b]0;ti", "cut short\n");
}

#[test]
fn nothing_in_it_makes_the_readers_terminal_do_anything() {
    check("\x1b]52;c;aGk=\x07\x1b]0;title\x07\x1b[6nshown\x07", "shown\n");
    check("a\u{202e}b", "a?b\n");
    let bytes: String = (1..0x100_u32).filter_map(char::from_u32).collect();
    let text = Fixture::new(&[(0, (20, 4), &bytes)]).text();
    let is_told = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!text.contains(is_told), "{text:?}");
}

#[test]
fn a_full_screen_program_leaves_what_was_there_before() {
    check("before\r\n\x1b[?1049h\x1b[Hdrawn\x1b[?1049lafter\r\n", "before\nafter\n");
    check("before\r\n\x1b[?1049h\x1b[Hdrawn", "before\ndrawn\n");
}

#[test]
fn long_output_is_complete_and_in_order() {
    let mut expected = String::new();
    for number in 0..60_000 {
        expected.push_str(&format!("{number} {}\n", "word ".repeat(number % 7).trim_end()));
    }
    let expected = expected.replace(" \n", "\n");
    let text = Fixture::new(&[(0, (30, 10), &expected.replace('\n', "\r\n"))]).text();
    assert!(text == expected, "{} bytes for {}", text.len(), expected.len());
}

#[test]
fn a_full_screen_program_in_between_hides_no_line() {
    let lines = |from: usize| (from..from + 2000).map(|it| format!("{it}\n")).collect::<String>();
    let (first, second) = (lines(0), lines(2000));
    let flicker = "x".repeat(200_000);
    let output = format!("{first}\x1b[?1049h{flicker}\x1b[?1049l{second}").replace('\n', "\r\n");
    let text = Fixture::new(&[(0, (30, 10), &output)]).text();
    assert_eq!(text, first + &second, "each once");
}

#[test]
fn the_screen_has_the_size_that_it_had_then() {
    let wide = "\x1b[2J\x1b[H\x1b[1;30Hright\x1b[10;1Hlow\r\n";
    let fixture = Fixture::new(&[(0, (20, 4), "narrow\r\n"), (1, (40, 12), wide)]);
    let text = fixture.text();
    let row = format!("{}right", " ".repeat(29));
    assert!(text.contains(&row) && text.ends_with("low\n"), "{text}");
}

#[test]
fn since_means_what_has_changed_since() {
    let size = (20, 4);
    let old = "1\r\n2\r\n3\r\n4\r\n5\r\n> typing";
    let new = "\r\x1b[K6\r\n7\r\n8\r\n9\r\n10\r\n> ";
    let fixture = Fixture::new(&[(1_000, size, old), (90_000, size, new)]);
    assert_eq!(fixture.text(), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n>\n", "all of it");
    assert_eq!(fixture.text_since(60_000), "6\n7\n8\n9\n10\n>\n", "the new");
    assert_eq!(fixture.text_since(0), fixture.text(), "all is new");
}

#[test]
fn a_gap_is_told_of() {
    let fixture = Fixture::new(&[(0, (40, 4), "before\r\n")]);
    fs::write(fixture.path().join("0000000000000100.raw"), "after\r\n").unwrap();
    fs::write(fixture.path().join("0000000000000100.index"), "").unwrap();
    let text = fixture.text();
    assert_eq!(text, "before\n\n[248 bytes were not kept]\nafter\n", "where it is");
    let mut raw = Vec::new();
    write_raw(&fixture.open(), 0, &mut raw).unwrap();
    assert_eq!(raw, b"before\r\nafter\r\n", "the bytes there are");
}
