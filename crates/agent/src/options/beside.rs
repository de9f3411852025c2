//! Options side by side in one row, the selected one on a background of its own.

use std::ops::Range;

use terminal::{CellValue, ScreenLook};

use super::{List, MAX_OPTIONS, Options, is_explained};
use crate::question::is_frame;

/// Blanks between two options; with fewer they are words of one.
const LEAST_GAP: usize = 2;

/// The lowest such menu in these rows.
pub(super) fn find(screen: &ScreenLook, rows: &[String], window: Range<usize>) -> Option<Options> {
    let mut menus = window.filter_map(|row| {
        let (labels, selected) = menu(screen.cells(row))?;
        let list = List::Beside(labels);
        Some(Options { list, selected: Some(selected), rows: row..row + 1 })
    });
    menus.next_back().filter(|menu| is_explained(rows, menu.rows.start))
}

/// The labels of a row's options, and which of them is selected.
fn menu(cells: &[CellValue]) -> Option<(Vec<String>, usize)> {
    let parts: Vec<Range<usize>> = parts(cells);
    // What is around the options those have that are not selected.
    let left = parts.first()?.start.checked_sub(LEAST_GAP);
    let around = cells.get(left.unwrap_or(parts.last()?.end + 1))?.ground();
    let mut options: Vec<Range<usize>> = Vec::new();
    let (mut selected, mut gap, mut style) = (None, None, None);
    for part in parts.into_iter().take(MAX_OPTIONS) {
        let value = cells[part.start];
        let is_even = cells[part.clone()].iter().all(|it| it.is_blank() || it.style == value.style);
        let is_one_ground = cells[part.clone()].iter().all(|it| it.ground() == value.ground());
        let distance = options.last().map(|last| part.start - last.end);
        // The keys that are named behind the options stand elsewhere, or look otherwise.
        let is_apart = gap.is_some() && distance != gap;
        if !is_even || !is_one_ground || is_apart || names_key(&text(&cells[part.clone()])) {
            break;
        }
        if value.ground() != around {
            // With two of them nobody knows which is meant.
            if selected.replace(options.len()).is_some() {
                return None;
            }
        } else if *style.get_or_insert(value.style) != value.style {
            break;
        }
        gap = distance;
        options.push(part);
    }
    let labels: Vec<String> = options.into_iter().map(|part| text(&cells[part])).collect();
    (labels.len() > 1).then_some((labels, selected?))
}

/// Wide characters are once there, though they have two cells.
fn text(cells: &[CellValue]) -> String {
    cells.iter().map(|cell| cell.glyph).filter(|c| *c != '\0').collect()
}

/// `esc cancel`: no option, but what a key does.
fn names_key(text: &str) -> bool {
    let first = text.split([' ', '+']).next().unwrap_or_default().to_lowercase();
    let keys = ["esc", "escape", "enter", "return", "tab", "space", "ctrl", "shift", "alt"];
    keys.contains(&first.as_str()) || first.starts_with(|c| matches!(c, '←'..='↕' | '⇄'..='⇆'))
}

/// What stands between wider gaps, without a frame at the left.
fn parts(cells: &[CellValue]) -> Vec<Range<usize>> {
    let is_text = |(_, cell): &(usize, &CellValue)| !is_frame(cell.glyph) && !is_gap(cell);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (at, _) in cells.iter().enumerate().filter(is_text) {
        match parts.last_mut() {
            Some(part) if at - part.end < LEAST_GAP => part.end = at + 1,
            _ => parts.push(at..at + 1),
        }
    }
    parts
}

/// The right half of a wide character belongs to it.
fn is_gap(cell: &CellValue) -> bool {
    cell.is_blank() && cell.glyph != '\0'
}
