//! A document: text, selection and history as one value, and the questions others ask of it.
//!
//! Edits are in `edit`, motions in `motion`; both go through what is here.

use std::borrow::Cow;
use std::ops::Range;

use crate::change::ChangeMismatch;
use crate::display::{self, Place, Target, VisibleLine};
use crate::history::{EditKind, History};
use crate::snapshot::TextSnapshot;
use crate::text::Text;
use crate::{ChangeSet, DecodeError, Position, Selection, grapheme};

const DEFAULT_TAB_WIDTH: usize = 4;

#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) text: Text,
    pub(crate) selection: Selection,
    /// The display column that vertical motions try to keep.
    pub(crate) sticky_column: Option<usize>,
    pub(crate) history: History,
    pub(crate) tab_width: usize,
}

impl Document {
    pub fn empty() -> Self {
        Self::new(Text::default())
    }

    /// Reads a file's content. The byte order mark, line endings of all kinds and a missing last
    /// one are kept as they are.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, or hold a NUL, are not text.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        Text::from_bytes(bytes).map(Self::new)
    }

    /// Exactly what was read plus the edits made since.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.text.to_bytes()
    }

    /// The text as it is now, for whoever looks at it later or elsewhere.
    pub fn snapshot(&self) -> TextSnapshot {
        TextSnapshot::new(self.text.clone())
    }

    /// As long as [`Document::to_bytes`].
    pub fn len_bytes(&self) -> usize {
        self.text.len_bytes()
    }

    /// At least one. Text that ends with a line ending has an empty line after it.
    pub fn n_lines(&self) -> usize {
        self.text.n_lines()
    }

    /// The line's text without its ending; empty past the last line. Costs the whole line, so use
    /// [`Document::visible_line`] for drawing.
    pub fn line(&self, line: usize) -> Cow<'_, str> {
        self.text.line(line)
    }

    /// Names the present text: equal revisions of one document mean equal text, and undoing back
    /// to a state gives its number back. The numbers have no order.
    pub fn revision(&self) -> u64 {
        self.history.revision()
    }

    /// Whether the text differs from what was last saved or loaded, as far as undo can tell.
    pub fn is_modified(&self) -> bool {
        self.history.is_modified()
    }

    /// The text of that revision is what the disk now holds.
    ///
    /// Call [`Document::break_undo_group`] when taking the bytes for a save, so that undo can return
    /// to what was saved even when the user goes on typing meanwhile.
    pub fn mark_saved(&mut self, revision: u64) {
        self.history.mark_saved(revision);
    }

    /// Cells between tab stops, for vertical motions and [`Document::indent`]. At least one.
    pub fn set_tab_width(&mut self, tab_width: usize) {
        self.tab_width = tab_width.max(1);
    }

    pub fn cursor(&self) -> Position {
        self.position_of(self.selection.head)
    }

    /// The end of the selection that the cursor is not at.
    pub fn anchor(&self) -> Position {
        self.position_of(self.selection.anchor)
    }

    /// The cell of its line that the cursor stands on.
    pub fn display_column(&self, tab_width: usize) -> usize {
        self.place_of(self.selection.head, tab_width).1.column
    }

    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// The selected text, if any is selected.
    pub fn copy(&self) -> Option<String> {
        (!self.selection.is_empty()).then(|| self.text.slice(self.selection.range()))
    }

    /// The graphemes of a line that are selected. A selected line ending counts as one more.
    pub fn selected_columns(&self, line: usize) -> Option<Range<usize>> {
        self.selected(line, 1, |place| place.grapheme)
    }

    /// The cells of a line that are selected. A selected line ending counts as one more.
    pub fn selected_display_columns(&self, line: usize, tab_width: usize) -> Option<Range<usize>> {
        self.selected(line, tab_width, |place| place.column)
    }

    /// What a line shows in these display columns, at the cost of what is shown and a look at what
    /// is left of it.
    pub fn visible_line(
        &self,
        line: usize,
        columns: Range<usize>,
        tab_width: usize,
    ) -> VisibleLine {
        display::visible(&self.text, line, columns, tab_width)
    }

    /// The place nearest to a cell, for mouse clicks.
    pub fn position_at(&self, line: usize, display_column: usize, tab_width: usize) -> Position {
        let line = line.min(self.n_lines() - 1);
        let place = display::find(&self.text, line, Target::Column(display_column), tab_width);
        Position { line, column: place.grapheme }
    }

    pub fn display_column_of(&self, position: Position, tab_width: usize) -> usize {
        let target = Target::Grapheme(position.column);
        display::find(&self.text, position.line, target, tab_width).column
    }

    /// Takes over what the disk holds now as one step that can be undone; the cursor stays with the
    /// text around it, or on its line and column when that text is gone. The document then counts as saved.
    ///
    /// # Errors
    /// As [`Document::from_bytes`]; the document is then untouched.
    pub fn reload(&mut self, bytes: Vec<u8>) -> Result<(), DecodeError> {
        self.replace_text(bytes)?;
        self.mark_saved(self.revision());
        Ok(())
    }

    /// The same with a text that is not what the disk holds.
    ///
    /// # Errors
    /// As [`Document::from_bytes`]; the document is then untouched.
    pub fn replace_text(&mut self, bytes: Vec<u8>) -> Result<(), DecodeError> {
        let fresh = Self::from_bytes(bytes)?;
        let change = self.text.change_to(&fresh.text);
        let selection = if change.deletes(self.selection.head) {
            Selection::cursor(fresh.offset_of(self.cursor()))
        } else {
            self.selection.map(&change)
        };
        let applied = self.commit(&change, EditKind::Other, selection);
        base::never!(applied.is_err());
        Ok(())
    }

    /// Applies a change from elsewhere as one step that can be undone; the selection follows it.
    ///
    /// # Errors
    /// A change made for a text of another length is refused.
    pub fn apply(&mut self, change: &ChangeSet) -> Result<(), ChangeMismatch> {
        self.commit(change, EditKind::Other, self.selection.map(change))
    }

    pub(crate) fn position_of(&self, at: usize) -> Position {
        let (line, place) = self.place_of(at, 1);
        Position { line, column: place.grapheme }
    }

    pub(crate) fn offset_of(&self, position: Position) -> usize {
        let line = position.line.min(self.n_lines() - 1);
        display::find(&self.text, line, Target::Grapheme(position.column), 1).at
    }

    /// The only door by which text changes, but for undo and redo.
    pub(crate) fn commit(
        &mut self,
        change: &ChangeSet,
        kind: EditKind,
        after: Selection,
    ) -> Result<(), ChangeMismatch> {
        let before = self.selection;
        let inverse = self.text.apply(change)?;
        self.sticky_column = None;
        self.selection = Selection {
            anchor: grapheme::at_or_after(self.text.rope(), after.anchor),
            head: grapheme::at_or_after(self.text.rope(), after.head),
        };
        if !change.is_identity() {
            self.history.record(inverse, kind, before, self.selection);
        }
        Ok(())
    }

    fn new(text: Text) -> Self {
        Self {
            text,
            selection: Selection::default(),
            sticky_column: None,
            history: History::new(),
            tab_width: DEFAULT_TAB_WIDTH,
        }
    }

    fn place_of(&self, at: usize, tab_width: usize) -> (usize, Place) {
        let line = self.text.line_of(at);
        (line, display::find(&self.text, line, Target::At(at), tab_width))
    }

    fn selected(
        &self,
        line: usize,
        tab_width: usize,
        count: fn(Place) -> usize,
    ) -> Option<Range<usize>> {
        let (start, end) = (self.text.line_start(line), self.text.line_end(line));
        let selected = self.selection.range();
        let takes_ending = selected.end > end && self.text.line_start(line + 1) > end;
        if selected.is_empty() || selected.start > end || selected.end <= start {
            return None;
        }
        let column = |at: usize| {
            let place =
                display::find(&self.text, line, Target::At(at.clamp(start, end)), tab_width);
            count(place)
        };
        let columns = column(selected.start)..column(selected.end) + usize::from(takes_ending);
        (!columns.is_empty()).then_some(columns)
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::empty()
    }
}

#[cfg(test)]
mod tests;
