//! The mouse: from pixels to what was hit, and from there to actions.

use std::time::{Duration, Instant};

use buffer::{Extend, Motion};
use scene::Point;
use terminal::{CellPoint, Modes, Modifiers, MouseButton, MouseInput, MouseKind, SelectionKind};
use ui::{Hit, HitRegion};
use workspace::{
    Action, EditAction, MenuAction, OverlayAction, PaneId, SplitId, TabAction, TabId,
    TerminalAction, TerminalView,
};

use crate::app::{App, PointerShape};
use crate::menu_pointer::MenuPress;
use crate::wheel::WheelRests;

/// Clicks closer together than this count as double and triple.
const MULTI_CLICK: Duration = Duration::from_millis(400);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Middle,
    Right,
    /// As X counts them: from 8 on.
    Extra(u8),
}

impl From<Button> for MouseButton {
    fn from(button: Button) -> Self {
        match button {
            Button::Left => Self::Left,
            Button::Middle => Self::Middle,
            Button::Right => Self::Right,
            Button::Extra(number) => Self::Extra(number),
        }
    }
}

/// What the mouse is in the middle of.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    clicks: Option<Clicks>,
    drag: Option<(TabId, Drag)>,
    pub(crate) shape: PointerShape,
    pub(crate) wheel: WheelRests,
    pub(crate) menu_press: Option<MenuPress>,
    /// When a selection that is dragged out of its pane scrolls the view.
    pub(crate) scrolls_at: Option<Instant>,
    /// The cell a program was last told of: moving within it is no news.
    told_cell: Option<CellPoint>,
}

#[derive(Debug, Clone, Copy)]
struct Clicks {
    count: u8,
    at: Point,
    when: Instant,
}

#[derive(Debug, Clone)]
pub(crate) enum Drag {
    /// Selecting in what was hit.
    Select(HitRegion),
    /// The program asked for the mouse; the buttons held, in the order they were pressed.
    Report(HitRegion, Vec<MouseButton>),
    Divider(SplitId),
}

impl App {
    pub(crate) fn pointer_moved(&mut self, to: Option<Point>, modifiers: Modifiers, now: Instant) {
        let before = self.region_at(self.view.pointer);
        self.view.pointer = to;
        self.look_for_link();
        self.look_for_tile(now);
        let after = self.region_at(to);
        self.point_in_menu(
            before.as_ref().map(|it| &it.hit),
            after.as_ref().map(|it| &it.hit),
            now,
        );
        let Some(to) = to else {
            // What is being dragged may yet be let go of out there.
            self.pointer.told_cell.take_if(|_| self.pointer.drag.is_none());
            self.dirty |= before.is_some();
            return;
        };
        // Only crossing from one thing to another can change how it looks.
        let crossed = before.map(|it| it.rect) != after.map(|it| it.rect);
        self.dirty |= crossed;
        if crossed && self.pointer.drag.is_none() {
            self.pointer.told_cell = None;
        }
        if self.drag_on_rail(to, now) {
            return;
        }
        let drag = self.present_drag();
        self.shape_pointer(drag.as_ref(), Some(to));
        match drag {
            Some(Drag::Divider(split)) => self.drag_divider(split, to, now),
            Some(Drag::Select(region)) => self.drag_selection(&region, to, now),
            Some(Drag::Report(region, held)) => {
                let button = held.first().copied();
                self.report_mouse(&region, MouseKind::Motion, button, Some(to), modifiers, now);
            }
            None => {
                let modes = self.focused_modes();
                let wants_motion =
                    modes.contains(Modes::MOUSE_MOTION) && wants_mouse(modes, modifiers);
                let region = self.region_at(Some(to)).filter(|it| self.is_focused_terminal(it));
                if let Some(region) = region.filter(|_| wants_motion) {
                    self.report_mouse(&region, MouseKind::Motion, None, Some(to), modifiers, now);
                }
            }
        }
    }

