//! Lines that have left the screen, packed: a tenth of what they took there.
//!
//! Lines are kept as the program wrote them and cut into rows when they are looked at, so that a
//! terminal of any length is resized in no time. The oldest go first, when there are too many or when
//! they take too much memory. Whoever searches gets the blocks themselves and needs no lock.

mod block;
mod budget;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

pub(crate) use block::{Block, Cluster, LineWriter, MAX_LINE_CELLS, Style, Wrap};
pub use budget::ScrollbackBudget;

use crate::{Attributes, Cell};

/// A block is closed when it has so many lines, or fewer where few are kept, or so much text.
const BLOCK_LINES: usize = 512;
const BLOCK_TEXT: usize = 256 * 1024;

#[derive(Debug, Clone)]
pub(crate) struct HistoryLimits {
    pub(crate) lines: usize,
    pub(crate) bytes: usize,
    /// Shared by all terminals.
    pub(crate) budget: ScrollbackBudget,
}

#[derive(Debug)]
pub(crate) struct History {
    closed: VecDeque<Closed>,
    open: Block,
    open_ends: RowEnds,
    columns: usize,
    closed_rows: usize,
    closed_lines: usize,
    closed_bytes: usize,
    /// The number of the oldest line kept.
    first_line: u64,
    /// Lines that were dropped because of a limit.
    dropped: u64,
    block_lines: usize,
    limits: HistoryLimits,
}

/// A block that is not added to any more.
#[derive(Debug)]
struct Closed {
    block: Arc<Block>,
    ends: RowEnds,
}

/// For each line of a block, how many rows it and those before it take.
#[derive(Debug, Default)]
struct RowEnds(Vec<u32>);

impl RowEnds {
    fn of(block: &Block, columns: usize) -> Self {
        let mut ends = Self::default();
        (0..block.lines()).for_each(|line| ends.push(block.rows(line, columns)));
        ends
    }

    fn push(&mut self, rows: usize) {
        let end = self.rows() + rows;
        self.0.push(u32::try_from(end).unwrap_or(u32::MAX));
    }

    fn rows(&self) -> usize {
        self.0.last().map_or(0, |end| *end as usize)
    }

    /// The rows of a line.
    fn of_line(&self, line: usize) -> Range<usize> {
        let end = |line: usize| self.0.get(line).map_or(0, |end| *end as usize);
        let start = line.checked_sub(1).map_or(0, end);
        start..end(line).max(start)
    }

    /// The line that a row belongs to.
    fn line_of(&self, row: usize) -> usize {
        self.0.partition_point(|end| *end as usize <= row)
    }
}

/// A place among the kept lines.
#[derive(Debug, Clone, Copy)]
struct Found<'a> {
    block: &'a Block,
    line: usize,
    /// Which of the line's rows.
    row: usize,
    is_last_row: bool,
}

impl History {
    pub(crate) fn new(columns: usize, limits: HistoryLimits) -> Self {
        Self {
            closed: VecDeque::new(),
            open: Block::default(),
            open_ends: RowEnds::default(),
            columns,
            closed_rows: 0,
            closed_lines: 0,
            closed_bytes: 0,
            first_line: 0,
            dropped: 0,
            block_lines: block_lines(&limits),
            limits,
        }
    }

    /// Fewer lines: the oldest of those that are too many go, and at the latest with the next ones all
    /// of them. More: they are kept from now on.
    pub(crate) fn set_lines(&mut self, lines: usize) {
        self.limits.lines = lines;
        self.block_lines = block_lines(&self.limits);
        let enough = |oldest: &Closed, kept: usize| kept - oldest.block.lines() >= lines;
        while self.closed.front().is_some_and(|oldest| enough(oldest, self.lines())) {
            self.drop_oldest();
        }
    }

    /// Rows at the present width.
    pub(crate) fn rows(&self) -> usize {
        self.closed_rows + self.open_ends.rows()
    }

    /// Lines that are kept.
    pub(crate) fn lines(&self) -> usize {
        self.closed_lines + self.open.lines()
    }

    /// The number of the oldest line kept.
    pub(crate) fn first_line(&self) -> u64 {
        self.first_line
    }

    /// The number that the next line will have.
    pub(crate) fn next_line(&self) -> u64 {
        self.first_line + self.lines() as u64
    }

