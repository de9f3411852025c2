//! What has changed on a screen since somebody last looked, cell by cell.
//!
//! It is about the screen as its program draws it, wherever the view is scrolled to, and about no more
//! than telling a change from none: a [`CellValue`] says which character a cell has, and of its colours
//! and attributes only whether they are the same.

use std::ops::Range;
use std::sync::Weak;

use crate::buffer::Shared;
use crate::{CellPoint, GridSize};

/// Changes told of one look; with more of them nobody looks at each.
const MAX_CHANGES: usize = 2048;

/// What a cell shows, as far as it can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellValue {
    pub glyph: char,
    /// Equal for equal colours and attributes. The upper half is of the background alone.
    pub style: u32,
}

impl CellValue {
    pub(crate) const BLANK: Self = Self { glyph: ' ', style: 0 };

    /// Whether a person sees nothing there, apart from a background.
    pub fn is_blank(self) -> bool {
        matches!(self.glyph, ' ' | '\0' | '\u{a0}')
    }

    /// Equal for equal backgrounds as they are drawn; zero for the screen's own. Different ones are
    /// very rarely equal.
    pub fn ground(self) -> u32 {
        self.style >> 16
    }
}

/// A cell that is not as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellChange {
    pub at: CellPoint,
    pub before: CellValue,
    pub after: CellValue,
}

/// What a screen showed when it was last looked at, and what changed with that look.
#[derive(Debug, Clone, Default)]
pub struct ScreenLook {
    pub(crate) source: Weak<Shared>,
    /// Of the terminal when it was last looked at.
    pub(crate) revision: u64,
    pub(crate) size: GridSize,
    pub(crate) cells: Vec<CellValue>,
    /// Of each row, whether its line goes on in the next.
    pub(crate) wraps: Vec<bool>,
    pub(crate) changes: Vec<CellChange>,
    /// Of each row, how much text was ever printed in it, and how much since the look before.
    pub(crate) printed: Vec<(u64, u64)>,
    pub(crate) scrolled: u64,
    pub(crate) pushed: Option<u64>,
    pub(crate) is_new: bool,
    pub(crate) cursor: Option<CellPoint>,
    pub(crate) is_cursor_shown: bool,
    pub(crate) is_alternate: bool,
}

impl ScreenLook {
    /// The cells that changed, the first two thousand of them.
    pub fn changes(&self) -> &[CellChange] {
        &self.changes
    }

    /// How many rows left the screen at its top meanwhile.
    pub fn scrolled(&self) -> u64 {
        self.scrolled
    }

    /// Whether all that a row says was printed meanwhile, though it may have said the same before. What is
    /// printed right before the screen scrolls counts, too; where it wraps, its first row alone.
    pub fn is_drawn_anew(&self, row: usize) -> bool {
        let text: usize =
            self.cells(row).iter().filter(|it| !it.is_blank()).map(|it| it.glyph.len_utf8()).sum();
        let scrolled = usize::try_from(self.scrolled).unwrap_or(usize::MAX);
        let until = row.saturating_add(scrolled).saturating_add(1).min(self.printed.len());
        let drawn = self.printed.get(row..until).unwrap_or_default();
        text > 0 && !self.is_new && drawn.iter().any(|(_, new)| *new >= text as u64)
    }

    /// It was a first look, or one at another size: what changed says nothing.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Whether there is anything on the screen to be seen.
    pub fn shows_something(&self) -> bool {
        self.cells.iter().any(|cell| !cell.is_blank())
    }

    /// Where the program's cursor is, be it shown or not.
    pub fn cursor(&self) -> CellPoint {
        self.cursor.unwrap_or(CellPoint { row: 0, column: 0 })
    }

    /// Whether the program shows its cursor.
    pub fn is_cursor_shown(&self) -> bool {
        self.is_cursor_shown
    }

    /// Whether a program has the whole screen to itself.
    pub fn is_alternate(&self) -> bool {
        self.is_alternate
    }

