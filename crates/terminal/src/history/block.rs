//! Lines packed one after the other: their text once, and what it looks like in runs.
//!
//! A line here is what the program wrote up to a line feed, however many rows that takes; how it is
//! cut into rows is decided by whoever reads it. A block is only ever added to at its end.

use std::ops::Range;

use crate::{Attributes, Cell, CellColor};

/// A longer line is cut, so that finding a row in it stays quick.
pub(crate) const MAX_LINE_CELLS: usize = 16 * 1024;

#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    /// Each line followed by a line feed.
    text: String,
    runs: Vec<Run>,
    extras: Vec<Extra>,
    lines: Vec<Line>,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    text_end: u32,
    run_end: u32,
    extra_end: u32,
    /// Columns it takes on a screen that is wide enough.
    columns: u32,
    has_wide: bool,
    is_prompt: bool,
    /// It was cut; the next line goes on with it.
    is_cut: bool,
}

/// Neighbouring cells that look the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    /// Cells, or for [`MARKED`] the characters of its one cell.
    len: u16,
    attributes: u16,
    foreground: u32,
    background: u32,
}

/// What few cells have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Extra {
    underline: u32,
    link: u32,
}

/// One cell with marks on it.
const MARKED: u16 = 1 << 14;
/// An [`Extra`] belongs to it.
const EXTRA: u16 = 1 << 15;

/// How a cell looks, as the writer of a block gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) attributes: Attributes,
    pub(crate) foreground: CellColor,
    pub(crate) background: CellColor,
    pub(crate) underline: Option<CellColor>,
    /// 0 for none.
    pub(crate) link: u32,
}

/// One character cell of a line, or a pair of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster<'a> {
    pub(crate) glyph: char,
    pub(crate) marks: &'a str,
    pub(crate) style: Style,
}

impl Cluster<'_> {
    pub(crate) fn columns(&self) -> usize {
        1 + usize::from(self.style.attributes.contains(Attributes::WIDE))
    }

    pub(crate) fn text_len(&self) -> usize {
        self.glyph.len_utf8() + self.marks.len()
    }

    pub(crate) fn cell(&self) -> Cell {
        Cell {
            glyph: self.glyph,
            marks: (!self.marks.is_empty()).then(|| self.marks.into()),
            foreground: self.style.foreground,
            background: self.style.background,
            underline_color: self.style.underline,
            attributes: self.style.attributes,
        }
    }
}

/// Adds one line to a block; it is there once [`LineWriter::end`] is called.
#[derive(Debug)]
pub(crate) struct LineWriter<'a> {
    block: &'a mut Block,
    columns: usize,
    has_wide: bool,
    is_prompt: bool,
}

impl LineWriter<'_> {
    pub(crate) fn mark_prompt(&mut self) {
        self.is_prompt = true;
    }

    /// Begins a run: cells pushed next look like this.
    pub(crate) fn style(&mut self, style: &Style) {
        let mut attributes = style.attributes.bits();
        if style.underline.is_some() || style.link != 0 {
            attributes |= EXTRA;
            let underline = style.underline.map_or(0, encode);
            self.block.extras.push(Extra { underline, link: style.link });
        }
        self.has_wide |= style.attributes.contains(Attributes::WIDE);
        self.block.runs.push(Run {
            len: 0,
            attributes,
            foreground: encode(style.foreground),
            background: encode(style.background),
        });
    }

    /// Adds cells that look as [`Self::style`] said last.
    pub(crate) fn push(&mut self, glyphs: impl ExactSizeIterator<Item = char>) {
        let count = glyphs.len();
        self.block.text.extend(glyphs);
        if let Some(run) = self.block.runs.last_mut() {
            // A row has at most a thousand cells, and a line some thousand.
            run.len = run.len.saturating_add(u16::try_from(count).unwrap_or(u16::MAX));
            let width = 1 + usize::from(run.attributes & Attributes::WIDE.bits() != 0);
            self.columns += count * width;
        }
    }

    /// Adds a cell with marks. It is a run by itself: [`Self::style`] comes before and after it.
    pub(crate) fn push_marked(&mut self, glyph: char, marks: impl Iterator<Item = char>) {
        self.push(std::iter::once(glyph));
        let mut count = 1;
        self.block.text.extend(marks.inspect(|_| count += 1));
        if let Some(run) = self.block.runs.last_mut() {
            run.len = count;
            run.attributes |= MARKED;
        }
    }

    pub(crate) fn end(self, is_cut: bool) {
        self.block.text.push('\n');
        self.block.lines.push(Line {
            text_end: narrow(self.block.text.len()),
            run_end: narrow(self.block.runs.len()),
            extra_end: narrow(self.block.extras.len()),
            columns: narrow(self.columns),
            has_wide: self.has_wide,
            is_prompt: self.is_prompt,
            is_cut,
        });
    }
}

