//! Those that wait, one below the other; the selected one with what it is about and its answers.

use scene::{Align, Color, Point, Quad, Rect};
use workspace::{Action, Card, Queue, QueueAction, State, Workspace};

use super::{MARGIN, PADDING, RADIUS, panel_of};
use crate::canvas::{Canvas, Style, clean};
use crate::layout::{Layout, length};
use crate::marks::Mark;
use crate::welcome::shown_path;
use crate::words::{Age, reason_word};
use crate::{FrameInputs, Hit};

const WIDTH: f32 = 760.0;
const HEAD_HEIGHT: f32 = 44.0;
const ROW_PADDING: f32 = 11.0;
const LINE_HEIGHT: f32 = 22.0;
const GAP: f32 = 6.0;
/// From the panel's left edge to the middle of a mark, and to the text.
const MARK_X: f32 = 26.0;
const TEXT_X: f32 = 52.0;
const CODE_LINE: f32 = 19.0;
const CODE_PADDING: f32 = 6.0;
const BUTTON_HEIGHT: f32 = 28.0;
const BUTTON_PADDING: f32 = 20.0;
/// An answer longer than this is cut: its number tells it from the others.
const MAX_BUTTON: f32 = 300.0;

pub(super) fn draw(
    canvas: &mut Canvas,
    state: &State,
    queue: &Queue,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) {
    let waiting: Vec<&Workspace> =
        queue.order().iter().filter_map(|id| state.workspace(*id)).collect();
    let width = WIDTH.min(canvas.window.width - 2.0 * MARGIN).max(0.0);
    let card = queue.card().map(|card| CardLayout::new(card, width - TEXT_X - PADDING));
    let is_selected = |workspace: &Workspace| queue.selected() == Some(workspace.id());
    let height_of = |workspace: &Workspace| {
        let extra = card.as_ref().filter(|_| is_selected(workspace)).map_or(0.0, |it| it.height);
        2.0 * ROW_PADDING + 2.0 * LINE_HEIGHT + extra
    };
    let room = (canvas.window.height - 2.0 * MARGIN - HEAD_HEIGHT).max(0.0);
    let selected = waiting.iter().position(|it| is_selected(it)).unwrap_or(0);
    let shown =
        in_view(&waiting.iter().map(|it| height_of(it)).collect::<Vec<_>>(), selected, room);
    let rows = &waiting[shown];
    let height: f32 = rows.iter().map(|it| height_of(it)).sum();

    let panel = panel_of(canvas, layout, (WIDTH, HEAD_HEIGHT + height.min(room)));
    let (head, mut list) = panel.split_top(HEAD_HEIGHT);
    draw_head(canvas, waiting.len(), head);
    canvas.layer(list);
    for (index, workspace) in rows.iter().enumerate() {
        let (rect, rest) = list.split_top(height_of(workspace));
        list = rest;
        let card = card.as_ref().filter(|_| is_selected(workspace));
        let is_last = index + 1 == rows.len();
        Row { workspace, rect, card, is_last }.draw(canvas, inputs);
    }
}

fn draw_head(canvas: &mut Canvas, n_waiting: usize, head: Rect) {
    let palette = canvas.palette;
    let line = Rect { y: head.bottom() - 1.0, height: 1.0, ..head };
    canvas.fill(line.inset(1.0, 0.0), palette.line);
    let area = head.inset(PADDING, 0.0);
    let title = Style::semibold(13.0, palette.text);
    canvas.text(area, Align::Left, "Needs you", title);
    let gap = title.width("Needs you") + 16.0;
    let rest = Rect::new(area.x + gap, area.y, (area.width - gap).max(0.0), area.height);
    let words = match n_waiting {
        0 => "Nobody any more · Esc closes".to_owned(),
        n => format!("{n} waiting · Enter answers and goes to the next"),
    };
    canvas.text(rest, Align::Right, &words, Style::regular(12.0, palette.dim));
}

/// As many rows as there is room for, so that the selected one is among them.
fn in_view(heights: &[f32], selected: usize, room: f32) -> std::ops::Range<usize> {
    let mut start = 0;
    while start < selected.min(heights.len())
        && heights[start..=selected].iter().sum::<f32>() > room
    {
        start += 1;
    }
    let mut left = room;
    let fits = |height: &&f32| {
        left -= **height;
        left >= 0.0
    };
    let count = heights[start..].iter().take_while(fits).count();
    start..(start + count.max(1)).min(heights.len())
}

/// What is shown of the selected one besides its two lines, and where.
struct CardLayout<'a> {
    card: &'a Card,
    code_height: f32,
    /// Each below the last one's edge where a line is full.
    buttons: Vec<Button>,
    height: f32,
}

struct Button {
    label: String,
    rect: Rect,
}

