//! The short way from bytes to cells, for what most output consists of.
//!
//! The parser looks at one byte after the other, and the emulator at one character. Text, line ends and
//! plain colours make up nearly all that programs print and need neither: text is written into its
//! row at once, and attributes are set without collecting parameters. All else takes the long way, through
//! the parser. Which way something takes makes no difference to what is shown, but for halves of wide
//! characters that repeating in insert mode would leave behind.

use std::iter::zip;

use alacritty_terminal::Term;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::Column;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{CharsetIndex, StandardCharset};

use super::convert::HALVES;

const ESC: u8 = 0x1b;

/// What comes next in a stream, outside of any sequence.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// No control characters in it.
    Ascii(&'a [u8]),
    Text(&'a str),
    /// Text with bytes in it that are no characters.
    Broken(&'a [u8]),
    CarriageReturn,
    LineFeed,
    Backspace,
    Tab,
    /// The parameters of an SGR sequence: digits and semicolons.
    Attributes(&'a [u8]),
    /// How often the character before is to be repeated.
    Repeat(u16),
    /// For the parser.
    Other(&'a [u8]),
}

/// The first token of `bytes`, which are not empty, and its length.
pub(super) fn token(bytes: &[u8]) -> (usize, Token<'_>) {
    match bytes[0] {
        b'\r' => (1, Token::CarriageReturn),
        b'\n' => (1, Token::LineFeed),
        0x08 => (1, Token::Backspace),
        b'\t' => (1, Token::Tab),
        ESC if bytes.get(1) == Some(&b'[') => control_sequence(bytes),
        ESC => {
            let len = escape_len(bytes).unwrap_or(bytes.len());
            (len, Token::Other(&bytes[..len]))
        }
        0..=0x1f | 0x7f => (1, Token::Other(&bytes[..1])),
        _ => text(bytes),
    }
}

/// The length of a sequence that is no control sequence. The parser must not see what comes after it,
/// as it would hold back half a character there.
fn escape_len(bytes: &[u8]) -> Option<usize> {
    if bytes.get(1) == Some(&b']') {
        let end = bytes.iter().skip(2).position(|byte| *byte < 0x20)? + 2;
        return Some(if bytes[end] == ESC { end + 2 } else { end + 1 })
            .filter(|len| *len <= bytes.len());
    }
    let last = bytes.iter().skip(1).position(|byte| !matches!(byte, 0x20..=0x2f))? + 1;
    Some(last + 1)
}

fn control_sequence(bytes: &[u8]) -> (usize, Token<'_>) {
    let parameters = &bytes[2..];
    let plain = parameters.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'));
    if let Some(len) = plain {
        let whole = len + 3;
        match parameters[len] {
            b'm' => return (whole, Token::Attributes(&parameters[..len])),
            b'b' if !parameters[..len].contains(&b';') => {
                return (whole, Token::Repeat(number(&parameters[..len]).max(1)));
            }
            _ => {}
        }
    }
    let last = parameters.iter().position(|byte| matches!(byte, 0x40..=0x7e));
    let len = last.map_or(bytes.len(), |last| last + 3);
    (len, Token::Other(&bytes[..len]))
}

fn text(bytes: &[u8]) -> (usize, Token<'_>) {
    let end = bytes.iter().position(|byte| *byte < 0x20 || *byte == 0x7f);
    let text = &bytes[..end.unwrap_or(bytes.len())];
    let token = if text.is_ascii() {
        Token::Ascii(text)
    } else {
        std::str::from_utf8(text).map_or(Token::Broken(text), Token::Text)
    };
    (text.len(), token)
}

/// A decimal number; none at all is 0, too large a one the largest.
fn number(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |number: u16, digit| {
        number.saturating_mul(10).saturating_add(u16::from(digit.wrapping_sub(b'0')))
    })
}

/// Writes as much of `text` into the cursor's row as fits. Returns how much that was: none when this
/// takes more than writing cells.
pub(super) fn print<T>(term: &mut Term<T>, charset: CharsetIndex, text: &[u8]) -> usize {
    let is_inserting = term.mode().contains(TermMode::INSERT);
    let columns = term.columns();
    let grid = term.grid_mut();
    let cursor = &grid.cursor;
    let is_plain = cursor.charsets[charset] == StandardCharset::Ascii;
    if is_inserting || !is_plain || cursor.input_needs_wrap {
        return 0;
    }
    let point = cursor.point;
    let template = cursor.template.clone();
    let len = text.len().min(columns - point.column.0);
    let end = point.column.0 + len;
    let cells = &mut grid[point.line][point.column..Column(end)];
    // Halves of wide characters have to be cleared beyond what is written.
    if cells.iter().any(|cell| cell.flags.intersects(HALVES)) {
        return 0;
    }
    for (cell, byte) in zip(cells, text) {
        cell.c = char::from(*byte);
        cell.fg = template.fg;
        cell.bg = template.bg;
        cell.flags = template.flags;
        if cell.extra.is_some() || template.extra.is_some() {
            cell.extra.clone_from(&template.extra);
        }
    }
    if end < columns {
        grid.cursor.point.column = Column(end);
    } else {
        grid.cursor.point.column = Column(columns - 1);
        grid.cursor.input_needs_wrap = true;
    }
    len
}

#[cfg(test)]
mod tests;
