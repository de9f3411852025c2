//! Where the tiles, headings and lines of the rail are, and what of them is in view.

use std::ops::Range;

use scene::{Point, Rect, Size};
use workspace::{Landing, State, Workspace};

use crate::layout::Layout;

const PADDING: f32 = 8.0;
const COMPACT_PADDING: f32 = 6.0;
const SUMMARY_HEIGHT: f32 = 44.0;
/// The line that says how many tiles are out of view.
pub(super) const HIDDEN_HEIGHT: f32 = 24.0;
const TILE_HEIGHT: f32 = 52.0;
const TILE_GAP: f32 = 2.0;
pub(super) const HEADING_HEIGHT: f32 = 24.0;
/// Between a group and its neighbours.
const PART: f32 = 8.0;
/// The same with a thin line in it, which stands for the heading.
const COMPACT_PART: f32 = 12.0;
/// The end of the last tile keeps off the end of the rail.
const END: f32 = 8.0;

/// The rail from top to bottom, in pixels from the top of its list.
#[derive(Debug, Default)]
struct Rows {
    /// Tops of the tiles, in the order of the workspaces.
    tiles: Vec<f32>,
    groups: Vec<Group>,
    /// Thin lines between groups.
    lines: Vec<f32>,
    height: f32,
}

#[derive(Debug)]
struct Group {
    members: Range<usize>,
    top: f32,
    heading: Option<String>,
}

/// The rail as it is on show.
#[derive(Debug)]
pub(crate) struct RailView {
    pub(super) summary: Rect,
    pub(super) list: Rect,
    padding: f32,
    rows: Rows,
    /// Pixels above the view.
    offset: f32,
}

impl RailView {
    pub(crate) fn new(state: &State, layout: &Layout) -> Self {
        let (summary, list) = layout.rail.split_top(SUMMARY_HEIGHT);
        let rows = Rows::new(state, layout.is_compact);
        let offset = rows.offset(state, list.height);
        let padding = if layout.is_compact { COMPACT_PADDING } else { PADDING };
        Self { summary, list, padding, rows, offset }
    }

    pub(crate) fn tile(&self, place: usize) -> Option<Rect> {
        let top = self.rows.tiles.get(place)?;
        Some(self.row(*top, TILE_HEIGHT))
    }

    /// Places whose tiles are drawn: those that are in view as a whole.
    pub(super) fn in_view(&self) -> impl Iterator<Item = (usize, Rect)> {
        let (n_above, until) = self.hidden();
        (n_above..until).filter_map(|place| Some((place, self.tile(place)?)))
    }

