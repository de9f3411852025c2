//! Edits at the selection: each makes one change set and hands it to the document.

use std::ops::Range;

use crate::history::EditKind;
use crate::{Bias, ChangeSet, Document, Selection, grapheme};

/// Lines looked at to learn how a file indents.
const INDENT_SAMPLE: usize = 500;

impl Document {
    /// Types text in place of the selection, as it is. Single-line text joins the typing before it
    /// into one undo step.
    pub fn insert(&mut self, text: &str) {
        let kind = if text.contains('\n') { EditKind::Other } else { EditKind::Typing };
        self.replace(self.selection.range(), text, kind);
    }

    /// Starts a line as the document ends its lines, indented like the one it comes from.
    pub fn newline(&mut self) {
        let selected = self.selection.range();
        let line_start = self.text.line_start(self.text.line_of(selected.start));
        let before = self.text.rope().slice(line_start..selected.start);
        let indent = before.chars().take_while(|at| matches!(at, ' ' | '\t'));
        let text: String = self.text.line_ending().chars().chain(indent).collect();
        self.replace(selected, &text, EditKind::Other);
    }

    /// Inserts text from elsewhere; its lines end as the document's do.
    pub fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.replace('\n', self.text.line_ending());
        self.replace(self.selection.range(), &text, EditKind::Other);
    }

    /// Removes the selected text and gives it; empty, and nothing happens, when none is selected.
    pub fn cut(&mut self) -> String {
        let text = self.copy().unwrap_or_default();
        self.erase(self.selection.range(), EditKind::Other);
        text
    }

    /// Removes the selection, or the grapheme before the cursor.
    pub fn backspace(&mut self) {
        let head = self.selection.head;
        let start = grapheme::previous(self.text.rope(), head);
        self.erase_selection_or(start..head, EditKind::Backspace);
    }

    /// Removes the selection, or the grapheme after the cursor.
    pub fn delete(&mut self) {
        let head = self.selection.head;
        let end = grapheme::next(self.text.rope(), head);
        self.erase_selection_or(head..end, EditKind::Delete);
    }

    /// Removes the selection, or as far as a word motion to the left goes.
    pub fn backspace_word(&mut self) {
        let head = self.selection.head;
        self.erase_selection_or(self.word_left(head)..head, EditKind::Other);
    }

    /// Removes the selection, or as far as a word motion to the right goes.
    pub fn delete_word(&mut self) {
        let head = self.selection.head;
        self.erase_selection_or(head..self.word_right(head), EditKind::Other);
    }

    /// The Tab key: goes to the next tab stop, with a tab or spaces as the file does; lines that are
    /// selected are moved in by one stop and stay selected.
    pub fn indent(&mut self) {
        let selected = self.selection.range();
        let first = self.text.line_of(selected.start);
        let last = self.text.line_of(selected.end);
        if first == last {
            let column = self.display_column_of(self.position_of(selected.start), self.tab_width);
            let text = self.indentation(self.tab_width - column % self.tab_width);
            return self.replace(selected, &text, EditKind::Typing);
        }
        // A line that the selection only reaches the start of is not part of it.
        let last = if selected.end == self.text.line_start(last) { last - 1 } else { last };
        let indentation = self.indentation(self.tab_width);
        let edits = (first..=last)
            .filter(|line| self.text.line_start(*line) < self.text.line_end(*line))
            .map(|line| (self.text.line_start(line), indentation.clone()))
            .map(|(at, text)| (at..at, text));
        let change = ChangeSet::replacing(self.text.len(), edits);
        let applied = self.commit(&change, EditKind::Other, self.selection.map(&change));
        base::never!(applied.is_err());
    }

    /// Takes the last step back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let selection = self.history.undo(&mut self.text);
        self.restore(selection)
    }

    /// Takes the last undone step again; whether there was one.
    pub fn redo(&mut self) -> bool {
        let selection = self.history.redo(&mut self.text);
        self.restore(selection)
    }

    /// What is typed from now on is a new undo step. Call it when the user pauses.
    pub fn break_undo_group(&mut self) {
        self.history.close_group();
    }

    fn restore(&mut self, selection: Option<Selection>) -> bool {
        self.sticky_column = None;
        if let Some(selection) = selection {
            self.selection = selection;
        }
        selection.is_some()
    }

    fn erase_selection_or(&mut self, range: Range<usize>, kind: EditKind) {
        if self.selection.is_empty() {
            self.erase(range, kind);
        } else {
            self.erase(self.selection.range(), EditKind::Other);
        }
    }

    fn erase(&mut self, range: Range<usize>, kind: EditKind) {
        self.replace(range, "", kind);
    }

    /// Leaves the cursor behind the new text.
    fn replace(&mut self, range: Range<usize>, text: &str, kind: EditKind) {
        let end = range.end;
        let change = ChangeSet::replacing(self.text.len(), [(range, text.to_owned())]);
        let after = Selection::cursor(change.map_position(end, Bias::After));
        let applied = self.commit(&change, kind, after);
        base::never!(applied.is_err());
    }

    fn indentation(&self, width: usize) -> String {
        if self.indents_with_tabs() { "\t".to_owned() } else { " ".repeat(width) }
    }

    /// The first indented line decides; spaces while there is none.
    fn indents_with_tabs(&self) -> bool {
        (0..self.n_lines().min(INDENT_SAMPLE))
            .filter_map(|line| self.text.char_at(self.text.line_start(line)))
            .find(|first| matches!(first, ' ' | '\t'))
            == Some('\t')
    }
}

#[cfg(test)]
mod tests;
