//! Characters we draw ourselves, pixel by pixel, so that they touch from cell to cell.
//!
//! Fonts leave gaps between box lines whenever a cell is not exactly as large as the font thinks.
//! Box drawing, blocks, braille, sextants and the Powerline separators are therefore made from the
//! size of the cell alone. A shape fills its cell to the edge; nothing here knows fonts or colours.

mod canvas;
mod decorations;
mod digits;
mod legacy;
mod lines;
mod powerline;
mod shapes;

#[cfg(test)]
mod tests;

pub(crate) use canvas::Canvas;
pub(crate) use decorations::{Decoration, decoration};

/// How thick a light line is in a cell of this height: 1 at 21 pixels, 2 at 42.
pub(crate) fn stroke(height: u16) -> u16 {
    (height.saturating_add(10) / 21).max(1)
}

/// The cell with this character in it, or `None` if a font has to draw it.
pub(crate) fn draw(character: char, width: u16, height: u16) -> Option<Canvas> {
    let mut canvas = Canvas::new(width, height, stroke(height));
    match character {
        '\u{2500}'..='\u{257f}' => lines::draw(&mut canvas, character),
        '\u{2580}'..='\u{259f}' => shapes::block(&mut canvas, character),
        '\u{2800}'..='\u{28ff}' => shapes::braille(&mut canvas, character),
        '\u{e0b0}'..='\u{e0bf}' => powerline::draw(&mut canvas, character),
        '\u{1fb00}'..='\u{1fb3b}' => legacy::sextant(&mut canvas, character),
        '\u{1fb70}'..='\u{1fb8b}' => legacy::eighths(&mut canvas, character),
        _ => return None,
    }
    Some(canvas)
}

/// What stands for a character that no font has: a box with its number in it.
pub(crate) fn missing(character: char, width: u16, height: u16) -> Canvas {
    let mut canvas = Canvas::new(width, height, stroke(height));
    let (w, h, t) = (i32::from(width), i32::from(height), i32::from(canvas.stroke));
    let inset = (w / 8).max(1);
    let (top, bottom) = (h / 7, h - h / 7);
    canvas.fill(inset, top, w - inset, bottom);
    canvas.clear(inset + t, top + t, w - inset - t, bottom - t);
    digits::draw(&mut canvas, character, inset + 2 * t, top + 2 * t);
    canvas
}
