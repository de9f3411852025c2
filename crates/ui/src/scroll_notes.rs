//! What a terminal's pane says about lines that are not in view: newer ones below, and older ones
//! that are gone.

use scene::{Align, Quad, Rect};
use workspace::{Action, PaneId, State, TerminalAction, TerminalView};

use crate::Hit;
use crate::canvas::{Canvas, Style};
use crate::layout::{PANE_PADDING_X, PANE_PADDING_Y};
use crate::terminal_frame::TerminalFrame;

const PILL_HEIGHT: f32 = 28.0;
/// Of the line above the oldest row.
const DROPPED_HEIGHT: f32 = 24.0;

/// How far the rows are moved down to make room for the line about those that are gone: where one has
/// scrolled to the very top, and there are such.
pub(crate) fn dropped_shift(frame: &TerminalFrame) -> f32 {
    let snapshot = frame.snapshot();
    let is_at_top = snapshot.display_offset > 0 && snapshot.display_offset == snapshot.history;
    if is_at_top && snapshot.dropped > 0 { DROPPED_HEIGHT } else { 0.0 }
}

/// How much of the pane's bottom is taken by what is said about newer lines.
pub(crate) fn below_height(frame: &TerminalFrame) -> f32 {
    let is_scrolled = frame.snapshot().display_offset > 0;
    if is_scrolled { PILL_HEIGHT + PANE_PADDING_Y } else { 0.0 }
}

/// Says above the first row how many lines are gone, and why.
pub(crate) fn draw_dropped(
    canvas: &mut Canvas,
    terminal: TerminalView<'_>,
    frame: &TerminalFrame,
    pane: Rect,
) {
    let dropped = frame.snapshot().dropped;
    let (lines, bytes) = terminal.buffer().scrollback_limit();
    let (what, were) = if dropped == 1 { ("line", "was") } else { ("lines", "were") };
    let text = format!(
        "{dropped} older {what} {were} dropped (limit: {lines} lines, {} MiB)",
        bytes / (1024 * 1024)
    );
    let (strip, _) = pane.split_top(DROPPED_HEIGHT + PANE_PADDING_Y / 2.0);
    canvas.layer(pane);
    let area = strip.inset(PANE_PADDING_X, 0.0);
    canvas.text(area, Align::Left, &text, Style::regular(12.0, canvas.palette.dim));
    let line = Rect::new(area.x, strip.bottom() - 1.0, area.width, 1.0);
    canvas.fill(line, canvas.palette.line);
}

/// Tells that newer lines are below, whether some were printed meanwhile, and takes one there.
pub(crate) fn draw_below(
    canvas: &mut Canvas,
    state: &State,
    frame: &TerminalFrame,
    pane: Rect,
    id: PaneId,
) {
    let palette = canvas.palette;
    let n_below = frame.snapshot().display_offset;
    let lines = if n_below == 1 { "line" } else { "lines" };
    let keys = state.keymap().keys_of("terminal.scroll_bottom");
    let keys = keys.map_or_else(String::new, |keys| format!(" · {keys}"));
    let is_new = frame.has_unseen_output();
    let what = if is_new { "new output" } else { "scrolled" };
    let text = format!("{what}: {n_below} {lines} below{keys}");
    let style = Style::regular(12.0, palette.text);
    let mark = if is_new { 14.0 } else { 0.0 };
    let width = (style.width(&text) + 24.0 + mark).min(pane.width - 32.0);
    let bottom = pane.bottom() - PANE_PADDING_Y;
    let pill = Rect::new(pane.right() - 20.0 - width, bottom - PILL_HEIGHT, width, PILL_HEIGHT);
    canvas.layer(pane);
    let ground = if canvas.is_hovered(pill) { palette.raised } else { palette.overlay };
    let edge = if is_new { palette.accent } else { palette.line };
    canvas.quad(Quad::rounded(pill, PILL_HEIGHT / 2.0, ground).bordered(1.0, edge));
    if is_new {
        let at = scene::Point::new(pill.x + 15.0, pill.center().y);
        canvas.quad(Quad::disc(at, 3.5, palette.accent));
    }
    let inner = pill.inset(12.0, 0.0);
    let words = Rect::new(inner.x + mark, inner.y, inner.width - mark, inner.height);
    canvas.text(words, Align::Center, &text, style);
    let bottom = TerminalAction::Scroll(terminal::Scroll::Bottom);
    canvas.hit(pill, Hit::Do(Action::TerminalIn(id, bottom)));
}
