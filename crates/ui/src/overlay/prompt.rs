//! A path to type.

use scene::{Align, Rect};
use workspace::{Prompt, PromptKind, State};

use super::{INPUT_HEIGHT, PADDING, draw_input, panel};
use crate::FrameInputs;
use crate::canvas::{Canvas, Style};
use crate::layout::Layout;

const TITLE_HEIGHT: f32 = 36.0;
const HINT_HEIGHT: f32 = 36.0;

pub(super) fn draw(
    canvas: &mut Canvas,
    state: &State,
    prompt: &Prompt,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> Option<Rect> {
    let palette = canvas.palette;
    let panel = panel(canvas, layout, TITLE_HEIGHT + INPUT_HEIGHT + HINT_HEIGHT);
    let inner = panel.inset(PADDING, 0.0);
    let (title, rest) = inner.split_top(TITLE_HEIGHT);
    let (input, rest) = rest.split_top(INPUT_HEIGHT);
    let (hint, _) = rest.split_top(HINT_HEIGHT);
    let (words, help) = match prompt.kind {
        PromptKind::Folder => {
            ("Open folder", "A folder, or a file in one. ~ is your home. Enter opens, Esc closes.")
        }
        PromptKind::SaveOutput(_) => (
            "Save output to file",
            "All that the terminal has shown, as text. Enter saves, Esc closes.",
        ),
        PromptKind::File => {
            ("Open file", "A file that is not there yet opens empty. Enter opens, Esc closes.")
        }
    };
    let title = Rect::new(title.x, title.y + 4.0, title.width, title.height - 4.0);
    canvas.text(title, Align::Left, words, Style::semibold(13.0, palette.text));
    let edge = Rect::new(panel.x + 1.0, input.bottom() - 1.0, panel.width - 2.0, 1.0);
    canvas.fill(edge.intersection(&panel), palette.line);
    match &prompt.error {
        Some(error) => {
            canvas.text(
                hint,
                Align::Left,
                error,
                Style::regular(12.0, palette.status.errored_text),
            );
        }
        None => canvas.text(hint, Align::Left, help, Style::regular(12.0, palette.dim)),
    }
    Some(draw_input(canvas, input, (&prompt.input, state.preedit()), "/path/to/it", inputs))
}
