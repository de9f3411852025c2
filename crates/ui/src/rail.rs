//! The strip at the left: one tile per workspace, and a line that sums them up.

use scene::{Align, Point, Quad, Rect};
use workspace::{Badge, State, Workspace, WorkspaceId};

use crate::canvas::{Canvas, Style};
use crate::layout::{Layout, count, length};
use crate::marks::{Mark, draw_badge};
use crate::words::{Age, Summary, activity};
use crate::{FrameInputs, Hit};

const PADDING: f32 = 8.0;
const COMPACT_PADDING: f32 = 6.0;
const SUMMARY_HEIGHT: f32 = 44.0;
/// The line that says how many tiles are out of view.
const HIDDEN_HEIGHT: f32 = 24.0;
const TILE_HEIGHT: f32 = 52.0;
const TILE_GAP: f32 = 2.0;
const TILE_RADIUS: f32 = 8.0;
/// From the tile's left edge to the middle of its mark, and to its text.
const MARK_X: f32 = 20.0;
const TEXT_X: f32 = 38.0;

pub(crate) fn draw(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, layout: &Layout) {
    let palette = canvas.palette;
    canvas.layer(layout.rail);
    canvas.fill(layout.rail, palette.chrome);
    let edge = Rect::new(layout.rail.right() - 1.0, layout.rail.y, 1.0, layout.rail.height);
    canvas.fill(edge, palette.line);
    canvas.hit(layout.rail, Hit::Rail);

    let (summary, list) = layout.rail.split_top(SUMMARY_HEIGHT);
    draw_summary(canvas, state, summary, layout.is_compact);

    let active = state.active_workspace().map(Workspace::id);
    let workspaces = state.workspaces();
    let shown = in_view(workspaces, active, list.height);
    let padding = if layout.is_compact { COMPACT_PADDING } else { PADDING };
    canvas.layer(list);
    let tiles = workspaces.iter().enumerate().skip(shown.start).take(shown.len());
    let top = list.y + if shown.start > 0 { HIDDEN_HEIGHT } else { 0.0 };
    for (at, workspace) in tiles {
        let y = top + length(at - shown.start, TILE_HEIGHT + TILE_GAP);
        let rect = Rect::new(list.x + padding, y, list.width - 2.0 * padding, TILE_HEIGHT);
        let is_active = active == Some(workspace.id());
        let badge = state.workspace_badge(workspace).filter(|_| !is_active);
        let tile = Tile { workspace, rect, place: at + 1, is_active, badge };
        tile.draw(canvas, inputs, layout.is_compact);
    }
    let (above, below) = (&workspaces[..shown.start], &workspaces[shown.end..]);
    draw_hidden(canvas, list.split_top(HIDDEN_HEIGHT).0, '↑', above);
    draw_hidden(canvas, list.split_bottom(HIDDEN_HEIGHT).0, '↓', below);
}

/// Says how many tiles are out of view at one end, and loudly how many of them ask.
fn draw_hidden(canvas: &mut Canvas, strip: Rect, arrow: char, hidden: &[Workspace]) {
    if hidden.is_empty() {
        return;
    }
    let palette = canvas.palette;
    let n_asking = hidden.iter().filter(|it| it.status().needs_the_user()).count();
    canvas.layer(Rect { width: strip.width - 1.0, ..strip });
    canvas.fill(strip, palette.chrome);
    let quiet = Style::medium(11.0, palette.dim);
    let loud = Style::semibold(11.0, palette.status.needs_input_text);
    let count = format!("{arrow} {}", hidden.len());
    let asking = if n_asking == 0 { String::new() } else { format!("  {n_asking} ask") };
    canvas.spans(strip, Align::Center, &[(&count, quiet), (&asking, loud)]);
}

fn draw_summary(canvas: &mut Canvas, state: &State, area: Rect, is_compact: bool) {
    let palette = canvas.palette;
    let summary = Summary::of(state);
    let loud = Style::semibold(12.0, palette.status.needs_input_text);
    let quiet = Style::medium(12.0, palette.dim);
    if is_compact {
        if summary.asking > 0 {
            let text = summary.asking.to_string();
            canvas.text(area, Align::Center, &text, Style::semibold(13.0, loud.color));
        }
        return;
    }
    let area = area.inset(16.0, 0.0);
    let asking = summary.asking_text();
    let gap = if asking.is_empty() || summary.rest.is_empty() { "" } else { "  ·  " };
    canvas.spans(area, Align::Left, &[(&asking, loud), (gap, quiet), (&summary.rest, quiet)]);
}

