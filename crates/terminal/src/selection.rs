//! What is selected on a screen, and the text of it.
//!
//! Text is read from the grid row by row, never by the emulator's own selection. The emulator only
//! tells which lines the selected ones have become when output has scrolled them.

use std::ops::Range;

use crate::Attributes;
use crate::emulator::{Emulator, RowReader};

/// How far a word is followed, in cells, so that a screen full of `x` costs no time.
const MAX_WORD: usize = 4096;

/// How far a line is followed, in rows.
const MAX_LINE_ROWS: i32 = 4096;

/// Characters that end a word. A colon is not among them: `src/main.rs:12` is one word.
const SEPARATORS: &str = "\t ,;│|`\"'()[]{}<>";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectionKind {
    Cell,
    Word,
    /// Whole lines as the program wrote them, however many rows they take.
    Line,
    /// A rectangle.
    Block,
}

/// The half of a cell that was pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection {
    kind: SelectionKind,
    anchor: Anchor,
    head: Anchor,
}

/// A place in the grid: line 0 is the top of the screen, history is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Anchor {
    pub(crate) line: i32,
    pub(crate) column: usize,
    /// 1 when the right half of the cell was pointed at.
    half: usize,
}

/// The cells a selection covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The first cell.
    start: (i32, usize),
    /// The last line, and the column after its last cell.
    end: (i32, usize),
    is_block: bool,
}

impl Anchor {
    pub(crate) fn new(line: i32, column: usize, side: Side) -> Self {
        Self { line, column, half: usize::from(side == Side::Right) }
    }

    /// The edge between cells that is meant, counted from the left.
    fn edge(self) -> usize {
        self.column + self.half
    }
}

impl Selection {
    pub(crate) fn new(kind: SelectionKind, at: Anchor) -> Self {
        Self { kind, anchor: at, head: at }
    }

    pub(crate) fn extend(&mut self, to: Anchor) {
        self.head = to;
    }

    /// The first and the last line.
    pub(crate) fn lines(&self) -> (i32, i32) {
        let (upper, lower) = self.ordered();
        (upper.line, lower.line)
    }

    /// The same, so many lines further down.
    pub(crate) fn moved(mut self, lines: i32) -> Self {
        self.anchor.line += lines;
        self.head.line += lines;
        self
    }

    /// The same without what is above `first_line`; `None` if that is all of it.
    pub(crate) fn below(self, first_line: i32) -> Option<Self> {
        let (mut upper, lower) = self.ordered();
        if lower.line < first_line {
            return None;
        }
        if upper.line < first_line {
            upper.line = first_line;
            if self.kind != SelectionKind::Block {
                (upper.column, upper.half) = (0, 0);
            }
        }
        let is_forward = self.anchor <= self.head;
        let (anchor, head) = if is_forward { (upper, lower) } else { (lower, upper) };
        Some(Self { kind: self.kind, anchor, head })
    }

    /// The cells it covers now; `None` when there are none.
    pub(crate) fn span(&self, grid: &Emulator) -> Option<Span> {
        let (upper, lower) = self.ordered();
        let columns = grid.columns();
        let (start, end) = match self.kind {
            SelectionKind::Cell => ((upper.line, upper.edge()), (lower.line, lower.edge())),
            SelectionKind::Word => (word_start(grid, upper), word_end(grid, lower)),
            SelectionKind::Line => {
                ((first_row(grid, upper.line), 0), (last_row(grid, lower.line), columns))
            }
            SelectionKind::Block => {
                let (a, b) = (upper.edge(), lower.edge());
                ((upper.line, a.min(b)), (lower.line, a.max(b)))
            }
        };
        let span = Span { start, end, is_block: self.kind == SelectionKind::Block };
        let is_empty = if span.is_block { start.1 == end.1 } else { start == end };
        (!is_empty).then_some(span)
    }

    fn ordered(&self) -> (Anchor, Anchor) {
        (self.anchor.min(self.head), self.anchor.max(self.head))
    }
}

impl Span {
    /// The columns covered in `line`, widened so that no wide character is cut.
    pub(crate) fn columns(&self, reader: &mut RowReader<'_>, line: i32) -> Option<Range<usize>> {
        if line < self.start.0 || line > self.end.0 {
            return None;
        }
        let columns = reader.grid.columns();
        let mut start = if self.is_block || line == self.start.0 { self.start.1 } else { 0 };
        let mut end = if self.is_block || line == self.end.0 { self.end.1 } else { columns };
        end = end.min(columns);
        if start >= end {
            return None;
        }
        let is_right_half = |reader: &mut RowReader<'_>, column| {
            reader.cell(line, column).attributes.contains(Attributes::WIDE_SPACER)
        };
        if start > 0 && is_right_half(reader, start) {
            start -= 1;
        }
        if end < columns && is_right_half(reader, end) {
            end += 1;
        }
        Some(start..end)
    }

    /// What is selected: rows that were wrapped are joined, blanks at the end of a line left out.
    pub(crate) fn text(&self, grid: &Emulator) -> String {
        let mut text = String::new();
        let mut reader = RowReader::new(grid);
        for line in self.start.0..=self.end.0 {
            if let Some(columns) = self.columns(&mut reader, line) {
                reader.push_text(line, columns, &mut text);
            }
            let joins_next = grid.is_wrapped(line) && !self.is_block;
            if line != self.end.0 && !joins_next {
                text.push('\n');
            }
        }
        text
    }
}

fn first_row(grid: &Emulator, line: i32) -> i32 {
    let first = grid.first_line().max(line - MAX_LINE_ROWS);
    (first..line).rev().take_while(|above| grid.is_wrapped(*above)).last().unwrap_or(line)
}

fn last_row(grid: &Emulator, line: i32) -> i32 {
    let last = grid.last_line().min(line + MAX_LINE_ROWS);
    (line..last).take_while(|row| grid.is_wrapped(*row)).last().map_or(line, |row| row + 1)
}

fn word_start(grid: &Emulator, at: Anchor) -> (i32, usize) {
    let mut reader = RowReader::new(grid);
    let mut start = (at.line, at.column);
    for _ in 0..MAX_WORD {
        match before(grid, start) {
            Some(before) if same_word(&mut reader, before, start) => start = before,
            _ => break,
        }
    }
    start
}

fn word_end(grid: &Emulator, at: Anchor) -> (i32, usize) {
    let mut reader = RowReader::new(grid);
    let mut end = (at.line, at.column);
    for _ in 0..MAX_WORD {
        match after(grid, end) {
            Some(after) if same_word(&mut reader, end, after) => end = after,
            _ => break,
        }
    }
    (end.0, end.1 + 1)
}

/// A run of separators is not a word: each stands alone, and so does a blank.
fn same_word(reader: &mut RowReader<'_>, a: (i32, usize), b: (i32, usize)) -> bool {
    let mut is_part = |(line, column)| {
        let cell = reader.cell(line, column);
        cell.attributes.intersects(Attributes::SPACERS) || !SEPARATORS.contains(cell.glyph)
    };
    is_part(a) && is_part(b)
}

fn before(grid: &Emulator, (line, column): (i32, usize)) -> Option<(i32, usize)> {
    if column > 0 {
        return Some((line, column - 1));
    }
    let above = line - 1;
    (above >= grid.first_line() && grid.is_wrapped(above)).then(|| (above, grid.columns() - 1))
}

fn after(grid: &Emulator, (line, column): (i32, usize)) -> Option<(i32, usize)> {
    if column + 1 < grid.columns() {
        return Some((line, column + 1));
    }
    (line < grid.last_line() && grid.is_wrapped(line)).then_some((line + 1, 0))
}
