//! The bar with which one finds text in a terminal, over the top right of its pane.
//!
//! Where its parts are is in [`parts`].

mod parts;

use scene::{Align, Point, Quad, Rect};
use workspace::{Action, Find, FindAction, FindOutcome, State};

use self::parts::{Button, MIN_FIELD, PADDING, Parts, REASON_HEIGHT};
use crate::canvas::{Canvas, Style};
use crate::marks::cross;
use crate::overlay::draw_input;
use crate::{FrameInputs, Hit};

pub(crate) use self::parts::{MAX_DEPTH, covered};

/// What the bar has to get along with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) pane: Rect,
    /// Where the bar may lie at the bottom.
    pub(crate) above: f32,
    /// The match that was gone to, where the view cannot be scrolled to bring it out from under
    /// the bar.
    pub(crate) fixed_match: Option<Rect>,
}

/// Draws the bar; returns where its caret is, if what is typed goes there.
pub(crate) fn draw(
    canvas: &mut Canvas,
    state: &State,
    find: &Find,
    inputs: &FrameInputs<'_>,
    around: Surroundings,
) -> Option<Rect> {
    let palette = canvas.palette;
    let reason = match find.outcome() {
        FindOutcome::Bad(why) => Some(why.as_str()),
        FindOutcome::Unknown | FindOutcome::Found { .. } => None,
    };
    let Parts { bar, mut field, mut count, reason: reason_area, buttons } =
        Parts::around(around, reason.map_or(0.0, |_| REASON_HEIGHT));
    canvas.layer(around.pane);
    let shadow = Rect::new(bar.x, bar.y + 4.0, bar.width, bar.height);
    canvas.quad(Quad::rounded(shadow, 8.0, palette.shadow).blurred(16.0));
    let edge = if find.has_keys() { palette.accent } else { palette.line };
    canvas.quad(Quad::rounded(bar, 8.0, palette.overlay).bordered(1.0, edge));
    canvas.layer(bar);
    canvas.hit(bar, Hit::Do(Action::Find(FindAction::TakeKeys)));
    if let Some(reason) = reason {
        let style = Style::regular(12.0, palette.status.errored_text);
        canvas.text(reason_area, Align::Left, reason, style);
    }
    for (button, rect) in buttons {
        draw_button(canvas, rect, button, find);
    }

    let style = Style::regular(12.0, palette.dim);
    let summary = if reason.is_some() { String::new() } else { find.summary() };
    // A row of its own, or the end of the field as far as that can do without.
    let own_row = !count.is_empty();
    let room = if own_row { count.width } else { field.width - PADDING - MIN_FIELD };
    let short = summary.replace(" of ", "/");
    let shown = [summary, short].into_iter().find(|text| style.width(text) <= room);
    let shown = shown.unwrap_or_default();
    if !shown.is_empty() && !own_row {
        let taken = style.width(&shown);
        count = Rect::new(field.right() - taken, field.y, taken, field.height);
        field.width -= taken + PADDING;
    }
    let align = if own_row { Align::Left } else { Align::Right };
    canvas.text(count, align, &shown, style);
    let inputs = FrameInputs { cursor_on: inputs.cursor_on && find.has_keys(), ..*inputs };
    let preedit = state.preedit().filter(|_| state.overlay().is_none() && state.find_has_keys());
    let caret = draw_input(canvas, field, (find.input(), preedit), "Find", &inputs);
    find.has_keys().then_some(caret)
}

fn draw_button(canvas: &mut Canvas, rect: Rect, button: Button, find: &Find) {
    let palette = canvas.palette;
    let (action, is_on) = match button {
        Button::Case => (FindAction::ToggleCase, find.is_case_sensitive()),
        Button::Regex => (FindAction::ToggleRegex, find.is_regex()),
        Button::Next => (FindAction::Next, false),
        Button::Previous => (FindAction::Previous, false),
        Button::Close => (FindAction::Close, false),
    };
    let is_hovered = canvas.is_hovered(rect);
    if is_on {
        canvas.quad(Quad::rounded(rect, 6.0, palette.selection).bordered(1.0, palette.accent));
    } else if is_hovered {
        canvas.quad(Quad::rounded(rect, 6.0, palette.line));
    }
    let color = if is_on || is_hovered { palette.text } else { palette.dim };
    let center = rect.center();
    let at = |x: f32, y: f32| Point::new(center.x + x, center.y + y);
    match button {
        Button::Case => canvas.mono(rect, Align::Center, "Aa", 12.0, color),
        Button::Regex => canvas.mono(rect, Align::Center, ".*", 12.0, color),
        Button::Close => cross(canvas, center, 3.5, 1.25, color),
        Button::Next => {
            canvas.line(at(-4.0, 2.0), at(0.0, -2.0), 1.5, color);
            canvas.line(at(0.0, -2.0), at(4.0, 2.0), 1.5, color);
        }
        Button::Previous => {
            canvas.line(at(-4.0, -2.0), at(0.0, 2.0), 1.5, color);
            canvas.line(at(0.0, 2.0), at(4.0, -2.0), 1.5, color);
        }
    }
    canvas.hit(rect, Hit::Do(Action::Find(action)));
}