impl Block {
    pub(crate) fn write_line(&mut self) -> LineWriter<'_> {
        LineWriter { block: self, columns: 0, has_wide: false, is_prompt: false }
    }

    pub(crate) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// All lines, each ended by a line feed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.text.capacity()
            + self.runs.capacity() * size_of::<Run>()
            + self.extras.capacity() * size_of::<Extra>()
            + self.lines.capacity() * size_of::<Line>()
    }

    /// Gives back memory that is kept for growing.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.runs.shrink_to_fit();
        self.extras.shrink_to_fit();
        self.lines.shrink_to_fit();
    }

    /// The line that holds this byte of the text.
    pub(crate) fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|line| line.text_end as usize <= byte)
    }

    /// The bytes of a line in the text, without its line feed.
    pub(crate) fn text_range(&self, line: usize) -> Range<usize> {
        let end = self.lines.get(line).map_or(0, |line| line.text_end as usize);
        self.before(line).map_or(0, |before| before.text_end as usize)..end.saturating_sub(1)
    }

    pub(crate) fn line_text(&self, line: usize) -> &str {
        self.text.get(self.text_range(line)).unwrap_or_default()
    }

    pub(crate) fn is_prompt(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(|line| line.is_prompt)
    }

    /// Whether the next line goes on with this one.
    pub(crate) fn is_cut(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(|line| line.is_cut)
    }

    /// Rows a line takes on a screen of so many columns.
    pub(crate) fn rows(&self, line: usize, columns: usize) -> usize {
        let Some(meta) = self.lines.get(line) else { return 0 };
        if !meta.has_wide {
            return (meta.columns as usize).div_ceil(columns).max(1);
        }
        // All lines are counted anew for each new width, so their text is not looked at.
        let mut place = Wrap::new(columns);
        for run in self.runs_of(line) {
            let count = if run.attributes & MARKED == 0 { run.len } else { 1 };
            let width = 1 + usize::from(run.attributes & Attributes::WIDE.bits() != 0);
            place.put_many(width, count.into());
        }
        place.row + 1
    }

    pub(crate) fn clusters(&self, line: usize) -> impl Iterator<Item = Cluster<'_>> {
        let extras = self.range_of(line, |line| line.extra_end);
        Clusters {
            text: self.line_text(line),
            runs: self.runs_of(line).iter(),
            extras: self.extras.get(extras).unwrap_or_default().iter(),
            run: None,
        }
    }

    fn runs_of(&self, line: usize) -> &[Run] {
        self.runs.get(self.range_of(line, |line| line.run_end)).unwrap_or_default()
    }

    fn range_of(&self, line: usize, end: impl Fn(&Line) -> u32) -> Range<usize> {
        let start = self.before(line).map_or(0, |line| end(line) as usize);
        let end = self.lines.get(line).map_or(0, |line| end(line) as usize);
        start.min(end)..end
    }

    fn before(&self, line: usize) -> Option<&Line> {
        self.lines.get(line.checked_sub(1)?)
    }
}

