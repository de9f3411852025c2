//! What a snapshot holds, and how little is copied for the next one.

use super::*;
use crate::{Attributes, Cell, CellColor, Cursor, CursorShape};

fn snapshot(terminal: &TerminalBuffer) -> Snapshot {
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot always differs");
    snapshot
}

fn versions(snapshot: &Snapshot) -> Vec<u64> {
    snapshot.rows.iter().map(|row| row.version).collect()
}

/// Feeds `input` to a terminal of 20 by 4 and compares its first cell.
#[track_caller]
fn check_cell(input: &str, expected: Cell) {
    let terminal = terminal(20, 4);
    terminal.feed(input.as_bytes());
    assert_eq!(snapshot(&terminal).rows[0].cells[0], expected, "first cell after {input:?}");
}

fn x() -> Cell {
    Cell { glyph: 'x', ..Cell::default() }
}

#[test]
fn cells_carry_their_attributes() {
    for (code, attributes) in [
        ("1", Attributes::BOLD),
        ("2", Attributes::DIM),
        ("3", Attributes::ITALIC),
        ("4", Attributes::UNDERLINE),
        ("4:2", Attributes::DOUBLE_UNDERLINE),
        ("4:3", Attributes::CURLY_UNDERLINE),
        ("4:4", Attributes::DOTTED_UNDERLINE),
        ("4:5", Attributes::DASHED_UNDERLINE),
        ("21", Attributes::DOUBLE_UNDERLINE),
        // With a colon the sequence goes through the parser.
        ("21;58:5:1;59", Attributes::DOUBLE_UNDERLINE),
        ("1;21", Attributes::BOLD.union(Attributes::DOUBLE_UNDERLINE)),
        ("4;21", Attributes::DOUBLE_UNDERLINE),
        ("21;4", Attributes::UNDERLINE),
        ("21;24", Attributes::empty()),
        ("21;58:5:1;59;24", Attributes::empty()),
        ("7", Attributes::INVERSE),
        ("8", Attributes::HIDDEN),
        ("9", Attributes::STRIKEOUT),
        ("1;3;9", Attributes::BOLD.union(Attributes::ITALIC).union(Attributes::STRIKEOUT)),
    ] {
        check_cell(&format!("\x1b[{code}mx"), Cell { attributes, ..x() });
    }
}

#[test]
fn cells_carry_their_colours() {
    let foreground = |foreground| Cell { foreground, ..x() };
    let background = |background| Cell { background, ..x() };
    check_cell("x", x());
    check_cell("\x1b[31mx", foreground(CellColor::Indexed(1)));
    check_cell("\x1b[97mx", foreground(CellColor::Indexed(15)));
    check_cell("\x1b[38;5;200mx", foreground(CellColor::Indexed(200)));
    check_cell("\x1b[38;2;1;2;3mx", foreground(CellColor::Rgb(1, 2, 3)));
    check_cell("\x1b[48:2::1:2:3mx", background(CellColor::Rgb(1, 2, 3)));
    check_cell("\x1b[44mx", background(CellColor::Indexed(4)));
    let underline_color = Some(CellColor::Indexed(9));
    check_cell("\x1b[58;5;9mx", Cell { underline_color, ..x() });
}

#[test]
fn colours_a_program_set_are_resolved() {
    check_cell("\x1b]4;1;#0a0b0c\x07\x1b[31mx", {
        Cell { foreground: CellColor::Rgb(10, 11, 12), ..x() }
    });
    check_cell("\x1b]10;#010203\x07\x1b]11;#040506\x07x", {
        let (foreground, background) = (CellColor::Rgb(1, 2, 3), CellColor::Rgb(4, 5, 6));
        Cell { foreground, background, ..x() }
    });
    check_cell("\x1b]10;#010203\x07x\x1b]110\x07", x());
}

#[test]
fn wide_characters_have_a_spacer() {
    let terminal = terminal(20, 4);
    terminal.feed("日\u{301}".as_bytes());
    let cells = &snapshot(&terminal).rows[0].cells[..2];
    let wide = Cell {
        glyph: '日',
        marks: Some("\u{301}".into()),
        attributes: Attributes::WIDE,
        ..Cell::default()
    };
    let spacer = Cell { attributes: Attributes::WIDE_SPACER, ..Cell::default() };
    assert_eq!(cells, [wide, spacer], "both halves");
}

#[test]
fn the_cursor_is_told_unless_it_cannot_be_seen() {
    let terminal = terminal(20, 4);
    terminal.feed(b"ab\x1b[5 q");
    let cursor = |row, column, shape, blinking| {
        Some(Cursor { at: CellPoint { row, column }, shape, blinking, color: None })
    };
    assert_eq!(snapshot(&terminal).cursor, cursor(0, 2, CursorShape::Beam, true), "a beam");
    terminal.feed(b"\x1b[4 q");
    assert_eq!(snapshot(&terminal).cursor, cursor(0, 2, CursorShape::Underline, false), "a line");
    terminal.feed("\x1b[0 q\r日\x08".as_bytes());
    assert_eq!(snapshot(&terminal).cursor, cursor(0, 0, CursorShape::Block, false), "on a spacer");
    terminal.feed(b"\x1b[?25l");
    assert_eq!(snapshot(&terminal).cursor, None, "hidden");
    terminal.feed(b"\x1b[?25h1\r\n2\r\n3\r\n4\r\n5");
    terminal.scroll(Scroll::Lines(1));
    assert_eq!(snapshot(&terminal).cursor, None, "scrolled out of view");
}

