//! Edits as triples: text, edit, text.

use crate::fixture::check;
use crate::{Document, Extend, Motion};

fn type_all(text: &str) -> impl Fn(&mut Document) {
    move |document| text.chars().for_each(|typed| document.insert(&typed.to_string()))
}

fn undo(document: &mut Document) {
    document.undo();
}

#[test]
fn typing_replaces_the_selection() {
    check("a<|>c", |doc| doc.insert("b"), "ab<|>c");
    check("a<^>xy<|>c", |doc| doc.insert("b"), "ab<|>c");
    check("a<|>xy<^>c", |doc| doc.insert("b"), "ab<|>c");
    check("a<|>c", |doc| doc.insert(""), "a<|>c");
}

#[test]
fn backspace_at_a_line_start_joins_the_lines() {
    check("ab\n<|>cd", Document::backspace, "ab<|>cd");
    check("ab\r\n<|>cd", Document::backspace, "ab<|>cd");
    check("ab<|>\r\ncd", Document::delete, "ab<|>cd");
}

#[test]
fn backspace_and_delete_take_whole_graphemes_or_the_selection() {
    check("e\u{301}<|>x", Document::backspace, "<|>x");
    check("<|>🇩🇪x", Document::delete, "<|>x");
    check("a<^>bc<|>d", Document::backspace, "a<|>d");
    check("a<|>bc<^>d", Document::delete, "a<|>d");
    check("<|>a", Document::backspace, "<|>a");
    check("a<|>", Document::delete, "a<|>");
}

#[test]
fn word_deletion_goes_as_far_as_word_motion() {
    check("foo bar<|>", Document::backspace_word, "foo <|>");
    check("foo<|> bar baz", Document::delete_word, "foo<|> baz");
    check("foo\n<|>bar", Document::backspace_word, "foo<|>bar");
    check("a<^>b<|>c", Document::delete_word, "a<|>c");
}

#[test]
fn newline_keeps_the_indent_and_the_documents_ending() {
    check("  ab<|>cd", Document::newline, "  ab\n  <|>cd");
    check("\tab<|>", Document::newline, "\tab\n\t<|>");
    check("a\r\n  b<|>", Document::newline, "a\r\n  b\r\n  <|>");
    check(" <|>  x", Document::newline, " \n <|>  x");
    check("a\nb\r\nc<|>", Document::newline, "a\nb\r\nc\n<|>");
}

#[test]
fn pasted_lines_end_as_the_documents_do() {
    check("a\r\n<|>", |doc| doc.paste("x\ny\rz\r\n"), "a\r\nx\r\ny\r\nz\r\n<|>");
    check("<|>", |doc| doc.paste("x\r\ny"), "x\ny<|>");
    check("a\n<^>b<|>", |doc| doc.paste("c"), "a\nc<|>");
}

#[test]
fn cut_gives_what_was_selected() {
    let cut_then_end = |doc: &mut Document| {
        let text = doc.cut();
        doc.move_cursor(Motion::Bottom, Extend::Move);
        doc.paste(&text);
    };
    check("a<^>b\n<|>c", cut_then_end, "acb\n<|>");
    check("a<|>b", cut_then_end, "ab<|>");
}

#[test]
fn tab_goes_to_the_next_stop_as_the_file_indents() {
    check("<|>", Document::indent, "    <|>");
    check("ab<|>", Document::indent, "ab  <|>");
    check("日<|>", Document::indent, "日  <|>");
    check("\tx\n<|>", Document::indent, "\tx\n\t<|>");
    check("a<^>b<|>c", Document::indent, "a   <|>c");
}

#[test]
fn tab_indents_selected_lines() {
    check("<^>a\n\nb<|>\nc", Document::indent, "<^>    a\n\n    b<|>\nc");
    check("a<^>\nb\n<|>c", Document::indent, "    a<^>\n    b\n<|>c");
}

#[test]
fn an_edit_that_makes_a_grapheme_moves_the_cursor_out_of_it() {
    check("<|>\u{301}x", |doc| doc.insert("e"), "e\u{301}<|>x");
    check("a\r<|>b\nc", Document::delete, "a\r\n<|>c");
}

#[test]
fn typing_in_a_row_is_one_undo_step() {
    let typed = |doc: &mut Document| {
        type_all("hello")(doc);
        undo(doc);
    };
    check("<|>", typed, "<|>");
    check("x<^>yz<|>", typed, "x<^>yz<|>");
}

#[test]
fn a_pause_a_motion_a_newline_and_another_kind_of_edit_each_start_a_step() {
    let separated_by = |between: fn(&mut Document)| {
        move |doc: &mut Document| {
            type_all("ab")(doc);
            between(doc);
            type_all("cd")(doc);
            undo(doc);
        }
    };
    check("<|>", separated_by(Document::break_undo_group), "ab<|>");
    check("<|>", separated_by(|doc| doc.move_cursor(Motion::Left, Extend::Move)), "a<|>b");
    check("<|>", separated_by(Document::newline), "ab\n<|>");
    check("<|>", separated_by(Document::backspace), "a<|>");
    check("<|>", separated_by(|doc| doc.paste("x")), "abx<|>");
    check("<|>", separated_by(|doc| doc.insert("x\n")), "abx\n<|>");
    check("<|>", separated_by(|doc| doc.mark_saved(doc.revision())), "ab<|>");
}

#[test]
fn erasing_in_a_row_is_one_undo_step() {
    let erase = |erase: fn(&mut Document)| {
        move |doc: &mut Document| {
            erase(doc);
            erase(doc);
            undo(doc);
        }
    };
    check("abc<|>", erase(Document::backspace), "abc<|>");
    check("<|>abc", erase(Document::delete), "<|>abc");
}

#[test]
fn redo_takes_the_step_again_until_something_new_is_typed() {
    let redone = |doc: &mut Document| {
        type_all("ab")(doc);
        assert!(doc.undo(), "there was a step");
        assert!(!doc.undo(), "and only one");
        assert!(doc.redo(), "it can be redone");
        assert!(!doc.redo(), "once");
    };
    check("x<|>", redone, "xab<|>");
    let forgotten = |doc: &mut Document| {
        type_all("ab")(doc);
        doc.undo();
        type_all("c")(doc);
        assert!(!doc.redo(), "typing dropped it");
    };
    check("x<|>", forgotten, "xc<|>");
}
