//! From rows of the emulator to lines of the history.

use std::sync::Arc;

use alacritty_terminal::Term;
use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::convert::{self, HALVES, PROMPT, SPACERS};
use crate::Attributes;
use crate::history::{Block, History, LineWriter, MAX_LINE_CELLS};

/// A line is cut after so many rows, so that it can be moved before it has ended.
const MAX_LINE_ROWS: usize = 256;

/// Moves the emulator's oldest lines into `history`, until there are hardly more than `keep` rows
/// left. Returns how many rows were moved.
pub(super) fn drain<T>(term: &mut Term<T>, history: &mut History, keep: usize) -> usize {
    let rows = term.history_size();
    let wanted = rows.saturating_sub(keep);
    let mut moved = 0;
    while moved < wanted {
        let top = moved;
        let row = |index: usize| &term.grid()[line(top + index, rows)][..];
        let Some(len) = line_len(row, rows - top) else { break };
        history.push(|writer| write_line(writer, (0..len).map(row), term.colors()));
        moved += len;
    }
    if moved > 0 {
        term.grid_mut().update_history(rows - moved);
        term.grid_mut().update_history(super::EMULATOR_HISTORY);
    }
    moved
}

/// All rows the emulator holds now, as lines.
pub(super) fn copy<T>(term: &Term<T>) -> Block {
    let mut block = Block::default();
    let rows = term.total_lines();
    let mut top = 0;
    while top < rows {
        let row = |index: usize| &term.grid()[line(top + index, term.history_size())][..];
        let len = line_len(row, rows - top).unwrap_or(rows - top);
        let mut writer = block.write_line();
        let is_cut = write_line(&mut writer, (0..len).map(row), term.colors());
        writer.end(is_cut);
        top += len;
    }
    block
}

/// For each row the emulator holds, oldest first: which line of [`copy`] it belongs to, and the
/// columns of that line before it. Calls `visit` with the row's index.
pub(super) fn lines_of_rows<T>(term: &Term<T>, mut visit: impl FnMut(usize, usize, usize)) {
    let rows = term.total_lines();
    let (mut top, mut number) = (0, 0);
    while top < rows {
        let row = |index: usize| &term.grid()[line(top + index, term.history_size())][..];
        let len = line_len(row, rows - top).unwrap_or(rows - top);
        let mut before = 0;
        for index in 0..len {
            visit(top + index, number, before);
            let cells = row(index);
            let has_spacer =
                cells.last().is_some_and(|c| c.flags.contains(Flags::LEADING_WIDE_CHAR_SPACER));
            before += cells.len() - usize::from(has_spacer);
        }
        number += 1;
        top += len;
    }
}

pub(super) fn is_wrapped(cells: &[GridCell]) -> bool {
    cells.last().is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE))
}

/// Rows up to the end of a line, or to where it has to be cut; `None` if neither is among the `rows`
/// there are.
fn line_len<'a>(row: impl Fn(usize) -> &'a [GridCell], rows: usize) -> Option<usize> {
    let columns = row(0).len();
    let most = (MAX_LINE_CELLS / columns).clamp(1, MAX_LINE_ROWS);
    let end = (0..rows.min(most)).find(|index| !is_wrapped(row(*index)));
    end.map(|last| last + 1).or((rows >= most).then_some(most))
}

/// The emulator's number of a history row that is counted from the oldest of `rows`.
fn line(row: usize, rows: usize) -> Line {
    Line(i32::try_from(row).unwrap_or(i32::MAX) - i32::try_from(rows).unwrap_or(i32::MAX))
}

/// Writes the rows of one line. Returns whether it goes on after them.
fn write_line<'a>(
    writer: &mut LineWriter<'_>,
    rows: impl Iterator<Item = &'a [GridCell]>,
    colors: &Colors,
) -> bool {
    let mut goes_on = false;
    let mut before: Option<&GridCell> = None;
    for row in rows {
        goes_on = is_wrapped(row);
        let used = if goes_on { row.len() } else { used(row) };
        let mut at = 0;
        while at < used {
            let first = &row[at];
            if first.flags.intersects(HALVES) && convert::is_torn(row, at) {
                let mut style = convert::style(first, colors, 0);
                style.attributes.remove(Attributes::WIDE | Attributes::WIDE_SPACER);
                writer.style(&style);
                writer.push(std::iter::once(' '));
                (before, at) = (None, at + 1);
                continue;
            }
            let others = if first.flags.intersects(HALVES) {
                Some(0)
            } else {
                row[at + 1..used].iter().position(|cell| !look_alike(first, cell))
            };
            let run = &row[at..others.map_or(used, |others| at + 1 + others)];
            at += run.len();
            if first.flags.intersects(SPACERS) {
                continue;
            }
            if run.iter().any(|cell| cell.flags.contains(PROMPT)) {
                writer.mark_prompt();
            }
            let marked = first.extra.is_some() && convert::marks(first).next().is_some();
            if marked || !before.is_some_and(|before| look_alike(before, first)) {
                writer.style(&convert::style(first, colors, convert::link(first)));
            }
            before = (!marked).then_some(first);
            if marked {
                writer.push_marked(first.c, convert::marks(first));
            } else {
                writer.push(run.iter().map(|cell| cell.c));
            }
        }
    }
    goes_on
}

/// Cells of a row without the blank ones at its end.
fn used(row: &[GridCell]) -> usize {
    row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1)
}

fn is_blank(cell: &GridCell) -> bool {
    cell.c == ' '
        && cell.bg == Color::Named(NamedColor::Background)
        && cell.extra.is_none()
        && cell.flags.difference(PROMPT.union(Flags::BOLD).union(Flags::DIM)).is_empty()
}

fn look_alike(a: &GridCell, b: &GridCell) -> bool {
    const IGNORED: Flags = PROMPT.union(Flags::WRAPLINE);
    let same_extra = match (&a.extra, &b.extra) {
        (None, None) => true,
        (Some(extra), Some(other)) => Arc::ptr_eq(extra, other),
        _ => false,
    };
    same_extra
        && a.zerowidth().is_none()
        && a.flags.difference(IGNORED) == b.flags.difference(IGNORED)
        && a.fg == b.fg
        && a.bg == b.bg
}
