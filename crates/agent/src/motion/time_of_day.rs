//! Digits that tell the time of day, which goes on whatever a program does.
//!
//! `12:03:07` may be a clock or the time that something takes. What takes time has begun while we
//! looked; a clock shows more than that.

use std::time::{Duration, Instant};

use terminal::CellValue;

const DAY: i64 = 24 * 60 * 60;
/// What begins at nought when a program is started may have begun a little before we look.
const MARGIN: i64 = 60;
/// A clock may be looked at a little late, and be drawn a little late.
const JITTER: i64 = 2;

#[derive(Debug, Default)]
pub(super) struct TimeOfDay {
    began: Option<Instant>,
    /// By how much the clock that was seen is ahead of the time since then.
    ahead: Option<i64>,
}

impl TimeOfDay {
    /// Whether the cell is a part of a clock in that row.
    pub(super) fn is_told_at(&mut self, row: &[CellValue], column: usize, now: Instant) -> bool {
        let Some(shown) = time_around(row, column) else { return false };
        let age = now.saturating_duration_since(*self.began.get_or_insert(now));
        let ahead = (shown - seconds(age)).rem_euclid(DAY);
        let is_known = self.ahead.is_some_and(|known| {
            let apart = (ahead - known).rem_euclid(DAY);
            apart.min(DAY - apart) <= JITTER
        });
        let is_clock = is_known || shown > seconds(age) + MARGIN;
        if is_clock {
            self.ahead = Some(ahead);
        }
        is_clock
    }
}

fn seconds(span: Duration) -> i64 {
    i64::try_from(span.as_secs()).unwrap_or(i64::MAX)
}

/// The hours, minutes and seconds that stand there, in seconds.
fn time_around(row: &[CellValue], column: usize) -> Option<i64> {
    let is_part = |cell: &CellValue| cell.glyph.is_ascii_digit() || cell.glyph == ':';
    row.get(column).filter(|cell| is_part(cell))?;
    let before = row.get(..column)?.iter().rev().take_while(|cell| is_part(cell)).count();
    let after = row.get(column..)?.iter().take_while(|cell| is_part(cell)).count();
    let text: String = row[column - before..column + after].iter().map(|cell| cell.glyph).collect();
    let fields: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = fields[..] else { return None };
    let field = |text: &str, below: i64| {
        let is_short = text.len() == 2 || (text.len() == 1 && below == 24);
        text.parse::<i64>().ok().filter(|number| is_short && *number < below)
    };
    Some((field(hours, 24)? * 60 + field(minutes, 60)?) * 60 + field(seconds, 60)?)
}
