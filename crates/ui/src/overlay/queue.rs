//! Those that wait, one below the other; the selected one with what it is about and its answers.

mod card;

use agent::AgentHandle;
use scene::{Align, Color, Point, Rect};
use workspace::{Action, Queue, QueueAction, Reply, State, Workspace};

use self::card::CardLayout;
use super::{MARGIN, PADDING, panel_of};
use crate::canvas::{Canvas, Style};
use crate::layout::Layout;
use crate::marks::Mark;
use crate::welcome::shown_path;
use crate::words::{Age, reason_word};
use crate::{FrameInputs, Hit};

const WIDTH: f32 = 760.0;
const HEAD_HEIGHT: f32 = 44.0;
const FOOT_HEIGHT: f32 = 34.0;
/// A window that is lower than this has no room for hints.
const FOOT_FROM: f32 = 260.0;
const ROW_PADDING: f32 = 11.0;
const LINE_HEIGHT: f32 = 22.0;
/// From the panel's left edge to the middle of a mark, and to the text.
const MARK_X: f32 = 26.0;
const TEXT_X: f32 = 52.0;

/// Returns where the caret is, while something is written.
pub(super) fn draw(
    canvas: &mut Canvas,
    state: &State,
    queue: &Queue,
    inputs: &FrameInputs<'_>,
    layout: &Layout,
) -> Option<Rect> {
    let waiting: Vec<&Workspace> =
        queue.order().iter().filter_map(|id| state.workspace(*id)).collect();
    let width = WIDTH.min(canvas.window.width - 2.0 * MARGIN).max(0.0);
    let card = CardLayout::new(state, queue, width - TEXT_X - PADDING);
    let is_selected = |workspace: &Workspace| queue.selected() == Some(workspace.id());
    let height_of = |workspace: &Workspace| {
        let extra = card.as_ref().filter(|_| is_selected(workspace)).map_or(0.0, |it| it.height);
        2.0 * ROW_PADDING + 2.0 * LINE_HEIGHT + extra
    };
    let has_foot = canvas.window.height >= FOOT_FROM && !waiting.is_empty();
    let foot_height = if has_foot { FOOT_HEIGHT } else { 0.0 };
    let room = (canvas.window.height - 2.0 * MARGIN - HEAD_HEIGHT - foot_height).max(0.0);
    let selected = waiting.iter().position(|it| is_selected(it)).unwrap_or(0);
    let heights: Vec<f32> = waiting.iter().map(|it| height_of(it)).collect();
    let shown = in_view(&heights, selected, room);
    let rows = &waiting[shown.clone()];
    let height = heights[shown].iter().sum::<f32>().min(room);

    let panel = panel_of(canvas, layout, (WIDTH, HEAD_HEIGHT + height + foot_height));
    let (head, list) = panel.split_top(HEAD_HEIGHT);
    let (foot, mut list) = list.split_bottom(foot_height);
    draw_head(canvas, (selected, waiting.len()), head);
    if has_foot {
        let hint = Style::regular(12.0, canvas.palette.dim);
        canvas.text(foot.inset(PADDING, 0.0), Align::Left, hints(queue), hint);
    }
    canvas.layer(list);
    let mut caret = None;
    for workspace in rows {
        let (rect, rest) = list.split_top(height_of(workspace));
        list = rest;
        let card = card.as_ref().filter(|_| is_selected(workspace));
        let has_foot = has_foot || list.height > 0.0;
        caret = Row { workspace, rect, card, has_foot }.draw(canvas, inputs).or(caret);
    }
    caret
}

fn draw_head(canvas: &mut Canvas, (selected, n_waiting): (usize, usize), head: Rect) {
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
        1 => "1 waiting".to_owned(),
        n => format!("{} of {n} waiting", selected + 1),
    };
    canvas.text(rest, Align::Right, &words, Style::regular(12.0, palette.dim));
}

/// Which keys do what now.
fn hints(queue: &Queue) -> &'static str {
    if queue.is_writing() {
        return "Enter sends it and goes to the next · Esc goes back and keeps the text";
    }
    match queue.card().map(|card| (card.reply, card.choices().count())) {
        Some((Reply::Offered, _)) => {
            "R writes to it · ↑↓ another one · ←→ choose · Ctrl+Enter opens it · Esc closes"
        }
        Some((_, 1)) | None => "↑↓ another one · Enter opens it · Esc closes",
        Some(_) => {
            "Enter answers and goes to the next · ←→ choose · ↑↓ another one · Ctrl+Enter opens it · Esc closes"
        }
    }
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

struct Row<'a> {
    workspace: &'a Workspace,
    rect: Rect,
    /// Where it is the selected one.
    card: Option<&'a CardLayout<'a>>,
    /// Something follows below it.
    has_foot: bool,
}

impl Row<'_> {
    fn draw(&self, canvas: &mut Canvas, inputs: &FrameInputs<'_>) -> Option<Rect> {
        let palette = canvas.palette;
        let (workspace, rect) = (self.workspace, self.rect.inset(1.0, 0.0));
        let ground = match (self.card.is_some(), canvas.is_hovered(rect)) {
            (true, _) => palette.raised,
            (false, true) => palette.line.with_opacity(0.4),
            (false, false) => Color::TRANSPARENT,
        };
        canvas.fill(rect, ground);
        if self.has_foot {
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
        let dialog = self.card.and_then(|it| it.card().dialog.as_ref());
        // Many ask in the same words: what that is about comes first.
        let asked = match dialog {
            Some(dialog) => Some(dialog.question.line(None)),
            None => agent.and_then(AgentHandle::asked_about),
        };
        match asked {
            Some(asked) => {
                let style = Style::regular(13.0, palette.text);
                canvas.text(words(second), Align::Left, &asked, style);
            }
            None => {
                let root = shown_path(workspace.root(), inputs.home);
                canvas.path_text(words(second), Align::Left, &root, about.1);
            }
        }
        self.card.and_then(|card| card.draw(canvas, workspace, words(rest), inputs))
    }
}
