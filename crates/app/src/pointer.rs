//! The mouse: from pixels to what was hit, and from there to actions.

use std::time::{Duration, Instant};

use buffer::{Extend, Motion};
use scene::Point;
use terminal::{
    Key, KeyPress, Modes, Modifiers, MouseButton, MouseInput, MouseKind, NamedKey, Scroll,
    SelectionKind,
};
use ui::{Hit, HitRegion};
use workspace::{
    Action, EditAction, KeyInput, OverlayAction, PaneId, SplitId, TabAction, TabId, TerminalAction,
    TerminalView, ViewAction, WorkspaceAction,
};

use crate::app::{App, PointerShape};

/// Clicks closer together than this count as double and triple.
const MULTI_CLICK: Duration = Duration::from_millis(400);
/// Rows per notch of the wheel.
const WHEEL_ROWS: f32 = 3.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Middle,
    Right,
}

impl From<Button> for MouseButton {
    fn from(button: Button) -> Self {
        match button {
            Button::Left => Self::Left,
            Button::Middle => Self::Middle,
            Button::Right => Self::Right,
        }
    }
}

/// What the mouse is in the middle of.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    clicks: Option<Clicks>,
    drag: Option<(TabId, Drag)>,
    pub(crate) shape: PointerShape,
    /// Wheel movement that has not made a whole row yet.
    wheel_rest: f32,
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
    /// The program asked for the mouse.
    Report(HitRegion, MouseButton),
    Divider(SplitId),
}

impl App {
    pub(crate) fn pointer_moved(&mut self, to: Option<Point>, modifiers: Modifiers, now: Instant) {
        let before = self.region_at(self.view.pointer);
        self.view.pointer = to;
        let Some(to) = to else {
            self.dirty |= before.is_some();
            return;
        };
        // Only crossing from one thing to another can change how it looks.
        let crossed = before.map(|it| it.rect) != self.region_at(Some(to)).map(|it| it.rect);
        self.dirty |= crossed;
        let drag = self.present_drag();
        self.shape_pointer(drag.as_ref(), to);
        match drag {
            Some(Drag::Divider(split)) => self.drag_divider(split, to, now),
            Some(Drag::Select(region)) => self.extend_selection(&region, to, now),
            Some(Drag::Report(region, button)) => {
                self.report_mouse(&region, MouseKind::Motion, Some(button), to, modifiers, now);
            }
            None => {
                let wants_motion = self.focused_modes().contains(Modes::MOUSE_MOTION);
                let region = self.region_at(Some(to)).filter(|it| self.is_focused_terminal(it));
                if let Some(region) = region.filter(|_| wants_motion) {
                    self.report_mouse(&region, MouseKind::Motion, None, to, modifiers, now);
                }
            }
        }
    }

    pub(crate) fn pointer_pressed(&mut self, button: Button, modifiers: Modifiers, now: Instant) {
        let Some(at) = self.view.pointer else { return };
        let Some(region) = self.region_at(Some(at)) else { return };
        let count = self.pointer.click(at, now);
        self.focus_pane_at(at, now);
        match (&region.hit, button) {
            (Hit::Divider(split, _), Button::Left) => self.begin_drag(Drag::Divider(*split)),
            (Hit::Terminal(_), button) => {
                self.press_terminal(&region, button, count, at, modifiers, now);
            }
            (Hit::File(..), Button::Left) => self.press_file(&region, count, at, modifiers, now),
            (Hit::Tile(id), Button::Left) => {
                self.wish(Action::Workspace(WorkspaceAction::Activate(*id)), now);
            }
            (Hit::Tab(id), Button::Left) => self.wish(Action::Tab(TabAction::Activate(*id)), now),
            (Hit::Tab(id), Button::Middle) | (Hit::CloseTab(id), Button::Left) => {
                self.wish(Action::Tab(TabAction::Close(Some(*id))), now);
            }
            (Hit::Row(row), Button::Left) => {
                self.wish(Action::Overlay(OverlayAction::AcceptRow(*row)), now);
            }
            (Hit::OutsideOverlay, _) => self.wish(Action::Overlay(OverlayAction::Cancel), now),
            (Hit::Do(action), Button::Left) => self.wish(action.clone(), now),
            _ => {}
        }
    }

    pub(crate) fn pointer_released(&mut self, button: Button, modifiers: Modifiers, now: Instant) {
        let at = self.view.pointer.unwrap_or_default();
        match self.present_drag() {
            Some(Drag::Report(region, held)) if held == button.into() => {
                self.pointer.drag = None;
                self.report_mouse(&region, MouseKind::Release, Some(held), at, modifiers, now);
            }
            Some(Drag::Select(_) | Drag::Divider(_)) if button == Button::Left => {
                self.pointer.drag = None;
                self.shape_pointer(None, at);
            }
            _ => {}
        }
    }

    /// What is being dragged, as long as the tab it began in is on show.
    fn present_drag(&mut self) -> Option<Drag> {
        let shown = self.state.active_tab().map(|tab| tab.id);
        self.pointer.drag.take_if(|(tab, _)| Some(*tab) != shown);
        self.pointer.drag.as_ref().map(|(_, drag)| drag.clone())
    }

    fn begin_drag(&mut self, drag: Drag) {
        self.pointer.drag = self.state.active_tab().map(|tab| (tab.id, drag));
    }

