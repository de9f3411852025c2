//! Bytes in and out, the saved point, and random editing against a plain string.

use proptest::prelude::*;

use crate::fixture::{check, parse};
use crate::{ChangeSet, DecodeError, Document, Extend, Motion, Position};

#[track_caller]
fn check_lines(text: &str, lines: &[&str]) {
    let document = Document::from_bytes(text.into()).expect("text");
    let seen: Vec<_> = (0..document.n_lines()).map(|line| document.line(line)).collect();
    assert_eq!(seen, lines, "{text:?}");
    assert_eq!(document.to_bytes(), text.as_bytes(), "and back");
    assert_eq!(document.len_bytes(), text.len(), "and its length");
}

#[test]
fn only_a_line_feed_ends_a_line() {
    check_lines("", &[""]);
    check_lines("a", &["a"]);
    check_lines("a\n", &["a", ""]);
    check_lines("a\r\nb\nc\r\r\n", &["a", "b", "c\r", ""]);
    check_lines(
        "a\rb\u{2028}c\u{b}d\u{c}e\u{85}f\u{2029}g",
        &["a\rb\u{2028}c\u{b}d\u{c}e\u{85}f\u{2029}g"],
    );
    check_lines("\n\n", &["", "", ""]);
}

#[test]
fn a_byte_order_mark_is_kept_and_no_part_of_the_text() {
    let mut document = Document::from_bytes(b"\xef\xbb\xbfa".into()).expect("text");
    assert_eq!(document.line(0), "a", "not part of the line");
    assert_eq!(document.len_bytes(), 4, "but of the file");
    document.insert("x");
    document.select_all();
    document.cut();
    assert_eq!(document.to_bytes(), b"\xef\xbb\xbf", "still there");
}

#[test]
fn what_is_not_text_is_refused_with_the_place() {
    let refused = |bytes: &[u8]| Document::from_bytes(bytes.into()).err();
    assert_eq!(refused(b"ab\0c"), Some(DecodeError::Binary { offset: 2 }), "a NUL");
    assert_eq!(refused(b"caf\xe9"), Some(DecodeError::NotUtf8 { offset: 3 }), "Latin-1");
    assert_eq!(refused(b"\xff\xfea\0"), Some(DecodeError::Binary { offset: 3 }), "UTF-16");
    assert_eq!(
        refused(b"\xef\xbb\xbf\xff"),
        Some(DecodeError::NotUtf8 { offset: 3 }),
        "in the file"
    );
    assert_eq!(refused(b"\xed\xa0\x80"), Some(DecodeError::NotUtf8 { offset: 0 }), "surrogate");
}

#[test]
fn modified_means_different_from_the_saved_point() {
    let mut document = parse("a<|>");
    assert!(!document.is_modified(), "as loaded");
    document.insert("b");
    assert!(document.is_modified(), "typed");
    document.undo();
    assert!(!document.is_modified(), "undone to what was loaded");
    document.redo();
    document.mark_saved(document.revision());
    assert!(!document.is_modified(), "saved");
    document.undo();
    assert!(document.is_modified(), "undone past the save");
    document.insert("c");
    document.undo();
    assert!(document.is_modified(), "the saved text is out of reach");
}

#[test]
fn a_save_that_ends_late_counts_for_what_it_wrote() {
    let mut document = parse("<|>");
    document.insert("a");
    let saved = document.revision();
    document.break_undo_group();
    document.insert("b");
    document.mark_saved(saved);
    assert!(document.is_modified(), "b is not on disk");
    document.undo();
    assert!(!document.is_modified(), "a is");
}

#[test]
fn equal_revisions_mean_equal_text() {
    let mut document = parse("<|>");
    let empty = document.revision();
    document.insert("a");
    let typed = document.revision();
    assert_ne!(empty, typed, "another text");
    document.undo();
    assert_eq!(document.revision(), empty, "back");
    document.insert("b");
    assert!(![empty, typed].contains(&document.revision()), "a third text");
}

#[test]
fn a_motion_is_no_change() {
    let mut document = parse("a<|>b");
    let revision = document.revision();
    document.move_cursor(Motion::Bottom, Extend::Move);
    document.insert("");
    document.delete();
    assert_eq!(document.revision(), revision, "nothing was changed");
    assert!(!document.undo(), "nothing to undo");
}

