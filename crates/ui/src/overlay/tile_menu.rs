//! The menu of a tile, at the mouse or beside the tile.
//!
//! It opens upwards where there is no room below, and shows the part around what is selected where
//! there is no room at all.

use scene::{Align, Point, Quad, Rect};
use workspace::{MenuEntry, State, TileMenu, TileVerb, Workspace};

use super::draw_ground;
use crate::Hit;
use crate::canvas::{Canvas, Style, keys_width};
use crate::layout::Layout;
use crate::marks::Mark;
use crate::rail::RailView;

const MIN_WIDTH: f32 = 208.0;
const MAX_WIDTH: f32 = 340.0;
/// Between the menu and the edges of the window.
const MARGIN: f32 = 8.0;
/// Between the menu and its tile.
const BESIDE: f32 = 4.0;
const RADIUS: f32 = 8.0;
const PADDING: f32 = 5.0;
const HEAD_HEIGHT: f32 = 36.0;
const ROW_HEIGHT: f32 = 30.0;
const ROW_RADIUS: f32 = 5.0;
/// Between entries that are about something else.
const PART_HEIGHT: f32 = 9.0;
/// From the edge of a row to its text.
const INSET: f32 = 10.0;
/// Between what an entry does and its keys, or why it cannot be done.
const GAP: f32 = 20.0;
const MARK_WIDTH: f32 = 20.0;

pub(super) fn draw(canvas: &mut Canvas, state: &State, menu: &TileMenu, layout: &Layout) {
    let Some(workspace) = state.workspace(menu.workspace()) else { return };
    let entries = state.menu_entries(menu.workspace());
    let rows = Rows::new(&entries);
    let room = (canvas.window.width - 2.0 * MARGIN).max(0.0);
    let width = width_of(workspace, &entries).min(room);
    let height = HEAD_HEIGHT + rows.height + 2.0 * PADDING;
    let menu_rect = place(state, menu, layout, canvas.window, (width, height));
    draw_ground(canvas, menu_rect, RADIUS);

    let (head, list) = menu_rect.split_top(HEAD_HEIGHT);
    draw_head(canvas, workspace, head);
    let list = list.inset(1.0, PADDING);
    canvas.layer(list);
    let offset = rows.offset(menu.selected(), list.height);
    let at = |top: f32, height: f32| Rect::new(list.x, list.y + top - offset, list.width, height);
    for line in &rows.lines {
        canvas.fill(at(*line, 1.0), canvas.palette.line);
    }
    for (top, entry) in &rows.entries {
        let row = at(*top, ROW_HEIGHT).inset(PADDING - 1.0, 0.0);
        draw_entry(canvas, entry, row, menu.selected() == Some(entry.verb));
        if entry.is_available() {
            canvas.hit(row, Hit::Entry(menu.workspace(), entry.verb));
        }
    }
}

/// Entries and the lines between their parts, in pixels from the first one's top.
struct Rows<'a> {
    entries: Vec<(f32, &'a MenuEntry)>,
    lines: Vec<f32>,
    height: f32,
}

impl<'a> Rows<'a> {
    fn new(entries: &'a [MenuEntry]) -> Self {
        let mut rows = Self { entries: Vec::new(), lines: Vec::new(), height: 0.0 };
        let mut above: Option<TileVerb> = None;
        for entry in entries {
            if above.is_some_and(|above| entry.verb.is_apart_from(above)) {
                rows.lines.push(rows.height + (PART_HEIGHT / 2.0).floor());
                rows.height += PART_HEIGHT;
            }
            rows.entries.push((rows.height, entry));
            rows.height += ROW_HEIGHT;
            above = Some(entry.verb);
        }
        rows
    }

    /// Pixels above the view: none, unless the selected entry would be below it.
    fn offset(&self, selected: Option<TileVerb>, height: f32) -> f32 {
        let selected = self.entries.iter().find(|(_, entry)| Some(entry.verb) == selected);
        let bottom = selected.map_or(0.0, |(top, _)| top + ROW_HEIGHT);
        (bottom - height).max(0.0)
    }
}

