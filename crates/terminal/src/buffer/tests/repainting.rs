//! A screen, painted anew in another terminal, which then goes on as the first one does.

use proptest::prelude::*;

use super::*;

const SIZE: GridSize = GridSize { columns: 20, rows: 6 };

fn terminal() -> TerminalBuffer {
    TerminalBuffer::new(SIZE, TerminalOptions::default())
}

/// All that is to be the same: what is shown, where the cursor is, modes.
fn look(terminal: &TerminalBuffer) -> (Vec<Vec<crate::Cell>>, Option<crate::Cursor>, Modes) {
    let mut snapshot = Snapshot::default();
    let _changed = terminal.snapshot_into(&mut snapshot);
    let cells = snapshot.rows.into_iter().map(|row| row.cells).collect();
    (cells, snapshot.cursor, snapshot.modes)
}

#[track_caller]
fn check(before: &str, after: &str) {
    let (first, second) = (terminal(), terminal());
    first.feed(before.as_bytes());
    let (size, painted) = first.repaint().expect("at rest");
    assert_eq!(size, SIZE, "its size is told");
    second.feed(&painted);
    assert_eq!(look(&first), look(&second), "painted anew after {before:?}");
    first.feed(after.as_bytes());
    second.feed(after.as_bytes());
    assert_eq!(look(&first), look(&second), "after {before:?} and then {after:?}");
}

#[test]
fn text_looks_and_cursor_are_the_same() {
    check("hello\r\nworld", "!");
    check("\x1b[1;31mred \x1b[44;7mon blue\x1b[m and \x1b[38;2;1;2;3mthis", " goes on");
    check("\x1b[4:3mcurly\x1b[38;5;200m indexed", "\r\nnext");
    check("愛 wide \u{1f600} e\u{301}", "x");
    check("a\tb", "\tc");
}

#[test]
fn a_cursor_behind_the_last_column_waits_there() {
    check("12345678901234567890", "next row");
    check("123456789012345678愛", "next row");
    check("12345678901234567890wrapped", " and on");
}

#[test]
fn modes_and_margins_are_the_same() {
    check("\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1h\x1b[?1003h\x1b[?1006h\x1b[?1004h", "x");
    check("\x1b[2;4rrow", "\r\n1\r\n2\r\n3\r\n4\r\n5");
    check("\x1b[>5u\x1b[>4;2m\x1b=", "\x1b[<u");
    check("\x1b[?7l", "this is longer than a row of it");
    check("\x1b[4hab\x1b[1G", "insert");
    check("\x1b[3;5r\x1b[?6hrelative\x1b[2;2H", "to the margin");
}

#[test]
fn nothing_is_painted_in_the_middle_of_something() {
    for cut in [&b"\x1b[3"[..], b"\x1b]2;title", &"愛".as_bytes()[..2], b"\x1b[?2026hheld"] {
        let terminal = terminal();
        assert!(terminal.repaint().is_some(), "nothing has begun");
        terminal.feed(cut);
        assert!(terminal.repaint().is_none(), "after {cut:?}");
    }
}

#[test]
fn recorded_programs_go_on_from_any_place() {
    for name in ["claude-perm.jsonl", "codex-ask.jsonl"] {
        let output = recordings::read(name);
        let whole = recordings::large();
        for (index, bytes) in output.iter().enumerate() {
            whole.feed(bytes);
            let Some((_, painted)) = whole.repaint().filter(|_| index % 16 == 0) else { continue };
            let other = recordings::large();
            other.feed(&painted);
            assert_eq!(whole.visible_text(), other.visible_text(), "{name} painted at {index}");
        }
    }
}

proptest! {
    #[test]
    fn whatever_was_printed_is_painted_the_same(
        pieces in prop::collection::vec(prop_oneof![
            "[a-z愛é ]{0,12}",
            Just("\r\n".to_owned()),
            (0..9u8, 0..25u8).prop_map(|(row, column)| format!("\x1b[{row};{column}H")),
            (0..50u8).prop_map(|number| format!("\x1b[{number}m")),
            (0..3u8).prop_map(|part| format!("\x1b[{part}J")),
            (1..5u8).prop_map(|count| format!("\x1b[{count}P")),
            (1..5u8).prop_map(|count| format!("\x1b[{count}@")),
            (1..4u8).prop_map(|count| format!("\x1b[{count}L")),
        ], 0..40)
    ) {
        let (first, second) = (terminal(), terminal());
        first.feed(pieces.concat().as_bytes());
        if let Some((_, painted)) = first.repaint() {
            second.feed(&painted);
            prop_assert_eq!(look(&first), look(&second));
        }
    }
}
