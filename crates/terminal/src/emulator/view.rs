//! All rows of a terminal, whether the emulator still has them or the history does.

use std::ops::Range;
use std::sync::Arc;

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell as GridCell;

use super::convert::{self, PROMPT};
use super::{Emulator, packing, signed};
use crate::history::Block;
use crate::{Attributes, Cell};

/// Where a line is.
enum Place {
    Live(i32),
    /// A row of the history, the oldest being 0.
    Packed(usize),
}

impl Emulator {
    pub(crate) fn columns(&self) -> usize {
        self.term.columns()
    }

    /// Rows above the screen.
    pub(crate) fn history(&self) -> usize {
        self.live_history() + self.packed_rows()
    }

    /// Lines that were dropped because there were too many.
    pub(crate) fn dropped(&self) -> u64 {
        self.own.history.dropped()
    }

    pub(crate) fn display_offset(&self) -> usize {
        self.display_offset
    }

    pub(crate) fn first_line(&self) -> i32 {
        -signed(self.history())
    }

    /// The oldest line that is not packed away.
    pub(crate) fn first_live_line(&self) -> i32 {
        self.term.topmost_line().0
    }

    pub(crate) fn last_line(&self) -> i32 {
        self.term.bottommost_line().0
    }

    /// The line that is shown in `row` of the screen.
    pub(crate) fn line_at(&self, row: usize) -> i32 {
        signed(row) - signed(self.display_offset)
    }

    /// Scrolls so that `line` is in view: near the middle, if it was not.
    pub(crate) fn show_line(&mut self, line: i32) {
        let rows = signed(self.term.screen_lines());
        let top = self.line_at(0);
        if line < top || line >= top + rows {
            let offset = usize::try_from(rows / 2 - line).unwrap_or(0);
            self.display_offset = offset.min(self.history());
        }
    }

    /// Scrolls so many lines up, as far as there are lines above.
    pub(crate) fn scroll_up(&mut self, lines: usize) {
        self.display_offset = (self.display_offset + lines).min(self.history());
    }

    /// Scrolls so that `line` is at the top, as far as there are lines below it.
    pub(crate) fn show_at_top(&mut self, line: i32) {
        self.display_offset = usize::try_from(-line).unwrap_or(0).min(self.history());
    }

    /// Copies a line into `cells`, reusing them. Returns whether any of them changed.
    pub(crate) fn copy_line(&self, line: i32, cells: &mut Vec<Cell>) -> bool {
        let row = match self.place(line) {
            Place::Live(line) => self.live(line),
            Place::Packed(row) => return self.copy_packed(row, cells),
        };
        let colors = self.term.colors();
        let mut changed = cells.len() != row.len();
        cells.resize_with(row.len(), Cell::default);
        for (column, ours) in cells.iter_mut().enumerate() {
            let mut cell = convert::cell(row, column, colors);
            as_drawn(&mut cell);
            if cell != *ours {
                *ours = cell;
                changed = true;
            }
        }
        changed
    }

    /// Whether the text of `line` goes on in the next one.
    pub(crate) fn is_wrapped(&self, line: i32) -> bool {
        match self.place(line) {
            Place::Live(line) => packing::is_wrapped(self.live(line)),
            Place::Packed(row) => self.own.history.is_wrapped(row),
        }
    }

    /// The nearest prompt above (`upwards`) or below `line`.
    pub(crate) fn prompt_from(&self, line: i32, upwards: bool) -> Option<i32> {
        let first_live = self.first_live_line();
        let packed = self.packed_rows();
        let packed_row = usize::try_from(line - self.first_line()).unwrap_or(0);
        let as_line = |row| signed(row) + self.first_line();
        let is_prompt =
            |line: &i32| self.live(*line).iter().any(|cell| cell.flags.contains(PROMPT));
        if upwards {
            let live = (first_live..line).rev().find(is_prompt);
            let row = packed_row.min(packed);
            live.or_else(|| self.packed_prompt(row, true).map(as_line))
        } else {
            let live = || (first_live.max(line + 1)..=self.last_line()).find(is_prompt);
            self.packed_prompt(packed_row + 1, false).map(as_line).or_else(live)
        }
    }

    fn packed_prompt(&self, row: usize, before: bool) -> Option<usize> {
        if self.is_alternate() { None } else { self.own.history.prompt(row, before) }
    }

    /// Copies the numbers of the links in a line's cells into `links`; 0 for none.
    pub(crate) fn copy_links(&self, line: i32, links: &mut Vec<u32>) {
        match self.place(line) {
            Place::Packed(row) => self.own.history.copy_links(row, links),
            Place::Live(line) => {
                links.clear();
                links.extend(self.live(line).iter().map(convert::link));
            }
        }
    }

    /// Where a link leads, while that is remembered.
    pub(crate) fn link_target(&self, number: u32) -> Option<&str> {
        self.own.links.target(number)
    }

    /// All text, oldest first, and the number of its first line. The last block is a copy of what the
    /// emulator holds; the others can be read without it.
    pub(crate) fn blocks(&self) -> (u64, Vec<Arc<Block>>) {
        let live = Arc::new(packing::copy(&self.term));
        if self.is_alternate() {
            return (self.own.history.next_line(), vec![live]);
        }
        let (first, mut blocks) = self.own.history.blocks();
        blocks.push(live);
        (first, blocks)
    }

