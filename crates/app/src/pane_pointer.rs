//! The mouse between panes: which one it is in, and the lines that can be dragged.

use std::time::Instant;

use scene::Point;
use ui::{Hit, HitRegion};
use workspace::{Action, Axis, PaneAction, PaneId, SplitId};

use crate::app::{App, PointerShape, WindowRequest};
use crate::pointer::Drag;

impl App {
    /// A click goes to a pane before it does anything in it. Below an overlay nothing is reached.
    pub(crate) fn focus_pane_at(&mut self, at: Point, now: Instant) {
        let pane = self.view.frame().and_then(|frame| ui::pane_at(frame, at));
        let pane = pane.filter(|_| self.state.overlay().is_none());
        if let Some(pane) = pane.filter(|pane| Some(*pane) != self.focused_pane()) {
            self.wish(Action::Pane(PaneAction::Focus(pane)), now);
        }
    }

    pub(crate) fn focused_pane(&self) -> Option<PaneId> {
        self.state.active_workspace().map(|workspace| workspace.panes().focused())
    }

    pub(crate) fn is_focused_terminal(&self, region: &HitRegion) -> bool {
        matches!(region.hit, Hit::Terminal(pane) if Some(pane) == self.focused_pane())
    }

    pub(crate) fn drag_divider(&mut self, split: SplitId, to: Point, now: Instant) {
        if let Some(share) = ui::share_at(&self.state, self.view.logical_size(), split, to) {
            self.wish(Action::Pane(PaneAction::SetShare { split, share }), now);
        }
    }

    pub(crate) fn shape_pointer(&mut self, drag: Option<&Drag>, at: Option<Point>) {
        let shape = match (drag, self.region_at(at).map(|region| region.hit)) {
            (Some(Drag::Divider(_)), _) => self.pointer.shape,
            (None, Some(Hit::Divider(_, Axis::Row) | Hit::RailEdge)) => PointerShape::MoveColumn,
            (None, Some(Hit::Divider(_, Axis::Column))) => PointerShape::MoveRow,
            (None, Some(Hit::Terminal(_))) if self.hover.is_active() => PointerShape::Hand,
            _ => PointerShape::Arrow,
        };
        if shape != self.pointer.shape {
            self.pointer.shape = shape;
            self.window_requests.push(WindowRequest::Pointer(shape));
        }
    }
}
