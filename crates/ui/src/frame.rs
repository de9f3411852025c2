//! One frame: from state and the few other things it depends on to a scene and its hit regions.

use std::path::Path;
use std::time::Instant;

use scene::{CellMetrics, Point, Rect, Scene, Size};
use terminal::Link;
use workspace::{Axis, PaneId, ProgramId, State, TabContent, Workspace};

use crate::canvas::Canvas;
use crate::layout::{Layout, window};
use crate::panes::{Divider, GRAB, PaneArea, PaneLayout};
use crate::{
    Hit, HitRegion, RailPointer, TerminalFrames, card, file_pane, overlay, palette, rail,
    status_bar, tabs, terminal_pane, toast, welcome,
};

/// What a frame depends on beside the state.
#[derive(Debug, Clone, Copy)]
pub struct FrameInputs<'a> {
    /// In logical pixels.
    pub size: Size,
    /// Device pixels per logical pixel.
    pub scale: f32,
    /// Of the mono family at [`State::font_size`], in device pixels.
    pub metrics: CellMetrics,
    pub now: Instant,
    /// The phase of the cursor's blink.
    pub cursor_on: bool,
    /// The step of the halo around waiting agents; see [`crate::pulse`].
    pub pulse: u8,
    pub pointer: Option<Point>,
    /// Of every terminal on show.
    pub terminals: &'a TerminalFrames,
    /// The link under the pointer.
    pub link: Option<HoveredLink<'a>>,
    pub rail: RailPointer,
    /// A note on how pixels are made, such as "Software rendering: llvmpipe"; empty for none.
    pub renderer: &'a str,
    /// Shown as `~`.
    pub home: Option<&'a Path>,
}

/// A link of a terminal that the pointer is over.
#[derive(Debug, Clone, Copy)]
pub struct HoveredLink<'a> {
    pub program: ProgramId,
    pub link: &'a Link,
    /// A click would follow it.
    pub is_active: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub scene: Scene,
    /// Later ones lie above earlier ones.
    pub hits: Vec<HitRegion>,
    /// Where the panes are, tab bars included.
    pub panes: Vec<(PaneId, Rect)>,
    /// Where text is typed, for input methods.
    pub text_cursor: Option<Rect>,
}

/// What the window shows. A pure function: equal arguments give equal frames.
pub fn build(state: &State, inputs: &FrameInputs<'_>) -> Frame {
    let palette = palette(state.theme());
    let size = window(inputs.size).size();
    let layout = Layout::new(state, size);
    let mut canvas = Canvas::new(palette, window(size), pointer_below_overlay(state, inputs));
    let (panes, mut text_cursor) = draw_panes(&mut canvas, state, inputs, &layout);
    rail::draw(&mut canvas, state, inputs, &layout);
    status_bar::draw(&mut canvas, state, inputs, &layout);
    toast::draw(&mut canvas, state, &layout);
    card::draw(&mut canvas, state, inputs, &layout);
    if state.overlay().is_some() {
        canvas.set_pointer(inputs.pointer);
        text_cursor = overlay::draw(&mut canvas, state, inputs, &layout);
    }
    let (layers, hits) = canvas.into_parts();
    let scene = Scene { size, scale: inputs.scale, background: palette.pane, layers };
    Frame { scene, hits, panes, text_cursor }
}

/// With an overlay open, what lies below it does not answer to the pointer.
fn pointer_below_overlay(state: &State, inputs: &FrameInputs<'_>) -> Option<Point> {
    inputs.pointer.filter(|_| state.overlay().is_none())
}

/// Draws all panes; returns where they are, and where the text cursor is.
fn draw_panes(
    canvas: &mut Canvas,
    state: &State,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> (Vec<(PaneId, Rect)>, Option<Rect>) {
    let area = layout.without_tabs();
    let Some(workspace) = state.active_workspace() else {
        welcome::draw(canvas, state, inputs, area);
        return (Vec::new(), None);
    };
    let placed = PaneLayout::new(workspace.panes(), area);
    let mut text_cursor = None;
    // From below: the region of a terminal that was moved up for its banner may reach into the pane
    // above, whose own comes later and so wins.
    for pane in placed.panes.iter().rev() {
        let cursor = draw_pane(canvas, state, workspace, inputs, pane);
        text_cursor = text_cursor.or(cursor.filter(|_| pane.is_focused));
    }
    for pane in &placed.panes {
        tabs::draw(canvas, state, workspace, pane);
    }
    for divider in &placed.dividers {
        draw_divider(canvas, divider, area);
    }
    let whole = |pane: &PaneArea<'_>| {
        let Rect { x, y, width, height } = pane.bar;
        (pane.group.id(), Rect::new(x, y, width, height + pane.body.height))
    };
    (placed.panes.iter().map(whole).collect(), text_cursor)
}

fn draw_pane(
    canvas: &mut Canvas,
    state: &State,
    workspace: &Workspace,
    inputs: &FrameInputs<'_>,
    pane: &PaneArea<'_>,
) -> Option<Rect> {
    let tab = pane.group.active_tab();
    if let Some(terminal) = tab.and_then(|tab| state.terminal_in(workspace, tab)) {
        return terminal_pane::draw(canvas, state, terminal, inputs, pane);
    }
    if let Some(TabContent::File(buffer)) = tab.map(|tab| tab.content)
        && let Some(file) = state.file(buffer)
    {
        return file_pane::draw(canvas, state, (buffer, file), inputs, pane);
    }
    welcome::draw_empty_workspace(canvas, state, workspace, inputs, pane.body);
    None
}

fn draw_divider(canvas: &mut Canvas, divider: &Divider, area: Rect) {
    let Divider { split, axis, line, .. } = *divider;
    canvas.layer(area);
    let grab = match axis {
        Axis::Row => Rect::new(line.x - GRAB, line.y, line.width + 2.0 * GRAB, line.height),
        Axis::Column => Rect::new(line.x, line.y - GRAB, line.width, line.height + 2.0 * GRAB),
    };
    let palette = canvas.palette;
    let color = if canvas.is_hovered(grab) { palette.accent } else { palette.line };
    canvas.fill(line, color);
    canvas.hit(grab, Hit::Divider(split, axis));
}
