//! Which rows are made anew, and where the cursor is put.

use terminal::{GridSize, TerminalOptions};

use super::*;

fn terminal(text: &str) -> TerminalBuffer {
    let size = GridSize { columns: 10, rows: 3 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed(text.as_bytes());
    terminal
}

#[test]
fn rows_that_did_not_change_stay_the_same() {
    let terminal = terminal("one\r\ntwo");
    let mut frame = TerminalFrame::default();
    assert!(frame.refresh(&terminal, Theme::Dark, CursorLook::Hidden), "the first look");
    let before = frame.rows(true);
    assert!(!frame.refresh(&terminal, Theme::Dark, CursorLook::Hidden), "nothing happened");
    terminal.feed(b"!");
    assert!(frame.refresh(&terminal, Theme::Dark, CursorLook::Hidden), "a row changed");
    let after = frame.rows(true);
    assert!(Arc::ptr_eq(&before[0], &after[0]), "the first row is the same");
    assert!(!Arc::ptr_eq(&before[1], &after[1]), "the second row is not");
}

#[test]
fn another_theme_colors_every_row_anew() {
    let terminal = terminal("one");
    let mut frame = TerminalFrame::default();
    frame.refresh(&terminal, Theme::Dark, CursorLook::Hidden);
    assert!(frame.refresh(&terminal, Theme::Light, CursorLook::Hidden), "it looks different");
    assert_eq!(
        frame.rows(true)[0].cells[0].foreground,
        palette(Theme::Light).text,
        "dark on light"
    );
}

#[test]
fn a_block_cursor_is_in_the_cells_while_it_is_on() {
    let terminal = terminal("ab\x1b[1G");
    let mut frame = TerminalFrame::default();
    frame.refresh(&terminal, Theme::Dark, CursorLook::Solid);
    let accent = palette(Theme::Dark).accent;
    assert_eq!(frame.rows(true)[0].cells[0].background, accent, "on");
    assert_eq!(frame.rows(false)[0].cells[0].background.a, 0, "off");
    assert!(frame.refresh(&terminal, Theme::Dark, CursorLook::Hollow), "another look");
    assert_eq!(frame.rows(true)[0].cells[0].background.a, 0, "hollow leaves the cell alone");
    assert_eq!(frame.cursor().map(|it| it.shape), Some(CursorShape::Hollow), "hollow");
    assert!(frame.refresh(&terminal, Theme::Dark, CursorLook::Hidden), "and none");
    assert_eq!(frame.cursor(), None, "hidden");
}

#[test]
fn a_block_cursor_covers_a_wide_character_whole() {
    let terminal = terminal("日\x1b[1G");
    let mut frame = TerminalFrame::default();
    frame.refresh(&terminal, Theme::Dark, CursorLook::Solid);
    let cells = &frame.rows(true)[0].cells;
    assert_eq!(cells[0].background, cells[1].background, "both halves");
}

#[test]
fn a_beam_leaves_the_cells_alone() {
    let terminal = terminal("ab\x1b[6 q\x1b[1G");
    let mut frame = TerminalFrame::default();
    frame.refresh(&terminal, Theme::Dark, CursorLook::Solid);
    assert_eq!(frame.cursor().map(|it| it.shape), Some(CursorShape::Beam), "a beam");
    assert_eq!(frame.rows(true)[0].cells[0].background.a, 0, "drawn elsewhere");
}

#[test]
fn used_rows_are_counted_to_the_last_with_anything_on_it() {
    let used = |text: &str| {
        let mut frame = TerminalFrame::default();
        frame.refresh(&terminal(text), Theme::Dark, CursorLook::Solid);
        frame.n_used_rows()
    };
    assert_eq!(used(""), 0, "an empty screen");
    assert_eq!(used("a\r\n\r\n"), 1, "blank lines do not count");
    assert_eq!(used("\r\n\x1b[44m \x1b[0m"), 2, "a coloured blank counts");
}

#[test]
fn the_cursor_blinks_and_has_a_colour_if_its_program_says_so() {
    let terminal = terminal("x");
    let mut frame = TerminalFrame::default();
    frame.refresh(&terminal, Theme::Dark, CursorLook::Solid);
    assert!(!frame.has_blinking_cursor() && frame.is_cursor_on(false), "steady");
    terminal.feed(b"\x1b[1 q\x1b]12;#ff8000\x07");
    assert!(frame.refresh(&terminal, Theme::Dark, CursorLook::Solid), "it looks different");
    assert!(frame.has_blinking_cursor() && !frame.is_cursor_on(false), "blinking");
    assert_eq!(frame.cursor_color(), Some(Color::rgb(255, 128, 0)), "orange");
    frame.refresh(&terminal, Theme::Dark, CursorLook::Hollow);
    assert!(frame.is_cursor_on(false), "not while something else has the focus");
}

#[test]
fn another_terminal_in_its_place_is_shown_whole() {
    // Rows of both have the same versions.
    let (blank, found_again) = (terminal("   "), terminal("one"));
    let mut frame = TerminalFrame::default();
    frame.refresh(&blank, Theme::Dark, CursorLook::Hidden);
    assert!(frame.refresh(&found_again, Theme::Dark, CursorLook::Hidden), "it looks different");
    assert_eq!(frame.rows(true)[0].cells[0].glyph, 'o', "its own row");
    assert_eq!(frame.n_used_rows(), 1, "and no more");
}
