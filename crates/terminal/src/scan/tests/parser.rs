//! That the parser makes the same of the scanner's slices as of the whole stream in one read.
//!
//! The parser is named here although it is the emulator's: whether a slice leaves it in the middle of
//! something can be seen nowhere else.

use alacritty_terminal::vte::{Params, Parser, Perform};
use proptest::prelude::*;

use super::*;

/// What the parser was told to do.
#[derive(Default)]
struct Log(String);

impl Perform for Log {
    fn print(&mut self, c: char) {
        self.0.push(c);
    }

    fn execute(&mut self, byte: u8) {
        // The others have no effect, and neither has what they break off.
        if (0x07..=0x0f).contains(&byte) {
            self.0.push_str(&format!("<{byte:02x}>"));
        }
    }

    fn csi_dispatch(&mut self, params: &Params, marks: &[u8], ignored: bool, last: char) {
        if !ignored {
            let params: Vec<&[u16]> = params.iter().collect();
            self.0.push_str(&format!("<csi {} {params:?} {last}>", marks.escape_ascii()));
        }
    }

    fn esc_dispatch(&mut self, marks: &[u8], _ignored: bool, last: u8) {
        // A terminator of its own has no effect.
        if last != b'\\' {
            self.0.push_str(&format!("<esc {}{}>", marks.escape_ascii(), char::from(last)));
        }
    }
}

fn parsed(output: &[u8]) -> String {
    let mut log = Log::default();
    Parser::new().advance(&mut log, output);
    log.0
}

fn scanned(output: &[u8], size: usize) -> String {
    let mut log = Log::default();
    let mut parser = Parser::new();
    let mut scanner = Scanner::default();
    for chunk in output.chunks(size) {
        feed(&mut scanner, chunk, CELLS, |step| match step {
            Step::Parse(slice) => parser.advance(&mut log, slice),
            Step::Signal(_) => {}
            other => panic!("nothing else was sent: {other:?}"),
        });
    }
    log.0
}

#[track_caller]
fn check(output: &[u8]) {
    // What is unfinished may be held back for ever: a reset ends it.
    let output = [output, b"\x1b[mend"].concat();
    for size in 1..=output.len() {
        assert_eq!(scanned(&output, size), parsed(&output), "in chunks of {size}");
    }
}

#[test]
fn broken_characters_cost_no_others() {
    for output in [
        &b"a\xe6\x97\xa5b"[..],
        b"a\xe6\x97b\xe6\x97\xa5c",
        b"\xc2\xc2\xc2\xa9x",
        b"\xf0\x9f\xf0\x9f\x9a\x80x",
        b"\xf0\x9f\x1b[mx\xf0\x9f\x1b]777;x\x07y",
        b"\xed\xa0\x80x\xc0\xafy\xf5\x80z\xff",
        b"\xe6\x97\nx\xe6\x1b7x",
        b"\x80\x9b1mx\xc2\x9b1mx",
        b"\xf4\x90\x80\x80x\xf4\x8f\xbf\xbfy",
    ] {
        check(output);
    }
}

fn output() -> impl Strategy<Value = Vec<u8>> {
    let fragments: Vec<&'static [u8]> = vec![
        b"\x1b",
        b"\x1b[",
        b"\x1b(",
        b"\x1b_",
        b"\x1bP",
        b"\x1b\\",
        b"\x18",
        b"\x1a",
        b"\n",
        b"\x00",
        b"?",
        b">",
        b";",
        b":",
        b" ",
        b"$",
        b"1",
        b"38",
        b"m",
        b"H",
        b"u",
        b"B",
        b"7",
        b"\x7f",
        b"\xe6",
        b"\x97",
        b"\xa5",
        b"\xf0\x9f",
        b"\x9a\x80",
        b"\xff",
        b"\xc2",
        b"\x1b[1;31m",
        b"\x1b[?25h",
        b"\x1b]777;notify;a\x07",
        b"\x1b]0;t\x1b\\",
        b"text",
        b"\xc3\xa9",
    ];
    let piece = proptest::sample::select(fragments).prop_map(<[u8]>::to_vec);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_parser_does_the_same_as_in_one_read(output in output(), size in 1_usize..40) {
        let output = [&output[..], b"\x18\x1b[mend"].concat();
        prop_assert_eq!(scanned(&output, size), parsed(&output));
    }
}
