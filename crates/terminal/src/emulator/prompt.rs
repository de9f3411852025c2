//! A line that is being edited, when the screen gets another width.
//!
//! Shells draw their prompt anew then, and go up by as many rows as it took before. Had it been
//! rewrapped, they would go too far and wipe out what is above it, or not far enough and leave a copy of
//! it behind. So it is left where it is.

use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};

use super::{Emulator, packing};

impl Emulator {
    /// Makes the rows of the line with the cursor lines of their own, no longer than `columns`, if a
    /// program edits it: that is told by its wish to have pastes bracketed.
    pub(super) fn unwrap_prompt(&mut self, columns: usize) {
        let is_edited = self.term.mode().contains(TermMode::BRACKETED_PASTE);
        if columns == self.columns() || self.is_alternate() || !is_edited {
            return;
        }
        let cursor = self.term.grid().cursor.point.line.0;
        let first =
            (0..cursor).rev().take_while(|line| packing::is_wrapped(self.live(*line))).last();
        let rest =
            (cursor..self.last_line()).take_while(|line| packing::is_wrapped(self.live(*line)));
        let last = rest.last().map_or(cursor, |line| line + 1);
        let width = self.columns();
        let grid = self.term.grid_mut();
        for line in (first.unwrap_or(cursor)..=last).map(Line) {
            grid[line][Column(width - 1)].flags.remove(Flags::WRAPLINE);
            for column in columns..width {
                grid[line][Column(column)] = GridCell::default();
            }
        }
        let last_column = Column(columns.min(width) - 1);
        let cursor = &mut grid.cursor;
        if cursor.point.column > last_column {
            cursor.point.column = last_column;
            cursor.input_needs_wrap = false;
        }
    }
}

#[cfg(test)]
mod tests;