    /// How many lines were dropped because of a limit.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn bytes(&self) -> usize {
        self.closed_bytes + self.open.bytes()
    }

    pub(crate) fn set_columns(&mut self, columns: usize) {
        if columns == self.columns {
            return;
        }
        self.columns = columns;
        for closed in &mut self.closed {
            closed.ends = RowEnds::of(&closed.block, columns);
        }
        self.closed_rows = self.closed.iter().map(|closed| closed.ends.rows()).sum();
        self.open_ends = RowEnds::of(&self.open, columns);
    }

    /// Adds a line: `write` fills it in and says whether it was cut.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut LineWriter<'_>) -> bool) {
        let mut line = self.open.write_line();
        let is_cut = write(&mut line);
        line.end(is_cut);
        self.open_ends.push(self.open.rows(self.open.lines() - 1, self.columns));
        if self.open.lines() >= self.block_lines || self.open.text().len() >= BLOCK_TEXT {
            self.close_block();
        }
    }

    pub(crate) fn clear(&mut self) {
        let first_line = self.next_line();
        *self = Self::new(self.columns, self.limits.clone());
        self.first_line = first_line;
    }

    /// Copies a row into `cells`. Row 0 is the oldest.
    ///
    /// Returns whether its text goes on in the next row. Tabs are kept as characters.
    pub(crate) fn copy_row(&self, row: usize, cells: &mut Vec<Cell>) -> bool {
        cells.clear();
        let Some(found) = self.find(row) else {
            cells.resize_with(self.columns, Cell::default);
            return false;
        };
        let mut place = Wrap::new(self.columns);
        for cluster in found.block.clusters(found.line) {
            let (row, _) = place.put(cluster.columns());
            if row > found.row {
                break;
            }
            if row == found.row {
                push_cluster(&cluster, cells);
            }
        }
        cells.resize_with(self.columns, Cell::default);
        found.goes_on()
    }

    pub(crate) fn is_wrapped(&self, row: usize) -> bool {
        self.find(row).is_some_and(|found| found.goes_on())
    }

    /// The number of the line that a row belongs to, and the columns of it that come before the row.
    pub(crate) fn line_of(&self, row: usize) -> Option<(u64, usize)> {
        let found = self.find(row)?;
        let mut before = 0;
        let mut place = Wrap::new(self.columns);
        for cluster in found.block.clusters(found.line) {
            if place.put(cluster.columns()).0 >= found.row {
                break;
            }
            before += cluster.columns();
        }
        Some((self.number_of(&found), before))
    }

    /// The row and column at which a column of a line is shown.
    pub(crate) fn locate(&self, line: u64, column: usize) -> Option<(usize, usize)> {
        let (block, index, rows_before) = self.line(line)?;
        let mut place = Wrap::new(self.columns);
        let mut before = 0;
        for cluster in block.clusters(index) {
            let (row, at) = place.put(cluster.columns());
            if before + cluster.columns() > column {
                return Some((rows_before + row, at + (column - before)));
            }
            before += cluster.columns();
        }
        Some((rows_before + place.row, place.column.min(self.columns - 1)))
    }

    /// The last row before `row`, or the first from it on, in which a prompt begins.
    pub(crate) fn prompt(&self, row: usize, before: bool) -> Option<usize> {
        if before {
            self.prompts().rev().find(|prompt| *prompt < row)
        } else {
            self.prompts().find(|prompt| *prompt >= row)
        }
    }

    fn prompts(&self) -> impl DoubleEndedIterator<Item = usize> {
        let mut starts = Vec::with_capacity(self.closed.len() + 1);
        let mut start = 0;
        for (_, ends) in self.each_block() {
            starts.push(start);
            start += ends.rows();
        }
        starts.into_iter().zip(self.each_block().collect::<Vec<_>>()).flat_map(
            |(start, (block, ends))| {
                let lines = (0..block.lines()).filter(|line| block.is_prompt(*line));
                lines.map(move |line| start + ends.of_line(line).start)
            },
        )
    }

    /// Copies the numbers of the links of a row's cells into `links`; 0 for none.
    pub(crate) fn copy_links(&self, row: usize, links: &mut Vec<u32>) {
        links.clear();
        if let Some(found) = self.find(row) {
            let mut place = Wrap::new(self.columns);
            for cluster in found.block.clusters(found.line) {
                let (row, _) = place.put(cluster.columns());
                if row > found.row {
                    break;
                }
                if row == found.row {
                    links.extend(std::iter::repeat_n(cluster.style.link, cluster.columns()));
                }
            }
        }
        links.resize(self.columns, 0);
    }

    /// All that is kept, oldest first, to be read without a lock, and the number of the first line.
    /// The last block is a copy.
    pub(crate) fn blocks(&self) -> (u64, Vec<Arc<Block>>) {
        let mut blocks: Vec<_> =
            self.closed.iter().map(|closed| Arc::clone(&closed.block)).collect();
        if self.open.lines() > 0 {
            blocks.push(Arc::new(self.open.clone()));
        }
        (self.first_line(), blocks)
    }

    fn close_block(&mut self) {
        let mut block = std::mem::take(&mut self.open);
        block.shrink();
        self.limits.budget.claim(block.bytes());
        self.closed_bytes += block.bytes();
        self.closed_lines += block.lines();
        self.closed_rows += self.open_ends.rows();
        let ends = std::mem::take(&mut self.open_ends);
        self.closed.push_back(Closed { block: Arc::new(block), ends });
        while self.is_over_limit() && self.drop_oldest() {}
    }

    fn is_over_limit(&self) -> bool {
        self.closed_lines > self.limits.lines
            || self.closed_bytes > self.limits.bytes
            || self.limits.budget.is_exceeded()
    }

    fn drop_oldest(&mut self) -> bool {
        let Some(oldest) = self.closed.pop_front() else { return false };
        let bytes = oldest.block.bytes();
        self.closed_bytes -= bytes;
        self.closed_lines -= oldest.block.lines();
        self.closed_rows -= oldest.ends.rows();
        self.first_line += oldest.block.lines() as u64;
        self.dropped += oldest.block.lines() as u64;
        self.limits.budget.release(bytes);
        true
    }

    /// All blocks with their rows, oldest first.
    fn each_block(&self) -> impl DoubleEndedIterator<Item = (&Block, &RowEnds)> {
        let closed = self.closed.iter().map(|closed| (&*closed.block, &closed.ends));
        closed.chain([(&self.open, &self.open_ends)])
    }

    fn find(&self, mut row: usize) -> Option<Found<'_>> {
        for (block, ends) in self.each_block() {
            if row < ends.rows() {
                let line = ends.line_of(row);
                let rows = ends.of_line(line);
                let is_last_row = row + 1 == rows.end;
                return Some(Found { block, line, row: row - rows.start, is_last_row });
            }
            row -= ends.rows();
        }
        None
    }

    /// The block and index of a line, and the rows before it.
    fn line(&self, number: u64) -> Option<(&Block, usize, usize)> {
        let mut index = usize::try_from(number.checked_sub(self.first_line())?).ok()?;
        let mut rows = 0;
        for (block, ends) in self.each_block() {
            if index < block.lines() {
                return Some((block, index, rows + ends.of_line(index).start));
            }
            index -= block.lines();
            rows += ends.rows();
        }
        None
    }

    fn number_of(&self, found: &Found<'_>) -> u64 {
        let mut number = self.first_line() + found.line as u64;
        for closed in &self.closed {
            if std::ptr::eq(&raw const *closed.block, found.block) {
                break;
            }
            number += closed.block.lines() as u64;
        }
        number
    }
}

fn block_lines(limits: &HistoryLimits) -> usize {
    (limits.lines / 8).clamp(1, BLOCK_LINES)
}

impl Drop for History {
    fn drop(&mut self) {
        self.limits.budget.release(self.closed_bytes);
    }
}

impl Found<'_> {
    fn goes_on(&self) -> bool {
        !self.is_last_row || self.block.is_cut(self.line)
    }
}

/// Adds the one or two cells of a cluster.
fn push_cluster(cluster: &Cluster<'_>, cells: &mut Vec<Cell>) {
    cells.push(cluster.cell());
    if cluster.columns() == 2 {
        let mut spacer = Cell { marks: None, glyph: ' ', ..cluster.cell() };
        spacer.attributes.remove(Attributes::WIDE);
        spacer.attributes.insert(Attributes::WIDE_SPACER);
        cells.push(spacer);
    }
}

#[cfg(test)]
mod tests;
