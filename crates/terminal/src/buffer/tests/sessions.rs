//! A program ends, however badly, and another one starts in the same terminal.

use super::*;
use crate::{Attributes, CellColor};

const SEPARATOR: &str = "── again ──";

/// Feeds `input`, starts a session, feeds `next` and compares the screen.
#[track_caller]
fn check_restart(input: &str, next: &str, expected: &str) {
    let terminal = terminal(20, 6);
    terminal.feed(input.as_bytes());
    terminal.start_session(SEPARATOR);
    terminal.feed(next.as_bytes());
    assert_eq!(shown(&terminal), expected, "screen after {input:?}, restart, {next:?}");
}

#[test]
fn the_new_session_begins_below_the_old_text() {
    check_restart("", "new", "── again ──|new");
    check_restart("old", "new", "old|── again ──|new");
    check_restart("old\r\n", "new", "old|── again ──|new");
    check_restart("1\r\n2\r\n3\r\n4", "new", "1|2|3|4|── again ──|new");
    check_restart("1\r\n2\r\n3\r\n4\r\n5\r\n6", "new", "3|4|5|6|── again ──|new");
    check_restart("top\x1b[6;1Hbottom\x1b[1;1H", "new", "|||bottom|── again ──|new");
}

#[test]
fn a_program_killed_in_full_screen_leaves_no_trace() {
    let terminal = terminal(20, 6);
    terminal.feed(b"shell text\r\n");
    terminal.feed(
        b"\x1b[?1049h\x1b[?25l\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[?1h\x1b=\x1b[4h\x1b[20h\
        \x1b[?6h\x1b[?7l\x1b[2;4r\x1b[5 q\x1b(0\x1b[1;31;44m\x1b]10;#ff0000\x07\x1b]4;1;#00ff00\x07\
        \x1b]0;editor\x07\x1b]8;;http://x\x07\x1b[3gfull screen",
    );
    terminal.start_session(SEPARATOR);
    terminal.feed(b"abq\tx");
    assert_eq!(shown(&terminal), "shell text|── again ──|abq     x", "the primary screen");
    assert_eq!(terminal.modes(), Modes::ALTERNATE_SCROLL, "the modes of a new terminal");
    assert_eq!(terminal.title(), None, "no title");
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    let cursor = snapshot.cursor.expect("the cursor is shown");
    assert_eq!(cursor.shape, crate::CursorShape::Block, "the cursor of a new terminal");
    let cell = &snapshot.rows[2].cells[0];
    assert_eq!(cell.attributes, Attributes::empty(), "no attributes");
    assert_eq!(
        (cell.foreground, cell.background),
        (CellColor::Default, CellColor::Default),
        "no colours"
    );
    let separator = &snapshot.rows[1].cells[0];
    assert_eq!(separator.attributes, Attributes::DIM, "the separator is dim");
    terminal.feed(b"\x1b[31my");
    assert!(terminal.snapshot_into(&mut snapshot), "another cell");
    assert_eq!(snapshot.rows[2].cells[9].foreground, CellColor::Indexed(1), "the theme's red");
}

#[test]
fn a_sequence_cut_short_does_not_reach_into_the_new_session() {
    check_restart("old\x1b]0;unfinished", "new", "old|── again ──|new");
    check_restart("old\x1b[3", "1mnew", "old|── again ──|1mnew");
    check_restart("old\x1bP+q", "new", "old|── again ──|new");
    check_restart("old\u{65e5}\x1b[?2026hheld back", "new", "old日held back|── again ──|new");
    let terminal = terminal(20, 6);
    terminal.feed(b"old\xe6\x97");
    terminal.start_session(SEPARATOR);
    terminal.feed(b"\xa5new");
    assert_eq!(shown(&terminal), "old|── again ──|\u{fffd}new", "two halves make no character");
}

#[test]
fn the_scrollback_is_kept() {
    let terminal = terminal(20, 4);
    for line in 0..50 {
        terminal.feed(format!("line {line}\r\n").as_bytes());
    }
    terminal.scroll(Scroll::Top);
    terminal.start_session(SEPARATOR);
    assert_eq!(shown(&terminal), "line 48|line 49|── again ──", "the view is at the bottom");
    terminal.scroll(Scroll::Top);
    assert_eq!(shown(&terminal), "line 0|line 1|line 2|line 3", "and nothing is lost");
}

#[test]
fn a_long_separator_is_cut_and_made_safe() {
    let terminal = terminal(10, 4);
    terminal.start_session("a\x1b[31m日日日日日日日日");
    terminal.feed(b"new");
    assert_eq!(shown(&terminal), "a[31m日日|new", "one row of plain text");
}

#[test]
fn starting_a_session_is_no_output() {
    let terminal = terminal(20, 4);
    terminal.feed(b"x");
    let (revision, output) = (terminal.revision(), terminal.output_revision());
    terminal.start_session(SEPARATOR);
    assert_ne!(terminal.revision(), revision, "there is something to draw");
    assert_eq!(terminal.output_revision(), output, "but no program wrote it");
    terminal.scroll(Scroll::Lines(1));
    terminal.select(SelectionKind::Cell, CellPoint { row: 0, column: 0 }, Side::Left);
    terminal.resize(GridSize { columns: 30, rows: 4 });
    assert_eq!(terminal.output_revision(), output, "nor is what the user does");
    terminal.feed(b"");
    assert_eq!(terminal.output_revision(), output, "nor is nothing");
}

#[test]
fn a_soft_reset_undoes_modes_and_leaves_text_and_cursor() {
    let terminal = terminal(12, 4);
    terminal
        .feed(b"one\r\ntwo\x1b7\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?1h\x1b[?25l\x1b[7m\x1b(0\x1b[2;3H");
    terminal.feed(b"\x1b[!pq");
    assert_eq!(shown(&terminal), "one|two|  q", "not inserted, not a line of a box, in its place");
    assert_eq!(terminal.modes(), Modes::ALTERNATE_SCROLL, "the modes of a new terminal");
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    assert!(snapshot.cursor.is_some(), "the cursor is shown");
    assert_eq!(snapshot.rows[2].cells[2].attributes, Attributes::empty(), "no attributes");
    terminal.feed(b"\x1b8x\r\n\n\n\n");
    assert_eq!(shown(&terminal), "two|  q", "nothing is saved, and the whole screen scrolls");
}
