//! Pasted text on its way to a program.
//!
//! Text from a clipboard is not trusted: what could end the bracket early or press keys is left
//! out. Whether to ask the person first is somebody else's decision; what it depends on is here.

use std::fmt;

use crate::Modes;

const BEGIN: &[u8] = b"\x1b[200~";
const END: &[u8] = b"\x1b[201~";
/// How much of the text is made ready at a time.
const CHUNK: usize = 64 * 1024;

/// A text as bytes for a program, made chunk by chunk as the program takes them.
///
/// Control characters are left out, be they of one byte or of two (C1 in UTF-8), except tabs and
/// line ends; every kind of line end becomes a carriage return, as Enter sends it. If the program
/// asked for brackets, one stands at the very start and one at the very end, each within one chunk.
pub struct Paste {
    text: String,
    bracketed: bool,
    /// Where in the text the next chunk begins; `None` once all are made.
    at: Option<usize>,
    /// The chunk before ended in a carriage return, whose line feed may follow.
    after_return: bool,
}

/// Whether pasting `text` could do more than insert it: a program without bracketed paste takes each
/// line end for Enter, and the person may not have seen the control characters that are left out.
pub fn paste_needs_confirmation(text: &str, modes: Modes) -> bool {
    !modes.contains(Modes::BRACKETED_PASTE) && text.contains(|c: char| c.is_control() && c != '\t')
}

impl Paste {
    pub fn new(text: String, modes: Modes) -> Self {
        let bracketed = modes.contains(Modes::BRACKETED_PASTE);
        Self { text, bracketed, at: Some(0), after_return: false }
    }

    /// How many bytes it holds in memory until all of it is taken.
    pub fn held(&self) -> usize {
        self.text.len()
    }

    /// What closes it where it is broken off; nothing if it has no brackets.
    pub fn ending(&self) -> &'static [u8] {
        if self.bracketed { END } else { &[] }
    }

    /// Whether a line end in it is taken for Enter.
    pub fn presses_enter(&self) -> bool {
        !self.bracketed && self.text.contains(['\n', '\r'])
    }

    fn push_clean(&mut self, bytes: &mut Vec<u8>, from: usize, to: usize) {
        let mut rest = &self.text[from..to];
        while let Some(at) = rest.find(char::is_control) {
            let (clean, control) = rest.split_at(at);
            bytes.extend_from_slice(clean.as_bytes());
            let mut chars = control.chars();
            let c = chars.next();
            let after_return = self.after_return && clean.is_empty();
            match c {
                Some('\t') => bytes.push(b'\t'),
                // The two make one line end.
                Some('\n') if after_return => {}
                Some('\n' | '\r') => bytes.push(b'\r'),
                _ => {}
            }
            self.after_return = c == Some('\r');
            rest = chars.as_str();
        }
        bytes.extend_from_slice(rest.as_bytes());
        self.after_return &= rest.is_empty();
    }
}

impl Iterator for Paste {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let from = self.at?;
        let to = self.text.floor_char_boundary(from + CHUNK);
        let mut bytes = Vec::with_capacity(to - from + BEGIN.len() + END.len());
        if from == 0 && self.bracketed {
            bytes.extend_from_slice(BEGIN);
        }
        self.push_clean(&mut bytes, from, to);
        let is_last = to == self.text.len();
        if is_last && self.bracketed {
            bytes.extend_from_slice(END);
        }
        self.at = (!is_last).then_some(to);
        Some(bytes)
    }
}

impl fmt::Debug for Paste {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What people copy does not belong into logs.
        f.debug_struct("Paste").field("held", &self.held()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
