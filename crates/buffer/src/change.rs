//! A change to a text as a value that can be applied, inverted, composed and looked through.
//!
//! A change set covers the whole text from start to end, in characters, and knows how long that text
//! is: it refuses any other.
//!
//! Invariant: neighbouring operations differ in kind, none is empty, and an insertion comes before a
//! deletion at the same place, so equal changes are written in one way.

use std::ops::Range;

use base::never;
use ropey::Rope;

/// What to do with the next stretch of the old text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Operation {
    Retain(usize),
    Delete(usize),
    Insert(String),
}

/// On which side of text inserted exactly at a position that position comes to lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    Before,
    After,
}

/// The change was made for a text of another length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the change is for a text of {expected} characters, this one has {actual}")]
pub struct ChangeMismatch {
    pub expected: usize,
    pub actual: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeSet {
    operations: Vec<Operation>,
    len_before: usize,
    len_after: usize,
}

impl ChangeSet {
    /// Replaces each range of a text of `len` characters by its string.
    ///
    /// Ranges are in ascending order and do not overlap; one that does not follow the one before
    /// it, or reaches past the end, is cut to what is left.
    pub fn replacing(len: usize, edits: impl IntoIterator<Item = (Range<usize>, String)>) -> Self {
        let mut change = Self::default();
        for (range, text) in edits {
            let out_of_order = range.start < change.len_before || range.end > len;
            never!(out_of_order || range.start > range.end);
            let start = range.start.clamp(change.len_before, len);
            let end = range.end.clamp(start, len);
            change.retain(start - change.len_before);
            change.insert(&text);
            change.delete(end - start);
        }
        change.retain(len - change.len_before);
        change
    }

    /// Whether applying it changes nothing.
    pub fn is_identity(&self) -> bool {
        matches!(self.operations.as_slice(), [] | [Operation::Retain(_)])
    }

    /// Length in characters of the text it applies to.
    pub fn len_before(&self) -> usize {
        self.len_before
    }

    /// Length in characters of the text it leaves.
    pub fn len_after(&self) -> usize {
        self.len_after
    }

    /// The change that leads to the same text as this one and then `next`.
    #[must_use]
    pub fn compose(self, next: Self) -> Self {
        if never!(self.len_after != next.len_before) {
            return self;
        }
        let mut composed = Self::default();
        let mut ours = self.operations.into_iter();
        let mut theirs = next.operations.into_iter();
        let (mut our, mut their) = (ours.next(), theirs.next());
        loop {
            (our, their) = match (our, their) {
                (Some(Operation::Delete(len)), their) => {
                    composed.delete(len);
                    (ours.next(), their)
                }
                (our, Some(Operation::Insert(text))) => {
                    composed.insert(&text);
                    (our, theirs.next())
                }
                (Some(our), Some(their)) => {
                    let len = our.len().min(their.len());
                    let (our_part, our_rest) = our.split(len);
                    let (their_part, their_rest) = their.split(len);
                    match (our_part, their_part) {
                        (Operation::Retain(_), Operation::Delete(_)) => composed.delete(len),
                        (Operation::Retain(_), _) => composed.retain(len),
                        (Operation::Insert(text), Operation::Retain(_)) => composed.insert(&text),
                        // What we inserted and they delete was never there.
                        (Operation::Insert(_) | Operation::Delete(_), _) => {}
                    }
                    (our_rest.or_else(|| ours.next()), their_rest.or_else(|| theirs.next()))
                }
                // Equal lengths in the middle: both end together.
                (None, _) | (_, None) => return composed,
            };
        }
    }

    /// Where a character offset of the old text is in the new one.
    ///
    /// An offset inside deleted text moves to where that text was, behind what replaced it.
    pub fn map_position(&self, at: usize, bias: Bias) -> usize {
        let (mut old, mut new) = (0, 0);
        for operation in &self.operations {
            match operation {
                Operation::Retain(len) if at < old + len => return new + (at - old),
                Operation::Retain(len) => {
                    old += len;
                    new += len;
                }
                Operation::Insert(_) if at == old && bias == Bias::Before => return new,
                Operation::Insert(_) => new += operation.len(),
                Operation::Delete(len) if at < old + len => return new,
                Operation::Delete(len) => old += len,
            }
        }
        new
    }

