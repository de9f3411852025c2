//! From "Symbols for Legacy Computing": sextants and eighths of a cell.

use super::Canvas;

/// U+1FB00 to U+1FB3B: every filling of two columns and three rows that no older character has.
pub(super) fn sextant(canvas: &mut Canvas, character: char) {
    // Left out of the numbering are the empty cell, both halves and the full block.
    let index = u32::from(character).saturating_sub(0x1_fb00) + 1;
    let bits = index + u32::from(index >= 0x15) + u32::from(index >= 0x29);
    let (w, h) = (i32::from(canvas.width), i32::from(canvas.height));
    let (columns, rows) = ([0, (w + 1) / 2, w], [0, (h + 1) / 3, (2 * h + 1) / 3, h]);
    for bit in 0..6 {
        if bits & (1 << bit) != 0 {
            let (column, row) = (bit % 2, bit / 2);
            canvas.fill(columns[column], rows[row], columns[column + 1], rows[row + 1]);
        }
    }
}

/// U+1FB70 to U+1FB8B: single eighths inside a cell, combinations along its edges, and the upper and
/// right blocks that complete the older lower and left ones.
pub(super) fn eighths(canvas: &mut Canvas, character: char) {
    let (w, h) = (i32::from(canvas.width), i32::from(canvas.height));
    let (x, y) = (|n: i32| (w * n + 4) / 8, |n: i32| (h * n + 4) / 8);
    let index = i32::try_from(u32::from(character) & 0xff).unwrap_or(0);
    let (left, right) = ((0, 0, x(1), h), (x(7), 0, w, h));
    let (upper, lower) = ((0, 0, w, y(1)), (0, y(7), w, h));
    let parts: &[(i32, i32, i32, i32)] = match index {
        0x70..=0x75 => &[(x(index - 0x6f), 0, x(index - 0x6e), h)],
        0x76..=0x7b => &[(0, y(index - 0x75), w, y(index - 0x74))],
        0x7c => &[left, lower],
        0x7d => &[left, upper],
        0x7e => &[right, upper],
        0x7f => &[right, lower],
        0x80 => &[upper, lower],
        0x81 => &[upper, (0, y(2), w, y(3)), (0, y(4), w, y(5)), lower],
        0x82 => &[(0, 0, w, y(2))],
        0x83 => &[(0, 0, w, y(3))],
        0x84..=0x86 => &[(0, 0, w, y(index - 0x7f))],
        0x87 => &[(x(6), 0, w, h)],
        0x88 => &[(x(5), 0, w, h)],
        _ => &[(x(0x8c - index), 0, w, h)],
    };
    for (left, top, right, bottom) in parts {
        canvas.fill(*left, *top, *right, *bottom);
    }
}