/// The workspaces that fit, so chosen that the active one is among them.
fn in_view(
    workspaces: &[Workspace],
    active: Option<WorkspaceId>,
    height: f32,
) -> std::ops::Range<usize> {
    let fit = |height: f32| count(height, TILE_HEIGHT + TILE_GAP).max(1);
    if workspaces.len() <= fit(height) {
        return 0..workspaces.len();
    }
    // Where some are hidden, the lines that say so take room too: one below, or one at each end.
    let from_top = fit(height - HIDDEN_HEIGHT);
    let is_active = |workspace: &Workspace| Some(workspace.id()) == active;
    let active = workspaces.iter().position(is_active).unwrap_or(0);
    if active < from_top {
        return 0..from_top;
    }
    let n_between = fit(height - 2.0 * HIDDEN_HEIGHT);
    active + 1 - n_between.min(active + 1)..active + 1
}

struct Tile<'a> {
    workspace: &'a Workspace,
    rect: Rect,
    /// Counted from 1.
    place: usize,
    is_active: bool,
    badge: Option<Badge>,
}

impl Tile<'_> {
    fn draw(&self, canvas: &mut Canvas, inputs: &FrameInputs<'_>, is_compact: bool) {
        let palette = canvas.palette;
        let mark = Mark::of(self.workspace);
        if self.is_active {
            let ground = Quad::rounded(self.rect, TILE_RADIUS, palette.raised);
            canvas.quad(ground.bordered(1.0, palette.line));
        } else if canvas.is_hovered(self.rect) {
            canvas.quad(Quad::rounded(self.rect, TILE_RADIUS, palette.raised));
        }
        canvas.hit(self.rect, Hit::Tile(self.workspace.id()));

        if mark != Mark::Idle {
            let bar = Rect::new(self.rect.x, self.rect.y + 8.0, 3.0, self.rect.height - 16.0);
            canvas.quad(Quad::rounded(bar, 1.5, mark.color(palette)));
        }
        let middle = self.rect.center();
        let x = if is_compact { middle.x } else { self.rect.x + MARK_X };
        mark.draw(canvas, Point::new(x, middle.y), inputs.pulse);
        if let Some(badge) = self.badge {
            let at = Point::new(x + 9.0, middle.y - 9.0);
            draw_badge(canvas, badge, at);
        }
        if !is_compact {
            self.draw_words(canvas, inputs, mark);
        }
    }

    fn draw_words(&self, canvas: &mut Canvas, inputs: &FrameInputs<'_>, mark: Mark) {
        let palette = canvas.palette;
        let right = self.rect.right() - 8.0;
        let name_line = Rect::new(self.rect.x + TEXT_X, self.rect.y + 7.0, 0.0, 20.0);
        let activity_line = Rect::new(name_line.x, name_line.bottom(), 0.0, 16.0);

        let age = Age::of(self.workspace).map(|age| age.label(inputs.now)).unwrap_or_default();
        let weight = if mark.asks() { Style::semibold } else { Style::medium };
        let age_style = weight(11.5, mark.text_color(palette));
        let age_width = age_style.width(&age);
        let place = if self.place <= 9 { self.place.to_string() } else { String::new() };
        let place_style = Style::regular(11.0, palette.faint);
        let place_width = place_style.width(&place);

        let until =
            |left: f32, taken: f32| right - left - if taken > 0.0 { taken + 8.0 } else { 0.0 };
        // Alone, the number stands in the middle and so beside both lines.
        let beside_name = if age.is_empty() { place_width } else { age_width };
        let name_line = Rect { width: until(name_line.x, beside_name).max(0.0), ..name_line };
        let activity_line =
            Rect { width: until(activity_line.x, place_width).max(0.0), ..activity_line };

        let name_color = if mark == Mark::Idle { palette.dim } else { palette.text };
        let activity_color = if mark.asks() { palette.text } else { palette.dim };
        let name = self.workspace.name();
        canvas.text(name_line, Align::Left, name, Style::semibold(13.0, name_color));
        let doing = activity(self.workspace);
        canvas.text(activity_line, Align::Left, &doing, Style::regular(11.5, activity_color));

        let column = |line: Rect, width: f32| Rect::new(right - width, line.y, width, line.height);
        canvas.text(column(name_line, age_width), Align::Right, &age, age_style);
        let place_line = if age.is_empty() { self.rect } else { activity_line };
        canvas.text(column(place_line, place_width), Align::Right, &place, place_style);
    }
}
