//! A character with what is joined to it, as one picture that keeps to its cells.
//!
//! JetBrains Mono is drawn as it is: it was made for the cells, and an italic may lean out of them.
//! Whatever another font draws is centred and, where it would reach out of its cells, made smaller.

use scene::CellMetrics;

use crate::bitmap::{Bitmap, Content};
use crate::fonts::{Face, FaceStyle, Fonts, Presentation, ShapedGlyph, font_size, is_flag_letter};
use crate::pixels::round;

/// How often a glyph is made smaller until it fits; rounding may leave it a pixel too large.
const MAX_ATTEMPTS: usize = 3;

/// Draws a cluster into `n_columns` cells, which together are `cells` large; `None` if no font has
/// its first character.
pub(crate) fn draw(
    cluster: &str,
    style: FaceStyle,
    n_columns: u8,
    cells: CellMetrics,
    fonts: &mut Fonts,
) -> Option<Bitmap> {
    let presentation = Presentation::of(cluster, n_columns);
    let mut second_best = None;
    for face in fonts.candidates(cluster, style, presentation) {
        let shaped = shape(face, cluster, presentation, fonts);
        let Some(bitmap) = place(&shaped.glyphs, face, font_size(cells), style, fonts) else {
            // A form of colours that cannot be drawn is blank; the next font may do better.
            continue;
        };
        let bitmap = if fonts.is_primary(face) {
            bitmap
        } else {
            fit(bitmap, &shaped.glyphs, face, style, presentation, cells, fonts)
        };
        if shaped.is_whole {
            return Some(bitmap);
        }
        second_best.get_or_insert(bitmap);
    }
    second_best
}

/// A cluster as glyphs of one font.
struct Shaped {
    glyphs: Vec<ShapedGlyph>,
    /// Whether the font has all of its characters.
    is_whole: bool,
}

fn shape(face: Face, cluster: &str, presentation: Presentation, fonts: &mut Fonts) -> Shaped {
    let mut characters = cluster.chars();
    let first = characters.next().unwrap_or_default();
    if characters.next().is_none() {
        let Some(glyph) = fonts.glyph(face, first) else {
            return Shaped { glyphs: Vec::new(), is_whole: false };
        };
        let advance = fonts.advance(face, glyph);
        let glyphs = vec![ShapedGlyph { glyph, x: 0.0, y: 0.0, advance }];
        return Shaped { glyphs, is_whole: true };
    }
    let mut glyphs = fonts.shape(face, cluster);
    let n_glyphs = glyphs.len();
    glyphs.retain(|glyph| glyph.glyph != 0);
    let is_whole = glyphs.len() == n_glyphs;
    // A family that the font has no picture of would be three people in a row, each too small to be
    // seen: the first of them stands for all.
    if presentation == Presentation::Emoji && !is_flag_letter(first) {
        let mut n_wide = 0;
        glyphs.retain(|glyph| {
            n_wide += usize::from(glyph.advance > 0.0);
            n_wide <= 1
        });
    }
    Shaped { glyphs, is_whole }
}

/// The glyphs as one picture, from the cluster's origin on.
fn place(
    glyphs: &[ShapedGlyph],
    face: Face,
    size: f32,
    style: FaceStyle,
    fonts: &mut Fonts,
) -> Option<Bitmap> {
    let mut all: Option<Bitmap> = None;
    for glyph in glyphs {
        let drawn = fonts.rasterize(face, glyph.glyph, size, style);
        if let Some(mut bitmap) = drawn.filter(Bitmap::has_ink) {
            bitmap.left += round(glyph.x * size);
            bitmap.top += round(glyph.y * size);
            all = Some(match all {
                Some(below) => below.union(bitmap),
                None => bitmap,
            });
        }
    }
    all
}

/// Centred in its cells, and smaller where it would reach out of them.
fn fit(
    mut bitmap: Bitmap,
    glyphs: &[ShapedGlyph],
    face: Face,
    style: FaceStyle,
    presentation: Presentation,
    cells: CellMetrics,
    fonts: &mut Fonts,
) -> Bitmap {
    let mut size = font_size(cells);
    let (width, height) = (u32::from(cells.width), u32::from(cells.height));
    // A pixel more than the cell is the smoothed edge of a glyph that fits.
    let slack = u32::from(bitmap.content == Content::Coverage);
    for _attempt in 0..MAX_ATTEMPTS {
        let share = |room: u32, ink: u32| room as f32 / ink.max(1) as f32;
        if bitmap.width <= width + slack && bitmap.height <= height {
            break;
        }
        size *= share(width, bitmap.width).min(share(height, bitmap.height)).min(1.0);
        match place(glyphs, face, size, style, fonts) {
            Some(smaller) => bitmap = smaller,
            None => break,
        }
    }
    let advance: f32 = glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() * size;
    let (room, ink) = (i32::from(cells.width), i32::try_from(bitmap.width).unwrap_or(room_max()));
    bitmap.left = match bitmap.content {
        Content::Colors => (room - ink) / 2,
        Content::Coverage => bitmap.left + round((f32::from(cells.width) - advance) / 2.0),
    };
    let slack = i32::try_from(slack).unwrap_or(0);
    bitmap.left = bitmap.left.min(room + slack - ink).max((room - ink).min(-slack));
    let (ascent, high) = (i32::from(cells.ascent), i32::try_from(bitmap.height).unwrap_or(0));
    let below = i32::from(cells.height) - ascent;
    if presentation == Presentation::Emoji {
        // Pictures stand in the middle of the line, and only letters on its baseline.
        bitmap.top = ascent - (i32::from(cells.height) - high) / 2;
    }
    bitmap.top = bitmap.top.min(ascent).max(high - below);
    bitmap
}

/// Wider than any cell.
fn room_max() -> i32 {
    i32::from(u16::MAX)
}

#[cfg(test)]
mod tests;
