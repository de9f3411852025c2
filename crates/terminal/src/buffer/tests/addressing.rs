//! Where the cursor goes, what is erased and what scrolls: as xterm has it.

use super::*;

/// Rows are named, so that one sees which are left.
const ROWS: &str = "one\r\ntwo\r\nthree\r\nfour";

fn check_on_rows(input: &str, expected: &str) {
    check(&format!("{ROWS}{input}"), expected);
}

#[test]
fn all_rows_above_the_cursor_are_erased() {
    check_on_rows("\x1b[1;2H\x1b[1J", "  e|two|three|four");
    check_on_rows("\x1b[2;2H\x1b[1J", "|  o|three|four");
    check_on_rows("\x1b[3;2H\x1b[1J", "||  ree|four");
}

#[test]
fn deleting_more_characters_than_there_are_spares_those_before_the_cursor() {
    check("0123456789abcdefghij\x1b[1;18H\x1b[9P", "0123456789abcdefg");
    check("0123456789abcdefghij\x1b[1;18H\x1b[3P", "0123456789abcdefg");
    check("0123456789abcdefghij\x1b[1;18H\x1b[2P", "0123456789abcdefgj");
    check("0123456789abcdefghij\x1b[1;20H\x1b[65535P", "0123456789abcdefghi");
    check("0123456789\x1b[1;1H\x1b[65535P", "");
}

#[test]
fn rows_that_are_not_there_cannot_be_made_to_scroll() {
    check_on_rows("\x1b[9;12r\x1b[4;1H\nx", "two|three|four|x");
    check_on_rows("\x1b[4;12r\x1b[4;1H\nx", "two|three|four|x");
    check_on_rows("\x1b[3;12r\x1b[4;1H\nx", "one|two|four|x");
    check_reply("\x1b[9;12r\x1bP$qr\x1b\\", r"\x1bP1$r1;4r\x1b\\");
    check_reply("\x1b[2;3r\x1b[9;12r\x1bP$qr\x1b\\", r"\x1bP1$r2;3r\x1b\\");
    check_reply("\x1b[2;3H\x1b[9;12r\x1b[6n", r"\x1b[2;3R");
}

#[test]
fn origin_mode_sends_the_cursor_home_when_it_begins_and_when_it_ends() {
    check_reply("\x1b[2;3r\x1b[4;4H\x1b[?6h\x1b[6n", r"\x1b[1;1R");
    check_reply("\x1b[2;3r\x1b[?6h\x1b[2;4H\x1b[?6l\x1b[6n", r"\x1b[1;1R");
}

#[test]
fn origin_mode_and_character_set_are_saved_with_the_cursor() {
    for (save, restore) in
        [("\x1b7", "\x1b8"), ("\x1b[s", "\x1b[u"), ("\x1b[?1048h", "\x1b[?1048l")]
    {
        let off = format!("\x1b[4;2H{save}\x1b[2;3r\x1b[?6h{restore}\x1b[6n\x1b[?6$p");
        check_reply(&off, r"\x1b[4;2R\x1b[?6;2$y");
        let on = format!("\x1b[2;3r\x1b[?6h\x1b[2;2H{save}\x1b[?6l{restore}\x1b[6n\x1b[?6$p");
        check_reply(&on, r"\x1b[2;2R\x1b[?6;1$y");
        check(&format!("\x1b)0{save}\x0e{restore}q"), "q");
        check(&format!("\x1b)0\x0e{save}\x0f{restore}q"), "─");
    }
    check_reply("\x1b[2;3r\x1b[?6h\x1b8\x1b[6n\x1b[?6$p", r"\x1b[1;1R\x1b[?6;2$y");
    check_reply("\x1b[?6h\x1b7\x1bc\x1b[2;3r\x1b[?6h\x1b8\x1b[?6$p", r"\x1b[?6;2$y");
}

#[test]
fn each_screen_saves_a_cursor_of_its_own() {
    check_reply(
        "\x1b[?6h\x1b7\x1b[?47h\x1b[?6l\x1b7\x1b[?6h\x1b8\x1b[?6$p\x1b[?47l\x1b8\x1b[?6$p",
        r"\x1b[?6;2$y\x1b[?6;1$y",
    );
}

#[test]
fn the_test_pattern_fills_a_screen_that_scrolls_as_a_whole() {
    let filled = vec!["E".repeat(20); 4].join("|").replacen('E', "x", 1);
    check("\x1b[2;3r\x1b[3;3H\x1b#8x", &filled);
    check_reply("\x1b[2;3r\x1b#8\x1bP$qr\x1b\\", r"\x1bP1$r1;4r\x1b\\");
}

#[test]
fn the_number_of_columns_is_not_the_programs_to_choose() {
    check_on_rows("\x1b[?3l\x1b[?3hx", "one|two|three|fourx");
    check_reply("\x1b[2;3r\x1b[2;2H\x1b[?3h\x1b[6n\x1bP$qr\x1b\\", r"\x1b[2;2R\x1bP1$r2;3r\x1b\\");
    // What ncurses sends to make a terminal ready.
    check_on_rows("\x1b[!p\x1b[?3;4l\x1b[4l\x1b>x", "one|two|three|fourx");
}

#[test]
fn a_program_that_was_allowed_to_choose_finds_the_screen_cleared() {
    check_reply("\x1b[?40$p\x1b[?40h\x1b[?40$p", r"\x1b[?40;2$y\x1b[?40;1$y");
    check_on_rows("\x1b[?40h\x1b[2;3r\x1b[2;2H\x1b[?3hx", "x");
    check_reply("\x1b[?40h\x1b[2;3r\x1b[?3h\x1bP$qr\x1b\\", r"\x1bP1$r1;4r\x1b\\");
    check_on_rows("\x1b[?40h\x1bc\x1b[?3hx\x1b[?40h\x1b[?40l\x1b[?3ly", "xy");
}

#[test]
fn a_line_feed_may_be_made_a_new_line() {
    for feed in ['\n', '\x0b', '\x0c'] {
        check(&format!("ab{feed}c"), "ab|  c");
        check(&format!("ab\x1b[20h{feed}c"), "ab|c");
        check(&format!("ab\x1b[20h\x1b[20l{feed}c"), "ab|  c");
    }
}

#[test]
fn going_back_by_a_tab_leaves_the_end_of_the_row() {
    check("0123456789abcdefghij\x1b[Zx", "0123456789abcdefxhij");
}
