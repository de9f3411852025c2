//! Plain data for one frame: rectangles, lines, text runs, cell grids, clips, and a text form of it.
//!
//! Everything is in logical pixels; [`Scene::scale`] says how many device pixels one of them is, and
//! whoever draws snaps edges to whole device pixels. A scene knows nothing of agents, tabs or files,
//! and nothing of fonts beyond which of the two families a run is set in.

mod color;
mod dump;
mod geom;
mod grid;
mod scene;
mod text;

pub use color::Color;
pub use geom::{Point, Rect, Size};
pub use grid::{CellGrid, CellMetrics, CellStyle, GridCell, GridRow, Underline};
pub use scene::{Layer, Line, Quad, Scene};
pub use text::{Align, FontFamily, Span, TextRun, Weight};
