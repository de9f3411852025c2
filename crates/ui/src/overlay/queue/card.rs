//! What is shown of the selected one besides its two lines: what it is about, and its answers or the
//! field in which one is written.

use scene::{Align, Color, Quad, Rect};
use workspace::{
    Action, Card, CardChoice, Draft, Preedit, Queue, QueueAction, Reply, State, Workspace,
};

use crate::canvas::{Canvas, Style, clean};
use crate::layout::length;
use crate::overlay::draw_input;
use crate::{FrameInputs, Hit};

const GAP: f32 = 6.0;
const CODE_LINE: f32 = 19.0;
const CODE_PADDING: f32 = 6.0;
const NOTE_HEIGHT: f32 = 22.0;
const FIELD_HEIGHT: f32 = 36.0;
const BUTTON_HEIGHT: f32 = 28.0;
const BUTTON_PADDING: f32 = 20.0;
/// An answer longer than this is cut: its number tells it from the others.
const MAX_BUTTON: f32 = 300.0;

pub(super) struct CardLayout<'a> {
    card: &'a Card,
    code_height: f32,
    /// Why nothing can be written to it, or why what was written was not sent.
    note: Option<&'a str>,
    form: Form<'a>,
    pub(super) height: f32,
}

enum Form<'a> {
    /// Each below the last one's edge where a line is full.
    Buttons(Vec<Button>),
    Field(&'a Draft, Option<&'a Preedit>),
}

struct Button {
    label: String,
    rect: Rect,
}

impl<'a> CardLayout<'a> {
    pub(super) fn new(state: &'a State, queue: &'a Queue, width: f32) -> Option<Self> {
        let card = queue.card()?;
        let n_lines = card.dialog.as_ref().map_or(0, |dialog| dialog.about.len());
        let code_height =
            if n_lines == 0 { 0.0 } else { length(n_lines, CODE_LINE) + 2.0 * CODE_PADDING };
        let draft = queue.draft();
        let (form, note, form_height) = match draft.filter(|_| queue.is_writing()) {
            Some(draft) => (Form::Field(draft, state.preedit()), draft.note(), FIELD_HEIGHT),
            None => {
                let labels = card.choices().map(|choice| label(&choice, draft));
                let buttons = flow(labels, width);
                let height = buttons.last().map_or(0.0, |button| button.rect.bottom());
                let note = match card.reply {
                    Reply::Refused(why) => Some(why),
                    Reply::Offered | Reply::Needless => None,
                };
                (Form::Buttons(buttons), note, height)
            }
        };
        let code_gap = if n_lines == 0 { 0.0 } else { GAP };
        let note_height = note.map_or(0.0, |_| NOTE_HEIGHT);
        let height = code_gap + code_height + GAP + form_height + note_height;
        Some(Self { card, code_height, note, form, height })
    }

    pub(super) fn card(&self) -> &'a Card {
        self.card
    }

    /// Returns where the caret is, if there is a field.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        workspace: &Workspace,
        area: Rect,
        inputs: &FrameInputs<'_>,
    ) -> Option<Rect> {
        let palette = canvas.palette;
        let mut below = area.y;
        if let Some(dialog) = self.card.dialog.as_ref().filter(|dialog| !dialog.about.is_empty()) {
            let block = Rect::new(area.x, area.y + GAP, area.width, self.code_height);
            canvas.quad(Quad::rounded(block, 5.0, palette.pane).bordered(1.0, palette.line));
            let inner = block.inset(8.0, CODE_PADDING);
            for (index, line) in dialog.about.iter().enumerate() {
                let y = inner.y + length(index, CODE_LINE);
                let row = Rect::new(inner.x, y, inner.width, CODE_LINE);
                canvas.mono(row, Align::Left, &clean(line), 12.5, palette.text);
            }
            below = block.bottom();
        }
        let note = |canvas: &mut Canvas, y: f32, color: Color| {
            let row = Rect { y, height: NOTE_HEIGHT, ..area };
            canvas.text(
                row,
                Align::Left,
                self.note.unwrap_or_default(),
                Style::regular(12.0, color),
            );
        };
        match &self.form {
            Form::Buttons(buttons) => {
                if self.note.is_some() {
                    note(canvas, below, palette.dim);
                    below += NOTE_HEIGHT;
                }
                for (choice, button) in buttons.iter().enumerate() {
                    let (x, y) = (area.x + button.rect.x, below + GAP + button.rect.y);
                    let at = Rect { x, y, ..button.rect };
                    draw_button(canvas, at, &button.label, choice == self.card.selected);
                    let choose = QueueAction::Choose { workspace: workspace.id(), choice };
                    canvas.hit(at, Hit::Do(Action::Queue(choose)));
                }
                None
            }
            Form::Field(draft, preedit) => {
                let field = Rect { y: below + GAP, height: FIELD_HEIGHT, ..area };
                canvas.quad(Quad::rounded(field, 6.0, palette.pane).bordered(1.0, palette.accent));
                note(canvas, field.bottom(), palette.status.errored_text);
                let hint = format!("Write to {}", workspace.name());
                let list = canvas.clip();
                let line = (draft.input(), *preedit);
                let caret = draw_input(canvas, field.inset(10.0, 0.0), line, &hint, inputs);
                canvas.layer(list);
                Some(caret)
            }
        }
    }
}

fn label(choice: &CardChoice<'_>, draft: Option<&Draft>) -> String {
    match choice {
        CardChoice::Answer(answer) => format!("{} {}", answer.key, answer.label),
        CardChoice::Open => "Open".to_owned(),
        CardChoice::Write => {
            let key = choice.key().map(|key| format!("{key} ")).unwrap_or_default();
            let written = draft.map(|draft| format!(": {}", draft.input().text()));
            format!("{key}Reply{}", written.unwrap_or_default())
        }
    }
}

/// Buttons one beside the other, from the left, in as many lines as they need.
fn flow(labels: impl Iterator<Item = String>, width: f32) -> Vec<Button> {
    let style = Style::medium(12.5, Color::default());
    let (mut x, mut y) = (0.0_f32, 0.0_f32);
    labels
        .map(|label| {
            let wide = (style.width(&label) + BUTTON_PADDING).min(MAX_BUTTON).min(width);
            if x > 0.0 && x + wide > width {
                (x, y) = (0.0, y + BUTTON_HEIGHT + GAP);
            }
            let rect = Rect::new(x, y, wide, BUTTON_HEIGHT);
            x += wide + GAP;
            Button { label, rect }
        })
        .collect()
}

fn draw_button(canvas: &mut Canvas, rect: Rect, label: &str, is_chosen: bool) {
    let palette = canvas.palette;
    let (ground, color) = match (is_chosen, canvas.is_hovered(rect)) {
        (true, _) => (palette.accent, palette.on_accent),
        (false, true) => (palette.line, palette.text),
        (false, false) => (palette.overlay, palette.text),
    };
    let edge = if is_chosen { ground } else { palette.line };
    canvas.quad(Quad::rounded(rect, 6.0, ground).bordered(1.0, edge));
    canvas.text(rect.inset(8.0, 0.0), Align::Center, label, Style::medium(12.5, color));
}
