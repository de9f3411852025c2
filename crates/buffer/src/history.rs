//! Undo and redo by inversion.
//!
//! A done step holds the change that takes the text back; undoing it inverts that change into the
//! one that takes it forth again, and the other way round.
//!
//! Invariant: equal revisions stand for equal text. A revision that was typed over is never given
//! out again, so a saved one that can no longer be reached just never matches.

use base::never;

use crate::text::Text;
use crate::{ChangeSet, Selection};

/// What an edit was, as far as grouping goes: only like edits in a row become one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditKind {
    Typing,
    Backspace,
    Delete,
    /// Always a step of its own.
    Other,
}

#[derive(Debug, Clone)]
pub(crate) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    revision: u64,
    last_revision: u64,
    saved: u64,
    /// Whether the last done step may still take in another edit.
    open: bool,
}

#[derive(Debug, Clone)]
struct Step {
    change: ChangeSet,
    kind: EditKind,
    before: Side,
    after: Side,
}

/// How things stand on one side of a step.
#[derive(Debug, Clone, Copy)]
struct Side {
    revision: u64,
    selection: Selection,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            done: Vec::new(),
            undone: Vec::new(),
            revision: 0,
            last_revision: 0,
            saved: 0,
            open: false,
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn is_modified(&self) -> bool {
        self.revision != self.saved
    }

    pub(crate) fn mark_saved(&mut self, revision: u64) {
        self.saved = revision;
        // What is typed next must not swallow the saved state, or undo could not return to it.
        self.open &= revision != self.revision;
    }

    pub(crate) fn close_group(&mut self) {
        self.open = false;
    }

    /// Notes an edit that has just been made, given by the change that takes it back.
    pub(crate) fn record(
        &mut self,
        inverse: ChangeSet,
        kind: EditKind,
        before: Selection,
        after: Selection,
    ) {
        self.undone.clear();
        self.last_revision += 1;
        let before = Side { revision: self.revision, selection: before };
        let after = Side { revision: self.last_revision, selection: after };
        match self.done.last_mut() {
            Some(last) if self.open && last.kind == kind => {
                last.change = inverse.compose(std::mem::take(&mut last.change));
                last.after = after;
            }
            _ => self.done.push(Step { change: inverse, kind, before, after }),
        }
        self.open = kind != EditKind::Other;
        self.revision = self.last_revision;
    }

    /// Takes one step back and gives the selection of that time.
    pub(crate) fn undo(&mut self, text: &mut Text) -> Option<Selection> {
        let step = self.done.pop()?.turned(text)?;
        let Side { revision, selection } = step.before;
        self.undone.push(step);
        self.revision = revision;
        self.open = false;
        Some(selection)
    }

    /// Takes one undone step again and gives the selection it left.
    pub(crate) fn redo(&mut self, text: &mut Text) -> Option<Selection> {
        let step = self.undone.pop()?.turned(text)?;
        let Side { revision, selection } = step.after;
        self.done.push(step);
        self.revision = revision;
        self.open = false;
        Some(selection)
    }
}

impl Step {
    /// Applies the change and holds its inverse from then on.
    fn turned(mut self, text: &mut Text) -> Option<Self> {
        let inverse = text.apply(&self.change);
        if never!(inverse.is_err()) {
            return None;
        }
        self.change = inverse.ok()?;
        Some(self)
    }
}
