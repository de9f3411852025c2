//! Rows as they are drawn.

use super::*;

fn row(text: &str) -> Vec<Cell> {
    text.chars().map(|glyph| Cell { glyph, ..Cell::default() }).collect()
}

#[track_caller]
fn check(old: &[Cell], new: &[Cell], expected: &str) {
    let mut out = Vec::new();
    draw(&mut out, 2, kept(old, 80), kept(new, 80), Depth::Full);
    assert_eq!(String::from_utf8(out).unwrap(), expected, "what is drawn");
}

#[test]
fn only_what_differs_is_drawn() {
    check(&row("abc"), &row("abc"), "");
    check(&row("abcd"), &row("abXd"), "\x1b[3;3H\x1b[mX");
    check(&row(""), &row("ab"), "\x1b[3;1H\x1b[mab");
    check(&row("abcd"), &row("ab"), "\x1b[3;3H\x1b[m\x1b[m\x1b[K");
    check(&row("abcd"), &row("xb   "), "\x1b[3;1H\x1b[mxb\x1b[m\x1b[K");
    check(&row("abcd"), &[], "\x1b[3;1H\x1b[m\x1b[m\x1b[K");
}

#[test]
fn wide_characters_are_drawn_whole() {
    let wide = |glyph| {
        let half = |glyph, attributes| Cell { glyph, attributes, ..Cell::default() };
        [half(glyph, Attributes::WIDE), half(' ', Attributes::WIDE_SPACER)]
    };
    check(&row("ab"), &wide('漢'), "\x1b[3;1H\x1b[m漢");
    let mut colored = wide('漢');
    colored[1].background = CellColor::Indexed(1);
    check(&wide('漢'), &colored, "\x1b[3;1H\x1b[m漢");
    check(&wide('漢'), &row("ab"), "\x1b[3;1H\x1b[mab");
    let emoji = wide('\u{1f600}');
    check(&[], &emoji, "\x1b[3;1H\x1b[m\u{1f600}\x1b[3G");
}

#[test]
fn looks_are_set_where_they_change() {
    let mut cells = row("abc");
    cells[1].attributes = Attributes::BOLD | Attributes::CURLY_UNDERLINE;
    cells[1].foreground = CellColor::Indexed(9);
    cells[1].background = CellColor::Rgb(1, 2, 3);
    check(&[], &cells, "\x1b[3;1H\x1b[ma\x1b[0;1;4:3;91;48;2;1;2;3mb\x1b[0mc");
    let mut out = Vec::new();
    sgr(&mut out, &cells[1], Depth::Indexed);
    assert_eq!(out, b"\x1b[0;1;4;91;48;5;16m", "what every terminal understands");
}

#[test]
fn nothing_in_a_cell_acts_on_the_outer_terminal() {
    let mut cells = row("a\u{1b}\u{9b}\u{202e}b");
    cells[0].marks = Some("\u{301}\u{7}\u{2066}".into());
    check(&[], &cells, "\x1b[3;1H\x1b[ma\u{301}\x1b[2G   \x1b[5Gb");
}

#[test]
fn colors_that_cannot_be_shown_become_the_nearest() {
    for (color, expected) in [
        ((0, 0, 0), 16),
        ((255, 255, 255), 231),
        ((255, 0, 0), 196),
        ((95, 135, 175), 67),
        ((118, 118, 118), 243),
        ((250, 250, 250), 231),
    ] {
        let (r, g, b) = color;
        assert_eq!(nearest(r, g, b), expected, "{color:?}");
    }
}

#[test]
fn all_colors_are_used_where_the_terminal_says_so() {
    assert_eq!(Depth::of(Some("xterm-256color"), None), Depth::Indexed, "it does not say");
    assert_eq!(Depth::of(Some("xterm-256color"), Some("truecolor")), Depth::Full, "it does");
    assert_eq!(Depth::of(Some("xterm-kitty"), None), Depth::Full, "by its name");
    assert_eq!(Depth::of(None, Some("")), Depth::Indexed, "nothing is known");
}
