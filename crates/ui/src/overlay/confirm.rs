//! A question with a few answers.

use scene::{Align, Quad, Rect};
use workspace::Confirm;

use super::{PADDING, panel};
use crate::Hit;
use crate::canvas::{Canvas, Style};
use crate::layout::Layout;

const BUTTON_HEIGHT: f32 = 32.0;
const GAP: f32 = 8.0;

pub(super) fn draw(canvas: &mut Canvas, confirm: &Confirm, layout: &Layout) {
    let palette = canvas.palette;
    let panel = panel(canvas, layout, 128.0);
    canvas.layer(panel);
    let inner = panel.inset(PADDING, PADDING);
    let (question, rest) = inner.split_top(22.0);
    let (detail, rest) = rest.split_top(22.0);
    canvas.text(question, Align::Left, &confirm.question, Style::semibold(14.0, palette.text));
    canvas.text(detail, Align::Left, &confirm.detail, Style::regular(13.0, palette.dim));

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