    pub(crate) fn pointer_pressed(&mut self, button: Button, modifiers: Modifiers, now: Instant) {
        let Some(at) = self.view.pointer else { return };
        let Some(region) = self.region_at(Some(at)) else { return };
        if matches!(region.hit, Hit::Terminal(_)) {
            // While buttons are held the mouse stays with whom it was pressed for, Shift or not.
            match self.present_drag() {
                // A button that is pressed again was let go of unseen.
                Some(Drag::Report(region, held)) if !held.contains(&button.into()) => {
                    self.press_for_program(&region, held, button, modifiers, now);
                    return;
                }
                Some(Drag::Select(_) | Drag::Divider(_)) if button != Button::Left => return,
                _ => {}
            }
        }
        let count = self.pointer.click(at, now);
        self.dismiss_card();
        if !matches!(region.hit, Hit::RailEdge) {
            self.focus_pane_at(at, now);
        }
        match (&region.hit, button) {
            (Hit::Divider(split, _), Button::Left) => self.begin_drag(Drag::Divider(*split)),
            (Hit::Terminal(_), button) => {
                self.press_terminal(&region, button, count, at, modifiers, now);
            }
            (Hit::File(..), Button::Left) => self.press_file(&region, count, at, modifiers, now),
            (Hit::Tile(id), Button::Left) => self.press_tile(*id, at),
            (Hit::Tile(id), Button::Right | Button::Middle) => {
                self.open_tile_menu(*id, button, at, now);
            }
            (Hit::RailEdge, Button::Left) => self.press_rail_edge(),
            (Hit::Tab(id), Button::Left) => self.wish(Action::Tab(TabAction::Activate(*id)), now),
            (Hit::Tab(id), Button::Middle) | (Hit::CloseTab(id), Button::Left) => {
                self.wish(Action::Tab(TabAction::Close(Some(*id))), now);
            }
            (Hit::Row(row), Button::Left) => {
                self.wish(Action::Overlay(OverlayAction::AcceptRow(*row)), now);
            }
            (Hit::Entry(workspace, verb), Button::Left | Button::Right) => {
                let (workspace, verb) = (*workspace, *verb);
                self.wish(Action::Menu(MenuAction::Run { workspace, verb }), now);
            }
            (Hit::OutsideOverlay, button) => self.press_outside(button, at, now),
            (Hit::Do(action), Button::Left) => self.wish(action.clone(), now),
            _ => {}
        }
    }

    pub(crate) fn pointer_released(&mut self, button: Button, modifiers: Modifiers, now: Instant) {
        let at = self.view.pointer;
        if self.release_on_menu(button, now) {
            return;
        }
        if button == Button::Left && self.let_go_on_rail(now) {
            self.shape_pointer(None, at);
            return;
        }
        match self.present_drag() {
            Some(Drag::Report(region, mut held)) => {
                let released = MouseButton::from(button);
                let Some(place) = held.iter().position(|it| *it == released) else { return };
                held.remove(place);
                // Also outside of the pane: a program must not think that it is held for ever.
                self.report_mouse(&region, MouseKind::Release, Some(released), at, modifiers, now);
                self.pointer.drag = None;
                if !held.is_empty() {
                    self.begin_drag(Drag::Report(region, held));
                }
            }
            Some(drag @ (Drag::Select(_) | Drag::Divider(_))) if button == Button::Left => {
                self.pointer.drag = None;
                self.pointer.scrolls_at = None;
                self.shape_pointer(None, at);
                if matches!(&drag, Drag::Select(region) if self.is_focused_terminal(region)) {
                    self.wish(Action::SelectionMade, now);
                }
            }
            _ => {}
        }
    }

    /// What is being dragged, as long as the tab it began in is on show.
    pub(crate) fn present_drag(&mut self) -> Option<Drag> {
        let shown = self.state.active_tab().map(|tab| tab.id);
        self.pointer.drag.take_if(|(tab, _)| Some(*tab) != shown);
        self.pointer.drag.as_ref().map(|(_, drag)| drag.clone())
    }

    fn begin_drag(&mut self, drag: Drag) {
        self.pointer.drag = self.state.active_tab().map(|tab| (tab.id, drag));
    }

    pub(crate) fn region_at(&self, at: Option<Point>) -> Option<HitRegion> {
        ui::hit(self.view.frame()?, at?).cloned()
    }

    fn focused_modes(&self) -> Modes {
        self.focused_pane().map_or(Modes::empty(), |pane| self.modes_in(pane))
    }

    /// What the living program in a pane asked for.
    pub(crate) fn modes_in(&self, pane: PaneId) -> Modes {
        let living = self.state.terminal_of(pane).filter(TerminalView::is_alive);
        living.map_or(Modes::empty(), |terminal| terminal.buffer().modes())
    }

