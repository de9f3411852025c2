//! The characters of a document and its lines.
//!
//! Offsets are characters unless a name says otherwise, lines count from zero, and both are cut to
//! what is there: no call can go out of bounds.

use std::borrow::Cow;
use std::ops::Range;

use ropey::Rope;

use crate::change::ChangeMismatch;
use crate::{ChangeSet, DecodeError};

const BYTE_ORDER_MARK: &str = "\u{feff}";

#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    rope: Rope,
    /// The mark is no part of the text: it is put back when the text becomes bytes again.
    has_byte_order_mark: bool,
}

impl Text {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        // `contains` is a fast search, `position` is not.
        let nul = bytes.contains(&0).then(|| bytes.iter().position(|byte| *byte == 0)).flatten();
        if let Some(offset) = nul {
            return Err(DecodeError::Binary { offset });
        }
        let text = String::from_utf8(bytes)
            .map_err(|err| DecodeError::NotUtf8 { offset: err.utf8_error().valid_up_to() })?;
        let without_mark = text.strip_prefix(BYTE_ORDER_MARK);
        Ok(Self {
            has_byte_order_mark: without_mark.is_some(),
            rope: Rope::from_str(without_mark.unwrap_or(&text)),
        })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len_bytes());
        bytes.extend_from_slice(self.mark().as_bytes());
        self.rope.chunks().for_each(|chunk| bytes.extend_from_slice(chunk.as_bytes()));
        bytes
    }

    pub(crate) fn len_bytes(&self) -> usize {
        self.mark().len() + self.rope.len_bytes()
    }

    /// The byte order mark, where there is one.
    pub(crate) fn mark(&self) -> &'static str {
        if self.has_byte_order_mark { BYTE_ORDER_MARK } else { "" }
    }

    pub(crate) fn rope(&self) -> &Rope {
        &self.rope
    }

    pub(crate) fn len(&self) -> usize {
        self.rope.len_chars()
    }

    /// Applies a change and gives the one that takes it back.
    pub(crate) fn apply(&mut self, change: &ChangeSet) -> Result<ChangeSet, ChangeMismatch> {
        let inverse = change.invert(&self.rope)?;
        change.apply(&mut self.rope)?;
        Ok(inverse)
    }

    /// The smallest single replacement that turns this text into `other`, whose byte order mark it
    /// takes over at once.
    pub(crate) fn change_to(&mut self, other: &Self) -> ChangeSet {
        self.has_byte_order_mark = other.has_byte_order_mark;
        let shorter = self.len().min(other.len());
        let same = |(ours, theirs): &(char, char)| ours == theirs;
        let prefix = self.rope.chars().zip(other.rope.chars()).take_while(same).count();
        let from_end = self
            .rope
            .chars_at(self.len())
            .reversed()
            .zip(other.rope.chars_at(other.len()).reversed());
        let suffix = from_end.take(shorter - prefix).take_while(same).count();
        let replacement = other.slice(prefix..other.len() - suffix);
        ChangeSet::replacing(self.len(), [(prefix..self.len() - suffix, replacement)])
    }

    /// An empty last line counts: `"a\n"` has two.
    pub(crate) fn n_lines(&self) -> usize {
        self.rope.len_lines()
    }

    pub(crate) fn line_of(&self, at: usize) -> usize {
        self.rope.char_to_line(at.min(self.len()))
    }

    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.rope.line_to_char(line.min(self.n_lines()))
    }

    /// Where the line's text ends and its ending begins.
    pub(crate) fn line_end(&self, line: usize) -> usize {
        let start = self.line_start(line);
        let end = self.line_start(line + 1);
        let trimmed = self.without_last(start, end, '\n');
        if trimmed == end { end } else { self.without_last(start, trimmed, '\r') }
    }

    /// The line's text, without its ending.
    pub(crate) fn line(&self, line: usize) -> Cow<'_, str> {
        self.rope.slice(self.line_start(line)..self.line_end(line)).into()
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> String {
        self.rope.slice(range).to_string()
    }

    pub(crate) fn char_at(&self, at: usize) -> Option<char> {
        self.rope.get_char(at)
    }

    /// How the first line ends, which new lines follow; `\n` while there is only one line.
    pub(crate) fn line_ending(&self) -> &'static str {
        let ending = self.line_end(0)..self.line_start(1);
        if ending.len() == 2 { "\r\n" } else { "\n" }
    }

    fn without_last(&self, start: usize, end: usize, last: char) -> usize {
        if start < end && self.char_at(end - 1) == Some(last) { end - 1 } else { end }
    }
}
