//! The wheel: from notches and pixels to whole rows, columns and reports.
//!
//! Touch pads and fine wheels turn by fractions. What has not made a whole step yet is kept for the
//! next movement the same way; turning round forgets it.

use std::time::Instant;

use scene::Point;
use terminal::{Modes, Modifiers, MouseButton, MouseKind, Scroll};
use ui::{Hit, HitRegion};
use workspace::{Action, OverlayAction, TerminalAction, ViewAction};

use crate::app::App;
use crate::pointer::wants_mouse;

/// Rows per notch of the wheel.
const WHEEL_ROWS: f32 = 3.0;
/// No more reports than this are made of one movement.
const MAX_REPORTS: u32 = 100;

/// How far the wheel turned; positive is down and right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Turned {
    Notches {
        rows: f32,
        columns: f32,
    },
    /// By a touch pad: in heights and widths of a cell.
    Cells {
        rows: f32,
        columns: f32,
    },
}

/// What has not made a whole step yet.
#[derive(Debug, Default)]
pub(crate) struct WheelRests {
    rows: Rest,
    columns: Rest,
    /// Programs are told of notches, not of rows.
    reports: Rest,
    side_reports: Rest,
}

#[derive(Debug, Default)]
struct Rest(f32);

impl Turned {
    /// Cells to scroll by.
    fn cells(self) -> (f32, f32) {
        match self {
            Self::Notches { rows, columns } => (rows * WHEEL_ROWS, columns * WHEEL_ROWS),
            Self::Cells { rows, columns } => (rows, columns),
        }
    }

    /// Steps to tell a program of.
    fn steps(self) -> (f32, f32) {
        match self {
            Self::Notches { rows, columns } | Self::Cells { rows, columns } => (rows, columns),
        }
    }
}

impl Rest {
    #[expect(clippy::cast_possible_truncation, reason = "a few steps; more saturate")]
    fn whole(&mut self, moved: f32) -> i32 {
        if moved == 0.0 || !moved.is_finite() {
            return 0;
        }
        let turned_round = self.0 * moved < 0.0;
        self.0 = if turned_round { moved } else { self.0 + moved };
        let whole = self.0.trunc();
        self.0 -= whole;
        whole as i32
    }
}

impl App {
    pub(crate) fn wheel(&mut self, turned: Turned, modifiers: Modifiers, now: Instant) {
        let at = self.view.pointer;
        let Some(region) = self.region_at(at) else { return };
        if let Hit::Terminal(pane) = region.hit
            && wants_mouse(self.modes_in(pane), modifiers)
        {
            self.report_wheel(&region, turned, at, modifiers, now);
            return;
        }
        let (rows, columns) = turned.cells();
        if matches!(region.hit, Hit::Tile(_) | Hit::Rail) {
            self.scroll_rail(rows, now);
            return;
        }
        let rows = self.pointer.wheel.rows.whole(rows);
        let columns = self.pointer.wheel.columns.whole(columns);
        match region.hit {
            Hit::Terminal(pane) if rows != 0 => {
                let alternate = Modes::ALT_SCREEN | Modes::ALTERNATE_SCROLL;
                let modes = self.modes_in(pane);
                // With Shift the wheel is ours, and the alternate screen has nothing to scroll to.
                if modes.contains(Modes::ALT_SCREEN) && modifiers.contains(Modifiers::SHIFT) {
                    return;
                }
                let action = if modes.contains(alternate) {
                    TerminalAction::Arrows(rows)
                } else {
                    TerminalAction::Scroll(Scroll::Lines(-rows))
                };
                self.wish(Action::TerminalIn(pane, action), now);
                self.selection_follows_view(now);
            }
            Hit::File(_, buffer) if rows != 0 || columns != 0 => {
                let scroll = ViewAction::ScrollFile { buffer: Some(buffer), lines: rows, columns };
                self.wish(Action::View(scroll), now);
            }
            Hit::Row(_) | Hit::Entry(..) | Hit::OverlayBody if rows != 0 => {
                let step = if rows > 0 { OverlayAction::Down } else { OverlayAction::Up };
                self.wish(Action::Overlay(step), now);
            }
            _ => {}
        }
    }

    fn report_wheel(
        &mut self,
        region: &HitRegion,
        turned: Turned,
        at: Option<Point>,
        modifiers: Modifiers,
        now: Instant,
    ) {
        let (rows, columns) = turned.steps();
        let rows = self.pointer.wheel.reports.whole(rows);
        let columns = self.pointer.wheel.side_reports.whole(columns);
        let vertical = if rows < 0 { MouseButton::WheelUp } else { MouseButton::WheelDown };
        let side = if columns < 0 { MouseButton::WheelLeft } else { MouseButton::WheelRight };
        for (button, steps) in [(vertical, rows), (side, columns)] {
            for _step in 0..steps.unsigned_abs().min(MAX_REPORTS) {
                self.report_mouse(region, MouseKind::Press, Some(button), at, modifiers, now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moved: &[f32], expected: &[i32]) {
        let mut rest = Rest::default();
        let whole: Vec<i32> = moved.iter().map(|moved| rest.whole(*moved)).collect();
        assert_eq!(whole, expected, "after {moved:?}");
    }

    #[test]
    fn fractions_add_up_to_whole_steps() {
        check(&[1.0, -1.0, 3.0], &[1, -1, 3]);
        check(&[0.25, 0.25, 0.25, 0.25, 0.25], &[0, 0, 0, 1, 0]);
        check(&[-0.5, -0.5, -1.75, -0.25], &[0, -1, -1, -1]);
    }

    #[test]
    fn turning_round_forgets_what_was_begun() {
        check(&[0.75, -0.5, -0.5], &[0, 0, -1]);
        check(&[0.75, 0.0, 0.25], &[0, 0, 1]);
    }

    #[test]
    fn what_is_no_movement_moves_nothing() {
        check(&[f32::NAN, f32::INFINITY, 1.0], &[0, 0, 1]);
    }

    #[test]
    fn a_notch_is_some_rows_but_one_report() {
        let notch = Turned::Notches { rows: 1.0, columns: -1.0 };
        assert_eq!(notch.cells(), (WHEEL_ROWS, -WHEEL_ROWS), "rows");
        assert_eq!(notch.steps(), (1.0, -1.0), "reports");
        let pad = Turned::Cells { rows: 1.0, columns: 0.0 };
        assert_eq!((pad.cells(), pad.steps()), ((1.0, 0.0), (1.0, 0.0)), "a touch pad");
    }
}
