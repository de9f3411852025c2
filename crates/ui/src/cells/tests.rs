//! What attributes and colours come to.

use scene::Underline;
use terminal::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};
use workspace::Theme;

use super::*;
use crate::theme::palette;

/// The first cell after printing `bytes` in the dark theme: glyph, text colour, ground, style.
fn first_cell(bytes: &str) -> GridCell {
    let size = GridSize { columns: 10, rows: 2 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed(bytes.as_bytes());
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    row(&snapshot.rows[0], palette(Theme::Dark), &mut Contrast::default()).cells[0].clone()
}

#[track_caller]
fn check(bytes: &str, expected: &str) {
    let cell = first_cell(bytes);
    let got = format!("{} {} on {}", cell.glyph, cell.foreground, cell.background);
    assert_eq!(got, expected, "after {bytes:?}");
}

#[test]
fn colors_come_from_the_theme_the_cube_or_the_program() {
    check("x", "x #d7dce5 on #00000000");
    check("\x1b[31mx", "x #f4766f on #00000000");
    check("\x1b[38;5;196mx", "x #ff0000 on #00000000");
    check("\x1b[38;5;232mx", "x #080808 on #00000000");
    check("\x1b[48;2;1;2;3mx", "x #d7dce5 on #010203");
}

#[test]
fn black_on_a_ground_of_its_own_is_black() {
    check("\x1b[30mx", "x #7d8590 on #00000000");
    check("\x1b[30;43mx", "x #0e1014 on #d9b04a");
    check("\x1b[37;40mx", "x #d7dce5 on #0e1014");
}

#[test]
fn attributes_change_colors() {
    check("\x1b[7mx", "x #14171c on #d7dce5");
    check("\x1b[2mx", "x #898d95 on #00000000");
    check("\x1b[8mx", "  #d7dce5 on #00000000");
}

#[test]
fn styles_are_carried_over() {
    let style = first_cell("\x1b[1;3;9;4:3mx").style;
    assert!(style.bold && style.italic && style.strikeout, "{style:?}");
    assert_eq!(style.underline, Underline::Curly, "a curly line");
    assert!(first_cell("日").style.wide, "a wide character");
    assert_eq!(
        first_cell("\x1b[4;58;5;9mx").underline_color.to_string(),
        "#ff9089",
        "its own colour"
    );
}
