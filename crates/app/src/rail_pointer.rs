//! The mouse on the rail: the card of a tile it rests on, tiles and the edge that are dragged.

use std::time::{Duration, Instant};

use scene::Point;
use terminal::{Key, NamedKey};
use ui::{Hit, RailPointer};
use workspace::{Action, KeyInput, ViewAction, WorkspaceAction, WorkspaceId};

use crate::app::App;

/// The mouse rests on a tile for so long before its card opens.
const REST: Duration = Duration::from_millis(450);
/// A tile that is moved by less is not dragged but clicked.
const CLICK: f32 = 5.0;
/// Pixels of the rail for each row by which the wheel would scroll a terminal.
const WHEEL_STEP: f32 = 18.0;

/// What the mouse is in the middle of on the rail.
#[derive(Debug, Default)]
pub(crate) struct OnRail {
    /// The tile it is on.
    tile: Option<WorkspaceId>,
    card: Card,
    drag: Option<RailDrag>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Card {
    #[default]
    Closed,
    Opens(Instant),
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum RailDrag {
    /// Pressed at that point; the place before which it would land, once it was moved.
    Tile {
        workspace: WorkspaceId,
        from: Point,
        place: Option<usize>,
    },
    Edge,
}

impl OnRail {
    pub(crate) fn shown(&self) -> RailPointer {
        let dragged = match self.drag {
            Some(RailDrag::Tile { workspace, place, .. }) => place.map(|place| (workspace, place)),
            Some(RailDrag::Edge) | None => None,
        };
        RailPointer { card: self.tile.filter(|_| self.card == Card::Open), dragged }
    }

    pub(crate) fn opens_at(&self) -> Option<Instant> {
        match self.card {
            Card::Opens(at) => Some(at),
            Card::Closed | Card::Open => None,
        }
    }

    /// The mouse is on that tile now. From one card to the next there is nothing to wait for.
    fn enter(&mut self, tile: Option<WorkspaceId>, now: Instant) {
        if tile == self.tile {
            return;
        }
        self.card = match (tile, self.card) {
            (None, _) => Card::Closed,
            (Some(_), Card::Open) => Card::Open,
            (Some(_), Card::Closed | Card::Opens(_)) => Card::Opens(now + REST),
        };
        self.tile = tile;
    }

    fn open_if_due(&mut self, now: Instant) {
        if matches!(self.card, Card::Opens(at) if at <= now) {
            self.card = Card::Open;
        }
    }

    /// Until the mouse goes to another tile.
    fn close_card(&mut self) {
        self.card = Card::Closed;
    }

    /// The mouse was moved. Returns whether it holds a tile.
    fn drag_tile(&mut self, to: Point, place: usize) -> bool {
        let Some(RailDrag::Tile { from, place: landing, .. }) = &mut self.drag else {
            return false;
        };
        if is_far(*from, to) || landing.is_some() {
            *landing = Some(place);
        }
        true
    }

    pub(crate) fn holds_something(&self) -> bool {
        self.drag.is_some()
    }

    /// Puts a tile back that was moved.
    fn cancel(&mut self) -> bool {
        let is_moved = |drag: &mut RailDrag| matches!(drag, RailDrag::Tile { place: Some(_), .. });
        self.drag.take_if(is_moved).is_some()
    }

    /// Lets go of what is held. Returns what that comes to.
    fn let_go(&mut self) -> Option<Action> {
        Some(match self.drag.take()? {
            RailDrag::Tile { workspace, place: None, .. } => {
                Action::Workspace(WorkspaceAction::Activate(workspace))
            }
            RailDrag::Tile { workspace, place: Some(place), .. } => {
                Action::Workspace(WorkspaceAction::MoveTo { workspace, place })
            }
            RailDrag::Edge => Action::View(ViewAction::LetRailGo),
        })
    }
}

impl App {
    pub(crate) fn press_tile(&mut self, workspace: WorkspaceId, at: Point) {
        self.on_rail.drag = Some(RailDrag::Tile { workspace, from: at, place: None });
    }

    pub(crate) fn press_rail_edge(&mut self) {
        self.on_rail.drag = Some(RailDrag::Edge);
    }

    /// Goes on with what is held on the rail. Returns whether something is.
    pub(crate) fn drag_on_rail(&mut self, to: Point, now: Instant) -> bool {
        match self.on_rail.drag {
            None => false,
            Some(RailDrag::Edge) => {
                #[expect(clippy::cast_possible_truncation, reason = "rounded and clamped")]
                #[expect(clippy::cast_sign_loss, reason = "not below zero")]
                let x = to.x.round().clamp(0.0, f32::from(u16::MAX)) as u16;
                self.wish(Action::View(ViewAction::DragRail(x)), now);
                true
            }
            Some(RailDrag::Tile { .. }) => {
                let place = ui::drop_place(&self.state, self.view.logical_size(), to);
                self.change_rail(|on_rail| on_rail.drag_tile(to, place))
            }
        }
    }

    /// Lets go of what is held on the rail. Returns whether something was.
    pub(crate) fn let_go_on_rail(&mut self, now: Instant) -> bool {
        let action = self.change_rail(OnRail::let_go);
        let was_held = action.is_some();
        if let Some(action) = action {
            self.wish(action, now);
        }
        was_held
    }

    /// A key closes the card. Escape puts a dragged tile back; returns whether it was used up by that.
    pub(crate) fn key_on_rail(&mut self, input: &KeyInput) -> bool {
        self.dismiss_card();
        input.press.key == Key::Named(NamedKey::Escape) && self.change_rail(OnRail::cancel)
    }

    pub(crate) fn dismiss_card(&mut self) {
        self.change_rail(OnRail::close_card);
    }

    /// Finds the tile under the pointer, which may have become another without a movement.
    pub(crate) fn look_for_tile(&mut self, now: Instant) {
        let tile = match self.region_at(self.view.pointer).map(|region| region.hit) {
            Some(Hit::Tile(tile)) if self.on_rail.drag.is_none() => Some(tile),
            _ => None,
        };
        self.change_rail(|on_rail| on_rail.enter(tile, now));
    }

    pub(crate) fn open_card_if_due(&mut self, now: Instant) {
        self.change_rail(|on_rail| on_rail.open_if_due(now));
    }

    /// So many rows of a terminal would be scrolled by.
    pub(crate) fn scroll_rail(&mut self, rows: f32, now: Instant) {
        self.dismiss_card();
        let size = self.view.logical_size();
        let to = ui::rail_scrolled(&self.state, size, rows * WHEEL_STEP);
        self.wish(Action::View(ViewAction::ScrollRail(to)), now);
    }

    /// Draws again if that changes what is on show.
    fn change_rail<T>(&mut self, change: impl FnOnce(&mut OnRail) -> T) -> T {
        let before = self.on_rail.shown();
        let changed = change(&mut self.on_rail);
        self.dirty |= self.on_rail.shown() != before;
        changed
    }
}

/// Whether a movement is more than a click may have.
pub(crate) fn is_far(from: Point, to: Point) -> bool {
    (to.x - from.x).abs() >= CLICK || (to.y - from.y).abs() >= CLICK
}

#[cfg(test)]
mod tests;
