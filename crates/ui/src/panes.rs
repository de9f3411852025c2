//! Where the panes of a workspace are, and the lines between them.
//!
//! Every rectangle lies inside the area that is divided, however small that is.

use std::collections::BTreeMap;

use scene::{CellMetrics, Point, Rect, Size};
use workspace::{
    Axis, Pane, PaneId, PaneNode, PaneTree, Rooms, SplitId, State, TabContent, TabGroup, WHOLE,
};

use crate::find_bar;
use crate::layout::{Cell, Layout, TAB_BAR_HEIGHT, count, file_parts, file_text, terminal_size};
use crate::terminal_pane::banner_height;

const LINE: f32 = 1.0;
/// How far from the line it can be grabbed: 7 pixels in all.
pub(crate) const GRAB: f32 = 3.0;
/// What each side of a split keeps where there is enough for both.
const LEAST_WIDTH: f32 = 120.0;
const LEAST_HEIGHT: f32 = 96.0;

/// One pane in its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaneArea<'a> {
    pub(crate) group: &'a TabGroup,
    pub(crate) bar: Rect,
    pub(crate) body: Rect,
    pub(crate) is_focused: bool,
    /// There are others beside it.
    pub(crate) is_split: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Divider {
    pub(crate) split: SplitId,
    pub(crate) axis: Axis,
    pub(crate) line: Rect,
    /// What it divides.
    whole: Rect,
}

pub(crate) struct PaneLayout<'a> {
    pub(crate) panes: Vec<PaneArea<'a>>,
    pub(crate) dividers: Vec<Divider>,
}

impl<'a> PaneLayout<'a> {
    pub(crate) fn new(tree: &'a PaneTree, area: Rect) -> Self {
        let mut layout = Self { panes: Vec::new(), dividers: Vec::new() };
        layout.place(tree, tree.root(), area);
        layout
    }

    fn place(&mut self, tree: &'a PaneTree, node: &'a PaneNode, area: Rect) {
        let split = match node {
            PaneNode::Group(group) => {
                let (bar, body) = area.split_top(TAB_BAR_HEIGHT);
                let is_focused = tree.focused() == group.id();
                let is_split = tree.is_split();
                return self.panes.push(PaneArea { group, bar, body, is_focused, is_split });
            }
            PaneNode::Split(split) => split,
        };
        let share = f32::from(split.share()) / f32::from(WHOLE);
        let (first, rest) = match split.axis() {
            Axis::Row => area.split_left(part(area.width, share, LEAST_WIDTH)),
            Axis::Column => area.split_top(part(area.height, share, LEAST_HEIGHT)),
        };
        let (line, second) = match split.axis() {
            Axis::Row => rest.split_left(LINE),
            Axis::Column => rest.split_top(LINE),
        };
        let (id, axis) = (split.id(), split.axis());
        self.dividers.push(Divider { split: id, axis, line, whole: area });
        let (one, other) = split.parts();
        self.place(tree, one, first);
        self.place(tree, other, second);
    }
}

/// The first part of a length, in whole pixels; where there is room neither part is too small.
fn part(whole: f32, share: f32, least: f32) -> f32 {
    let room = (whole - LINE).max(0.0);
    let wanted = room * share;
    let part = if room >= 2.0 * least { wanted.clamp(least, room - least) } else { wanted };
    part.floor()
}

/// How much fits into each pane of the workspace on show.
pub fn rooms(state: &State, size: Size, scale: f32, metrics: CellMetrics) -> Rooms {
    let layout = Layout::new(state, size);
    let cell = Cell::new(metrics, scale);
    let whole = room(layout.pane, 1, 0.0, cell);
    let Some(workspace) = state.active_workspace() else { return Rooms::from(whole) };
    let n_lines = |group: &TabGroup| match group.active_tab().map(|tab| tab.content) {
        Some(TabContent::File(buffer)) => {
            state.file(buffer).map_or(1, |file| file.document().n_lines())
        }
        Some(TabContent::Agent | TabContent::Terminal(_)) | None => 1,
    };
    let placed = PaneLayout::new(workspace.panes(), layout.without_tabs());
    let of = |area: &PaneArea<'_>| {
        let id = area.group.id();
        (id, room(area.body, n_lines(area.group), banner_height(state.terminal_of(id)), cell))
    };
    let panes: BTreeMap<PaneId, Pane> = placed.panes.iter().map(of).collect();
    Rooms { whole, panes }
}

fn room(body: Rect, n_lines: usize, banner: f32, cell: Cell) -> Pane {
    let (_, file) = file_parts(body);
    let text = file_text(file, n_lines, cell);
    Pane {
        terminal: terminal_size(body, cell),
        file_rows: count(text.height, cell.height).max(1),
        file_columns: count(text.width, cell.width).max(1),
        // Rows are moved up by as much as the banner takes.
        under_find_bar: find_bar::covered(body, cell, banner),
    }
}

/// What the first part of a split would have of it, in thousandths, if the line between went
/// through a point; `None` for a split that is gone.
pub fn share_at(state: &State, size: Size, split: SplitId, at: Point) -> Option<u16> {
    let layout = Layout::new(state, size);
    let tree = state.active_workspace()?.panes();
    let placed = PaneLayout::new(tree, layout.without_tabs());
    let Divider { axis, whole, .. } = *placed.dividers.iter().find(|it| it.split == split)?;
    let share = match axis {
        Axis::Row => (at.x - whole.x) / whole.width.max(1.0),
        Axis::Column => (at.y - whole.y) / whole.height.max(1.0),
    };
    #[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
    #[expect(clippy::cast_sign_loss, reason = "not below zero")]
    let thousandths = (share * f32::from(WHOLE)).round().clamp(0.0, f32::from(WHOLE)) as u16;
    Some(thousandths)
}