    /// For each row of the view, the number of its line and the columns of it that come before.
    pub(crate) fn lines_in_view(&self) -> Vec<(u64, usize)> {
        let rows = self.term.screen_lines();
        let mut lines = vec![(0, 0); rows];
        let packed = self.packed_rows();
        let top = usize::try_from(self.line_at(0) - self.first_line()).unwrap_or(0);
        for (index, slot) in lines.iter_mut().enumerate() {
            if top + index < packed {
                *slot = self.own.history.line_of(top + index).unwrap_or_default();
            }
        }
        let first_live = self.own.history.next_line();
        packing::lines_of_rows(&self.term, |row, line, before| {
            let in_view = (packed + row).checked_sub(top).and_then(|index| lines.get_mut(index));
            if let Some(slot) = in_view {
                *slot = (first_live + line as u64, before);
            }
        });
        lines
    }

    /// Where a column of a numbered line is.
    pub(crate) fn locate(&self, line: u64, column: usize) -> Option<i32> {
        let first_live = self.own.history.next_line();
        if line < first_live {
            let (row, _) = self.own.history.locate(line, column)?;
            return (!self.is_alternate()).then(|| signed(row) + self.first_line());
        }
        let wanted = usize::try_from(line - first_live).ok()?;
        let mut found = None;
        packing::lines_of_rows(&self.term, |row, line, before| {
            if line == wanted && before <= column {
                found = Some(signed(row) - signed(self.live_history()));
            }
        });
        found
    }

    /// History rows that the emulator still has. The alternate screen has none.
    pub(super) fn live_history(&self) -> usize {
        self.term.history_size()
    }

    pub(super) fn live(&self, line: i32) -> &[GridCell] {
        &self.term.grid()[Line(line)][..]
    }

    fn packed_rows(&self) -> usize {
        if self.is_alternate() { 0 } else { self.own.history.rows() }
    }

    fn place(&self, line: i32) -> Place {
        let above = usize::try_from(-line).unwrap_or(0);
        match above.checked_sub(self.live_history()) {
            None | Some(0) => Place::Live(line),
            Some(above) => Place::Packed(self.packed_rows().saturating_sub(above)),
        }
    }

    fn copy_packed(&self, row: usize, cells: &mut Vec<Cell>) -> bool {
        let mut fresh = Vec::with_capacity(self.columns());
        self.own.history.copy_row(row, &mut fresh);
        fresh.iter_mut().for_each(as_drawn);
        let changed = *cells != fresh;
        *cells = fresh;
        changed
    }
}

/// Leaves out what matters only to those who read text: tabs are kept as characters, and the cell
/// that a wide character left blank is told from others.
fn as_drawn(cell: &mut Cell) {
    if cell.glyph == '\t' {
        cell.glyph = ' ';
    }
    cell.attributes.remove(Attributes::LEADING_SPACER);
}

/// Reads cells one row at a time; the row read last is kept.
pub(crate) struct RowReader<'a> {
    pub(crate) grid: &'a Emulator,
    line: Option<i32>,
    cells: Vec<Cell>,
}

impl<'a> RowReader<'a> {
    pub(crate) fn new(grid: &'a Emulator) -> Self {
        Self { grid, line: None, cells: Vec::new() }
    }

    /// The cells of a line, tabs being characters of their own.
    pub(crate) fn row(&mut self, line: i32) -> &[Cell] {
        if self.line != Some(line) {
            self.line = Some(line);
            self.cells.clear();
            match self.grid.place(line) {
                Place::Packed(row) => {
                    self.grid.own.history.copy_row(row, &mut self.cells);
                }
                Place::Live(line) => {
                    let colors = self.grid.term.colors();
                    let row = self.grid.live(line);
                    let columns = 0..row.len();
                    self.cells.extend(columns.map(|column| convert::cell(row, column, colors)));
                }
            }
        }
        &self.cells
    }

    pub(crate) fn cell(&mut self, line: i32, column: usize) -> &Cell {
        let last = self.grid.term.last_column();
        &self.row(line)[column.min(last.0)]
    }

    /// Adds the text of some columns. Blanks that end a line are left out, tabs are kept.
    pub(crate) fn push_text(&mut self, line: i32, columns: Range<usize>, text: &mut String) {
        let is_wrapped = self.grid.is_wrapped(line);
        let cells = self.row(line);
        let used = if is_wrapped {
            cells.len()
        } else {
            cells.iter().rposition(|cell| !is_blank_text(cell)).map_or(0, |last| last + 1)
        };
        let mut fills_tab = false;
        let end = columns.end.min(used);
        for (column, cell) in cells.iter().enumerate().take(end).skip(columns.start) {
            let is_fill = fills_tab && cell.glyph == ' ' && column % 8 != 0;
            if cell.attributes.intersects(Attributes::SPACERS) || is_fill {
                continue;
            }
            fills_tab = cell.glyph == '\t';
            text.push(cell.glyph);
            text.push_str(cell.marks.as_deref().unwrap_or_default());
        }
    }
}

fn is_blank_text(cell: &Cell) -> bool {
    matches!(cell.glyph, ' ' | '\t') && cell.marks.is_none()
}
