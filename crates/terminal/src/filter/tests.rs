//! The filter's rules, and that it does not matter where the stream is cut.

use super::*;

const MAX_REPEATS: usize = 1920;

/// Feeds `input` in one piece, then cut in two at every offset, then byte by byte.
#[track_caller]
fn check(input: &[u8], expected: &[u8]) {
    assert_text(&filter(&[input]), expected, "in one piece");
    for at in 0..=input.len() {
        let (left, right) = input.split_at(at);
        assert_text(&filter(&[left, right]), expected, &format!("cut at {at}"));
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_text(&filter(&bytes), expected, "byte by byte");
}

#[track_caller]
fn assert_text(actual: &[u8], expected: &[u8], how: &str) {
    assert_eq!(actual.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{how}");
}

fn filter(chunks: &[&[u8]]) -> Vec<u8> {
    let mut filter = Filter::default();
    let mut all = Vec::new();
    let mut out = Vec::new();
    for chunk in chunks {
        let mut rest = *chunk;
        while !rest.is_empty() {
            let taken = filter.take(rest, MAX_REPEATS, &mut out);
            assert!(taken.bytes > 0, "it always gets on");
            rest = &rest[taken.bytes..];
            all.extend_from_slice(&out);
        }
    }
    all
}

/// Feeds a long `input` in pieces of a few sizes: every offset would take too long.
#[track_caller]
fn check_long(input: &[u8], expected: &[u8]) {
    for size in [input.len(), 65_536, 4096, 1000, 7] {
        let chunks: Vec<&[u8]> = input.chunks(size).collect();
        let actual = filter(&chunks);
        assert_eq!(actual.len(), expected.len(), "length in chunks of {size}");
        assert!(actual == expected, "content in chunks of {size}");
    }
}

#[test]
fn ordinary_output_passes_unchanged() {
    for input in [
        "plain text\r\n".as_bytes(),
        b"\x1b[1;31mred\x1b[0m\x1b(B\x1b)0\x1b7\x1b8\x1b#8",
        b"\x1b[?2026h\x1b[?25l\x1b[2J\x1b[H\x1b[38;2;1;2;3mx\x1b[?2026l",
        b"\x1b]0;title\x07\x1b]2;title\x1b\\text\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
        b"\x1bP1$r0m\x1b\\\x1b_Gi=1\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
        "é x € 日本 👍🏽".as_bytes(),
        b"\xff\xfe\x80 bad \xc3\x28 utf8 \xf0\x9f\x1b[m",
        b"\x1b\x1b]0;a\x07\x1b[3\x18b\x1b[\x1b]0;b\x07",
    ] {
        check(input, input);
    }
}

#[test]
fn repetitions_are_clamped() {
    check(b"a\x1b[5b", b"a\x1b[5b");
    check(b"a\x1b[b", b"a\x1b[b");
    check(b"a\x1b[1920b", b"a\x1b[1920b");
    check(b"a\x1b[1921bz", b"a\x1b[1921\x18\x1b[1920bz");
    check(b"a\x1b[99999999999b", b"a\x1b[99999999999\x18\x1b[1920b");
    check(b"a\x1b[0065535;7b", b"a\x1b[0065535;7\x18\x1b[1920b");
    check(b"a\x1b[65535:1b", b"a\x1b[65535:1\x18\x1b[1920b");
    check(b"a\x1b[65535\nb", b"a\x1b[65535\n\x18\x1b[1920b");
}

#[test]
fn what_only_looks_like_a_repetition_is_left_alone() {
    for input in [
        &b"\x1b[?65535b"[..],
        b"\x1b[65535 b",
        b"\x1b[65535$b",
        b"\x1b[65535c",
        b"\x1b[;65535b",
        b"\x1b(65535b",
        b"65535b",
        b"\x1b[65535\x1b[b",
        b"\x1b[65535\x18b",
    ] {
        check(input, input);
    }
    let mut many = b"\x1b[65535".to_vec();
    many.extend([b';'; 32]);
    many.push(b'b');
    check(&many, &many);
}

#[test]
fn long_strings_are_swallowed_to_their_terminator() {
    let osc =
        |body: usize, end: &[u8]| [b"a\x1b]9;", "x".repeat(body).as_bytes(), end, b"z"].concat();
    let fits = MAX_OSC - 2;
    check_long(&osc(fits, b"\x07"), &osc(fits, b"\x07"));
    check_long(&osc(fits, b"\x1b\\"), &osc(fits, b"\x1b\\"));
    check_long(&osc(fits + 1, b"\x07"), b"a\x1b\x18z");
    check_long(&osc(fits + 1, b"\x18"), b"a\x1b\x18z");
    check_long(&osc(fits + 1, b"\x1b\\"), b"a\x1b\x1b\\z");
    check_long(&osc(3_000_000, b"\x1b\\"), b"a\x1b\x1b\\z");
}

#[test]
fn the_clipboard_may_be_longer() {
    let osc = |body: usize| [b"\x1b]52;c;", "x".repeat(body).as_bytes(), b"\x07z"].concat();
    let fits = MAX_CLIPBOARD_OSC - 5;
    check_long(&osc(fits), &osc(fits));
    check_long(&osc(fits + 1), b"\x1b\x18z");
}

#[test]
fn long_titles_are_cut_at_a_character() {
    let input = [b"\x1b]2;", "日".repeat(100_000).as_bytes(), b"\x07z"].concat();
    let shown = (MAX_TITLE_OSC - 3) / 3;
    let expected = [b"\x1b]2;", "日".repeat(shown).as_bytes(), b"\x07z"].concat();
    check_long(&input, &expected);
}

#[test]
fn a_string_without_end_holds_little_memory() {
    let mut filter = Filter::default();
    let mut out = Vec::new();
    filter.take(b"\x1b]9;", MAX_REPEATS, &mut out);
    for _ in 0..1000 {
        filter.take(&[b'x'; 4096], MAX_REPEATS, &mut out);
        assert!(out.is_empty(), "nothing is passed on");
    }
    assert!(filter.held.capacity() <= 2 * MAX_CLIPBOARD_OSC, "held {}", filter.held.capacity());
}

#[test]
fn a_cut_character_waits_for_its_rest() {
    let mut filter = Filter::default();
    let mut out = Vec::new();
    filter.take(b"a\xe6\x97", MAX_REPEATS, &mut out);
    assert_text(&out, b"a", "the rest may come");
    filter.take(b"\xa5b", MAX_REPEATS, &mut out);
    assert_text(&out, "日b".as_bytes(), "the rest came");
    filter.take(b"\xf0", MAX_REPEATS, &mut out);
    filter.take(b"x", MAX_REPEATS, &mut out);
    assert_text(&out, b"\xf0x", "the rest did not come");
}

#[test]
fn one_slice_is_bounded_in_length_and_cost() {
    let mut filter = Filter::default();
    let mut out = Vec::new();
    let taken = filter.take(&vec![b'x'; 100_000], MAX_REPEATS, &mut out);
    assert_eq!(taken, Taken { bytes: SLICE, repeats: 0 }, "stops at the length of a slice");
    let repeats = b"\x1b[1000b".repeat(100);
    let taken = filter.take(&repeats, MAX_REPEATS, &mut out);
    assert_eq!(taken, Taken { bytes: 14, repeats: 2000 }, "stops when it costs enough");
}
