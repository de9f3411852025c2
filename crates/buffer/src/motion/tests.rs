//! Motions as triples: text, motion, text.

use crate::fixture::{check as check_document, parse, show};
use crate::{Document, Extend, Motion, Position};

#[track_caller]
fn check(before: &str, motion: Motion, after: &str) {
    check_document(before, |document| document.move_cursor(motion, Extend::Move), after);
}

#[track_caller]
fn check_select(before: &str, motion: Motion, after: &str) {
    check_document(before, |document| document.move_cursor(motion, Extend::Select), after);
}

#[track_caller]
fn check_all(before: &str, motions: &[Motion], after: &str) {
    let all = |document: &mut Document| {
        motions.iter().for_each(|motion| document.move_cursor(*motion, Extend::Move));
    };
    check_document(before, all, after);
}

#[test]
fn left_and_right_go_by_grapheme() {
    check("a<|>bc", Motion::Left, "<|>abc");
    check("a<|>bc", Motion::Right, "ab<|>c");
    check("<|>e\u{301}x", Motion::Right, "e\u{301}<|>x");
    check("👩‍👩‍👧<|>x", Motion::Left, "<|>👩‍👩‍👧x");
    check("🇩🇪🇫🇷<|>x", Motion::Left, "🇩🇪<|>🇫🇷x");
    check("<|>🇩🇪🇫🇷", Motion::Right, "🇩🇪<|>🇫🇷");
}

#[test]
fn a_carriage_return_and_line_feed_are_one_step() {
    check("a<|>\r\nb", Motion::Right, "a\r\n<|>b");
    check("a\r\n<|>b", Motion::Left, "a<|>\r\nb");
}

#[test]
fn the_ends_of_the_text_hold_the_cursor() {
    check("<|>", Motion::Left, "<|>");
    check("a<|>", Motion::Right, "a<|>");
    check("<|>a", Motion::Left, "<|>a");
}

#[test]
fn leaving_a_selection_goes_to_its_side() {
    check("a<^>bc<|>d", Motion::Left, "a<|>bcd");
    check("a<^>bc<|>d", Motion::Right, "abc<|>d");
    check("a<|>bc<^>d", Motion::Right, "abc<|>d");
}

#[test]
fn selecting_moves_only_the_head() {
    check_select("a<|>bc", Motion::Right, "a<^>b<|>c");
    check_select("a<^>b<|>c", Motion::Left, "a<|>bc");
    check_select("a\nb<|>", Motion::Up, "a<|>\nb<^>");
}

#[test]
fn vertical_motions_keep_the_display_column_through_short_lines() {
    use Motion::{Down, Up};
    check_all("abc<|>d\ne\nfghi", &[Down, Down], "abcd\ne\nfgh<|>i");
    check_all("abcd\ne\nfgh<|>i", &[Up, Up], "abc<|>d\ne\nfghi");
    check_all("abcd\n\tx<|>\nfghijk", &[Down], "abcd\n\tx\nfghij<|>k");
    check_all("abcde<|>f\n\tx", &[Down], "abcdef\n\tx<|>");
    check_all("日本<|>語\nabcdef", &[Down], "日本語\nabcd<|>ef");
    check_all("abc<|>d\n日本語", &[Down], "abcd\n日<|>本語");
}

#[test]
fn a_horizontal_motion_forgets_the_column() {
    check_all("abc<|>\n\nabc", &[Motion::Down, Motion::Left, Motion::Down], "abc\n<|>\nabc");
}

#[test]
fn past_the_first_and_last_line_lie_the_ends_of_the_text() {
    check("ab<|>c", Motion::Up, "<|>abc");
    check("ab<|>c", Motion::Down, "abc<|>");
    check("ab<|>c\nd", Motion::Up, "<|>abc\nd");
}

#[test]
fn pages_move_by_lines_and_stop_at_the_ends() {
    check("<|>a\nb\nc\nd", Motion::PageDown(2), "a\nb\n<|>c\nd");
    check("a<|>\nb\nc\nd", Motion::PageDown(9), "a\nb\nc\nd<|>");
    check("a\nb\nc\nd<|>", Motion::PageUp(2), "a\nb<|>\nc\nd");
    check("a\nb\nc\nd<|>", Motion::PageUp(usize::MAX), "a<|>\nb\nc\nd");
}