impl<'a> CardLayout<'a> {
    fn new(card: &'a Card, width: f32) -> Self {
        let n_lines = card.dialog.as_ref().map_or(0, |dialog| dialog.about.len());
        let code_height =
            if n_lines == 0 { 0.0 } else { length(n_lines, CODE_LINE) + 2.0 * CODE_PADDING };
        let answers = card.dialog.iter().flat_map(|dialog| &dialog.answers);
        let labels = answers.map(|answer| format!("{} {}", answer.key, answer.label));
        let buttons = flow(labels.chain(["Open".to_owned()]), width);
        let buttons_height = buttons.last().map_or(0.0, |button| button.rect.bottom());
        let code_gap = if n_lines == 0 { 0.0 } else { GAP };
        let height = code_gap + code_height + GAP + buttons_height;
        Self { card, code_height, buttons, height }
    }

    fn draw(&self, canvas: &mut Canvas, workspace: &Workspace, area: Rect) {
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
        for (choice, button) in self.buttons.iter().enumerate() {
            let at =
                Rect { x: area.x + button.rect.x, y: below + GAP + button.rect.y, ..button.rect };
            let is_chosen = choice == self.card.selected;
            draw_button(canvas, at, &button.label, is_chosen);
            let choose = QueueAction::Choose { workspace: workspace.id(), choice };
            canvas.hit(at, Hit::Do(Action::Queue(choose)));
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

struct Row<'a> {
    workspace: &'a Workspace,
    rect: Rect,
    /// Where it is the selected one.
    card: Option<&'a CardLayout<'a>>,
    is_last: bool,
}

impl Row<'_> {
    fn draw(&self, canvas: &mut Canvas, inputs: &FrameInputs<'_>) {
        let palette = canvas.palette;
        let (workspace, rect) = (self.workspace, self.rect.inset(1.0, 0.0));
        let ground = match (self.card.is_some(), canvas.is_hovered(rect)) {
            (true, _) => palette.raised,
            (false, true) => palette.line.with_opacity(0.4),
            (false, false) => Color::TRANSPARENT,
        };
        if self.is_last {
            fill_last(canvas, rect, ground);
        } else {
            canvas.fill(rect, ground);
            canvas.fill(Rect { y: rect.bottom() - 1.0, height: 1.0, ..rect }, palette.line);
        }
        canvas.hit(self.rect, Hit::Do(Action::Queue(QueueAction::Select(workspace.id()))));

        let inner = self.rect.inset(0.0, ROW_PADDING);
        let (first, rest) = inner.split_top(LINE_HEIGHT);
        let (second, rest) = rest.split_top(LINE_HEIGHT);
        let mark = Mark::of(workspace);
        mark.draw(canvas, Point::new(self.rect.x + MARK_X, first.center().y), inputs.pulse);
        let words = |line: Rect| Rect {
            x: line.x + TEXT_X,
            width: (line.width - TEXT_X - PADDING).max(0.0),
            ..line
        };
        let age = Age::of(workspace).map(|age| age.label(inputs.now)).unwrap_or_default();
        let quiet = Style::regular(12.0, palette.dim);
        let age_width = quiet.width(&age);
        let area = words(first);
        let name_area = Rect { width: (area.width - age_width - 12.0).max(0.0), ..area };
        let agent = workspace.agent();
        let about = agent.map_or_else(String::new, |agent| {
            format!("  {} · {}", agent.name(), agent.reason().map_or("", reason_word))
        });
        let name = (workspace.name(), Style::semibold(13.0, palette.text));
        let about = (about.as_str(), Style::regular(13.0, palette.dim));
        canvas.spans(name_area, Align::Left, &[name, about]);
        canvas.text(area, Align::Right, &age, quiet);
        let dialog = self.card.and_then(|it| it.card.dialog.as_ref());
        let asked = dialog.map(|it| it.question.text.as_str()).or(agent.and_then(|it| it.asked()));
        match asked {
            Some(asked) => {
                canvas.text(words(second), Align::Left, asked, Style::regular(13.0, palette.text));
            }
            None => {
                let root = shown_path(workspace.root(), inputs.home);
                canvas.path_text(words(second), Align::Left, &root, about.1);
            }
        }
        if let Some(card) = self.card {
            card.draw(canvas, workspace, words(rest));
        }
    }
}

/// The panel ends below it, and the panel's corners are round.
fn fill_last(canvas: &mut Canvas, row: Rect, ground: Color) {
    let list = canvas.clip();
    let (end, rest) = row.split_bottom(RADIUS);
    canvas.fill(rest, ground);
    canvas.layer(end.intersection(&list));
    let inner = Rect { height: row.height - 1.0, ..row };
    canvas.quad(Quad::rounded(inner, RADIUS - 1.0, ground));
    canvas.layer(list);
}
