//! Both ways lead to the same screen.

use alacritty_terminal::vte::ansi::Processor;
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::guard::Guard;
use super::super::{Emulator, NoTimeout};
use crate::{Cell, GridSize, TerminalOptions};

/// All that a screen of 7 by 4 shows after `pieces`, by the short way or through the parser alone.
fn shown(pieces: &[String], short: bool) -> (Vec<Vec<Cell>>, String) {
    let size = GridSize { columns: 7, rows: 4 };
    let mut emulator = Emulator::new(size, &TerminalOptions::default());
    let mut parser: Processor<NoTimeout> = Processor::new();
    for piece in pieces {
        if short {
            emulator.advance(piece.as_bytes());
        } else {
            let Emulator { term, own, outbox, .. } = &mut emulator;
            parser.advance(&mut Guard { term, own, outbox }, piece.as_bytes());
        }
    }
    let rows = (emulator.first_line()..=emulator.last_line())
        .map(|line| {
            let mut cells = Vec::new();
            emulator.copy_line(line, &mut cells);
            cells
        })
        .collect();
    (rows, format!("{:?} {}", emulator.cursor(), emulator.attributes_report()))
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,20}",
        2 => "[a-zé\u{301}]{0,9}",
        2 => "(\r|\n|\t|\x08|\x0e|\x0f|\x7f)",
        3 => r"\x1b\[[0-9;]{0,12}m",
        1 => r"\x1b\[(38|48|58);(2|5);[0-9]{1,3}(;[0-9]{1,3}){0,3}m",
        1 => r"\x1b\[[0-9:]{0,9}m",
        1 => r"\x1b\[[0-9]{0,3}b",
        2 => r"\x1b\[[0-9]{0,2};?[0-9]{0,2}[A-HJKLMPXSTdfr@]",
        1 => r"\x1b(7|8|D|E|M|\(0|\(B| F)",
        1 => "\x1b]2;[a-z]{0,5}(\x07|\x1b\\\\)",
        1 => r"\x1b\[\??(6|7|25)[hl]",
    ]
}

fn pieces() -> impl Strategy<Value = Vec<String>> {
    let wide = prop_oneof![6 => piece(), 1 => "[a-z日é👍\u{301}\u{200d}\u{fe0f}]{0,9}"];
    // Not both: what is repeated in insert mode pushes wide characters out of the row whole, where
    // the parser leaves halves of them behind.
    let inserted = prop_oneof![9 => piece(), 1 => r"\x1b\[4[hl]"];
    prop_oneof![vec(wide, 0..40), vec(inserted, 0..40)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_short_way_shows_the_same_as_the_parser(pieces in pieces()) {
        prop_assert_eq!(shown(&pieces, true), shown(&pieces, false));
    }
}