    /// Whether the character at an offset of the old text is deleted.
    pub(crate) fn deletes(&self, at: usize) -> bool {
        let mut old = 0;
        self.operations.iter().any(|operation| match operation {
            Operation::Insert(_) => false,
            Operation::Retain(len) => {
                old += len;
                false
            }
            Operation::Delete(len) => {
                let deleted = old..old + len;
                old += len;
                deleted.contains(&at)
            }
        })
    }

    /// Changes the rope, or leaves it alone when it is not of the length this was made for.
    pub(crate) fn apply(&self, rope: &mut Rope) -> Result<(), ChangeMismatch> {
        self.check(rope)?;
        let mut at = 0;
        for operation in &self.operations {
            match operation {
                Operation::Retain(len) => at += len,
                Operation::Delete(len) => rope.remove(at..at + len),
                Operation::Insert(text) => {
                    rope.insert(at, text);
                    at += operation.len();
                }
            }
        }
        Ok(())
    }

    /// The change that takes the text back to `rope`, which this one applies to.
    pub(crate) fn invert(&self, rope: &Rope) -> Result<Self, ChangeMismatch> {
        self.check(rope)?;
        let mut inverse = Self::default();
        let mut at = 0;
        for operation in &self.operations {
            match operation {
                Operation::Retain(len) => {
                    inverse.retain(*len);
                    at += len;
                }
                Operation::Delete(len) => {
                    inverse.insert(&rope.slice(at..at + len).to_string());
                    at += len;
                }
                Operation::Insert(_) => inverse.delete(operation.len()),
            }
        }
        Ok(inverse)
    }

    fn check(&self, rope: &Rope) -> Result<(), ChangeMismatch> {
        let (expected, actual) = (self.len_before, rope.len_chars());
        if expected == actual { Ok(()) } else { Err(ChangeMismatch { expected, actual }) }
    }

    fn retain(&mut self, len: usize) {
        self.len_before += len;
        self.len_after += len;
        match self.operations.last_mut() {
            _ if len == 0 => {}
            Some(Operation::Retain(last)) => *last += len,
            _ => self.operations.push(Operation::Retain(len)),
        }
    }

    fn delete(&mut self, len: usize) {
        self.len_before += len;
        match self.operations.last_mut() {
            _ if len == 0 => {}
            Some(Operation::Delete(last)) => *last += len,
            _ => self.operations.push(Operation::Delete(len)),
        }
    }

    fn insert(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.len_after += text.chars().count();
        match self.operations.as_mut_slice() {
            [.., Operation::Insert(last)] | [.., Operation::Insert(last), Operation::Delete(_)] => {
                last.push_str(text);
            }
            [.., Operation::Delete(_)] => {
                let before_delete = self.operations.len() - 1;
                self.operations.insert(before_delete, Operation::Insert(text.to_owned()));
            }
            _ => self.operations.push(Operation::Insert(text.to_owned())),
        }
    }
}

impl Operation {
    /// In characters.
    fn len(&self) -> usize {
        match self {
            Self::Retain(len) | Self::Delete(len) => *len,
            Self::Insert(text) => text.chars().count(),
        }
    }

    /// The first `len` characters of it, and what is left if anything is.
    fn split(self, len: usize) -> (Self, Option<Self>) {
        if len >= self.len() {
            return (self, None);
        }
        match self {
            Self::Retain(whole) => (Self::Retain(len), Some(Self::Retain(whole - len))),
            Self::Delete(whole) => (Self::Delete(len), Some(Self::Delete(whole - len))),
            Self::Insert(mut text) => {
                let at = text.char_indices().nth(len).map_or(text.len(), |(at, _)| at);
                let rest = text.split_off(at);
                (Self::Insert(text), Some(Self::Insert(rest)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
