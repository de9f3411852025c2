//! Any bytes as output and as what the user does meanwhile; the terminal must not crash.
//!
//! The input is a list of steps: a byte that chooses, then as many bytes as the step takes. Found
//! inputs therefore stay meaningful when a part of them is cut or repeated.

#![no_main]

use libfuzzer_sys::fuzz_target;
use terminal::{
    CellPoint, GridSize, Scroll, SelectionKind, Side, Snapshot, TerminalBuffer, TerminalOptions,
};

const KINDS: [SelectionKind; 4] =
    [SelectionKind::Cell, SelectionKind::Word, SelectionKind::Line, SelectionKind::Block];

fuzz_target!(|input: &[u8]| {
    let options = TerminalOptions { scrollback_lines: 200, ..TerminalOptions::default() };
    let terminal = TerminalBuffer::new(GridSize { columns: 40, rows: 10 }, options);
    let mut snapshot = Snapshot::default();
    let mut rest = input;
    while let Some((choice, after)) = rest.split_first() {
        rest = step(&terminal, *choice, after);
        let _changed = terminal.snapshot_into(&mut snapshot);
        assert!(!terminal.crashed(), "the emulator panicked");
        assert_eq!(snapshot.rows.len(), usize::from(terminal.size().rows), "rows");
    }
});

/// Takes one step and gives what it did not use.
fn step<'a>(terminal: &TerminalBuffer, choice: u8, input: &'a [u8]) -> &'a [u8] {
    match (choice, input) {
        (0, [columns, rows, rest @ ..]) => {
            terminal.resize(GridSize { columns: u16::from(*columns), rows: u16::from(*rows) });
            rest
        }
        (1, [lines, rest @ ..]) => {
            terminal.scroll(Scroll::Lines(i32::from(*lines) - 128));
            rest
        }
        (2, [kind, row, column, to_row, to_column, rest @ ..]) => {
            let point =
                |row: &u8, column: &u8| CellPoint { row: (*row).into(), column: (*column).into() };
            terminal.select(KINDS[usize::from(*kind) % 4], point(row, column), Side::Left);
            terminal.extend_selection(point(to_row, to_column), Side::Right);
            drop(terminal.selection_text());
            rest
        }
        (3, rest) => {
            drop(terminal.end_sync());
            rest
        }
        (4, rest) => {
            terminal.start_session("again");
            rest
        }
        // All else is how much is fed at once.
        (length, rest) => {
            let (output, rest) = rest.split_at(rest.len().min(usize::from(length)));
            let fed = terminal.feed(output);
            assert!(
                !fed.replies.iter().any(|byte| b"\r\n".contains(byte)),
                "an answer types Enter"
            );
            rest
        }
    }
}