    pub(super) fn headings(&self) -> impl Iterator<Item = (Rect, &str)> {
        let shown = self.shown();
        let groups = self.rows.groups.iter().filter(move |group| {
            shown.start <= group.top && group.top + HEADING_HEIGHT <= shown.end
        });
        groups.filter_map(|group| {
            Some((self.row(group.top, HEADING_HEIGHT), group.heading.as_deref()?))
        })
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = Rect> {
        self.rows.lines.iter().map(|y| self.row(*y, 1.0).inset(6.0, 0.0))
    }

    /// How many tiles are out of view above, and from which place on they are below.
    pub(super) fn hidden(&self) -> (usize, usize) {
        let shown = self.shown();
        let tiles = &self.rows.tiles;
        let n_above = tiles.iter().take_while(|top| **top < shown.start).count();
        let until = tiles.iter().take_while(|top| **top + TILE_HEIGHT <= shown.end).count();
        (n_above, until.max(n_above))
    }

    /// What is in view, without the lines that say how much is not.
    fn shown(&self) -> Range<f32> {
        let end = self.offset + self.list.height;
        // Where a tile has no room between two such lines there are none.
        let line =
            if self.list.height < TILE_HEIGHT + 2.0 * HIDDEN_HEIGHT { 0.0 } else { HIDDEN_HEIGHT };
        let above = if self.offset > 0.0 { line } else { 0.0 };
        let below = if end + END < self.rows.height { line } else { 0.0 };
        self.offset + above..end - below
    }

    /// The line that shows where what is dragged would come to stand.
    pub(super) fn drop_line(&self, landing: &Landing) -> Option<Rect> {
        let Rows { tiles, groups, .. } = &self.rows;
        let own = groups.iter().find(|group| group.members.contains(&landing.moved.start))?;
        let Range { start, end } = own.members;
        let bottom = |place: usize| tiles.get(place).map(|top| top + TILE_HEIGHT);
        let y = match landing.before {
            before if (start + 1..=end).contains(&before) => bottom(before - 1)?,
            before if before == start => tiles.get(before)? - TILE_GAP,
            before => match groups.iter().find(|group| group.members.contains(&before)) {
                Some(group) => group.top - TILE_GAP,
                None => bottom(before.checked_sub(1)?)?,
            },
        };
        Some(self.row(y.max(0.0), TILE_GAP))
    }

    fn row(&self, top: f32, height: f32) -> Rect {
        let Rect { x, y, width, .. } = self.list;
        Rect::new(x + self.padding, y + top - self.offset, width - 2.0 * self.padding, height)
    }
}

impl Rows {
    fn new(state: &State, is_compact: bool) -> Self {
        let mut rows = Self::default();
        let mut y = 0.0;
        let groups = state.rail_groups();
        for (at, group) in groups.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| groups.get(before));
            if before.is_some_and(|before| before.is_apart_from(group)) {
                if is_compact {
                    rows.lines.push(y + COMPACT_PART / 2.0 - TILE_GAP);
                }
                y += if is_compact { COMPACT_PART } else { PART };
            }
            let heading = group.name.clone().filter(|_| !is_compact);
            let top = y;
            y += if heading.is_some() { HEADING_HEIGHT } else { 0.0 };
            for _member in group.members.clone() {
                rows.tiles.push(y);
                y += TILE_HEIGHT + TILE_GAP;
            }
            rows.groups.push(Group { members: group.members.clone(), top, heading });
        }
        rows.height = y - TILE_GAP + END;
        rows
    }

    /// What was scrolled to, as far as there is so much; the active tile is brought into view if it has
    /// to be.
    fn offset(&self, state: &State, height: f32) -> f32 {
        let most = (self.height - height).max(0.0);
        let (scroll, follows_active) = state.rail_scroll();
        let offset = f32::from(scroll).min(most);
        let active = state.active_workspace().map(Workspace::id);
        let place = state.workspaces().iter().position(|it| Some(it.id()) == active);
        let Some(top) = place.filter(|_| follows_active).and_then(|it| self.tiles.get(it)) else {
            return offset;
        };
        let lowest = top + TILE_HEIGHT + HIDDEN_HEIGHT - height;
        let highest = top - HIDDEN_HEIGHT - HEADING_HEIGHT;
        offset.max(lowest).min(highest).clamp(0.0, most)
    }
}

/// Before which tile, counted from 0, something is let go of there.
pub fn drop_place(state: &State, size: Size, at: Point) -> usize {
    let view = RailView::new(state, &Layout::new(state, size));
    let y = at.y - view.list.y + view.offset;
    view.rows.tiles.iter().take_while(|top| **top + TILE_HEIGHT / 2.0 < y).count()
}

/// From which pixel on the rail is on show once it was scrolled by that many.
pub fn rail_scrolled(state: &State, size: Size, pixels: f32) -> u16 {
    let view = RailView::new(state, &Layout::new(state, size));
    let most = (view.rows.height - view.list.height).max(0.0).min(f32::from(u16::MAX));
    let to = (view.offset + pixels).clamp(0.0, most).round();
    #[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
    #[expect(clippy::cast_sign_loss, reason = "not below zero")]
    let to = to as u16;
    to
}
