//! Moving the cursor and choosing what is selected.
//!
//! Nothing here changes text. Every motion ends the present undo group.

use unicode_width::UnicodeWidthChar;

use crate::display::{self, Target};
use crate::{Document, Position, Selection, grapheme};

/// Where the cursor goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Left,
    Right,
    Up,
    Down,
    WordLeft,
    WordRight,
    /// To the first character that is not blank, and from there to the very start.
    LineStart,
    LineEnd,
    /// So many lines up.
    PageUp(usize),
    PageDown(usize),
    Top,
    Bottom,
    /// To a place, or the nearest there is.
    To(Position),
}

/// What a motion does to the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extend {
    /// Drops it.
    Move,
    /// Grows or shrinks it to the new place.
    Select,
}

/// What a run of text is made of; words end where it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Other,
    LineEnding,
}

impl Document {
    pub fn move_cursor(&mut self, motion: Motion, extend: Extend) {
        self.break_undo_group();
        let head = self.target(motion, extend);
        let anchor = match extend {
            Extend::Move => head,
            Extend::Select => self.selection.anchor,
        };
        self.selection = Selection { anchor, head };
    }

    pub fn select_all(&mut self) {
        self.choose(0, self.text.len());
    }

    /// Selects the word, the gap or the run of signs at the cursor.
    pub fn select_word(&mut self) {
        let head = self.selection.head;
        let (before, after) = (self.class_before(head), self.class_after(head));
        // At the edge of a word the word wins, then whatever lies ahead.
        let class = match (before, after) {
            (Some(Class::Word), _) | (_, None | Some(Class::LineEnding)) => before,
            (_, after) => after,
        };
        match class {
            None | Some(Class::LineEnding) => self.choose(head, head),
            Some(class) => self.choose(self.skip_left(head, class), self.skip_right(head, class)),
        }
    }

    /// Selects the line of the cursor with its ending.
    pub fn select_line(&mut self) {
        let line = self.text.line_of(self.selection.head);
        self.choose(self.text.line_start(line), self.text.line_start(line + 1));
    }

    fn choose(&mut self, anchor: usize, head: usize) {
        self.break_undo_group();
        self.sticky_column = None;
        self.selection = Selection { anchor, head };
    }

    fn target(&mut self, motion: Motion, extend: Extend) -> usize {
        let sticky_column = self.sticky_column.take();
        let selection = self.selection;
        let (head, line) = (selection.head, self.text.line_of(selection.head));
        let leaves_selection = extend == Extend::Move && !selection.is_empty();
        match motion {
            Motion::Left if leaves_selection => selection.start(),
            Motion::Right if leaves_selection => selection.end(),
            Motion::Left => grapheme::previous(self.text.rope(), head),
            Motion::Right => grapheme::next(self.text.rope(), head),
            Motion::Up => self.up(line, 1, sticky_column),
            Motion::Down => self.down(line, 1, sticky_column),
            Motion::PageUp(lines) => self.up(line, lines, sticky_column),
            Motion::PageDown(lines) => self.down(line, lines, sticky_column),
            Motion::WordLeft => self.word_left(head),
            Motion::WordRight => self.word_right(head),
            Motion::LineStart => {
                let start = self.text.line_start(line);
                let indent = self.skip_right(start, Class::Blank);
                if head == indent { start } else { indent }
            }
            Motion::LineEnd => self.text.line_end(line),
            Motion::Top => 0,
            Motion::Bottom => self.text.len(),
            Motion::To(position) => self.offset_of(position),
        }
    }

    /// From the first line on, up means its start.
    fn up(&mut self, line: usize, lines: usize, sticky_column: Option<usize>) -> usize {
        let column = self.keep_column(sticky_column);
        if line == 0 { 0 } else { self.at_column(line.saturating_sub(lines), column) }
    }

    /// From the last line on, down means its end.
    fn down(&mut self, line: usize, lines: usize, sticky_column: Option<usize>) -> usize {
        let column = self.keep_column(sticky_column);
        let last = self.text.n_lines() - 1;
        if line == last {
            self.text.len()
        } else {
            self.at_column(line.saturating_add(lines).min(last), column)
        }
    }

    /// The column that a run of vertical motions started in, through shorter lines.
    fn keep_column(&mut self, sticky_column: Option<usize>) -> usize {
        let column = sticky_column.unwrap_or_else(|| self.display_column(self.tab_width));
        self.sticky_column = Some(column);
        column
    }

    fn at_column(&self, line: usize, column: usize) -> usize {
        display::find(&self.text, line, Target::Column(column), self.tab_width).at
    }

    /// To the start of the word before; first to the end of the line before.
    pub(crate) fn word_left(&self, at: usize) -> usize {
        let at_word = self.skip_left(at, Class::Blank);
        match self.class_before(at_word) {
            None => at_word,
            Some(Class::LineEnding) if at_word < at => at_word,
            Some(Class::LineEnding) => grapheme::previous(self.text.rope(), at_word),
            Some(class) => self.skip_left(at_word, class),
        }
    }

    /// To the end of the word ahead; first to the start of the line after.
    pub(crate) fn word_right(&self, at: usize) -> usize {
        let at_word = self.skip_right(at, Class::Blank);
        match self.class_after(at_word) {
            None => at_word,
            Some(Class::LineEnding) if at_word > at => at_word,
            Some(Class::LineEnding) => grapheme::next(self.text.rope(), at_word),
            Some(class) => self.skip_right(at_word, class),
        }
    }

    fn class_after(&self, at: usize) -> Option<Class> {
        self.text.char_at(at).map(class)
    }

    fn class_before(&self, at: usize) -> Option<Class> {
        if at == 0 { None } else { self.class_after(grapheme::previous(self.text.rope(), at)) }
    }

    fn skip_left(&self, from: usize, wanted: Class) -> usize {
        let rope = self.text.rope();
        let (mut seen, mut skipped) = (0, 0);
        for character in rope.chars_at(from).reversed() {
            seen += 1;
            // Whether marks are skipped is decided by what they are on, which comes after them.
            if is_mark(character) {
                continue;
            }
            if class(character) != wanted {
                break;
            }
            skipped = seen;
        }
        grapheme::at_or_before(rope, from - skipped)
    }

    fn skip_right(&self, from: usize, wanted: Class) -> usize {
        let rope = self.text.rope();
        let same = |character: &char| is_mark(*character) || class(*character) == wanted;
        let skipped = rope.chars_at(from).take_while(same).count();
        grapheme::at_or_after(rope, from + skipped)
    }
}

fn class(character: char) -> Class {
    match character {
        '\n' | '\r' => Class::LineEnding,
        '_' => Class::Word,
        _ if character.is_whitespace() => Class::Blank,
        _ if character.is_alphanumeric() => Class::Word,
        _ => Class::Other,
    }
}

/// Whether a character only decorates the one before it.
fn is_mark(character: char) -> bool {
    !character.is_ascii() && character.width() == Some(0)
}

#[cfg(test)]
mod tests;
