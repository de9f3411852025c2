//! What lines look like in cells.

use crate::fixture::parse;
use crate::{Document, Extend, Motion, Position};

#[track_caller]
fn check(text: &str, columns: std::ops::Range<usize>, shown: &str) {
    let line = parse(text).visible_line(0, columns.clone(), 4);
    assert_eq!(line.text, shown, "{text:?} in {columns:?}");
    assert_eq!(line.start_column, columns.start, "the text begins where it was asked for");
}

#[test]
fn tabs_go_to_the_next_stop() {
    check("\tx", 0..9, "    x");
    check("ab\tx", 0..9, "ab  x");
    check("日\tx", 0..9, "日  x");
    check("abcd\tx", 0..9, "abcd    x");
}

#[test]
fn what_cannot_be_seen_has_a_symbol() {
    check("a\x1b[0m\x07\x7fb", 0..99, "a␛[0m␇␡b");
    check("a\rb\r\n", 0..99, "a␍b");
    check("a\u{202e}b\u{85}c\u{200b}d\u{2028}e", 0..99, "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e");
    check("\u{301}a", 0..99, "\u{fffd}a");
}

#[test]
fn only_the_columns_asked_for_are_copied() {
    check("abcdef", 2..4, "cd");
    check("abcdef", 4..99, "ef");
    check("abcdef", 6..99, "");
    check("abc", 0..0, "");
    check("a\tb", 2..5, "  b");
}

#[test]
fn half_of_a_wide_character_is_blank() {
    check("日本語", 1..5, " 本 ");
    check("日本語", 0..3, "日 ");
}

#[test]
fn stacked_marks_are_cut() {
    let line = parse(&format!("e{}x", "\u{301}".repeat(100_000))).visible_line(0, 0..9, 4);
    assert_eq!(line.text, format!("e{}x", "\u{301}".repeat(15)), "a handful of them is shown");
}

#[test]
fn pieces_know_their_columns() {
    let line = parse("ab日e\u{301}c👩‍👩‍👧d").visible_line(0, 1..99, 4);
    let pieces: Vec<(usize, &str)> = line.pieces().collect();
    let expected = vec![(1, "b"), (2, "日"), (4, "e\u{301}"), (5, "c"), (6, "👩‍👩‍👧"), (8, "d")];
    assert_eq!(pieces, expected, "plain runs together, the rest one by one");
}

#[test]
fn cells_and_graphemes_lead_to_each_other() {
    let document = parse("a\tb日e\u{301}c\nx");
    // Graphemes: a 0, tab 1..4, b 4, 日 5..7, é 7, c 8.
    for (column, cell) in [(0, 0), (1, 1), (2, 4), (3, 5), (4, 7), (5, 8), (6, 9), (99, 9)] {
        let position = Position { line: 0, column };
        assert_eq!(document.display_column_of(position, 4), cell, "cell of grapheme {column}");
    }
    for (cell, column) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (99, 6)]
    {
        assert_eq!(document.position_at(0, cell, 4).column, column, "grapheme at cell {cell}");
    }
    assert_eq!(document.position_at(9, 9, 4), Position { line: 1, column: 1 }, "past the end");
}

#[test]
fn selections_are_columns_of_each_line() {
    let document = parse("ab\n<^>\n\tcd\r\ne<|>f");
    let cells: Vec<_> = (0..5).map(|line| document.selected_display_columns(line, 4)).collect();
    assert_eq!(cells, [None, Some(0..1), Some(0..7), Some(0..1), None], "endings count as one");
    assert_eq!(document.selected_columns(2), Some(0..4), "a tab is one grapheme");
    assert_eq!(parse("a<|>b").selected_columns(0), None, "a cursor selects nothing");
    assert_eq!(parse("<^>a\n<|>b").selected_columns(1), None, "only reached, not selected");
    assert_eq!(parse("a<^>\nb<|>").selected_columns(0), Some(1..2), "the ending alone");
}

/// Edits and moves at the far right of a very long line: quadratic work would take minutes.
fn walk_far(pattern: &str, len: usize) {
    let text = pattern.repeat(len / pattern.len());
    let mut document = Document::from_bytes(text.into_bytes()).expect("text");
    document.move_cursor(Motion::Bottom, Extend::Move);
    for _ in 0..200 {
        document.move_cursor(Motion::Left, Extend::Move);
        document.move_cursor(Motion::Left, Extend::Move);
        document.move_cursor(Motion::Right, Extend::Move);
        document.insert("x");
        document.backspace();
    }
    let column = document.display_column(4);
    let line = document.visible_line(0, column..column + 10, 4);
    assert!(!line.text.is_empty() && line.text.len() < 100, "only what is shown is copied");
    document.move_cursor(Motion::Up, Extend::Move);
    assert_eq!(document.cursor(), Position::default(), "up from the only line");
}

#[test]
fn a_line_of_8_mb_can_be_walked() {
    walk_far("let x = 1; ", 8_000_000);
    walk_far("a\tb 日本 é ", 100_000);
    walk_far("🇩🇪", 20_000);
}
