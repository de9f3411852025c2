//! The card beside a tile on which the mouse rests: all that is known of a workspace, and how.
//!
//! It says what `trackside explain` says. It stands right of the rail and so never on the tile, keeps
//! inside of the window, and loses lines from its end where that is too low.

mod lines;

use scene::{Align, Point, Quad, Rect};
use workspace::{State, Workspace};

use self::lines::{Line, Lines};
use crate::FrameInputs;
use crate::canvas::Canvas;
use crate::layout::Layout;
use crate::marks::Mark;
use crate::rail::RailView;

const WIDTH: f32 = 360.0;
/// A card that is narrower than this says nothing.
const MIN_WIDTH: f32 = 140.0;
const MARGIN: f32 = 8.0;
const PADDING: f32 = 14.0;
const RADIUS: f32 = 10.0;
const MARK_WIDTH: f32 = 20.0;

pub(crate) fn draw(canvas: &mut Canvas, state: &State, inputs: &FrameInputs<'_>, layout: &Layout) {
    let Some(id) = inputs.rail.card.filter(|_| state.overlay().is_none()) else { return };
    let Some(place) = state.workspaces().iter().position(|it| it.id() == id) else { return };
    let Some(workspace) = state.workspaces().get(place) else { return };
    let Some(tile) = RailView::new(state, layout).tile(place) else { return };
    let window = canvas.window;
    let left = layout.rail.right() + MARGIN;
    let width = WIDTH.min(window.right() - MARGIN - left);
    if width < MIN_WIDTH {
        return;
    }
    let room = width - 2.0 * PADDING;
    let mut lines = Lines::of(state, (workspace, place), inputs, canvas.palette, room);
    lines.fit(window.height - 2.0 * (MARGIN + PADDING));
    let height = lines.height() + 2.0 * PADDING;
    let y = tile.y.min(window.bottom() - MARGIN - height).max(MARGIN.min(window.height));
    let card = Rect::new(left, y, width, height).intersection(&window);
    draw_ground(canvas, card);
    draw_lines(canvas, workspace, card.inset(PADDING, PADDING), &lines);
}

fn draw_ground(canvas: &mut Canvas, card: Rect) {
    let palette = canvas.palette;
    canvas.layer(canvas.window);
    let shadow = Rect::new(card.x, card.y + 6.0, card.width, card.height);
    canvas.quad(Quad::rounded(shadow, RADIUS, palette.shadow).blurred(20.0));
    canvas.quad(Quad::rounded(card, RADIUS, palette.overlay).bordered(1.0, palette.line));
}

fn draw_lines(canvas: &mut Canvas, workspace: &Workspace, area: Rect, lines: &Lines) {
    let mut y = area.y;
    for line in lines.iter() {
        let row = Rect::new(area.x, y, area.width, line.height());
        y += row.height;
        match line {
            Line::Title { name, keys } => {
                let mut row = row;
                if let Some((keys, style)) = keys {
                    let width = style.width(keys);
                    let at = Rect { x: row.right() - width, width, ..row };
                    canvas.text(at, Align::Right, keys, *style);
                    row.width = (row.width - width - MARGIN).max(0.0);
                }
                Mark::of(workspace).draw_small(canvas, Point::new(row.x + 6.0, row.center().y));
                let (_, row) = row.split_left(MARK_WIDTH);
                canvas.text(row, Align::Left, &name.0, name.1);
            }
            Line::Path(text, style) => canvas.path_text(row, Align::Left, text, *style),
            Line::Spans(parts) => {
                let parts: Vec<_> = parts.iter().map(|(text, style)| (&**text, *style)).collect();
                canvas.spans(row, Align::Left, &parts);
            }
            Line::Labelled { label, text, style } => {
                let (left, right) = row.split_left(lines::LABEL_WIDTH);
                canvas.text(left, Align::Left, label, *style);
                canvas.text(right, Align::Left, text, *style);
            }
            Line::Rule => {
                let line = Rect::new(row.x, row.center().y.floor(), row.width, 1.0);
                canvas.fill(line, canvas.palette.line);
            }
        }
    }
}
