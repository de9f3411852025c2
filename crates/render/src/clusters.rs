//! A character with what is joined to it, as one picture that keeps to its cells.
//!
//! JetBrains Mono is drawn as it is: it was made for the cells, and an italic may lean out of them.
//! Whatever another font draws is centred and, where it would reach out of its cells, made smaller.

use scene::CellMetrics;

use crate::bitmap::{Bitmap, Content};
use crate::fonts::{
    Face, FaceStyle, Fonts, Presentation, ShapedGlyph, font_size, is_flag_letter,
};
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
    for face in fonts.candidates(cluster, style, presentation) {
        let glyphs = shape(face, cluster, presentation, fonts);
        let size = font_size(cells);
        let Some(bitmap) = place(&glyphs, face, size, style, fonts) else { continue };
        // A form of colours that cannot be drawn comes out blank; the next font may do better.
        if !bitmap.has_ink() {
            continue;
        }
        if fonts.is_primary(face) {
            return Some(bitmap);
        }
        return Some(fit(bitmap, &glyphs, face, style, cells, fonts));
    }
    None
}

fn shape(
    face: Face,
    cluster: &str,
    presentation: Presentation,
    fonts: &mut Fonts,
) -> Vec<ShapedGlyph> {
    let mut characters = cluster.chars();
    let Some(first) = characters.next() else { return Vec::new() };
    if characters.next().is_none() {
        let Some(glyph) = fonts.glyph(face, first) else { return Vec::new() };
        let advance = fonts.advance(face, glyph);
        return vec![ShapedGlyph { glyph, x: 0.0, y: 0.0, advance }];
    }
    let mut glyphs = fonts.shape(face, cluster);
    glyphs.retain(|glyph| glyph.glyph != 0);
    // A family that the font has no picture of would be three people in a row, each too small to be
    // seen: the first of them stands for all.
    if presentation == Presentation::Emoji && !is_flag_letter(first) {
        let mut n_wide = 0;
        glyphs.retain(|glyph| {
            n_wide += usize::from(glyph.advance > 0.0);
            n_wide <= 1
        });
    }
    glyphs
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
        if let Some(mut bitmap) = fonts.rasterize(face, glyph.glyph, size, style) {
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
    cells: CellMetrics,
    fonts: &mut Fonts,
) -> Bitmap {
    let full_size = font_size(cells);
    let mut size = full_size;
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
    if bitmap.content == Content::Colors || size < full_size {
        // Pictures stand in the middle of the line, as do signs that are no longer of its size.
        bitmap.top = ascent - (i32::from(cells.height) - high) / 2;
    }
    bitmap.top = bitmap.top.min(ascent).max(high - below);
    bitmap
}

/// Wider than any cell.
fn room_max() -> i32 {
    i32::from(u16::MAX)
}
