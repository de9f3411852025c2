//! What is selected by which drag, and what its text is.

use super::*;

/// Selects from one (row, column) to another, the first and last cell included, and compares the
/// text.
#[track_caller]
fn check_text(
    input: &str,
    kind: SelectionKind,
    (from, to): ((u16, u16), (u16, u16)),
    expected: &str,
) {
    let terminal = terminal(20, 4);
    terminal.feed(input.as_bytes());
    drag(&terminal, kind, from, to);
    let text = terminal.selection_text().unwrap_or_default();
    assert_eq!(text, expected, "{kind:?} {from:?}..{to:?} in {input:?}");
}

fn drag(terminal: &TerminalBuffer, kind: SelectionKind, from: (u16, u16), to: (u16, u16)) {
    let (from_side, to_side) =
        if from <= to { (Side::Left, Side::Right) } else { (Side::Right, Side::Left) };
    terminal.select(kind, CellPoint { row: from.0, column: from.1 }, from_side);
    terminal.extend_selection(CellPoint { row: to.0, column: to.1 }, to_side);
}

fn selected(terminal: &TerminalBuffer) -> Vec<String> {
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    snapshot
        .rows
        .iter()
        .map(|row| row.selected.as_ref().map_or("-".to_owned(), |span| format!("{span:?}")))
        .collect()
}

#[test]
fn cells() {
    use SelectionKind::Cell;
    check_text("hello world", Cell, ((0, 0), (0, 4)), "hello");
    check_text("hello world", Cell, ((0, 4), (0, 0)), "hello");
    check_text("hello world", Cell, ((0, 5), (0, 5)), " ");
    check_text("hello\r\nworld", Cell, ((0, 3), (1, 1)), "lo\nwo");
    check_text("hello\r\nworld", Cell, ((1, 1), (0, 3)), "lo\nwo");
    check_text("a\r\n\r\nb", Cell, ((0, 0), (2, 5)), "a\n\nb");
    check_text("", Cell, ((0, 0), (0, 0)), "");
}

#[test]
fn a_click_selects_nothing() {
    let terminal = terminal(20, 4);
    terminal.feed(b"hello");
    let at = CellPoint { row: 0, column: 2 };
    terminal.select(SelectionKind::Cell, at, Side::Left);
    assert_eq!(terminal.selection_text(), None, "no text");
    assert_eq!(selected(&terminal), ["-", "-", "-", "-"], "no cells");
    terminal.extend_selection(CellPoint { row: 0, column: 1 }, Side::Right);
    assert_eq!(terminal.selection_text(), None, "the same edge from the other side");
    terminal.select(SelectionKind::Word, at, Side::Left);
    assert_eq!(terminal.selection_text().as_deref(), Some("hello"), "a double click does");
    terminal.clear_selection();
    assert_eq!(terminal.selection_text(), None, "cleared");
    terminal.extend_selection(at, Side::Right);
    assert_eq!(terminal.selection_text(), None, "nothing to extend");
}

#[test]
fn wrapped_lines_are_joined() {
    use SelectionKind::{Cell, Line, Word};
    let wrapped = "the quick brown fox jumps over\r\nnext";
    check_text(wrapped, Cell, ((0, 0), (1, 9)), "the quick brown fox jumps over");
    check_text(wrapped, Cell, ((0, 16), (2, 3)), "fox jumps over\nnext");
    check_text(wrapped, Line, ((1, 3), (1, 3)), "the quick brown fox jumps over");
    check_text("0123456789012345678 x", Cell, ((0, 18), (1, 0)), "8 x");
    check_text("aaaaaaaaaaaaaaaaaabcdef ghi", Word, ((1, 1), (1, 1)), "aaaaaaaaaaaaaaaaaabcdef");
    check_text("aaaaaaaaaaaaaaaaaabcdef ghi", Word, ((0, 1), (0, 1)), "aaaaaaaaaaaaaaaaaabcdef");
}

#[test]
fn blanks_at_line_ends_are_left_out() {
    use SelectionKind::Cell;
    check_text("a   \r\nb", Cell, ((0, 0), (1, 19)), "a\nb");
    check_text("│ box │   \r\n", Cell, ((0, 0), (0, 19)), "│ box │");
    check_text("foo bar", Cell, ((0, 0), (0, 3)), "foo ");
}

