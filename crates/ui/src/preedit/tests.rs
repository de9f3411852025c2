//! Where composed text lies in its row.

use super::*;
use crate::theme::palette;

/// Draws the row: `.` is free, `_` the second half of a wide character, `|` the caret, brackets are
/// around what is being worked on.
#[track_caller]
fn check(
    text: &str,
    cursor: Option<(usize, usize)>,
    (columns, at): (usize, usize),
    expected: &str,
) {
    let palette = palette(workspace::Theme::Dark);
    let preedit = Preedit::new(text, cursor).expect("a preedit");
    let row = Row { origin: Point::default(), columns, cursor: at };
    let Placed { column, cells, caret } = place(&preedit, row, palette);
    assert!(column + cells.len() <= columns, "{text} stays within the row");
    let mut picture = ".".repeat(column);
    let mut was_target = false;
    for (index, cell) in cells.iter().enumerate() {
        let is_target = cell.background == palette.selection;
        if is_target != was_target {
            picture.push(if is_target { '[' } else { ']' });
        }
        was_target = is_target;
        if caret == Some(index) {
            picture.push('|');
        }
        let is_half = index > 0 && cells[index - 1].style.wide;
        picture.push(if is_half { '_' } else { cell.glyph });
        picture.push_str(cell.marks.as_deref().unwrap_or_default());
    }
    if was_target {
        picture.push(']');
    }
    if caret == Some(cells.len()) {
        picture.push('|');
    }
    picture.push_str(&".".repeat(columns - column - cells.len()));
    assert_eq!(picture, expected, "{text} at {at} of {columns}");
}

#[test]
fn it_begins_at_the_cursor_and_wide_characters_take_two_cells() {
    check("ab", None, (8, 2), "..ab....");
    check("にほ", None, (8, 2), "..に_ほ_..");
    check("aにb", None, (8, 0), "aに_b....");
}

#[test]
fn where_there_is_no_room_it_begins_further_left() {
    check("にほん", None, (8, 4), "..に_ほ_ん_");
    check("ab", None, (4, 3), "..ab");
    check("abcd", None, (4, 3), "abcd");
}

#[test]
fn of_a_long_one_the_part_being_worked_on_is_shown() {
    check("abcdefgh", Some((8, 8)), (4, 1), "efgh|");
    check("abcdefgh", Some((0, 0)), (4, 1), "|abcd");
    check("abcdefgh", Some((4, 6)), (4, 1), "cd[ef]");
    check("にほん", Some((0, 0)), (3, 0), "|に_.");
    check("a", None, (0, 0), "");
}

#[test]
fn the_input_methods_cursor_is_a_caret_or_a_part() {
    check("ab", Some((1, 1)), (6, 0), "a|b....");
    check("ab", Some((2, 2)), (6, 0), "ab|....");
    check("にほん", Some((3, 6)), (8, 0), "に_[ほ_]ん_..");
    check("ab", None, (6, 0), "ab....");
}

#[test]
fn marks_stand_on_what_is_before_them() {
    check("e\u{301}x", None, (4, 0), "e\u{301}x..");
    check("は\u{3099}", None, (4, 0), "は\u{3099}_..");
}
