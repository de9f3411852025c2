//! The line at the bottom: branch, what the agent on show does, and where the cursor is.

use scene::{Align, Point, Rect};
use workspace::{State, Workspace, link_words};

use crate::FrameInputs;
use crate::Hit;
use crate::canvas::{Canvas, Style};
use crate::layout::Layout;
use crate::marks::Mark;
use crate::words::{Age, sentence};

const PADDING: f32 = 14.0;
const GAP: f32 = 18.0;
const SIZE: f32 = 12.0;

pub(crate) fn draw(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, layout: &Layout) {
    let palette = canvas.palette;
    let bar = layout.status;
    canvas.layer(bar);
    canvas.fill(bar, palette.chrome);
    canvas.fill(Rect::new(bar.x, bar.y, bar.width, 1.0), palette.line);
    canvas.hit(bar, Hit::StatusBar);

    let mut room = Room::new(bar);
    for text in right_parts(state, inputs) {
        room.put_right(canvas, &text, Style::regular(SIZE, palette.dim));
    }
    draw_left(canvas, state, inputs, &mut room);
}

/// From the right edge inwards, most important first.
fn right_parts(state: &State, inputs: &FrameInputs<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some((_, file)) = state.active_file() {
        let cursor = file.document().cursor();
        parts.push("UTF-8".to_owned());
        parts.push(format!("{}:{}", cursor.line + 1, cursor.column + 1));
    }
    if !inputs.renderer.is_empty() {
        parts.push(inputs.renderer.to_owned());
    }
    if state.is_dnd() {
        parts.push("Do not disturb".to_owned());
    }
    if somebody_else_waits(state)
        && let Some(keys) = state.keymap().keys_of("agent.next")
    {
        parts.push(format!("{keys} next that needs you"));
    }
    parts
}

fn somebody_else_waits(state: &State) -> bool {
    let seen = state.visible_agent().map(|agent| agent.id());
    state.workspaces().iter().any(|workspace| {
        let id = workspace.agent().map(|agent| agent.id());
        workspace.status().needs_the_user() && id != seen
    })
}

fn draw_left(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, room: &mut Room) {
    let palette = canvas.palette;
    let plain = Style::regular(SIZE, palette.text);
    let dim = Style::regular(SIZE, palette.dim);
    let workspace = state.active_workspace();
    if let Some(branch) = workspace.and_then(Workspace::branch) {
        room.put_left(canvas, &[(branch, dim)]);
    }
    if !state.pending_keys().is_empty() {
        let chords: Vec<String> = state.pending_keys().iter().map(ToString::to_string).collect();
        let text = format!("{} …", chords.join(" "));
        room.put_left(canvas, &[(&text, Style::medium(SIZE, palette.accent))]);
    }
    if state.is_pasting() {
        let text = "pasting… Ctrl+C stops";
        room.put_left(canvas, &[(text, Style::medium(SIZE, palette.accent))]);
    }
    if let Some(error) = state.config_error() {
        room.put_left(canvas, &[(error, Style::regular(SIZE, palette.status.errored_text))]);
    }
    if let Some(error) = state.cannot_keep() {
        room.put_left(canvas, &[(error, Style::regular(SIZE, palette.status.errored_text))]);
    }
    let n_left = state.left_behind().len();
    if n_left > 0 {
        let text = format!("left behind by a crash: {n_left}");
        room.put_left(canvas, &[(&text, Style::regular(SIZE, palette.status.errored_text))]);
    }
    if let Some(hovered) = inputs.link {
        let (place, whole) = link_words(&hovered.link.target);
        let strong = Style::medium(SIZE, palette.text);
        let gap = if whole.is_empty() { "" } else { "   " };
        room.put_left(canvas, &[(&place, strong), (gap, dim), (&whole, dim)]);
        return;
    }
    match workspace.and_then(|workspace| Some((workspace, workspace.agent()?))) {
        Some((workspace, agent)) => {
            let mark = Mark::of(workspace);
            room.put_mark(canvas, mark);
            let words = sentence(agent);
            let age = Age::of(workspace).filter(|_| workspace.status().needs_the_user());
            let age = age.map(|age| format!(" {}", age.label(inputs.now)));
            let style = if mark.asks() { plain } else { dim };
            room.put_left(canvas, &[(&words, style), (&age.unwrap_or_default(), dim)]);
        }
        None if workspace.is_none() => room.put_left(canvas, &[("Ready", dim)]),
        None => room.put_left(canvas, &[("no agent", dim)]),
    }
}

/// What is left of the bar while it is filled from both ends.
struct Room {
    area: Rect,
}

impl Room {
    fn new(bar: Rect) -> Self {
        Self {
            area: Rect::new(
                bar.x + PADDING,
                bar.y + 1.0,
                bar.width - 2.0 * PADDING,
                bar.height - 1.0,
            ),
        }
    }

    /// What does not fit whole is left out: half a hint is no hint.
    fn put_right(&mut self, canvas: &mut Canvas, text: &str, style: Style) {
        let width = style.width(text);
        if width > self.area.width * 0.6 {
            return;
        }
        let area = Rect { x: self.area.right() - width, width, ..self.area };
        canvas.text(area, Align::Right, text, style);
        self.area.width = (self.area.width - width - GAP).max(0.0);
    }

    fn put_left(&mut self, canvas: &mut Canvas, parts: &[(&str, Style)]) {
        canvas.spans(self.area, Align::Left, parts);
        let width: f32 = parts.iter().map(|(text, style)| style.width(text)).sum();
        self.skip(width + GAP);
    }

    fn put_mark(&mut self, canvas: &mut Canvas, mark: Mark) {
        if self.area.width > 12.0 {
            mark.draw_small(canvas, Point::new(self.area.x + 6.0, self.area.center().y));
        }
        self.skip(12.0 + 4.0);
    }

    fn skip(&mut self, width: f32) {
        let width = width.min(self.area.width);
        self.area = Rect { x: self.area.x + width, width: self.area.width - width, ..self.area };
    }
}
