//! Where the parts of the window put what they draw and where it can be clicked.
//!
//! It keeps three promises for all of them: nothing is placed outside of the window, text that does
//! not fit ends in an ellipsis, and no control or direction character of a file name reaches the
//! screen.

use std::borrow::Cow;

use scene::{Align, Color, FontFamily, Layer, Line, Point, Quad, Rect, Span, TextRun, Weight};

use crate::measure::{fit, fit_end, text_width};
use crate::theme::Palette;
use crate::{Hit, HitRegion};

/// A look of Inter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) size: f32,
    pub(crate) weight: Weight,
    pub(crate) color: Color,
}

#[derive(Debug)]
pub(crate) struct Canvas {
    pub(crate) palette: &'static Palette,
    pub(crate) window: Rect,
    pub(crate) hits: Vec<HitRegion>,
    /// Everything goes to the last one; there always is one.
    layers: Vec<Layer>,
    pointer: Option<Point>,
}

/// Height of a box around keys, and the size of what is in it.
const KEY_HEIGHT: f32 = 20.0;
const KEY_SIZE: f32 = 11.0;
/// JetBrains Mono advances by 0.6 of its size, here rounded up so that no key is cut.
const KEY_ADVANCE: f32 = 7.0;

impl Style {
    pub(crate) const fn regular(size: f32, color: Color) -> Self {
        Self { size, weight: Weight::Regular, color }
    }

    pub(crate) const fn medium(size: f32, color: Color) -> Self {
        Self { size, weight: Weight::Medium, color }
    }

    pub(crate) const fn semibold(size: f32, color: Color) -> Self {
        Self { size, weight: Weight::SemiBold, color }
    }

    pub(crate) fn width(&self, text: &str) -> f32 {
        text_width(text, self.size, self.weight).ceil()
    }
}

impl Canvas {
    pub(crate) fn new(palette: &'static Palette, window: Rect, pointer: Option<Point>) -> Self {
        Self { palette, window, hits: Vec::new(), layers: vec![Layer::new(window)], pointer }
    }

    pub(crate) fn set_pointer(&mut self, pointer: Option<Point>) {
        self.pointer = pointer;
    }

    pub(crate) fn into_parts(self) -> (Vec<Layer>, Vec<HitRegion>) {
        let Self { mut layers, hits, .. } = self;
        layers.retain(|layer| !layer.is_empty());
        (layers, hits)
    }

    /// Starts a layer above all that is there.
    pub(crate) fn layer(&mut self, clip: Rect) {
        self.layers.push(Layer::new(clip.intersection(&self.window)));
    }

    pub(crate) fn is_hovered(&self, rect: Rect) -> bool {
        let clip = self.clip();
        self.pointer.is_some_and(|at| rect.intersection(&clip).contains(at))
    }

    /// Makes the visible part of a rectangle clickable.
    pub(crate) fn hit(&mut self, rect: Rect, hit: Hit) {
        let rect = rect.intersection(&self.clip());
        if !rect.is_empty() {
            self.hits.push(HitRegion { rect, hit });
        }
    }

    pub(crate) fn quad(&mut self, quad: Quad) {
        if !quad.rect.is_empty() {
            self.top().quads.push(quad);
        }
    }

    pub(crate) fn fill(&mut self, rect: Rect, color: Color) {
        self.quad(Quad::filled(rect, color));
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, width: f32, color: Color) {
        self.top().lines.push(Line { from, to, width, color });
    }

    pub(crate) fn grid(&mut self, grid: scene::CellGrid) {
        self.top().grids.push(grid);
    }

    /// One line of text, centred between the top and the bottom of its area.
    pub(crate) fn text(&mut self, area: Rect, align: Align, text: &str, style: Style) {
        self.spans(area, align, &[(text, style)]);
    }

    /// Text that says most with its end, such as a path.
    pub(crate) fn path_text(&mut self, area: Rect, align: Align, text: &str, style: Style) {
        let text = fit_end(text, area.width, style.size, style.weight).into_owned();
        self.spans(area, align, &[(&text, style)]);
    }

    /// Text of several looks. All have the size of the first.
    pub(crate) fn spans(&mut self, area: Rect, align: Align, parts: &[(&str, Style)]) {
        let Some((_, Style { size, .. })) = parts.first() else { return };
        let mut left = area.width;
        let mut spans = Vec::with_capacity(parts.len());
        for (text, style) in parts {
            let clean = clean(text);
            let fitted = fit(&clean, left, *size, style.weight);
            left -= text_width(&fitted, *size, style.weight);
            let is_cut = *fitted != *clean;
            if !fitted.is_empty() {
                let (text, weight) = (fitted.into_owned(), style.weight);
                spans.push(Span { text, color: style.color, weight, italic: false });
            }
            if is_cut {
                break;
            }
        }
        self.push_run(area, align, FontFamily::Ui, *size, spans);
    }

    /// Text that is cut by the layer and not shortened: what is being typed.
    pub(crate) fn typed(&mut self, area: Rect, text: &str, style: Style) {
        let Style { size, weight, color } = style;
        let span = Span { text: clean(text).into_owned(), color, weight, italic: false };
        self.push_run(area, Align::Left, FontFamily::Ui, size, vec![span]);
    }

    pub(crate) fn mono(&mut self, area: Rect, align: Align, text: &str, size: f32, color: Color) {
        let span = Span { text: text.to_owned(), color, weight: Weight::Regular, italic: false };
        self.push_run(area, align, FontFamily::Mono, size, vec![span]);
    }

    /// Keys such as "Ctrl+K Ctrl+O" in a box that ends at `right`; returns the box.
    pub(crate) fn keys(&mut self, right: f32, center_y: f32, keys: &str) -> Rect {
        let width = keys_width(keys);
        let rect = Rect::new(right - width, center_y - KEY_HEIGHT / 2.0, width, KEY_HEIGHT);
        let Palette { raised, line, dim, .. } = *self.palette;
        self.quad(Quad::rounded(rect, 4.0, raised).bordered(1.0, line));
        self.mono(rect, Align::Center, keys, KEY_SIZE, dim);
        rect
    }

    fn push_run(
        &mut self,
        area: Rect,
        align: Align,
        family: FontFamily,
        size: f32,
        spans: Vec<Span>,
    ) {
        if area.is_empty() || spans.iter().all(|span| span.text.is_empty()) {
            return;
        }
        let (origin, width, line_height) = (Point::new(area.x, area.y), area.width, area.height);
        self.top().texts.push(TextRun { origin, width, align, family, size, line_height, spans });
    }

    pub(crate) fn clip(&self) -> Rect {
        self.layers.last().map_or(self.window, |layer| layer.clip)
    }

    fn top(&mut self) -> &mut Layer {
        if self.layers.is_empty() {
            self.layers.push(Layer::new(self.window));
        }
        let last = self.layers.len() - 1;
        &mut self.layers[last]
    }
}

/// Of the box that [`Canvas::keys`] draws.
pub(crate) fn keys_width(keys: &str) -> f32 {
    keys.chars().fold(0.0, |width, _| width + KEY_ADVANCE) + 12.0
}

/// The text without characters that would steer the layout or the eye.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let is_bad = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_bad(c) { '\u{fffd}' } else { c }).collect()
}
