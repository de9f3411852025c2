//! A question with a few answers.

use scene::{Align, Quad, Rect};
use workspace::Confirm;

use super::{PADDING, panel};
use crate::Hit;
use crate::canvas::{Canvas, Style, clean};
use crate::layout::{Layout, length};

const BUTTON_HEIGHT: f32 = 32.0;
const GAP: f32 = 8.0;
const PREVIEW_LINE: f32 = 18.0;
const PREVIEW_PADDING: f32 = 8.0;

pub(super) fn draw(canvas: &mut Canvas, confirm: &Confirm, layout: &Layout) {
    let palette = canvas.palette;
    let preview = match confirm.preview.len() {
        0 => 0.0,
        n_lines => length(n_lines, PREVIEW_LINE) + 2.0 * PREVIEW_PADDING,
    };
    let gap = if preview > 0.0 { GAP } else { 0.0 };
    let panel = panel(canvas, layout, 128.0 + preview + gap);
    canvas.layer(panel);
    let inner = panel.inset(PADDING, PADDING);
    let (question, rest) = inner.split_top(22.0);
    let (detail, rest) = rest.split_top(22.0);
    canvas.text(question, Align::Left, &confirm.question, Style::semibold(14.0, palette.text));
    canvas.text(detail, Align::Left, &confirm.detail, Style::regular(13.0, palette.dim));

    let (_, rest) = rest.split_top(gap);
    let (block, rest) = rest.split_top(preview);
    draw_preview(canvas, &confirm.preview, block);
    let (buttons, _) = rest.split_bottom(BUTTON_HEIGHT);
    let mut x = buttons.x;
    for (index, choice) in confirm.choices.iter().enumerate() {
        let is_selected = index == confirm.selected;
        let color = if is_selected { palette.on_accent } else { palette.text };
        let style = Style::medium(13.0, color);
        let room = (buttons.right() - x).max(0.0);
        let width = (style.width(&choice.label) + 24.0).min(room);
        let button = Rect::new(x, buttons.y, width, buttons.height);
        let ground = match (is_selected, canvas.is_hovered(button)) {
            (true, _) => palette.accent,
            (false, true) => palette.line,
            (false, false) => palette.raised,
        };
        canvas.quad(
            Quad::rounded(button, 6.0, ground)
                .bordered(1.0, if is_selected { ground } else { palette.line }),
        );
        canvas.text(button.inset(4.0, 0.0), Align::Center, &choice.label, style);
        canvas.hit(button, Hit::Row(index));
        x += width + GAP;
    }
}

/// What the question is about, line by line.
fn draw_preview(canvas: &mut Canvas, lines: &[String], block: Rect) {
    if block.is_empty() {
        return;
    }
    let palette = canvas.palette;
    canvas.quad(Quad::rounded(block, 6.0, palette.pane).bordered(1.0, palette.line));
    canvas.layer(block);
    for (index, line) in lines.iter().enumerate() {
        let y = block.y + PREVIEW_PADDING + length(index, PREVIEW_LINE);
        let row = Rect::new(block.x + PREVIEW_PADDING, y, block.width, PREVIEW_LINE);
        canvas.mono(row, Align::Left, &clean(line), 12.0, palette.text);
    }
    canvas.layer(canvas.window);
}
