//! A thin bar at a pane's right edge that shows which part of a long text is in view.

use scene::{Quad, Rect};

use crate::canvas::Canvas;
use crate::layout::length;

const WIDTH: f32 = 6.0;
const MARGIN: f32 = 2.0;
const MIN_THUMB: f32 = 24.0;

/// In rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) total: usize,
    pub(crate) first: usize,
    pub(crate) visible: usize,
}

/// Draws nothing where all of it is in view.
pub(crate) fn draw_scroll_bar(canvas: &mut Canvas, area: Rect, extent: Extent) {
    if extent.total <= extent.visible {
        return;
    }
    let track = Rect::new(area.right() - WIDTH - MARGIN, area.y, WIDTH, area.height);
    let track = track.inset(0.0, MARGIN);
    let share = |rows: usize| length(rows, 1.0) / length(extent.total, 1.0);
    let thumb = (track.height * share(extent.visible)).max(MIN_THUMB).min(track.height);
    let hidden = length(extent.total - extent.visible, 1.0);
    let at = (length(extent.first, 1.0) / hidden).min(1.0);
    let y = track.y + (track.height - thumb) * at;
    let color = canvas.palette.faint.with_opacity(0.6);
    canvas.quad(Quad::rounded(Rect::new(track.x, y, track.width, thumb), WIDTH / 2.0, color));
}
