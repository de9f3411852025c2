//! What attributes and colours come to.

use scene::Underline;
use terminal::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};
use workspace::Theme;

use super::*;
use crate::theme::palette;

/// The first cell after printing `bytes` in the dark theme: glyph, text colour, ground, style.
fn first_cell(bytes: &str) -> GridCell {
    cell_in(Theme::Dark, bytes)
}

fn cell_in(theme: Theme, bytes: &str) -> GridCell {
    let size = GridSize { columns: 10, rows: 2 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed(bytes.as_bytes());
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    row(&snapshot.rows[0], palette(theme), &mut Contrast::default()).cells[0].clone()
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
fn what_fills_a_cell_has_the_color_of_the_grounds_beside_it() {
    for index in 0..16 {
        let (text, ground) =
            if index < 8 { (30 + index, 40 + index) } else { (82 + index, 92 + index) };
        for theme in [Theme::Dark, Theme::Light] {
            let expected = cell_in(theme, &format!("\x1b[{ground}mx")).background;
            for glyph in ['\u{2588}', '\u{2580}', '\u{2592}', '\u{e0b0}', '\u{e0d4}', '\u{1fb00}'] {
                for bytes in [
                    format!("\x1b[{text}m{glyph}"),
                    format!("\x1b[{text};44m{glyph}"),
                    format!("\x1b[38;5;{index}m{glyph}"),
                ] {
                    let got = cell_in(theme, &bytes).foreground;
                    assert_eq!(got, expected, "{theme:?}, after {bytes:?}");
                }
            }
            if matches!(index, 0 | 7 | 8 | 15) {
                continue;
            }
            // Text and ground changed places.
            let bytes = format!("\x1b[{text};7mx");
            assert_eq!(cell_in(theme, &bytes).background, expected, "{theme:?}, after {bytes:?}");
        }
    }
    check("\x1b[31;7m\u{2580}", "\u{2580} #14171c on #ab2f29");
    check("\x1b[30;7mx", "x #14171c on #7d8590");
    check("\x1b[31;7mx", "x #d7dce5 on #ab2f29");
    // What is read stays readable: lines, and the dots of braille.
    check("\x1b[31m\u{2502}", "\u{2502} #f4766f on #00000000");
    check("\x1b[31m\u{28ff}", "\u{28ff} #f4766f on #00000000");
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
