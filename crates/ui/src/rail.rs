//! The strip at the left: one tile per workspace, those of a repository together, and a line that sums
//! them up.

mod rows;
mod tile;

use scene::{Align, Rect};
use workspace::{Badge, State, TileMenu, Workspace, WorkspaceId};

pub use rows::{drop_place, rail_scrolled};

pub(crate) use rows::RailView;

use self::rows::HIDDEN_HEIGHT;
use self::tile::Tile;
use crate::canvas::{Canvas, Style};
use crate::layout::Layout;
use crate::marks::Mark;
use crate::panes::GRAB;
use crate::words::Summary;
use crate::{FrameInputs, Hit};

/// What the mouse does on the rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RailPointer {
    /// It rests on this tile, whose card is open.
    pub card: Option<WorkspaceId>,
    /// It drags this tile, and would let go of it before the tile at that place.
    pub dragged: Option<(WorkspaceId, usize)>,
}

pub(crate) fn draw(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, layout: &Layout) {
    if layout.rail.width <= 0.0 {
        return;
    }
    let palette = canvas.palette;
    canvas.layer(layout.rail);
    canvas.fill(layout.rail, palette.chrome);
    canvas.hit(layout.rail, Hit::Rail);

    let view = RailView::new(state, layout);
    draw_summary(canvas, state, view.summary, layout.is_compact);
    canvas.layer(view.list);
    draw_headings(canvas, &view);
    draw_tiles(canvas, state, inputs, &view, layout.is_compact);
    let landing = inputs.rail.dragged.and_then(|(tile, place)| state.landing(tile, place));
    if let Some(line) = landing.and_then(|landing| view.drop_line(&landing)) {
        canvas.fill(line, palette.accent);
    }

    let workspaces = state.workspaces();
    let (n_above, until) = view.hidden();
    let (above, below) = (&workspaces[..n_above], &workspaces[until..]);
    draw_hidden(canvas, view.list.split_top(HIDDEN_HEIGHT).0, '↑', above);
    draw_hidden(canvas, view.list.split_bottom(HIDDEN_HEIGHT).0, '↓', below);
    draw_edge(canvas, layout.rail);
}

fn draw_tiles(
    canvas: &mut Canvas,
    state: &State,
    inputs: &FrameInputs<'_>,
    view: &RailView,
    is_compact: bool,
) {
    let active = state.active_workspace().map(Workspace::id);
    let dragged = inputs.rail.dragged.map(|(tile, _)| tile);
    let has_menu = state.tile_menu().map(TileMenu::workspace);
    for (place, rect) in view.in_view() {
        let Some(workspace) = state.workspaces().get(place) else { continue };
        let is_active = active == Some(workspace.id());
        let called = state.workspace_badge(workspace).filter(|_| !is_active);
        let is_unread = workspace.agent().is_some_and(agent::AgentHandle::is_unread);
        let tile = Tile {
            workspace,
            rect,
            place: place + 1,
            is_active,
            is_held: [dragged, has_menu].contains(&Some(workspace.id())),
            badge: called.or(is_unread.then_some(Badge::Called)),
            is_busy: !state.background(workspace).is_empty(),
        };
        tile.draw(canvas, inputs, is_compact);
    }
}

/// Names of repositories, or lines between them where there is no room for names.
fn draw_headings(canvas: &mut Canvas, view: &RailView) {
    let palette = canvas.palette;
    for (rect, name) in view.headings() {
        canvas.text(rect.inset(8.0, 0.0), Align::Left, name, Style::medium(11.0, palette.dim));
    }
    for line in view.lines() {
        canvas.fill(line, palette.line);
    }
}

/// The line by which the rail is made wider and narrower.
fn draw_edge(canvas: &mut Canvas, rail: Rect) {
    let palette = canvas.palette;
    let edge = Rect::new(rail.right() - 1.0, rail.y, 1.0, rail.height);
    let grab = Rect::new(edge.x - GRAB, edge.y, edge.width + 2.0 * GRAB, edge.height);
    canvas.layer(canvas.window);
    canvas.fill(edge, if canvas.is_hovered(grab) { palette.accent } else { palette.line });
    canvas.hit(grab, Hit::RailEdge);
}

/// Says how many tiles are out of view at one end, and loudly how many of them ask.
fn draw_hidden(canvas: &mut Canvas, strip: Rect, arrow: char, hidden: &[Workspace]) {
    if hidden.is_empty() {
        return;
    }
    let palette = canvas.palette;
    let n_asking = hidden.iter().filter(|it| Mark::of(it).asks()).count();
    canvas.layer(Rect { width: strip.width - 1.0, ..strip });
    canvas.fill(strip, palette.chrome);
    canvas.hit(strip, Hit::Rail);
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