    /// `rows` and `columns` in notches or their fractions; positive is down and right.
    pub(crate) fn wheel(&mut self, rows: f32, columns: f32, modifiers: Modifiers, now: Instant) {
        let at = self.view.pointer;
        let Some(region) = self.region_at(at) else { return };
        let whole = self.pointer.whole_rows(rows * WHEEL_ROWS);
        match region.hit {
            Hit::Terminal(pane) => self.wheel_in_terminal(&region, pane, whole, modifiers, now),
            Hit::File(_, buffer) => {
                #[expect(clippy::cast_possible_truncation, reason = "a few columns")]
                let columns = (columns * WHEEL_ROWS) as i32;
                if whole != 0 || columns != 0 {
                    let buffer = Some(buffer);
                    let scroll = ViewAction::ScrollFile { buffer, lines: whole, columns };
                    self.wish(Action::View(scroll), now);
                }
            }
            Hit::Row(_) | Hit::OverlayBody if whole != 0 => {
                let step = if whole > 0 { OverlayAction::Down } else { OverlayAction::Up };
                self.wish(Action::Overlay(step), now);
            }
            _ => {}
        }
    }

    pub(crate) fn region_at(&self, at: Option<Point>) -> Option<HitRegion> {
        ui::hit(self.view.frame()?, at?).cloned()
    }

    fn focused_modes(&self) -> Modes {
        self.focused_pane().map_or(Modes::empty(), |pane| self.modes_in(pane))
    }

    /// What the living program in a pane asked for.
    fn modes_in(&self, pane: PaneId) -> Modes {
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
            let button = button.into();
            self.begin_drag(Drag::Report(region.clone(), button));
            self.report_mouse(region, MouseKind::Press, Some(button), at, modifiers, now);
            return;
        }
        match button {
            Button::Middle => self.wish(Action::Paste, now),
            Button::Right => {}
            Button::Left => {
                let (cell, side) = ui::cell_at(region, self.view.metrics, self.view.scale, at);
                let kind = match count {
                    1 if modifiers.contains(Modifiers::ALT) => SelectionKind::Block,
                    1 => SelectionKind::Cell,
                    2 => SelectionKind::Word,
                    _ => SelectionKind::Line,
                };
                self.begin_drag(Drag::Select(region.clone()));
                let select = TerminalAction::Select { kind, at: cell, side };
                self.wish(Action::Terminal(select), now);
            }
        }
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

    fn extend_selection(&mut self, region: &HitRegion, to: Point, now: Instant) {
        let (metrics, scale) = (self.view.metrics, self.view.scale);
        if matches!(region.hit, Hit::Terminal(_)) {
            let (at, side) = ui::cell_at(region, metrics, scale, to);
            self.wish(Action::Terminal(TerminalAction::ExtendSelection { at, side }), now);
        } else if let Some(at) = ui::position_at(&self.state, region, metrics, scale, to) {
            let extend = EditAction::Move(Motion::To(at), Extend::Select);
            self.wish(Action::Edit(extend), now);
        }
    }

    fn report_mouse(
        &mut self,
        region: &HitRegion,
        kind: MouseKind,
        button: Option<MouseButton>,
        at: Point,
        modifiers: Modifiers,
        now: Instant,
    ) {
        let (at, _side) = ui::cell_at(region, self.view.metrics, self.view.scale, at);
        let input = MouseInput { kind, button, at, modifiers };
        if let Hit::Terminal(pane) = region.hit {
            self.wish(Action::TerminalIn(pane, TerminalAction::Mouse(input)), now);
        }
    }

    fn wheel_in_terminal(
        &mut self,
        region: &HitRegion,
        pane: PaneId,
        rows: i32,
        modifiers: Modifiers,
        now: Instant,
    ) {
        if rows == 0 {
            return;
        }
        let modes = self.modes_in(pane);
        if wants_mouse(modes, modifiers) {
            let button = if rows < 0 { MouseButton::WheelUp } else { MouseButton::WheelDown };
            let at = self.view.pointer.unwrap_or_default();
            self.report_mouse(region, MouseKind::Press, Some(button), at, modifiers, now);
        } else if modes.contains(Modes::ALT_SCREEN | Modes::ALTERNATE_SCROLL) {
            let arrow = if rows < 0 { NamedKey::ArrowUp } else { NamedKey::ArrowDown };
            // Arrow keys go where the focus is, so that comes along.
            self.focus_pane_at(self.view.pointer.unwrap_or_default(), now);
            let press = KeyPress { key: Key::Named(arrow), modifiers: Modifiers::empty() };
            for _row in 0..rows.unsigned_abs() {
                self.wish(Action::Key(KeyInput { press: press.clone(), base: None }), now);
            }
        } else {
            let scroll = TerminalAction::Scroll(Scroll::Lines(-rows));
            self.wish(Action::TerminalIn(pane, scroll), now);
        }
    }
}

fn wants_mouse(modes: Modes, modifiers: Modifiers) -> bool {
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

    #[expect(clippy::cast_possible_truncation, reason = "a few rows")]
    fn whole_rows(&mut self, rows: f32) -> i32 {
        self.wheel_rest += rows;
        let whole = self.wheel_rest.trunc();
        self.wheel_rest -= whole;
        whole as i32
    }
}