/// Where cells come to lie when a line is cut into rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrap {
    columns: usize,
    pub(crate) row: usize,
    /// Where the next cell goes, if it fits.
    pub(crate) column: usize,
}

impl Wrap {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns: columns.max(2), row: 0, column: 0 }
    }

    /// Puts a cell of that width and tells its row and column.
    pub(crate) fn put(&mut self, width: usize) -> (usize, usize) {
        if self.column + width > self.columns {
            self.row += 1;
            self.column = 0;
        }
        let at = (self.row, self.column);
        self.column += width;
        at
    }

    /// Puts as many cells of the same width.
    fn put_many(&mut self, width: usize, count: usize) {
        let Some(beyond) = count.checked_sub((self.columns - self.column) / width + 1) else {
            self.column += count * width;
            return;
        };
        let per_row = self.columns / width;
        self.row += 1 + beyond / per_row;
        self.column = (beyond % per_row + 1) * width;
    }
}

struct Clusters<'a> {
    text: &'a str,
    runs: std::slice::Iter<'a, Run>,
    extras: std::slice::Iter<'a, Extra>,
    /// What is left of the run being read.
    run: Option<(Run, Style)>,
}

impl<'a> Iterator for Clusters<'a> {
    type Item = Cluster<'a>;

    fn next(&mut self) -> Option<Cluster<'a>> {
        while self.run.is_none_or(|(run, _)| run.len == 0) {
            let run = *self.runs.next()?;
            let extra = if run.attributes & EXTRA == 0 { None } else { self.extras.next() };
            let extra = extra.copied().unwrap_or_default();
            let style = Style {
                attributes: Attributes::from_bits_truncate(run.attributes),
                foreground: decode(run.foreground).unwrap_or(CellColor::Default),
                background: decode(run.background).unwrap_or(CellColor::Default),
                underline: decode(extra.underline),
                link: extra.link,
            };
            self.run = Some((run, style));
        }
        let (run, style) = self.run.as_mut()?;
        let glyph = self.text.chars().next()?;
        let rest = &self.text[glyph.len_utf8()..];
        let marks = if run.attributes & MARKED == 0 {
            run.len -= 1;
            ""
        } else {
            let count = usize::from(run.len - 1);
            run.len = 0;
            rest.char_indices().nth(count).map_or(rest, |(end, _)| &rest[..end])
        };
        self.text = &rest[marks.len()..];
        Some(Cluster { glyph, marks, style: *style })
    }
}

/// 0 stands for no colour at all.
fn encode(color: CellColor) -> u32 {
    match color {
        CellColor::Default => 1 << 24,
        CellColor::Indexed(index) => 2 << 24 | u32::from(index),
        CellColor::Rgb(r, g, b) => 3 << 24 | u32::from_be_bytes([0, r, g, b]),
    }
}

fn decode(color: u32) -> Option<CellColor> {
    let [kind, r, g, b] = color.to_be_bytes();
    match kind {
        1 => Some(CellColor::Default),
        2 => Some(CellColor::Indexed(b)),
        3 => Some(CellColor::Rgb(r, g, b)),
        _ => None,
    }
}

/// A block is closed long before any of its lengths comes near this.
fn narrow(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cells_come_to_lie_where_each_would() {
        for columns in [2, 3, 7, 80] {
            let [mut at_once, mut each] = [Wrap::new(columns); 2];
            for (width, count) in
                [(1, 1), (2, 1), (1, 0), (1, 80), (2, 40), (1, 5), (2, 100), (1, 161)]
            {
                at_once.put_many(width, count);
                (0..count).for_each(|_| {
                    each.put(width);
                });
                let places = [at_once, each].map(|place| (place.row, place.column));
                assert_eq!(places[0], places[1], "{count} of width {width} in {columns} columns");
            }
        }
    }
}
