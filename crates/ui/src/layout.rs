//! Where the parts of the window are, and how many cells fit into a pane.
//!
//! Every rectangle lies inside the window, however small that is.

use scene::{CellMetrics, Rect, Size};
use terminal::GridSize;
use workspace::State;

const COMPACT_RAIL_WIDTH: f32 = 60.0;
/// In a narrower window the rail is compact whatever was chosen: the pane needs the room.
const NARROW_WINDOW: f32 = 560.0;
pub(crate) const TAB_BAR_HEIGHT: f32 = 38.0;
const BREADCRUMB_HEIGHT: f32 = 30.0;
const STATUS_BAR_HEIGHT: f32 = 27.0;
pub(crate) const PANE_PADDING_X: f32 = 14.0;
pub(crate) const PANE_PADDING_Y: f32 = 12.0;
/// Above and below the text of a file.
pub(crate) const FILE_PADDING_Y: f32 = 8.0;
/// Between the line numbers and the text.
const GUTTER_GAP: f32 = 18.0;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) rail: Rect,
    pub(crate) is_compact: bool,
    /// The tab bar while the area is not split.
    pub(crate) tabs: Rect,
    /// All between it and the status bar.
    pub(crate) pane: Rect,
    pub(crate) status: Rect,
}

/// A cell in logical pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Layout {
    pub(crate) fn new(state: &State, size: Size) -> Self {
        let look = state.rail_look();
        let is_compact = look.is_compact || size.width < NARROW_WINDOW;
        let rail_width = match (state.hides_rail(), is_compact) {
            (true, _) => 0.0,
            (false, true) => COMPACT_RAIL_WIDTH,
            (false, false) => f32::from(look.width).min((size.width / 2.0).floor()),
        };
        let (rail, rest) = window(size).split_left(rail_width);
        let (tabs, rest) = rest.split_top(TAB_BAR_HEIGHT);
        let (status, pane) = rest.split_bottom(STATUS_BAR_HEIGHT);
        Self { rail, is_compact, tabs, pane, status }
    }

    /// Tab bar and pane as one: what panes divide between them.
    pub(crate) fn without_tabs(&self) -> Rect {
        let Rect { x, y, width, height } = self.tabs;
        Rect::new(x, y, width, height + self.pane.height)
    }
}

impl Cell {
    pub(crate) fn new(metrics: CellMetrics, scale: f32) -> Self {
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        let logical = |pixels: u16| f32::from(pixels.max(1)) / scale;
        Self { width: logical(metrics.width), height: logical(metrics.height) }
    }
}

/// The strip with the file's path, and the rest of the pane.
pub(crate) fn file_parts(body: Rect) -> (Rect, Rect) {
    body.split_top(BREADCRUMB_HEIGHT)
}

/// The size of a terminal that fills the pane.
pub(crate) fn terminal_size(pane: Rect, cell: Cell) -> GridSize {
    let grid = pane.inset(PANE_PADDING_X, PANE_PADDING_Y);
    let cells = |length, cell| u16::try_from(count(length, cell)).unwrap_or(u16::MAX);
    GridSize { columns: cells(grid.width, cell.width), rows: cells(grid.height, cell.height) }
        .clamped()
}

/// The part of a file's pane that holds its text, right of the line numbers.
pub(crate) fn file_text(file: Rect, n_lines: usize, cell: Cell) -> Rect {
    let (_, text) = file.split_left(gutter_width(n_lines, cell));
    let (_, text) = text.split_top(FILE_PADDING_Y);
    let (_, text) = text.split_bottom(FILE_PADDING_Y);
    Rect::new(text.x, text.y, text.width - PANE_PADDING_X, text.height)
}

/// From the pane's left edge to the text.
fn gutter_width(n_lines: usize, cell: Cell) -> f32 {
    let digits = n_lines.max(10).to_string();
    let width = digits.chars().fold(0.0, |width, _| width + cell.width);
    PANE_PADDING_X + width + GUTTER_GAP
}

/// The right edge of the line numbers.
pub(crate) fn number_edge(text: Rect) -> f32 {
    text.x - GUTTER_GAP
}

pub(crate) fn window(size: Size) -> Rect {
    let side = |length: f32| if length.is_finite() { length } else { 0.0 };
    Rect::new(0.0, 0.0, side(size.width), side(size.height))
}

/// How many whole steps fit into a length. The slack forgives what dividing by the scale loses.
#[expect(clippy::cast_possible_truncation, reason = "floored, and clamped to what fits")]
#[expect(clippy::cast_sign_loss, reason = "not below zero")]
pub(crate) fn count(length: f32, step: f32) -> usize {
    (length / step + 0.001).floor().clamp(0.0, 1e6) as usize
}

/// So many steps as a length. Counts that matter for drawing are far below where `f32` loses ones.
#[expect(clippy::cast_precision_loss, reason = "as said")]
pub(crate) fn length(n_steps: usize, step: f32) -> f32 {
    n_steps as f32 * step
}
