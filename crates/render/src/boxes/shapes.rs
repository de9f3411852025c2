//! Blocks and braille.

use super::Canvas;

/// Which quarters of the cell U+2596 to U+259F fill: upper left, upper right, lower left, lower right.
const QUARTERS: [[bool; 4]; 10] = [
    [false, false, true, false],
    [false, false, false, true],
    [true, false, false, false],
    [true, false, true, true],
    [true, false, false, true],
    [true, true, true, false],
    [true, true, false, true],
    [false, true, false, false],
    [false, true, true, false],
    [false, true, true, true],
];

pub(super) fn block(canvas: &mut Canvas, character: char) {
    let (w, h) = (i32::from(canvas.width), i32::from(canvas.height));
    // Always counted from the upper left, so that a block and its complement fill the cell.
    let eighths = |length: i32, n: u32| (length * i32::try_from(n).unwrap_or(0) + 4) / 8;
    let code = u32::from(character);
    match character {
        '▀' => canvas.fill(0, 0, w, eighths(h, 4)),
        '▁'..='█' => canvas.fill(0, eighths(h, 0x2588 - code), w, h),
        '▉'..='▏' => canvas.fill(0, 0, eighths(w, 0x2590 - code), h),
        '▐' => canvas.fill(eighths(w, 4), 0, w, h),
        '░' => canvas.set(0, 0, w, h, 64),
        '▒' => canvas.set(0, 0, w, h, 128),
        '▓' => canvas.set(0, 0, w, h, 192),
        '▔' => canvas.fill(0, 0, w, eighths(h, 1)),
        '▕' => canvas.fill(eighths(w, 7), 0, w, h),
        _ => {
            let (x, y) = (eighths(w, 4), eighths(h, 4));
            let corners = [(0, 0, x, y), (x, 0, w, y), (0, y, x, h), (x, y, w, h)];
            let filled =
                QUARTERS.get((code.saturating_sub(0x2596)) as usize).unwrap_or(&[false; 4]);
            for ((left, top, right, bottom), filled) in corners.into_iter().zip(filled) {
                if *filled {
                    canvas.fill(left, top, right, bottom);
                }
            }
        }
    }
}

/// Column and row of each dot, from the lowest bit of the character on.
const DOTS: [(u16, u16); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];

pub(super) fn braille(canvas: &mut Canvas, character: char) {
    let bits = u32::from(character) & 0xff;
    let size = (canvas.width / 4).min(canvas.height / 8).max(1);
    for (bit, (column, row)) in DOTS.into_iter().enumerate() {
        if bits & (1 << bit) != 0 {
            let left = dot_start(canvas.width, 2, column, size);
            let top = dot_start(canvas.height, 4, row, size);
            dot(canvas, left, top, i32::from(size));
        }
    }
}

/// Where a dot begins that stands in the middle of its share of the cell.
fn dot_start(length: u16, shares: u16, index: u16, size: u16) -> i32 {
    let share = i32::from(length) * (2 * i32::from(index) + 1);
    (share - i32::from(size) * i32::from(shares)).div_euclid(2 * i32::from(shares))
}

/// Small dots are squares of whole pixels, which is sharper than any circle of that size.
fn dot(canvas: &mut Canvas, left: i32, top: i32, size: i32) {
    if size <= 3 {
        canvas.fill(left, top, left + size, top + size);
        return;
    }
    let float = |value: i32| f32::from(i16::try_from(value).unwrap_or(0));
    let radius = float(size) / 2.0;
    let (x0, y0) = (float(left) + radius, float(top) + radius);
    canvas.shape(|x, y| (x - x0).hypot(y - y0) - radius);
}
