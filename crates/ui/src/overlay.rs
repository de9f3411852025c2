//! What lies over the panes: pickers, prompts, questions and menus.

mod confirm;
mod picker;
mod prompt;
mod queue;
mod tile_menu;

use std::ops::Range;

use scene::{Quad, Rect};
use workspace::{Overlay, Preedit, State, TextInput};

use crate::canvas::{Canvas, Style};
use crate::layout::Layout;
use crate::{FrameInputs, Hit};

const WIDTH: f32 = 560.0;
const RADIUS: f32 = 10.0;
/// From the top of the pane.
const TOP: f32 = 50.0;
const MARGIN: f32 = 12.0;
const PADDING: f32 = 16.0;
const INPUT_HEIGHT: f32 = 44.0;
const ROW_HEIGHT: f32 = 34.0;
const CARET_WIDTH: f32 = 2.0;
const INPUT_SIZE: f32 = 15.0;
const SELECTION_HEIGHT: f32 = 22.0;

/// Draws the open overlay, if there is one; returns where the caret is.
pub(crate) fn draw(
    canvas: &mut Canvas,
    state: &State,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> Option<Rect> {
    let overlay = state.overlay()?;
    canvas.layer(canvas.window);
    canvas.hit(canvas.window, Hit::OutsideOverlay);
    match overlay {
        Overlay::Picker(picker) => picker::draw(canvas, state, picker, inputs, layout),
        Overlay::Prompt(prompt) => prompt::draw(canvas, state, prompt, inputs, layout),
        Overlay::Confirm(confirm) => {
            confirm::draw(canvas, confirm, layout);
            None
        }
        Overlay::Queue(queue) => queue::draw(canvas, state, queue, inputs, layout),
        Overlay::Menu(menu) => {
            tile_menu::draw(canvas, state, menu, layout);
            None
        }
    }
}

/// A panel of this height over the panes, or as much of it as the window holds.
fn panel(canvas: &mut Canvas, layout: &Layout, height: f32) -> Rect {
    panel_of(canvas, layout, (WIDTH, height))
}

fn panel_of(canvas: &mut Canvas, layout: &Layout, (width, height): (f32, f32)) -> Rect {
    let window = canvas.window;
    let over = layout.pane;
    let width = width.min(window.width - 2.0 * MARGIN).max(0.0);
    let x = over.x + (over.width - width) / 2.0;
    let x = x.min(window.right() - MARGIN - width).max(MARGIN.min(window.width)).floor();
    let y = (over.y + TOP).min(window.bottom() - MARGIN - height).max(MARGIN.min(window.height));
    let rect = Rect::new(x, y, width, height.min(window.bottom() - y)).intersection(&window);
    draw_ground(canvas, rect, RADIUS);
    rect
}

fn draw_ground(canvas: &mut Canvas, rect: Rect, radius: f32) {
    let palette = canvas.palette;
    let shadow = Rect::new(rect.x, rect.y + 8.0, rect.width, rect.height);
    canvas.quad(Quad::rounded(shadow, radius, palette.shadow).blurred(24.0));
    canvas.quad(Quad::rounded(rect, radius, palette.overlay).bordered(1.0, palette.line));
    canvas.hit(rect, Hit::OverlayBody);
}

/// A line of typed text with what is selected of it and its caret, or with what is being composed
/// there; scrolls sideways so that the caret is in view.
pub(crate) fn draw_input(
    canvas: &mut Canvas,
    area: Rect,
    (input, preedit): (&TextInput, Option<&Preedit>),
    placeholder: &str,
    inputs: &FrameInputs<'_>,
) -> Rect {
    let palette = canvas.palette;
    let style = Style::regular(INPUT_SIZE, palette.text);
    // The caret stands where the text before it ends: not rounded up, as widths for layout are.
    let width = |text: &str| crate::measure::text_width(text, style.size, style.weight);
    let before = width(input.before_cursor());
    let composed = preedit.map_or("", Preedit::text);
    let composed_width = width(composed);
    let scrolled = (before + composed_width + CARET_WIDTH - area.width).max(0.0);
    canvas.layer(Rect::new(area.x - 1.0, area.y, area.width + 2.0, area.height));
    if input.text().is_empty() && composed.is_empty() {
        // Right of the caret, which stands at the start.
        let hint = Rect::new(area.x + 4.0, area.y, area.width - 4.0, area.height);
        canvas.text(hint, scene::Align::Left, placeholder, Style::regular(INPUT_SIZE, palette.dim));
    } else {
        let text = Rect::new(area.x - scrolled, area.y, area.width + scrolled, area.height);
        // What is composed will replace it.
        if composed.is_empty() {
            let Range { start, end } = input.selection();
            let (left, right) = (width(&input.text()[..start]), width(&input.text()[..end]));
            let height = SELECTION_HEIGHT.min(area.height);
            let y = area.center().y - height / 2.0;
            let selected = Rect::new(text.x + left, y, right - left, height);
            canvas.fill(selected.intersection(&canvas.clip()), palette.selection);
        }
        let after = &input.text()[input.before_cursor().len()..];
        canvas.typed(text, &[input.before_cursor(), composed, after].concat(), style);
    }
    let (height, x) = (20.0_f32.min(area.height), area.x + before - scrolled);
    let caret = Rect::new(x, area.center().y - height / 2.0, CARET_WIDTH, height);
    if composed.is_empty() {
        if inputs.cursor_on {
            canvas.fill(caret, palette.accent);
        }
    } else {
        let line = Rect::new(x, caret.bottom() - 1.0, composed_width, 1.0);
        canvas.fill(line, palette.accent);
    }
    caret
}
