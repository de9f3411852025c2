//! One frame: from state and the few other things it depends on to a scene and its hit regions.

use std::path::Path;
use std::time::Instant;

use scene::{CellMetrics, Point, Rect, Scene, Size};
use workspace::State;

use crate::canvas::Canvas;
use crate::layout::{Layout, window};
use crate::{
    HitRegion, TerminalFrames, file_pane, overlay, palette, rail, status_bar, tabs, terminal_pane,
    toast, welcome,
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
    /// A note on how pixels are made, such as "Software rendering: llvmpipe"; empty for none.
    pub renderer: &'a str,
    /// Shown as `~`.
    pub home: Option<&'a Path>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub scene: Scene,
    /// Later ones lie above earlier ones.
    pub hits: Vec<HitRegion>,
    /// Where text is typed, for input methods.
    pub text_cursor: Option<Rect>,
}

/// What the window shows. A pure function: equal arguments give equal frames.
pub fn build(state: &State, inputs: &FrameInputs<'_>) -> Frame {
    let palette = palette(state.theme());
    let size = window(inputs.size).size();
    let layout = Layout::new(state, size);
    let mut canvas = Canvas::new(palette, window(size), pointer_below_overlay(state, inputs));
    let mut text_cursor = draw_pane(&mut canvas, state, inputs, &layout);
    if state.active_workspace().is_some() {
        tabs::draw(&mut canvas, state, &layout);
    }
    rail::draw(&mut canvas, state, inputs, &layout);
    status_bar::draw(&mut canvas, state, inputs, &layout);
    toast::draw(&mut canvas, state, &layout);
    if state.overlay().is_some() {
        canvas.set_pointer(inputs.pointer);
        text_cursor = overlay::draw(&mut canvas, state, inputs, &layout);
    }
    let (layers, hits) = canvas.into_parts();
    let scene = Scene { size, scale: inputs.scale, background: palette.pane, layers };
    Frame { scene, hits, text_cursor }
}

/// With an overlay open, what lies below it does not answer to the pointer.
fn pointer_below_overlay(state: &State, inputs: &FrameInputs<'_>) -> Option<Point> {
    inputs.pointer.filter(|_| state.overlay().is_none())
}

fn draw_pane(
    canvas: &mut Canvas,
    state: &State,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> Option<Rect> {
    let Some(workspace) = state.active_workspace() else {
        welcome::draw(canvas, state, inputs, layout.without_tabs());
        return None;
    };
    if let Some(terminal) = state.focused_terminal() {
        return terminal_pane::draw(canvas, state, terminal, inputs, layout);
    }
    if let Some(file) = state.active_file() {
        return file_pane::draw(canvas, state, file, inputs, layout);
    }
    welcome::draw_empty_workspace(canvas, state, workspace, inputs, layout.pane);
    None
}