#[test]
fn home_goes_to_the_indent_first() {
    check("    ab<|>c", Motion::LineStart, "    <|>abc");
    check("    <|>abc", Motion::LineStart, "<|>    abc");
    check("<|>    abc", Motion::LineStart, "    <|>abc");
    check("abc<|>", Motion::LineStart, "<|>abc");
    check("x\n   <|>\ny", Motion::LineStart, "x\n<|>   \ny");
}

#[test]
fn end_goes_before_the_line_ending() {
    check("a<|>bc\r\nd", Motion::LineEnd, "abc<|>\r\nd");
    check("a<|>bc\nd", Motion::LineEnd, "abc<|>\nd");
    check("a<|>bc", Motion::LineEnd, "abc<|>");
    check("a<|>b\rc\nd", Motion::LineEnd, "ab\rc<|>\nd");
}

#[test]
fn words_end_where_the_kind_of_text_changes() {
    check("<|>foo_1 + bar", Motion::WordRight, "foo_1<|> + bar");
    check("foo_1<|> + bar", Motion::WordRight, "foo_1 +<|> bar");
    check("foo_1 + <|>bar", Motion::WordLeft, "foo_1 <|>+ bar");
    check("foo.bar<|>()", Motion::WordLeft, "foo.<|>bar()");
    check("e\u{301}te\u{301}<|> x", Motion::WordLeft, "<|>e\u{301}te\u{301} x");
    check("<|>e\u{301}te\u{301} x", Motion::WordRight, "e\u{301}te\u{301}<|> x");
}

#[test]
fn words_do_not_run_over_line_endings() {
    check("a<|>\r\nb", Motion::WordRight, "a\r\n<|>b");
    check("a<|>  \nb", Motion::WordRight, "a  <|>\nb");
    check("a\n  <|>b", Motion::WordLeft, "a\n<|>  b");
    check("a\r\n<|>b", Motion::WordLeft, "a<|>\r\nb");
    check("<|>", Motion::WordLeft, "<|>");
    check("a  <|>", Motion::WordRight, "a  <|>");
}

#[test]
fn top_bottom_and_places() {
    check("a\nb<|>", Motion::Top, "<|>a\nb");
    check("<|>a\nb", Motion::Bottom, "a\nb<|>");
    check("<|>ab\ncd", Motion::To(Position { line: 1, column: 1 }), "ab\nc<|>d");
    check("<|>ab\ncd", Motion::To(Position { line: 0, column: 9 }), "ab<|>\ncd");
    check("<|>ab\ncd", Motion::To(Position { line: 9, column: 9 }), "ab\ncd<|>");
    check("<|>e\u{301}x", Motion::To(Position { line: 0, column: 1 }), "e\u{301}<|>x");
}

#[test]
fn selecting_a_word_takes_the_run_at_the_cursor() {
    check_document("foo ba<|>r!", Document::select_word, "foo <^>bar<|>!");
    check_document("foo bar<|>!", Document::select_word, "foo <^>bar<|>!");
    check_document("a <|>  b", Document::select_word, "a<^>   <|>b");
    check_document("a+<|>=b", Document::select_word, "a<^>+=<|>b");
    check_document("<|>", Document::select_word, "<|>");
    check_document("a\n<|>\nb", Document::select_word, "a\n<|>\nb");
}

#[test]
fn selecting_a_line_takes_its_ending() {
    check_document("a\nb<|>c\nd", Document::select_line, "a\n<^>bc\n<|>d");
    check_document("a\nb<|>c", Document::select_line, "a\n<^>bc<|>");
    check_document("a<|>b", Document::select_all, "<^>ab<|>");
}

#[test]
fn walking_a_long_line_of_anything_takes_every_grapheme_once() {
    let pattern = "a🇩🇪e\u{301}\r日\u{600}1👩‍👩‍👧";
    let mut document = parse(&format!("<|>{}", pattern.repeat(60)));
    let whole = show(&document);
    let mut steps = 0;
    while document.cursor().column < 60 * 7 {
        document.move_cursor(Motion::Right, Extend::Move);
        steps += 1;
        assert_eq!(document.cursor().column, steps, "one grapheme a step");
    }
    assert_eq!(document.selection().head, document.text.len(), "that is the end");
    for _ in 0..steps {
        document.move_cursor(Motion::Left, Extend::Move);
    }
    assert_eq!(show(&document), whole, "as many steps back as forth");
}
