//! Where the cursor is and what is selected.
//!
//! There is one selection today. Edits take a list of ranges and move selections by mapping them
//! through the change set, so that more of them need no new kind of edit.

use std::ops::Range;

use crate::{Bias, ChangeSet};

/// A place in the text as people count it, from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    pub line: usize,
    /// Counts graphemes, so a flag or an accented letter is one.
    pub column: usize,
}

/// A range with a moving end, in characters from the start of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection {
    /// The end that stays when the selection is extended.
    pub anchor: usize,
    /// The end that moves; the cursor is drawn here.
    pub head: usize,
}

impl Selection {
    pub fn cursor(at: usize) -> Self {
        Self { anchor: at, head: at }
    }

    pub fn start(&self) -> usize {
        self.anchor.min(self.head)
    }

    pub fn end(&self) -> usize {
        self.anchor.max(self.head)
    }

    pub fn range(&self) -> Range<usize> {
        self.start()..self.end()
    }

    pub fn is_empty(&self) -> bool {
        self.anchor == self.head
    }

    /// The same selection after a change elsewhere. What is inserted right at an end lies behind it,
    /// so a cursor is not pushed along.
    pub(crate) fn map(&self, change: &ChangeSet) -> Self {
        Self {
            anchor: change.map_position(self.anchor, Bias::Before),
            head: change.map_position(self.head, Bias::Before),
        }
    }
}
