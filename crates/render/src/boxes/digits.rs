//! Hexadecimal digits of three by five pixels, for characters that no font has.

use super::Canvas;

/// Rows from the top, three bits each.
const DIGITS: [[u8; 5]; 16] = [
    [7, 5, 5, 5, 7],
    [2, 6, 2, 2, 7],
    [7, 1, 7, 4, 7],
    [7, 1, 3, 1, 7],
    [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7],
    [7, 4, 7, 5, 7],
    [7, 1, 2, 2, 2],
    [7, 5, 7, 5, 7],
    [7, 5, 7, 1, 7],
    [7, 5, 7, 5, 5],
    [6, 5, 6, 5, 6],
    [7, 4, 4, 4, 7],
    [6, 5, 5, 5, 6],
    [7, 4, 6, 4, 7],
    [7, 4, 6, 4, 4],
];
/// A digit and the gap to the next.
const STEP: (i32, i32) = (4, 6);

/// Writes the number of a character in two lines of digits, from that corner on. Where there is no
/// room for all of them at one pixel a dot, none is written.
pub(super) fn draw(canvas: &mut Canvas, character: char, left: i32, top: i32) {
    let number = u32::from(character);
    let n_columns = if number > 0xffff { 3 } else { 2 };
    let room = (i32::from(canvas.width) - 2 * left, i32::from(canvas.height) - top - left);
    let dot = (room.0 / (n_columns * STEP.0 - 1)).min(room.1 / (2 * STEP.1 - 1));
    if dot < 1 {
        return;
    }
    for (place, index) in (0..2 * n_columns).rev().zip(0_u32..) {
        let digit = DIGITS[((number >> (4 * index)) & 0xf) as usize];
        let (column, line) = (place % n_columns, place / n_columns);
        let x = left + column * STEP.0 * dot;
        let y = top + line * STEP.1 * dot;
        for (row, bits) in (0..).zip(digit) {
            for bit in 0..3 {
                if bits & (4 >> bit) != 0 {
                    let (x, y) = (x + bit * dot, y + row * dot);
                    canvas.fill(x, y, x + dot, y + dot);
                }
            }
        }
    }
}
