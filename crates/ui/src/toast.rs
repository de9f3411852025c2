//! A line that shows itself for a while, at the top right.
//!
//! Not at the bottom: there are the line one types on, what full-screen programs say, and the mark of
//! new output. Only while an overlay takes the top it lies there.

use scene::{Align, Quad, Rect};
use workspace::{State, ToastKind};

use crate::canvas::{Canvas, Style};
use crate::layout::Layout;
use crate::{Hit, find_bar, terminal_pane};

const HEIGHT: f32 = 40.0;
const MARGIN: f32 = 16.0;
const PADDING: f32 = 16.0;
const MAX_WIDTH: f32 = 720.0;

pub(crate) fn draw(canvas: &mut Canvas, state: &State, layout: &Layout) {
    let Some(toast) = state.toast() else { return };
    let palette = canvas.palette;
    let over = layout.pane;
    let style = Style::regular(13.0, palette.text);
    let width = (style.width(&toast.text) + 2.0 * PADDING + 4.0)
        .min(MAX_WIDTH)
        .min(over.width - 2.0 * MARGIN)
        .max(0.0);
    let x = over.right() - MARGIN - width;
    let bottom = over.bottom() - terminal_pane::banner_height(state.focused_terminal());
    let lowest = bottom - MARGIN - HEIGHT;
    let y = match state.find() {
        _ if state.overlay().is_some() => lowest,
        Some(_) => over.y + find_bar::MAX_DEPTH + MARGIN,
        None => over.y + MARGIN,
    };
    let rect = Rect::new(x, y.min(lowest).max(over.y), width, HEIGHT).intersection(&over);
    canvas.layer(canvas.window);
    let shadow = Rect::new(rect.x, rect.y + 4.0, rect.width, rect.height);
    canvas.quad(Quad::rounded(shadow, 8.0, palette.shadow).blurred(16.0));
    canvas.quad(Quad::rounded(rect, 8.0, palette.overlay).bordered(1.0, palette.line));
    let mark = match toast.kind {
        ToastKind::Notice => palette.accent,
        ToastKind::Error => palette.status.errored,
    };
    let bar = Rect::new(rect.x + 6.0, rect.y + 10.0, 3.0, rect.height - 20.0);
    canvas.quad(Quad::rounded(bar, 1.5, mark));
    let text =
        Rect::new(rect.x + PADDING + 4.0, rect.y, rect.width - 2.0 * PADDING - 4.0, rect.height);
    canvas.text(text, Align::Left, &toast.text, style);
    // Like the status bar, it is there to be read, and keeps clicks from what is below it.
    canvas.hit(rect, Hit::StatusBar);
}