#[test]
fn nothing_changed_says_so() {
    let terminal = terminal(20, 4);
    let mut snapshot = snapshot(&terminal);
    assert!(!terminal.snapshot_into(&mut snapshot), "nothing was fed");
    let before = versions(&snapshot);
    terminal.feed(b"\x07\x1b[c");
    assert!(!terminal.snapshot_into(&mut snapshot), "nothing that shows was fed");
    terminal.feed(b"\x1b[1mx\r\x1b[0m");
    assert!(terminal.snapshot_into(&mut snapshot), "a cell changed");
    terminal.feed(b"\x1b[1mx\r\x1b[0m");
    assert!(!terminal.snapshot_into(&mut snapshot), "the same was written again");
    assert_eq!(versions(&snapshot)[1..], before[1..], "other rows were never touched");
}

#[test]
fn rows_that_did_not_change_keep_their_version() {
    let terminal = terminal(20, 4);
    terminal.feed(b"a\r\nb\r\nc\r\nd");
    let mut snapshot = snapshot(&terminal);
    let before = versions(&snapshot);
    terminal.feed(b"\x1b[2;5Hx");
    assert!(terminal.snapshot_into(&mut snapshot), "a row changed");
    let after = versions(&snapshot);
    assert_eq!([after[0], after[2], after[3]], [before[0], before[2], before[3]], "the others");
    assert!(after[1] > before[1], "the row that changed");
    terminal.feed(b"\x1b[2J\x1b[Ha\r\nb   x\r\nc\r\nd");
    let changed = terminal.snapshot_into(&mut snapshot);
    assert!(changed, "history and cursor changed");
    assert_eq!(versions(&snapshot), after, "a full redraw of the same text changes no row");
}

#[test]
fn many_snapshots_can_be_kept_of_one_terminal() {
    let terminal = terminal(20, 4);
    let (mut one, mut two) = (snapshot(&terminal), snapshot(&terminal));
    terminal.feed(b"a");
    assert!(terminal.snapshot_into(&mut one), "the first sees it");
    terminal.feed(b"\r\nb");
    assert!(terminal.snapshot_into(&mut two), "the second sees both");
    assert_eq!(two.rows[0].text() + &two.rows[1].text(), "ab", "in the second");
    assert!(terminal.snapshot_into(&mut one), "the first sees the rest");
    assert_eq!(one.rows[0].text() + &one.rows[1].text(), "ab", "in the first");
}

#[test]
fn a_snapshot_can_be_taken_to_another_terminal() {
    let (one, two) = (terminal(20, 4), terminal(20, 4));
    one.feed(b"one");
    two.feed(b"two");
    let mut snapshot = snapshot(&one);
    assert!(two.snapshot_into(&mut snapshot), "it is another one");
    assert_eq!(snapshot.rows[0].text(), "two", "all of it is copied");
    drop(two);
    assert!(one.snapshot_into(&mut snapshot), "and back");
    assert_eq!(snapshot.rows[0].text(), "one", "all of it is copied");
}

#[test]
fn the_view_stays_where_it_was_scrolled_to() {
    let terminal = terminal(20, 4);
    for line in 0..20 {
        terminal.feed(format!("line {line}\r\n").as_bytes());
    }
    assert_eq!(shown(&terminal), "line 17|line 18|line 19", "at the bottom");
    terminal.scroll(Scroll::Lines(3));
    assert_eq!(shown(&terminal), "line 14|line 15|line 16|line 17", "three up");
    terminal.feed(b"more\r\nand more\r\n");
    assert_eq!(shown(&terminal), "line 14|line 15|line 16|line 17", "while output flows");
    let snapshot = snapshot(&terminal);
    assert_eq!((snapshot.display_offset, snapshot.history), (5, 19), "and says how far");
    terminal.scroll(Scroll::Bottom);
    assert_eq!(shown(&terminal), "line 19|more|and more", "at the bottom");
    terminal.scroll(Scroll::PageUp);
    assert_eq!(shown(&terminal), "line 15|line 16|line 17|line 18", "a page up");
    terminal.scroll(Scroll::PageDown);
    assert_eq!(shown(&terminal), "line 19|more|and more", "a page down");
    terminal.scroll(Scroll::Top);
    assert_eq!(shown(&terminal), "line 0|line 1|line 2|line 3", "at the top");
    terminal.scroll(Scroll::Lines(i32::MIN));
    terminal.scroll(Scroll::Lines(i32::MAX));
    assert_eq!(shown(&terminal), "line 0|line 1|line 2|line 3", "as far as it goes");
}

#[test]
fn a_resize_is_copied_whole() {
    let terminal = terminal(20, 4);
    terminal.feed(b"0123456789abcdef");
    let mut snapshot = snapshot(&terminal);
    terminal.resize(GridSize { columns: 10, rows: 6 });
    assert!(terminal.snapshot_into(&mut snapshot), "the size changed");
    assert_eq!(snapshot.size, GridSize { columns: 10, rows: 6 }, "the new size");
    assert_eq!(snapshot.rows.len(), 6, "as many rows");
    assert!(snapshot.rows.iter().all(|row| row.cells.len() == 10), "as many columns");
    assert!(snapshot.rows.iter().any(|row| row.text() == "abcdef"), "rewrapped");
    let revision = terminal.revision();
    terminal.resize(GridSize { columns: 10, rows: 6 });
    assert_eq!(terminal.revision(), revision, "the same size is no change");
}
