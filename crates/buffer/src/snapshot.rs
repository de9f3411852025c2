//! The text as it is at one moment, for whoever writes it down meanwhile.

use std::ptr;

use ropey::Rope;

use crate::text::Text;

/// A text that no longer changes. It costs next to nothing to take: what has not changed since is shared
/// with the document.
#[derive(Debug, Clone)]
pub struct TextSnapshot(Text);

/// One replacement that turns a text into another: bytes from `start` on, as they are in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    pub start: usize,
    pub removed: usize,
    pub inserted: Vec<u8>,
}

impl TextSnapshot {
    pub(crate) fn new(text: Text) -> Self {
        Self(text)
    }

    /// As they would be in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// How this text differs from an earlier one. What both share in memory is not looked at, so that a
    /// small change to a long text costs little.
    pub fn change_since(&self, before: &Self) -> Splice {
        let mark = self.0.mark();
        if mark != before.0.mark() {
            let (removed, inserted) = (before.0.len_bytes(), self.to_bytes());
            return Splice { start: 0, removed, inserted };
        }
        let (old, new) = (before.0.rope(), self.0.rope());
        let shorter = old.len_bytes().min(new.len_bytes());
        let prefix = Side::Start.n_common(old, new, shorter);
        let suffix = Side::End.n_common(old, new, shorter - prefix);
        let removed = old.len_bytes() - suffix - prefix;
        let inserted = bytes_between(new, prefix, new.len_bytes() - suffix);
        Splice { start: mark.len() + prefix, removed, inserted }
    }
}

/// From where two texts are compared.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

impl Side {
    /// How many bytes are the same on this side, at most so many.
    fn n_common(self, one: &Rope, other: &Rope, most: usize) -> usize {
        let (mut ours, mut theirs) = (self.chunks(one), self.chunks(other));
        let (mut our, mut their): (&[u8], &[u8]) = (&[], &[]);
        let mut n_common = 0;
        while n_common < most {
            if our.is_empty() {
                our = ours.next().unwrap_or_default().as_bytes();
            }
            if their.is_empty() {
                their = theirs.next().unwrap_or_default().as_bytes();
            }
            let len = our.len().min(their.len());
            let ((our_part, our_rest), (their_part, their_rest)) =
                (self.split(our, len), self.split(their, len));
            let n_same = self.n_same(our_part, their_part);
            n_common += n_same;
            if n_same < len || len == 0 {
                break;
            }
            (our, their) = (our_rest, their_rest);
        }
        n_common.min(most)
    }

    fn chunks(self, rope: &Rope) -> ropey::iter::Chunks<'_> {
        match self {
            Self::Start => rope.chunks(),
            Self::End => rope.chunks_at_byte(rope.len_bytes()).0.reversed(),
        }
    }

    /// The first bytes, or the last, and the others.
    fn split(self, bytes: &[u8], len: usize) -> (&[u8], &[u8]) {
        match self {
            Self::Start => bytes.split_at(len),
            Self::End => {
                let (rest, part) = bytes.split_at(bytes.len() - len);
                (part, rest)
            }
        }
    }

    /// Of two parts of one length.
    fn n_same(self, one: &[u8], other: &[u8]) -> usize {
        if ptr::eq(one, other) || one == other {
            return one.len();
        }
        let same = |(a, b): &(&u8, &u8)| a == b;
        match self {
            Self::Start => one.iter().zip(other).take_while(same).count(),
            Self::End => one.iter().rev().zip(other.iter().rev()).take_while(same).count(),
        }
    }
}

/// They need not lie between characters.
fn bytes_between(rope: &Rope, start: usize, end: usize) -> Vec<u8> {
    let (chunks, mut at, ..) = rope.chunks_at_byte(start);
    let mut bytes = Vec::with_capacity(end - start);
    for chunk in chunks {
        if at >= end {
            break;
        }
        let from = start.saturating_sub(at);
        let to = chunk.len().min(end - at);
        bytes.extend_from_slice(&chunk.as_bytes()[from.min(to)..to]);
        at += chunk.len();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Document, Extend, Motion, Position};

    fn document(text: &str) -> Document {
        Document::from_bytes(text.as_bytes().to_vec()).expect("text")
    }

    fn applied(splice: &Splice, before: &TextSnapshot) -> Vec<u8> {
        let mut bytes = before.to_bytes();
        let range = splice.start..splice.start + splice.removed;
        bytes.splice(range, splice.inserted.iter().copied());
        bytes
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: (usize, usize, &str)) {
        let splice = document(after).snapshot().change_since(&document(before).snapshot());
        let (start, removed, inserted) = expected;
        let inserted = inserted.as_bytes().to_vec();
        assert_eq!(splice, Splice { start, removed, inserted }, "{before:?} to {after:?}");
    }

    #[test]
    fn the_change_is_no_longer_than_it_must_be() {
        check("", "", (0, 0, ""));
        check("abc", "abc", (3, 0, ""));
        check("ac", "abc", (1, 0, "b"));
        check("abc", "ac", (1, 1, ""));
        check("aa", "aaa", (2, 0, "a"));
        check("abc", "xyz", (0, 3, "xyz"));
        check("\u{feff}ac", "\u{feff}abc", (4, 0, "b"));
        check("ab", "\u{feff}ab", (0, 2, "\u{feff}ab"));
    }

    #[test]
    fn a_key_in_a_long_text_is_a_short_change() {
        let mut document = document(&"some words\n".repeat(100_000));
        let before = document.snapshot();
        document.move_cursor(Motion::To(Position { line: 50_000, column: 3 }), Extend::Move);
        document.insert("x");
        let splice = document.snapshot().change_since(&before);
        assert_eq!((splice.removed, &splice.inserted[..]), (0, &b"x"[..]), "one byte");
        assert_eq!(applied(&splice, &before), document.to_bytes(), "in its place");
    }

    proptest! {
        #[test]
        fn what_is_spliced_is_the_text(
            before in "(\u{feff})?[ab\u{e9}\u{e8}\u{1f600}\u{1f601}\n]{0,40}",
            after in "(\u{feff})?[ab\u{e9}\u{e8}\u{1f600}\u{1f601}\n]{0,40}",
            n in 1..60_usize,
        ) {
            // Long enough for several chunks, too.
            let [before, after] = [before, after].map(|text| document(&text.repeat(n)).snapshot());
            let splice = after.change_since(&before);
            prop_assert_eq!(applied(&splice, &before), after.to_bytes());
        }
    }
}