#[test]
fn tabs_are_kept() {
    use SelectionKind::Cell;
    check_text("\tcc\tx", Cell, ((0, 0), (0, 19)), "\tcc\tx");
    check_text("ab\tx", Cell, ((0, 0), (0, 19)), "ab\tx");
}

#[test]
fn words() {
    use SelectionKind::Word;
    check_text("see src/main.rs:12 ok", Word, ((0, 8), (0, 8)), "src/main.rs:12");
    check_text("say (hello) now", Word, ((0, 6), (0, 6)), "hello");
    check_text("say (hello) now", Word, ((0, 4), (0, 4)), "(");
    check_text("one two three", Word, ((0, 1), (0, 5)), "one two");
    check_text("one two three", Word, ((0, 5), (0, 1)), "one two");
    check_text("日本語 x", Word, ((0, 2), (0, 2)), "日本語");
    check_text("日本語 x", Word, ((0, 3), (0, 3)), "日本語");
}

#[test]
fn lines() {
    use SelectionKind::Line;
    check_text("one two\r\nthree", Line, ((0, 5), (0, 5)), "one two");
    check_text("one two\r\nthree", Line, ((1, 0), (0, 5)), "one two\nthree");
}

#[test]
fn blocks() {
    use SelectionKind::Block;
    let input = "abcd\r\nefgh\r\nij";
    check_text(input, Block, ((0, 1), (2, 2)), "bc\nfg\nj");
    check_text(input, Block, ((2, 2), (0, 1)), "bc\nfg\nj");
    check_text(input, Block, ((0, 2), (1, 2)), "c\ng");
}

#[test]
fn a_block_dragged_upward_in_the_last_column_is_safe() {
    let terminal = terminal(4, 3);
    terminal.feed(b"abcdefghijkl");
    terminal.select(SelectionKind::Block, CellPoint { row: 2, column: 3 }, Side::Right);
    terminal.extend_selection(CellPoint { row: 0, column: 3 }, Side::Left);
    assert_eq!(terminal.selection_text().as_deref(), Some("d\nh\nl"), "the last column");
    terminal.extend_selection(CellPoint { row: 0, column: 3 }, Side::Right);
    assert_eq!(terminal.selection_text(), None, "no column at all");
}

#[test]
fn points_outside_the_screen_are_taken_to_its_edge() {
    use SelectionKind::{Block, Cell};
    check_text("hello", Cell, ((0, 1), (999, 999)), "ello\n\n\n");
    check_text("hello", Block, ((0, 1), (999, 999)), "ello\n\n\n");
}

#[test]
fn wide_characters_are_selected_whole() {
    use SelectionKind::{Block, Cell};
    check_text("a日b", Cell, ((0, 0), (0, 1)), "a日");
    check_text("a日b", Cell, ((0, 2), (0, 3)), "日b");
    check_text("a日b\r\ncdef", Block, ((0, 2), (1, 2)), "日\ne");
    let terminal = terminal(20, 4);
    terminal.feed("a日b".as_bytes());
    drag(&terminal, Cell, (0, 0), (0, 1));
    assert_eq!(selected(&terminal)[0], "0..3", "both halves are shown");
}

#[test]
fn a_wide_character_that_did_not_fit_leaves_no_blank() {
    use SelectionKind::{Cell, Word};
    let input = "0123456789012345678日x";
    check_text(input, Cell, ((0, 17), (1, 2)), "78日x");
    check_text(input, Word, ((1, 2), (1, 2)), input);
}

#[test]
fn rows_say_which_columns_are_selected() {
    let terminal = terminal(20, 4);
    terminal.feed(b"hello\r\nwide world\r\nx");
    drag(&terminal, SelectionKind::Cell, (0, 3), (2, 0));
    assert_eq!(selected(&terminal), ["3..20", "0..20", "0..1", "-"], "from cell to cell");
    drag(&terminal, SelectionKind::Block, (0, 3), (1, 6));
    assert_eq!(selected(&terminal), ["3..7", "3..7", "-", "-"], "a block");
    drag(&terminal, SelectionKind::Line, (1, 3), (1, 3));
    assert_eq!(selected(&terminal), ["-", "0..20", "-", "-"], "a line");
}

