//! Where the parts of the find bar are, however narrow its pane is.
//!
//! All of them are inside the bar, the bar is inside the pane, and no two overlap. What there is no
//! room for is left out, the least needed first: the switches have keys, and so have the others.

use scene::Rect;
use terminal::TopRight;

use super::Surroundings;
use crate::layout::{Cell, PANE_PADDING_X, PANE_PADDING_Y, count};

const WIDTH: f32 = 460.0;
/// A bar narrower than this has a second row, so that field and count have room.
const ONE_ROW_WIDTH: f32 = 380.0;
const HEIGHT: f32 = 40.0;
/// Of the second row. It begins a little above the end of the first, whose parts do not fill it.
const SECOND_HEIGHT: f32 = 30.0;
const SECOND_OVERLAP: f32 = 4.0;
/// Of the line that says what is wrong with a pattern, where there is one.
pub(super) const REASON_HEIGHT: f32 = 26.0;
const REASON_OVERLAP: f32 = 6.0;
const MARGIN: f32 = 8.0;
/// How far a bar at the top reaches into its pane, at most.
pub(crate) const MAX_DEPTH: f32 = MARGIN + HEIGHT + SECOND_HEIGHT + REASON_HEIGHT;
/// From the right edge, so that the scroll bar stays free.
const RIGHT: f32 = 16.0;
pub(super) const PADDING: f32 = 12.0;
const BUTTON: f32 = 26.0;
const GAP: f32 = 4.0;
/// Between the last button and the end of the bar.
const END: f32 = 6.0;
/// What the field has wherever the pane has some twenty columns.
pub(super) const MIN_FIELD: f32 = 80.0;
/// What a count takes, unless there are very many matches.
const COUNT_WIDTH: f32 = 88.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Button {
    Case,
    Regex,
    /// To the next older match, which is further up.
    Next,
    Previous,
    Close,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts {
    pub(super) bar: Rect,
    pub(super) field: Rect,
    /// Empty where the count has to share the field's place.
    pub(super) count: Rect,
    pub(super) reason: Rect,
    pub(super) buttons: Vec<(Button, Rect)>,
}

/// How the bar makes do with its pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    OneRow,
    TwoRows,
    /// One row for want of height, with less in it.
    Low,
}

impl Parts {
    /// At the top, or at the bottom where it would hide a match there that cannot be moved.
    pub(super) fn around(around: Surroundings, reason_height: f32) -> Self {
        let Surroundings { pane, above, fixed_match } = around;
        let top = Self::new(pane, reason_height);
        let hides = |bar: Rect| fixed_match.is_some_and(|it| !it.intersection(&bar).is_empty());
        if !hides(top.bar) {
            return top;
        }
        let lower = Rect { y: above - MARGIN - top.bar.height, ..top.bar };
        if lower.y < pane.y || hides(lower) {
            return top;
        }
        // Whatever is above the bar is left out of the pane.
        let y = lower.y - MARGIN;
        Self::new(Rect { y, height: pane.bottom() - y, ..pane }, reason_height)
    }

    fn new(pane: Rect, reason_height: f32) -> Self {
        let bar = rect_of(pane, reason_height);
        let (first, below) = bar.split_top(HEIGHT);
        let form = form_of(pane);
        let in_first: &[Button] = match form {
            Form::OneRow => {
                &[Button::Close, Button::Previous, Button::Next, Button::Regex, Button::Case]
            }
            Form::TwoRows => &[Button::Close],
            Form::Low => &[Button::Close, Button::Previous, Button::Next],
        };
        let (mut buttons, field) = place(in_first, first, MIN_FIELD + PADDING);
        let (mut count, mut reason) = (Rect::default(), below);
        if form == Form::TwoRows {
            let second = Rect { y: below.y - SECOND_OVERLAP, height: SECOND_HEIGHT, ..below };
            let wanted = [Button::Previous, Button::Next, Button::Regex, Button::Case];
            // The switches are there both or not at all.
            let needed = END + 4.0 * (BUTTON + GAP) + COUNT_WIDTH + PADDING;
            let n_wanted = if second.width >= needed { 4 } else { 2 };
            let (more, rest) = place(&wanted[..n_wanted], second, 0.0);
            buttons.extend(more);
            count = rest;
            (_, reason) = below.split_top(SECOND_HEIGHT);
        }
        let reason = Rect { y: reason.y - REASON_OVERLAP, ..reason }.inset(PADDING, 0.0);
        Self { bar, field, count, reason, buttons }
    }
}

/// How much of a terminal lies under the bar while that is at the top. Its rows may be moved `up`.
pub(crate) fn covered(pane: Rect, cell: Cell, up: f32) -> TopRight {
    let bar = rect_of(pane, 0.0);
    let cells = |length: f32, cell: f32| u16::try_from(count(length, cell)).unwrap_or(u16::MAX);
    let depth = bar.bottom() - pane.y - PANE_PADDING_Y + up;
    let rows = if bar.is_empty() { 0 } else { cells(depth + cell.height - 1.0, cell.height) };
    TopRight { rows, column: cells(bar.x - pane.x - PANE_PADDING_X, cell.width) }
}

fn rect_of(pane: Rect, reason_height: f32) -> Rect {
    let width = width_in(pane);
    let second = if form_of(pane) == Form::TwoRows { SECOND_HEIGHT } else { 0.0 };
    let height = HEIGHT + second + reason_height;
    let bar = Rect::new(pane.right() - RIGHT - width, pane.y + MARGIN, width, height);
    bar.intersection(&pane)
}

fn width_in(pane: Rect) -> f32 {
    WIDTH.min(pane.width - RIGHT - MARGIN).max(0.0)
}

fn form_of(pane: Rect) -> Form {
    if width_in(pane) >= ONE_ROW_WIDTH {
        Form::OneRow
    } else if pane.height >= HEIGHT + SECOND_HEIGHT + 2.0 * MARGIN {
        Form::TwoRows
    } else {
        Form::Low
    }
}

/// Places buttons at the end of a row, as long as that keeps so much of it; gives the rest, too. The
/// first is placed wherever it fits.
fn place(buttons: &[Button], row: Rect, kept: f32) -> (Vec<(Button, Rect)>, Rect) {
    let mut right = row.right() - END;
    let mut placed = Vec::new();
    for button in buttons {
        let x = right - BUTTON;
        let kept = if placed.is_empty() { 0.0 } else { PADDING + kept };
        if x - row.x < kept || row.height < BUTTON {
            break;
        }
        placed.push((*button, Rect::new(x, row.center().y - BUTTON / 2.0, BUTTON, BUTTON)));
        right = x - GAP;
    }
    let (start, end) = (row.x + PADDING, right - PADDING);
    (placed, Rect::new(start, row.y, (end - start).max(0.0), row.height))
}

#[cfg(test)]
mod tests;