/// As wide as its widest line, within bounds.
fn width_of(workspace: &Workspace, entries: &[MenuEntry]) -> f32 {
    let style = Style::regular(13.0, scene::Color::default());
    let width = |entry: &MenuEntry| {
        let note = entry.refusal.as_deref().map(|why| style.width(why));
        let keys = entry.keys.as_deref().filter(|_| entry.is_available()).map(keys_width);
        style.width(entry.verb.title()) + note.or(keys).map_or(0.0, |width| width + GAP)
    };
    let name = Style::semibold(13.0, scene::Color::default()).width(workspace.name());
    let widest = entries.iter().map(width).fold(name + MARK_WIDTH, f32::max);
    (widest + 2.0 * (INSET + PADDING)).clamp(MIN_WIDTH, MAX_WIDTH)
}

fn place(
    state: &State,
    menu: &TileMenu,
    layout: &Layout,
    window: Rect,
    (width, height): (f32, f32),
) -> Rect {
    let places = state.workspaces().iter().position(|it| it.id() == menu.workspace());
    let tile = places.and_then(|place| RailView::new(state, layout).tile(place));
    let tile = tile.filter(|_| layout.rail.width > 0.0);
    // Its left edge, its top where it opens downwards, and its bottom where it opens upwards.
    let (x, top, bottom) = match (menu.at(), tile) {
        (Some((x, y)), _) => (f32::from(x) + 1.0, f32::from(y) + 1.0, f32::from(y) - 1.0),
        (None, Some(tile)) => (layout.rail.right() + BESIDE, tile.y, tile.bottom()),
        (None, None) => (layout.pane.x + MARGIN, layout.pane.y + MARGIN, window.bottom() - MARGIN),
    };
    let (first_x, first_y) = (MARGIN.min(window.width), MARGIN.min(window.height));
    let x = x.min(window.right() - MARGIN - width).max(first_x);
    let fits_below = top + height <= window.bottom() - MARGIN;
    let y = if fits_below { top } else { bottom.min(window.bottom() - MARGIN) - height };
    let y = y.max(first_y);
    let height = height.min((window.bottom() - MARGIN - y).max(0.0));
    Rect::new(x, y, width, height).intersection(&window)
}

fn draw_head(canvas: &mut Canvas, workspace: &Workspace, head: Rect) {
    let palette = canvas.palette;
    canvas.layer(head);
    let line = Rect { y: head.bottom() - 1.0, height: 1.0, ..head };
    canvas.fill(line.inset(1.0, 0.0), palette.line);
    let area = head.inset(PADDING + INSET, 0.0);
    Mark::of(workspace).draw_small(canvas, Point::new(area.x + 6.0, area.center().y));
    let (_, area) = area.split_left(MARK_WIDTH);
    canvas.text(area, Align::Left, workspace.name(), Style::semibold(13.0, palette.text));
}

fn draw_entry(canvas: &mut Canvas, entry: &MenuEntry, row: Rect, is_selected: bool) {
    let palette = canvas.palette;
    let is_selected = is_selected && entry.is_available();
    if is_selected {
        canvas.quad(Quad::rounded(row, ROW_RADIUS, palette.selection));
    }
    let mut area = row.inset(INSET, 0.0);
    let title = entry.verb.title();
    let Some(why) = &entry.refusal else {
        if let Some(keys) = &entry.keys {
            let keys = canvas.keys(area.right(), area.center().y, keys);
            area.width = (keys.x - MARGIN - area.x).max(0.0);
        }
        canvas.text(area, Align::Left, title, Style::regular(13.0, palette.text));
        return;
    };
    let style = Style::regular(13.0, palette.dim);
    canvas.text(area, Align::Left, title, style);
    let (_, rest) = area.split_left(style.width(title) + GAP);
    canvas.text(rest, Align::Right, why, style);
}