#[test]
fn a_selection_follows_its_text() {
    let terminal = terminal(20, 4);
    terminal.feed(b"one\r\ntwo\r\nthree\r\nfour");
    drag(&terminal, SelectionKind::Cell, (1, 0), (2, 4));
    terminal.feed(b"\r\nfive");
    assert_eq!(selected(&terminal), ["0..20", "0..5", "-", "-"], "a line up");
    terminal.feed(b"\r\nsix\r\nseven\r\neight");
    assert_eq!(selected(&terminal), ["-", "-", "-", "-"], "out of view");
    assert_eq!(terminal.selection_text().as_deref(), Some("two\nthree"), "yet still there");
    terminal.scroll(Scroll::Top);
    assert_eq!(selected(&terminal), ["-", "0..20", "0..5", "-"], "and seen again");
    terminal.extend_selection(CellPoint { row: 3, column: 1 }, Side::Right);
    assert_eq!(terminal.selection_text().as_deref(), Some("two\nthree\nfo"), "and extended");
}

#[test]
fn a_selection_follows_a_flood_through_a_full_history() {
    let terminal = terminal(20, 4);
    terminal.feed(&b"old\r\n".repeat(500));
    terminal.feed(b"first\r\nsecond");
    drag(&terminal, SelectionKind::Cell, (2, 1), (3, 3));
    terminal.feed(&b"\r\nnew".repeat(90));
    assert_eq!(terminal.selection_text().as_deref(), Some("irst\nseco"), "90 lines up");
    terminal.feed(&b"\r\nnew".repeat(20));
    assert_eq!(terminal.selection_text().as_deref(), Some("irst\nseco"), "packed away");
    terminal.scroll(Scroll::Top);
    terminal.feed(&b"\r\nnew".repeat(400));
    assert_eq!(terminal.selection_text(), None, "it fell out");
}

#[test]
fn a_selection_ends_with_what_it_lies_on() {
    for (input, what) in [
        ("\x1b[2J", "the screen was cleared"),
        ("\x1b[3;1H\x1b[K", "one of its lines was cleared"),
        ("\x1b[2;1H\x1b[M", "one of its lines was deleted"),
        ("\x1b[3;1H\x1b[L", "a line was put into it"),
        ("\x1b[?1049h", "the other screen is shown"),
        ("\x1bc", "the terminal was reset"),
    ] {
        let terminal = terminal(20, 4);
        terminal.feed(b"one\r\ntwo\r\nthree");
        drag(&terminal, SelectionKind::Cell, (1, 0), (2, 2));
        assert_eq!(terminal.selection_text().as_deref(), Some("two\nthr"), "before");
        terminal.feed(input.as_bytes());
        assert_eq!(terminal.selection_text(), None, "{what}");
        assert_eq!(selected(&terminal), ["-", "-", "-", "-"], "{what}");
    }
    let terminal = terminal(20, 4);
    terminal.feed(b"one");
    drag(&terminal, SelectionKind::Cell, (0, 0), (0, 2));
    terminal.resize(GridSize { columns: 20, rows: 5 });
    assert_eq!(terminal.selection_text(), None, "resized");
}

#[test]
fn selecting_changes_the_version_of_the_rows_it_touches() {
    let terminal = terminal(20, 4);
    terminal.feed(b"one\r\ntwo");
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    let before: Vec<u64> = snapshot.rows.iter().map(|row| row.version).collect();
    drag(&terminal, SelectionKind::Cell, (0, 0), (0, 2));
    assert!(terminal.snapshot_into(&mut snapshot), "a row is selected");
    let after: Vec<u64> = snapshot.rows.iter().map(|row| row.version).collect();
    assert!(after[0] > before[0], "the row that is selected");
    assert_eq!(after[1..], before[1..], "the others");
}

#[test]
fn a_selection_does_not_move_to_what_came_after_a_cleared_history() {
    let terminal = terminal(20, 4);
    terminal.feed(&b"old\r\n".repeat(500));
    terminal.feed(b"first\r\nsecond");
    drag(&terminal, SelectionKind::Cell, (2, 1), (3, 3));
    terminal.feed(b"\x1b[3J");
    terminal.feed(&b"\r\nnew".repeat(600));
    assert_eq!(terminal.selection_text(), None, "it is gone");
}
