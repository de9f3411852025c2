//! Characters that belong to the one before them, where the emulator would give each its own cells.
//!
//! The emulator takes one character at a time and adds up their widths. Programs count what people see:
//! a heart with an emoji selector, a family, a flag and a thumb with a skin tone are two columns each.
//! What was printed before is read back from the grid, so that nothing has to be remembered.

use alacritty_terminal::Term;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::MAX_MARKS;

const JOINER: char = '\u{200d}';
const EMOJI_SELECTOR: char = '\u{fe0f}';

/// Whether a character can have nothing to do with the one before it, and is sure to be shown.
#[inline]
pub(super) fn stands_alone(c: char) -> bool {
    c < '\u{300}'
        || matches!(c, '\u{2500}'..='\u{25ff}' | '\u{2800}'..='\u{28ff}' | '\u{3400}'..='\u{d7a3}')
}

/// Adds `c` to the cell before the cursor if it belongs there. Returns whether it did.
pub(super) fn join<T>(term: &mut Term<T>, c: char) -> bool {
    let is_mark = c.width() == Some(0);
    if !is_mark && !may_follow(c) {
        return false;
    }
    let Some((line, column)) = previous(term) else { return is_mark && is_full(term) };
    let cell = &term.grid()[line][column];
    if !is_mark && !follows(cell, c) {
        return false;
    }
    if cell.zerowidth().is_none_or(|marks| marks.len() < MAX_MARKS) {
        let widens = matches!(c, EMOJI_SELECTOR) || is_regional(c);
        term.grid_mut()[line][column].push_zerowidth(c);
        if widens {
            widen(term, line, column);
        }
    }
    true
}

/// With the cursor in the first column, marks are put on the cell under it.
fn is_full<T>(term: &Term<T>) -> bool {
    let cursor = term.grid().cursor.point;
    let cell = &term.grid()[cursor.line][cursor.column];
    cell.zerowidth().is_some_and(|marks| marks.len() >= MAX_MARKS)
}

/// The cell that was written last, if the cursor has not moved away from it.
fn previous<T>(term: &Term<T>) -> Option<(Line, Column)> {
    let cursor = &term.grid().cursor;
    let mut column = cursor.point.column;
    if !cursor.input_needs_wrap {
        column = Column(column.0.checked_sub(1)?);
    }
    let line = cursor.point.line;
    if term.grid()[line][column].flags.contains(Flags::WIDE_CHAR_SPACER) {
        column = Column(column.0.checked_sub(1)?);
    }
    Some((line, column))
}

fn may_follow(c: char) -> bool {
    is_skin_tone(c) || is_regional(c) || is_pictographic(c)
}

fn follows(cell: &GridCell, c: char) -> bool {
    let marks = cell.zerowidth().unwrap_or_default();
    if is_regional(c) {
        return is_regional(cell.c) && marks.is_empty();
    }
    let last = marks.last().copied().unwrap_or(cell.c);
    (last == JOINER && is_pictographic(cell.c))
        || (is_skin_tone(c) && is_pictographic(last) && !is_skin_tone(last))
}

/// Gives a narrow cell the column to its right, if an emoji in it takes two.
fn widen<T>(term: &mut Term<T>, line: Line, column: Column) {
    let columns = term.columns();
    let cell = &term.grid()[line][column];
    if cell.flags.contains(Flags::WIDE_CHAR)
        || column.0 + 1 >= columns
        || !(is_regional(cell.c) || takes_two_as_emoji(cell.c))
    {
        return;
    }
    let mut spacer = GridCell { c: ' ', extra: None, ..cell.clone() };
    spacer.flags.insert(Flags::WIDE_CHAR_SPACER);
    let grid = term.grid_mut();
    grid[line][column].flags.insert(Flags::WIDE_CHAR);
    if grid[line][column + 1].flags.contains(Flags::WIDE_CHAR) && column.0 + 2 < columns {
        grid[line][column + 2].flags.remove(Flags::WIDE_CHAR_SPACER);
    }
    grid[line][column + 1] = spacer;
    if column.0 + 2 < columns {
        grid.cursor.point.column = column + 2;
    } else {
        grid.cursor.point.column = column + 1;
        grid.cursor.input_needs_wrap = true;
    }
}

fn takes_two_as_emoji(c: char) -> bool {
    let mut text = String::from(c);
    text.push(EMOJI_SELECTOR);
    text.width() == 2
}

fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// The blocks that hold what emoji are made of.
fn is_pictographic(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{24ff}' | '\u{2600}'..='\u{27bf}' |
        '\u{2900}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests;