    fn press_terminal(
        &mut self,
        region: &HitRegion,
        button: Button,
        count: u8,
        at: Point,
        modifiers: Modifiers,
        now: Instant,
    ) {
        if wants_mouse(self.focused_modes(), modifiers) {
            self.press_for_program(region, Vec::new(), button, modifiers, now);
            return;
        }
        if let Some(follow) = self.hover.click().filter(|_| button == Button::Left) {
            self.wish(follow, now);
            return;
        }
        match button {
            Button::Middle => self.wish(Action::PastePrimary, now),
            Button::Right if self.has_selection() => {
                self.extend_selection(region, at, now);
                self.wish(Action::SelectionMade, now);
            }
            Button::Right | Button::Extra(_) => {}
            Button::Left => {
                let (cell, side) = ui::cell_at(region, self.view.metrics, self.view.scale, at);
                let kind = match count {
                    1 if modifiers.contains(Modifiers::ALT) => SelectionKind::Block,
                    1 => SelectionKind::Cell,
                    2 => SelectionKind::Word,
                    _ => SelectionKind::Line,
                };
                self.begin_drag(Drag::Select(region.clone()));
                // Shift goes on with what is selected, unless it is needed to select at all.
                let goes_on = count == 1
                    && modifiers.contains(Modifiers::SHIFT)
                    && !self.focused_modes().intersects(Modes::MOUSE)
                    && self.has_selection();
                let select = if goes_on {
                    TerminalAction::ExtendSelection { at: cell, side }
                } else {
                    TerminalAction::Select { kind, at: cell, side }
                };
                self.wish(Action::Terminal(select), now);
            }
        }
    }

    fn has_selection(&self) -> bool {
        self.state.focused_terminal().is_some_and(|it| it.buffer().has_selection())
    }

    /// `held` are the buttons that were pressed for it before this one.
    fn press_for_program(
        &mut self,
        region: &HitRegion,
        mut held: Vec<MouseButton>,
        button: Button,
        modifiers: Modifiers,
        now: Instant,
    ) {
        let (at, button) = (self.view.pointer, MouseButton::from(button));
        held.push(button);
        self.begin_drag(Drag::Report(region.clone(), held));
        self.report_mouse(region, MouseKind::Press, Some(button), at, modifiers, now);
    }

    fn press_file(
        &mut self,
        region: &HitRegion,
        count: u8,
        at: Point,
        modifiers: Modifiers,
        now: Instant,
    ) {
        let (metrics, scale) = (self.view.metrics, self.view.scale);
        let Some(position) = ui::position_at(&self.state, region, metrics, scale, at) else {
            return;
        };
        self.begin_drag(Drag::Select(region.clone()));
        let extend =
            if modifiers.contains(Modifiers::SHIFT) { Extend::Select } else { Extend::Move };
        let action = match count {
            1 => EditAction::Move(Motion::To(position), extend),
            2 => EditAction::SelectWordAt(position),
            _ => EditAction::SelectLineAt(position),
        };
        self.wish(Action::Edit(action), now);
    }

    pub(crate) fn extend_selection(&mut self, region: &HitRegion, to: Point, now: Instant) {
        let (metrics, scale) = (self.view.metrics, self.view.scale);
        if matches!(region.hit, Hit::Terminal(_)) {
            let (at, side) = ui::cell_at(region, metrics, scale, to);
            self.wish(Action::Terminal(TerminalAction::ExtendSelection { at, side }), now);
        } else if let Some(at) = ui::position_at(&self.state, region, metrics, scale, to) {
            let extend = EditAction::Move(Motion::To(at), Extend::Select);
            self.wish(Action::Edit(extend), now);
        }
    }

    pub(crate) fn report_mouse(
        &mut self,
        region: &HitRegion,
        kind: MouseKind,
        button: Option<MouseButton>,
        at: Option<Point>,
        modifiers: Modifiers,
        now: Instant,
    ) {
        let (metrics, scale) = (self.view.metrics, self.view.scale);
        let cell = at.map(|at| ui::cell_at(region, metrics, scale, at).0);
        // Outside of the window nobody knows where it is: where it was last will do.
        let Some(at) = cell.or(self.pointer.told_cell) else { return };
        let told = self.pointer.told_cell.replace(at);
        if kind == MouseKind::Motion && told == Some(at) {
            return;
        }
        let input = MouseInput { kind, button, at, modifiers };
        if let Hit::Terminal(pane) = region.hit {
            self.wish(Action::TerminalIn(pane, TerminalAction::Mouse(input)), now);
        }
    }
}

pub(crate) fn wants_mouse(modes: Modes, modifiers: Modifiers) -> bool {
    let asked = Modes::MOUSE_CLICK | Modes::MOUSE_DRAG | Modes::MOUSE_MOTION;
    // With Shift the mouse selects, whatever the program wants.
    modes.intersects(asked) && !modifiers.contains(Modifiers::SHIFT)
}

impl Pointer {
    fn click(&mut self, at: Point, now: Instant) -> u8 {
        let near = |a: Point, b: Point| (a.x - b.x).abs() < 4.0 && (a.y - b.y).abs() < 4.0;
        let count = match self.clicks {
            Some(last) if near(last.at, at) && now < last.when + MULTI_CLICK => last.count % 3 + 1,
            _ => 1,
        };
        self.clicks = Some(Clicks { count, at, when: now });
        count
    }
}