    /// What the rows say, without blanks at their ends.
    pub fn rows(&self) -> Vec<String> {
        self.cells.chunks(self.columns()).map(text).collect()
    }

    /// The cells of a row; none where there is no such row.
    pub fn cells(&self, row: usize) -> &[CellValue] {
        self.cells.chunks(self.columns()).nth(row).unwrap_or_default()
    }

    /// What the line of the cursor says before it, without blanks at its end. A line that was too long
    /// for one row begins in one above.
    pub fn before_cursor(&self) -> String {
        let cursor = self.cursor();
        let (first, last) = (self.line(cursor.row.into()).start, usize::from(cursor.row));
        let until = last * self.columns() + usize::from(cursor.column);
        let end = until.min((last + 1) * self.columns()).min(self.cells.len());
        self.cells.get(first * self.columns()..end).map(text).unwrap_or_default()
    }

    /// The rows of the line that a row is of. A program that breaks its lines itself has one row a line.
    pub fn line(&self, row: usize) -> Range<usize> {
        let goes_on = |row: usize| self.wraps.get(row).copied().unwrap_or(false);
        let above = (0..row).rev().take_while(|above| goes_on(*above)).count();
        let below = (row..self.size.rows.into()).take_while(|row| goes_on(*row)).count();
        row - above..row + below + 1
    }

    /// What the line says that a row is of, without blanks at its end.
    pub fn line_text(&self, row: usize) -> String {
        let Range { start, end } = self.line(row);
        let cells = start * self.columns()..(end * self.columns()).min(self.cells.len());
        self.cells.get(cells).map(text).unwrap_or_default()
    }

    /// Whether the cell before the cursor is blank, as behind `name: `.
    pub fn is_blank_before_cursor(&self) -> bool {
        let CellPoint { row, column } = self.cursor();
        let before = usize::from(column).checked_sub(1);
        let cell = before.and_then(|before| self.cells(row.into()).get(before));
        cell.is_some_and(|cell| cell.is_blank())
    }

    fn columns(&self) -> usize {
        usize::from(self.size.columns).max(1)
    }

    /// Begins a look at a screen of that size. What another terminal or another size showed says
    /// nothing about it.
    pub(crate) fn begin(&mut self, size: GridSize) {
        self.changes.clear();
        let count = usize::from(size.columns) * usize::from(size.rows);
        self.is_new = self.size != size || self.cells.len() != count;
        if self.is_new {
            self.size = size;
            self.cells.clear();
            self.cells.resize(count, CellValue::BLANK);
            self.wraps.clear();
            self.wraps.resize(size.rows.into(), false);
        }
    }

    /// Takes how much was ever printed in each row.
    pub(crate) fn take_printed(&mut self, printed: &[u64]) {
        self.printed.resize(self.size.rows.into(), (0, 0));
        for (row, (known, new)) in self.printed.iter_mut().enumerate() {
            let printed = printed.get(row).copied().unwrap_or_default();
            *new = printed.saturating_sub(*known);
            *known = printed;
        }
    }

    /// Takes the cells of one row, in order, and whether its line goes on in the next.
    pub(crate) fn take_row(
        &mut self,
        row: u16,
        wraps: bool,
        cells: impl Iterator<Item = CellValue>,
    ) {
        let columns = self.columns();
        if let Some(known) = self.wraps.get_mut(usize::from(row)) {
            *known = wraps;
        }
        let known = self.cells.chunks_mut(columns).nth(row.into()).unwrap_or_default();
        for (column, (known, after)) in (0..).zip(known.iter_mut().zip(cells)) {
            if *known == after {
                continue;
            }
            let before = std::mem::replace(known, after);
            if self.changes.len() < MAX_CHANGES {
                self.changes.push(CellChange { at: CellPoint { row, column }, before, after });
            }
        }
    }
}

/// Wide characters are once there, though they have two cells.
fn text(cells: &[CellValue]) -> String {
    let text: String = cells.iter().map(|cell| cell.glyph).filter(|c| *c != '\0').collect();
    text.trim_end().to_owned()
}
