//! Text that would be hard to read on its ground, made readable.
//!
//! Contrast is the ratio of the accessibility guidelines, from 1 to 21. A colour keeps its hue as far
//! as it can: it is mixed with white or with black, by no more than is needed. Shapes keep their
//! colour whatever it is, because they have to match the grounds and lines beside them.

use std::collections::HashMap;

use scene::Color;

/// Pairs that are remembered; programs use a few dozen, and a hostile one all there are.
const MAX_PAIRS: usize = 4096;
/// Halvings of the share of white or black: finer than a step of a colour channel.
const STEPS: usize = 8;

/// Raises contrast to a minimum, remembering what it came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contrast {
    minimum: f32,
    raised: HashMap<(Color, Color), Color>,
}

impl Default for Contrast {
    /// Changes nothing.
    fn default() -> Self {
        Self::at_least(1.0)
    }
}

impl Contrast {
    pub(crate) fn at_least(minimum: f32) -> Self {
        Self { minimum, raised: HashMap::new() }
    }

    pub(crate) fn minimum(&self) -> f32 {
        self.minimum
    }

    /// The colour in which a glyph is to be drawn on that ground.
    pub(crate) fn readable(&mut self, glyph: char, color: Color, ground: Color) -> Color {
        if self.minimum <= 1.0 || is_shape(glyph) || color.contrast(ground) >= self.minimum {
            return color;
        }
        if self.raised.len() >= MAX_PAIRS {
            self.raised.clear();
        }
        let minimum = self.minimum;
        *self.raised.entry((color, ground)).or_insert_with(|| raise(color, ground, minimum))
    }
}

fn raise(color: Color, ground: Color, minimum: f32) -> Color {
    let (white, black) = (Color::rgb(255, 255, 255), Color::rgb(0, 0, 0));
    // Away from the ground if that is enough, and otherwise where there is more room.
    let is_lighter = color.contrast(black) >= ground.contrast(black);
    let (near, far) = if is_lighter { (white, black) } else { (black, white) };
    let enough = |end: &Color| end.contrast(ground) >= minimum;
    let end =
        if enough(&near) || near.contrast(ground) >= far.contrast(ground) { near } else { far };
    if !enough(&end) {
        return end;
    }
    let (mut too_little, mut share) = (0.0, 1.0);
    for _step in 0..STEPS {
        let middle = (too_little + share) / 2.0;
        if color.mix(end, middle).contrast(ground) >= minimum {
            share = middle;
        } else {
            too_little = middle;
        }
    }
    color.mix(end, share)
}

/// Whether a glyph fills its cell, or a part of it up to the edge: blocks and shades, sextants and
/// octants, and the separators of status lines. It meets the grounds of the cells beside it.
pub(crate) fn is_area(glyph: char) -> bool {
    matches!(
        glyph,
        '\u{2580}'..='\u{259f}'
            | '\u{e0b0}'..='\u{e0d4}'
            | '\u{1cd00}'..='\u{1cde5}'
            | '\u{1fb00}'..='\u{1fb9f}'
    )
}

/// The same and the lines of boxes.
fn is_shape(glyph: char) -> bool {
    is_area(glyph) || matches!(glyph, '\u{2500}'..='\u{257f}' | '\u{1fba0}'..='\u{1fbaf}')
}

#[cfg(test)]
mod tests;
