//! Selecting beyond what is in view: the view follows the pointer out of the pane.

use std::time::{Duration, Instant};

use scene::{Point, Rect};
use terminal::Scroll;
use ui::{Hit, HitRegion};
use workspace::{Action, TerminalAction};

use crate::app::App;
use crate::pointer::Drag;

/// The view moves on this often while the pointer is held outside.
const STEP: Duration = Duration::from_millis(40);
/// Rows a step, at most, however far away the pointer is.
const MAX_ROWS: f32 = 12.0;

impl App {
    /// Extends what is being selected to the pointer, and plans to go on where it is outside.
    pub(crate) fn drag_selection(&mut self, region: &HitRegion, to: Point, now: Instant) {
        self.extend_selection(region, to, now);
        let is_outside = self.rows_beyond(region, to) != 0;
        let planned = self.pointer.scrolls_at.unwrap_or(now + STEP);
        self.pointer.scrolls_at = is_outside.then_some(planned);
    }

    pub(crate) fn scroll_drag_if_due(&mut self, now: Instant) {
        if self.pointer.scrolls_at.take_if(|at| *at <= now).is_none() {
            return;
        }
        let (Some(Drag::Select(region)), Some(to)) = (self.present_drag(), self.view.pointer)
        else {
            return;
        };
        let rows = self.rows_beyond(&region, to);
        if rows != 0 {
            self.wish(Action::Terminal(TerminalAction::Scroll(Scroll::Lines(rows))), now);
            self.extend_selection(&region, to, now);
            self.pointer.scrolls_at = Some(now + STEP);
        }
    }

    /// The view was scrolled by other means while something is being selected.
    pub(crate) fn selection_follows_view(&mut self, now: Instant) {
        if let (Some(Drag::Select(region)), Some(to)) = (self.present_drag(), self.view.pointer) {
            self.extend_selection(&region, to, now);
        }
    }

    fn rows_beyond(&self, region: &HitRegion, to: Point) -> i32 {
        let row_height = f32::from(self.view.metrics.height) / self.view.scale;
        let is_terminal = matches!(region.hit, Hit::Terminal(_));
        if is_terminal { rows_beyond(region.rect, to.y, row_height) } else { 0 }
    }
}

/// How far to scroll for a pointer above (positive) or below a terminal: faster, the farther it is.
fn rows_beyond(rect: Rect, y: f32, row_height: f32) -> i32 {
    let above = rect.y - y;
    let below = y - (rect.y + rect.height);
    let beyond = if above > 0.0 { above } else { -below.max(0.0) };
    let rows = (beyond / row_height.max(1.0)).clamp(-MAX_ROWS, MAX_ROWS);
    #[expect(clippy::cast_possible_truncation, reason = "clamped to a few rows")]
    let whole = if rows > 0.0 { rows.ceil() as i32 } else { rows.floor() as i32 };
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(y: f32, expected: i32) {
        let rect = Rect { x: 0.0, y: 100.0, width: 500.0, height: 400.0 };
        assert_eq!(rows_beyond(rect, y, 20.0), expected, "at {y}");
    }

    #[test]
    fn the_farther_outside_the_faster_the_view_moves() {
        check(100.0, 0);
        check(300.0, 0);
        check(500.0, 0);
        check(99.0, 1);
        check(55.0, 3);
        check(-900.0, 12);
        check(501.0, -1);
        check(561.0, -4);
        check(9000.0, -12);
    }
}