#[test]
fn a_reload_is_one_step_and_keeps_the_cursor_with_its_text() {
    let reload =
        |text: &'static str| move |doc: &mut Document| doc.reload(text.into()).expect("text");
    check("ab<|>c\nd", reload("new\nabc\nd"), "new\nab<|>c\nd");
    check("abc\nd<|>", reload("abc\nd\nmore"), "abc\nd<|>\nmore");
    check("abc\nde<|>f\nx", reload("ABC\nDEF\nx"), "ABC\nDE<|>F\nx");
    let undone = |doc: &mut Document| {
        doc.insert("x");
        reload("other")(doc);
        assert!(!doc.is_modified(), "it is what the disk holds");
        doc.undo();
        assert!(doc.is_modified(), "and that was not");
    };
    check("ab<|>c", undone, "abx<|>c");
}

#[test]
fn a_reload_of_the_same_text_only_marks_it_saved() {
    let mut document = parse("a<|>");
    document.insert("b");
    document.reload(b"ab".into()).expect("text");
    assert!(!document.is_modified(), "the disk agrees");
    document.undo();
    assert_eq!(document.line(0), "a", "no step of its own");
    assert!(document.reload(b"\0".into()).is_err(), "refused");
    assert_eq!(document.line(0), "a", "and untouched");
}

#[test]
fn a_text_that_replaces_another_is_a_step_that_can_be_taken_back() {
    let mut document = parse("ab<|>c");
    document.replace_text("abxc".into()).expect("text");
    assert!(document.is_modified(), "it is not what the disk holds");
    document.undo();
    assert!(!document.is_modified(), "undone to what it holds");
    document.replace_text("abc".into()).expect("text");
    assert!(!document.is_modified(), "the same text is no change");
}

#[test]
fn a_change_from_elsewhere_leaves_the_cursor_in_place() {
    let change = ChangeSet::replacing(2, [(0..0, "xx".to_owned()), (1..1, "yy".to_owned())]);
    check("a<|>b", |doc| doc.apply(&change).expect("fits"), "xxa<|>yyb");
    assert!(parse("abc").apply(&change).is_err(), "made for another text");
}

#[test]
fn the_cursor_is_counted_in_graphemes() {
    let at = |marked: &str| parse(marked).cursor();
    assert_eq!(at("e\u{301}🇩🇪<|>"), Position { line: 0, column: 2 }, "two graphemes");
    assert_eq!(at("a\r\n<|>"), Position { line: 1, column: 0 }, "a new line");
    assert_eq!(parse("\ta<|>").display_column(8), 9, "cells of the cursor");
}

#[derive(Debug, Clone)]
enum Act {
    Move(Motion, Extend),
    Insert(String),
    Paste(String),
    Undo,
    Redo,
    Edit(fn(&mut Document)),
}

fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-c ]{1,3}",
        1 => "[\t\r\n]",
        1 => Just("\r\n".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        1 => "[é日\u{301}\u{200d}🇩👩\u{2028}\u{85}\u{600}]",
        1 => "[^\0]",
    ];
    proptest::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

fn act() -> impl Strategy<Value = Act> {
    use Motion::*;
    let motion = proptest::sample::select(vec![
        Left,
        Right,
        Up,
        Down,
        WordLeft,
        WordRight,
        LineStart,
        LineEnd,
        PageUp(3),
        PageDown(3),
        Top,
        Bottom,
        To(Position { line: 2, column: 3 }),
    ]);
    let edit = proptest::sample::select(vec![
        Document::newline as fn(&mut Document),
        Document::backspace,
        Document::delete,
        Document::backspace_word,
        Document::delete_word,
        Document::indent,
        Document::break_undo_group,
        Document::select_word,
        Document::select_line,
        Document::select_all,
        |document| drop(document.cut()),
    ]);
    prop_oneof![
        4 => (motion, prop_oneof![Just(Extend::Move), Just(Extend::Select)])
            .prop_map(|(motion, extend)| Act::Move(motion, extend)),
        3 => text().prop_map(Act::Insert),
        2 => "[a-c]".prop_map(Act::Insert),
        1 => text().prop_map(Act::Paste),
        1 => Just(Act::Undo),
        1 => Just(Act::Redo),
        4 => edit.prop_map(Act::Edit),
    ]
}

