//! The bar with which one finds text in a terminal, over the top right of its pane.

use scene::{Align, Point, Quad, Rect};
use workspace::{Action, Find, FindAction, FindOutcome, State};

use crate::canvas::{Canvas, Style};
use crate::marks::cross;
use crate::overlay::draw_input;
use crate::{FrameInputs, Hit};

const WIDTH: f32 = 460.0;
const HEIGHT: f32 = 40.0;
/// Of the line that says what is wrong with a pattern.
const REASON_HEIGHT: f32 = 26.0;
const MARGIN: f32 = 8.0;
/// From the right edge, so that the scroll bar stays free.
const RIGHT: f32 = 16.0;
const PADDING: f32 = 12.0;
const BUTTON: f32 = 26.0;
const GAP: f32 = 4.0;
/// The least width of what is typed; where there is not that much, the count is left out.
const MIN_INPUT: f32 = 80.0;

/// Draws the bar; returns where its caret is, if what is typed goes there.
pub(crate) fn draw(
    canvas: &mut Canvas,
    state: &State,
    find: &Find,
    inputs: &FrameInputs<'_>,
    pane: Rect,
) -> Option<Rect> {
    let palette = canvas.palette;
    let reason = match find.outcome() {
        FindOutcome::Bad(why) => Some(why.as_str()),
        FindOutcome::Unknown | FindOutcome::Found { .. } => None,
    };
    let width = WIDTH.min(pane.width - RIGHT - MARGIN).max(0.0);
    let height = HEIGHT + if reason.is_some() { REASON_HEIGHT } else { 0.0 };
    let bar = Rect::new(pane.right() - RIGHT - width, pane.y + MARGIN, width, height);
    let bar = bar.intersection(&pane);
    canvas.layer(pane);
    let shadow = Rect::new(bar.x, bar.y + 4.0, bar.width, bar.height);
    canvas.quad(Quad::rounded(shadow, 8.0, palette.shadow).blurred(16.0));
    let edge = if find.has_keys() { palette.accent } else { palette.line };
    canvas.quad(Quad::rounded(bar, 8.0, palette.overlay).bordered(1.0, edge));
    canvas.layer(bar);
    canvas.hit(bar, Hit::Do(Action::Find(FindAction::TakeKeys)));

    let (row, below) = bar.split_top(HEIGHT);
    if let Some(reason) = reason {
        let style = Style::regular(12.0, palette.status.errored_text);
        let area = Rect { y: below.y - 6.0, ..below }.inset(PADDING, 0.0);
        canvas.text(area, Align::Left, reason, style);
    }
    let mut right = row.right() - GAP - 2.0;
    let mut place = || {
        right -= BUTTON;
        let button = Rect::new(right, row.center().y - BUTTON / 2.0, BUTTON, BUTTON);
        right -= GAP;
        button
    };
    draw_button(canvas, place(), Sign::Close, FindAction::Close);
    draw_button(canvas, place(), Sign::Down, FindAction::Previous);
    draw_button(canvas, place(), Sign::Up, FindAction::Next);
    draw_button(canvas, place(), Sign::Word(".*", find.is_regex()), FindAction::ToggleRegex);
    let case = Sign::Word("Aa", find.is_case_sensitive());
    draw_button(canvas, place(), case, FindAction::ToggleCase);

    let mut input = Rect::new(row.x + PADDING, row.y, right - row.x - 2.0 * PADDING, row.height);
    let summary = if reason.is_some() { String::new() } else { find.summary() };
    let style = Style::regular(12.0, palette.dim);
    let taken = style.width(&summary);
    if !summary.is_empty() && input.width - taken - PADDING >= MIN_INPUT {
        let count = Rect::new(input.right() - taken, input.y, taken, input.height);
        canvas.text(count, Align::Right, &summary, style);
        input.width -= taken + PADDING;
    }
    let inputs = FrameInputs { cursor_on: inputs.cursor_on && find.has_keys(), ..*inputs };
    let preedit = state.preedit().filter(|_| state.overlay().is_none() && state.find_has_keys());
    let caret = draw_input(canvas, input, (find.input(), preedit), "Find", &inputs);
    find.has_keys().then_some(caret)
}

/// What is on a button.
#[derive(Clone, Copy)]
enum Sign {
    /// Letters of a switch, and whether it is on.
    Word(&'static str, bool),
    Up,
    Down,
    Close,
}

fn draw_button(canvas: &mut Canvas, rect: Rect, sign: Sign, action: FindAction) {
    let palette = canvas.palette;
    let is_on = matches!(sign, Sign::Word(_, true));
    let is_hovered = canvas.is_hovered(rect);
    if is_on {
        canvas.quad(Quad::rounded(rect, 6.0, palette.selection).bordered(1.0, palette.accent));
    } else if is_hovered {
        canvas.quad(Quad::rounded(rect, 6.0, palette.line));
    }
    let color = if is_on || is_hovered { palette.text } else { palette.dim };
    let center = rect.center();
    let at = |x: f32, y: f32| Point::new(center.x + x, center.y + y);
    match sign {
        Sign::Word(word, _) => canvas.mono(rect, Align::Center, word, 12.0, color),
        Sign::Close => cross(canvas, center, 3.5, 1.25, color),
        Sign::Up => {
            canvas.line(at(-4.0, 2.0), at(0.0, -2.0), 1.5, color);
            canvas.line(at(0.0, -2.0), at(4.0, 2.0), 1.5, color);
        }
        Sign::Down => {
            canvas.line(at(-4.0, -2.0), at(0.0, 2.0), 1.5, color);
            canvas.line(at(0.0, 2.0), at(4.0, -2.0), 1.5, color);
        }
    }
    canvas.hit(rect, Hit::Do(Action::Find(action)));
}
