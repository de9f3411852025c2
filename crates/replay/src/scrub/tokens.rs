//! The output of a program, cut into characters and sequences.
//!
//! Coarser than a terminal reads it, as nothing is done about a sequence but to go over it.

use std::ops::Range;

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const ESC: u8 = 0x1b;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) range: Range<usize>,
    pub(crate) piece: Piece,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Something printed.
    Char(char),
    /// Other colours or attributes: what is printed next stands beside what was printed last.
    Look,
    /// A string with a body, as far as it goes.
    String { kind: StringKind, body: Range<usize> },
    /// Anything else.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringKind {
    Osc,
    /// DCS, SOS, PM or APC.
    Opaque,
}

/// Goes over a stream from its beginning. Each byte belongs to exactly one token.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a> {
    stream: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(stream: &'a [u8]) -> Self {
        Self { stream, at: 0 }
    }

    fn escape(&self, rest: &[u8]) -> (usize, Piece) {
        match rest.get(1) {
            Some(b'[') => control_sequence(rest),
            Some(b']') => self.string(rest, StringKind::Osc),
            Some(b'P' | b'X' | b'^' | b'_') => self.string(rest, StringKind::Opaque),
            Some(_) => {
                let is_between = |byte: &&u8| matches!(**byte, 0x20..=0x2f);
                let between = rest.iter().skip(1).take_while(is_between).count();
                let has_end = rest.get(1 + between).is_some_and(|byte| matches!(byte, 0x30..=0x7e));
                (1 + between + usize::from(has_end), Piece::Other)
            }
            None => (1, Piece::Other),
        }
    }

    fn string(&self, rest: &[u8], kind: StringKind) -> (usize, Piece) {
        let is_end =
            |byte: u8| matches!(byte, ESC | CAN | SUB) || (byte == BEL && kind == StringKind::Osc);
        let body = rest.iter().skip(2).position(|byte| is_end(*byte)).unwrap_or(rest.len() - 2);
        let end = match rest.get(2 + body..) {
            Some([ESC, b'\\', ..]) => 2,
            // Broken off by another sequence, which comes next.
            Some([ESC, ..] | []) | None => 0,
            Some(_) => 1,
        };
        let from = self.at + 2;
        (2 + body + end, Piece::String { kind, body: from..from + body })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.stream.get(self.at..)?;
        let (len, piece) = match rest.first()? {
            &ESC => self.escape(rest),
            0x20..=0x7e => (1, Piece::Char(char::from(rest[0]))),
            0..0x20 | 0x7f => (1, Piece::Other),
            0x80.. => character(rest),
        };
        let range = self.at..self.at + len;
        self.at += len;
        Some(Token { range, piece })
    }
}

fn control_sequence(rest: &[u8]) -> (usize, Piece) {
    let parameters = rest.iter().skip(2).take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    match rest.get(2 + parameters) {
        // `CSI > 4 ; 1 m` and the like are about keys.
        Some(b'm') if !matches!(rest.get(2), Some(b'<'..=b'?')) => (3 + parameters, Piece::Look),
        Some(0x40..=0x7e) => (3 + parameters, Piece::Other),
        Some(_) | None => (2 + parameters, Piece::Other),
    }
}

fn character(rest: &[u8]) -> (usize, Piece) {
    let head = rest.get(..rest.len().min(4)).unwrap_or_default();
    let valid = match str::from_utf8(head) {
        Ok(text) => text,
        Err(err) => str::from_utf8(&head[..err.valid_up_to()]).unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(c) if c.is_control() => (c.len_utf8(), Piece::Other),
        Some(c) => (c.len_utf8(), Piece::Char(c)),
        None => (1, Piece::Other),
    }
}
