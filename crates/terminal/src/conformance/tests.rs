use super::*;
use crate::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};

#[track_caller]
fn check(parameters: &str, expected: &str) {
    let size = GridSize { columns: 4, rows: 2 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed("ab日\x1b[2;1Hxyz".as_bytes());
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot always differs");
    let reply = checksum_reply(parameters, &snapshot.rows);
    assert_eq!(reply, format!("\x1bP{expected}\x1b\\"), "{parameters}");
}

#[test]
fn a_rectangle_is_summed_up() {
    check("1;0;1;1;1;1", "1!~0061");
    check("2;0;1;1;1;2", "2!~00C3");
    check("3;0;2;4;2;4", "3!~0020");
    check("4;0;1;3;1;4", "4!~65E5");
    check("5;0;1;1;2;1", "5!~00D9");
}

#[test]
fn edges_that_make_no_sense_do_no_harm() {
    check("6", "6!~6833");
    check("7;0;9;9;65535;65535", "7!~0000");
    check("8;0;2;2;1;1", "8!~0000");
    check("x;;;;;99999", "0!~6833");
}
