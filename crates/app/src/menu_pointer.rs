//! The mouse and the menu of a tile: opened by a click, chosen from by another or by letting go.

use std::time::Instant;

use scene::Point;
use ui::Hit;
use workspace::{Action, MenuAction, OverlayAction, TileMenu, WorkspaceId};

use crate::app::App;
use crate::pointer::Button;
use crate::rail_pointer::is_far;

/// The press that opened a menu, until it is let go of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MenuPress {
    button: Button,
    at: Point,
}

impl App {
    pub(crate) fn open_tile_menu(
        &mut self,
        workspace: WorkspaceId,
        button: Button,
        at: Point,
        now: Instant,
    ) {
        // Another button holds something, and is to be let go of first.
        if self.on_rail.holds_something() || self.present_drag().is_some() {
            return;
        }
        self.pointer.menu_press = Some(MenuPress { button, at });
        #[expect(clippy::cast_possible_truncation, reason = "rounded and clamped")]
        #[expect(clippy::cast_sign_loss, reason = "not below zero")]
        let pixels = |length: f32| length.round().clamp(0.0, f32::from(u16::MAX)) as u16;
        let at = Some((pixels(at.x), pixels(at.y)));
        self.wish(Action::Menu(MenuAction::Open { workspace: Some(workspace), at }), now);
    }

    /// Closes what is open, and does nothing else; but the menu of one tile makes way for another's.
    pub(crate) fn press_outside(&mut self, button: Button, at: Point, now: Instant) {
        let has_menu = self.state.tile_menu().is_some();
        let tile = self.view.frame().filter(|_| has_menu).and_then(|it| ui::tile_at(it, at));
        match (tile, button) {
            (Some(tile), Button::Right | Button::Middle) => {
                self.open_tile_menu(tile, button, at, now);
            }
            _ => self.wish(Action::Overlay(OverlayAction::Cancel), now),
        }
    }

    /// The mouse was moved from one thing to another, or within it: what it is on is selected.
    pub(crate) fn point_in_menu(&mut self, from: Option<&Hit>, to: Option<&Hit>, now: Instant) {
        let Some(selected) = self.state.tile_menu().map(TileMenu::selected) else { return };
        let wanted = match (from, to) {
            (_, Some(Hit::Entry(_, verb))) => Some(*verb),
            (Some(Hit::Entry(..)), _) => None,
            _ => return,
        };
        if wanted != selected {
            self.wish(Action::Menu(MenuAction::Select(wanted)), now);
        }
    }

    /// Lets go of the button that opened the menu: on an entry that was gone to, it is done. Returns
    /// whether it was.
    pub(crate) fn release_on_menu(&mut self, button: Button, now: Instant) -> bool {
        let press = self.pointer.menu_press.take_if(|press| press.button == button);
        let (Some(MenuPress { at: from, .. }), Some(at)) = (press, self.view.pointer) else {
            return false;
        };
        let Some(Hit::Entry(workspace, verb)) = self.region_at(Some(at)).map(|it| it.hit) else {
            return false;
        };
        // A mere click on a tile chooses nothing, wherever the menu had to open.
        if is_far(from, at) {
            self.wish(Action::Menu(MenuAction::Run { workspace, verb }), now);
        }
        true
    }
}
