//! Checksums of the screen (DECRQCRA), by which conformance tests read back what is shown.
//!
//! Only in builds with the feature `conformance`, never in a release: a program that can read the
//! screen can read what others have written there.

use crate::{Attributes, SnapshotRow};

/// The answer to `CSI Pid ; Pp ; Pt ; Pl ; Pb ; Pr * y`, given what stands between `CSI` and `*`.
///
/// The sum of the characters in the rectangle, blanks counted as spaces, as current versions of
/// xterm have it. Edges count from 1; those that are absent or too far out are the screen's.
pub fn checksum_reply(parameters: &str, rows: &[SnapshotRow]) -> String {
    let mut numbers = parameters.split(';').map(|number| number.parse::<u16>().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    let (id, _page) = (next(), next());
    let [top, left, bottom, right] = [(); 4].map(|()| usize::from(next()));
    let bottom = if bottom == 0 { rows.len() } else { bottom };
    let right = if right == 0 { usize::MAX } else { right };
    let height = (bottom + 1).saturating_sub(top.max(1));
    let width = right.saturating_sub(left.max(1)).saturating_add(1);
    let width = if right < left.max(1) { 0 } else { width };
    let shown = rows.iter().skip(top.saturating_sub(1)).take(height);
    let cells = shown.flat_map(|row| row.cells.iter().skip(left.saturating_sub(1)).take(width));
    let glyphs = cells.filter(|cell| !cell.attributes.contains(Attributes::WIDE_SPACER));
    let sum = glyphs.fold(0u32, |sum, cell| sum.wrapping_add(u32::from(cell.glyph)));
    format!("\x1bP{id}!~{:04X}\x1b\\", sum & 0xffff)
}

#[cfg(test)]
mod tests;
