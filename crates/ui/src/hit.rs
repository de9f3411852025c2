//! From a point in the window to what lies there.
//!
//! Hit regions come from the very frame that was drawn, so what you click is what you saw.

use buffer::Position;
use scene::{CellMetrics, Point, Rect};
use terminal::{CellPoint, Side};
use workspace::{
    Action, Axis, BufferId, PaneId, SplitId, State, TAB_WIDTH, TabId, TileVerb, WorkspaceId,
};

use crate::Frame;
use crate::layout::{Cell, PANE_PADDING_X, PANE_PADDING_Y, count, file_text, terminal_size};

#[derive(Debug, Clone, PartialEq)]
pub struct HitRegion {
    pub rect: Rect,
    pub hit: Hit,
}

/// What can be clicked.
#[derive(Debug, Clone, PartialEq)]
pub enum Hit {
    Tile(WorkspaceId),
    Tab(TabId),
    CloseTab(TabId),
    Terminal(PaneId),
    File(PaneId, BufferId),
    /// The line between two parts of a split.
    Divider(SplitId, Axis),
    /// A row of the open picker or a choice of the open question.
    Row(usize),
    /// What can be chosen in the open menu of a tile.
    Entry(WorkspaceId, TileVerb),
    OverlayBody,
    OutsideOverlay,
    /// A button.
    Do(Action),
    Rail,
    /// The line between the rail and the panes.
    RailEdge,
    StatusBar,
}

/// The topmost region at a point.
pub fn hit(frame: &Frame, at: Point) -> Option<&HitRegion> {
    frame.hits.iter().rev().find(|region| region.rect.contains(at))
}

/// The pane at a point, whatever is drawn over it.
pub fn pane_at(frame: &Frame, at: Point) -> Option<PaneId> {
    frame.panes.iter().find(|(_, rect)| rect.contains(at)).map(|(pane, _)| *pane)
}

/// The tile at a point, whatever is drawn over it.
pub fn tile_at(frame: &Frame, at: Point) -> Option<WorkspaceId> {
    let here = frame.hits.iter().rev().filter(|region| region.rect.contains(at));
    here.filter_map(|region| if let Hit::Tile(id) = region.hit { Some(id) } else { None }).next()
}

/// The cell of a [`Hit::Terminal`] region nearest to a point, and the half of it the point is in.
pub fn cell_at(
    region: &HitRegion,
    metrics: CellMetrics,
    scale: f32,
    at: Point,
) -> (CellPoint, Side) {
    let cell = Cell::new(metrics, scale);
    let size = terminal_size(region.rect, cell);
    let x = at.x - region.rect.x - PANE_PADDING_X;
    let y = at.y - region.rect.y - PANE_PADDING_Y;
    let last = |n: u16| usize::from(n.saturating_sub(1));
    let column = count(x, cell.width).min(last(size.columns));
    let row = count(y, cell.height).min(last(size.rows));
    let middle = (crate::layout::length(column, 1.0) + 0.5) * cell.width;
    let side = if x < middle { Side::Left } else { Side::Right };
    let narrow = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    (CellPoint { row: narrow(row), column: narrow(column) }, side)
}

/// The place in the text of a [`Hit::File`] region that is nearest to a point; `None` for other
/// regions and for files that are gone.
pub fn position_at(
    state: &State,
    region: &HitRegion,
    metrics: CellMetrics,
    scale: f32,
    at: Point,
) -> Option<Position> {
    let Hit::File(_, buffer) = region.hit else { return None };
    let file = state.file(buffer)?;
    let document = file.document();
    let cell = Cell::new(metrics, scale);
    let text = file_text(region.rect, document.n_lines(), cell);
    // A point above the text is on the line above the view: dragging there scrolls.
    let above = count(text.y - at.y + cell.height, cell.height);
    let line = match at.y < text.y {
        true => file.first_line().saturating_sub(above),
        false => file.first_line() + count(at.y - text.y, cell.height),
    };
    // The nearer edge of a cell is meant, so the point moves right by half a cell.
    let column = file.first_column() + count(at.x - text.x + cell.width / 2.0, cell.width);
    Some(document.position_at(line, column, TAB_WIDTH))
}