fn run(document: &mut Document, act: Act) {
    match act {
        Act::Move(motion, extend) => document.move_cursor(motion, extend),
        Act::Insert(text) => document.insert(&text),
        Act::Paste(text) => document.paste(&text),
        Act::Undo => drop(document.undo()),
        Act::Redo => drop(document.redo()),
        Act::Edit(edit) => edit(document),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn text_comes_back_byte_for_byte(text in text()) {
        let document = Document::from_bytes(text.clone().into_bytes()).expect("text");
        prop_assert_eq!(document.to_bytes(), text.as_bytes());
        prop_assert_eq!(document.len_bytes(), text.len());
        let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let lines: Vec<&str> = bare
            .split('\n')
            .collect();
        prop_assert_eq!(document.n_lines(), lines.len());
    }

    #[test]
    fn any_bytes_are_refused_or_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(document) = Document::from_bytes(bytes.clone()) {
            prop_assert_eq!(document.to_bytes(), bytes);
        }
    }

    #[test]
    fn typing_is_what_it_would_be_in_a_string(
        text in text(), inserted in text(), from in any::<u16>(), to in any::<u16>(),
    ) {
        let mut document = Document::from_bytes(text.into_bytes()).expect("text");
        let place = |share: u16| {
            let line = usize::from(share) % document.n_lines();
            Position { line, column: usize::from(share) % 7 }
        };
        let (from, to) = (place(from), place(to));
        document.move_cursor(Motion::To(from), Extend::Move);
        document.move_cursor(Motion::To(to), Extend::Select);
        let range = document.selection().range();
        let mut model: Vec<char> = document.text.slice(0..document.text.len()).chars().collect();
        model.splice(range, inserted.chars());
        document.insert(&inserted);
        let now = document.text.slice(0..document.text.len());
        prop_assert_eq!(now, model.into_iter().collect::<String>());
    }

    #[test]
    fn undoing_all_gives_the_original_and_redoing_all_the_result(
        text in text(), acts in proptest::collection::vec(act(), 0..40),
    ) {
        let original = text.into_bytes();
        let mut document = Document::from_bytes(original.clone()).expect("text");
        for act in acts {
            run(&mut document, act);
            let head = document.selection().head;
            let place = document.cursor();
            prop_assert_eq!(document.offset_of(place), head, "the cursor is between graphemes");
            let cell = document.display_column(4);
            prop_assert_eq!(document.display_column_of(place, 4), cell);
            prop_assert_eq!(document.position_at(place.line, cell, 4), place);
            prop_assert!(document.selection().anchor <= document.text.len());
        }
        while document.redo() {}
        let result = document.to_bytes();
        let revision = document.revision();
        while document.undo() {}
        prop_assert_eq!(document.to_bytes(), original);
        prop_assert!(!document.is_modified());
        while document.redo() {}
        prop_assert_eq!(document.to_bytes(), result);
        prop_assert_eq!(document.revision(), revision);
    }

    #[test]
    fn a_visible_line_is_a_part_of_the_whole_one(text in text(), start in 0..20_usize, len in 0..20_usize) {
        let document = Document::from_bytes(text.into_bytes()).expect("text");
        for line in 0..document.n_lines() {
            let end = document.display_column_of(Position { line, column: usize::MAX }, 4);
            let whole: Vec<(usize, String)> = document
                .visible_line(line, 0..end, 4)
                .pieces()
                .flat_map(|(at, piece)| split(at, piece))
                .collect();
            let part = document.visible_line(line, start..start + len, 4);
            for (at, piece) in part.pieces().flat_map(|(at, piece)| split(at, piece)) {
                prop_assert!(at >= start && at < start + len);
                // Halves of wide graphemes at the edges are blank.
                prop_assert!(piece == " " || whole.contains(&(at, piece)));
            }
            prop_assert!(!part.text.chars().any(char::is_control));
        }
    }
}

/// ASCII runs one character at a time.
fn split(at: usize, piece: &str) -> Vec<(usize, String)> {
    if piece.is_ascii() {
        piece.chars().enumerate().map(|(i, c)| (at + i, c.to_string())).collect()
    } else {
        vec![(at, piece.to_owned())]
    }
}
