//! One workspace on the rail.

use scene::{Align, Point, Quad, Rect};
use workspace::{Badge, Workspace};

use crate::canvas::{Canvas, Style};
use crate::marks::{Mark, draw_background, draw_badge};
use crate::words::{Age, activity};
use crate::{FrameInputs, Hit};

const RADIUS: f32 = 8.0;
/// From the tile's left edge to the middle of its mark, and to its text.
const MARK_X: f32 = 20.0;
const TEXT_X: f32 = 38.0;
/// From the middle of the mark to those of the small signs at its corners.
const CORNER: f32 = 9.0;

pub(super) struct Tile<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) rect: Rect,
    /// Counted from 1.
    pub(super) place: usize,
    pub(super) is_active: bool,
    /// It is being dragged, or its menu is open.
    pub(super) is_held: bool,
    pub(super) badge: Option<Badge>,
    /// Something goes on in it beside its agent.
    pub(super) is_busy: bool,
}

impl Tile<'_> {
    pub(super) fn draw(&self, canvas: &mut Canvas, inputs: &FrameInputs<'_>, is_compact: bool) {
        let palette = canvas.palette;
        let mark = Mark::of(self.workspace);
        if self.is_held {
            let ground = Quad::rounded(self.rect, RADIUS, palette.raised);
            canvas.quad(ground.bordered(1.0, palette.accent));
        } else if self.is_active {
            let ground = Quad::rounded(self.rect, RADIUS, palette.raised);
            canvas.quad(ground.bordered(1.0, palette.line));
        } else if canvas.is_hovered(self.rect) {
            canvas.quad(Quad::rounded(self.rect, RADIUS, palette.raised));
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
            draw_badge(canvas, badge, Point::new(x + CORNER, middle.y - CORNER));
        }
        if self.is_busy {
            draw_background(canvas, Point::new(x + CORNER, middle.y + CORNER));
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
