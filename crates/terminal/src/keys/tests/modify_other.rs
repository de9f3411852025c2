//! xterm's `modifyOtherKeys` at both levels.

use super::check_in;
use crate::Modes;

/// What a key sends at level 1 and at level 2.
#[track_caller]
fn check(chord: &str, level_1: &str, level_2: &str) {
    check_in(Modes::MODIFY_OTHER_KEYS_1, chord, level_1);
    check_in(Modes::MODIFY_OTHER_KEYS, chord, level_2);
}

#[test]
fn text_stays_text() {
    check("a", "a", "a");
    check("shift-A/a", "A", "A");
    check("ä", r"\xc3\xa4", r"\xc3\xa4");
    check("shift-space", " ", " ");
    check("caps-A/a", "A", "A");
}

#[test]
fn only_level_2_touches_what_has_a_usual_meaning() {
    check("ctrl-c", r"\x03", r"\x1b[27;5;99~");
    check("ctrl-i", r"\t", r"\x1b[27;5;105~");
    check("ctrl-[", r"\x1b", r"\x1b[27;5;91~");
    check("ctrl-2", r"\x00", r"\x1b[27;5;50~");
    check("alt-x", r"\x1bx", r"\x1b[27;3;120~");
    check("alt-shift-X/x", r"\x1bX", r"\x1b[27;4;88~");
    check("ctrl-alt-c", r"\x1b\x03", r"\x1b[27;7;99~");
    check("ctrl-space", r"\x00", r"\x1b[27;5;32~");
    check("ctrl-backspace", r"\x08", r"\x1b[27;5;127~");
    check("alt-backspace", r"\x1b\x7f", r"\x1b[27;3;127~");
}

#[test]
fn keys_without_a_usual_meaning_get_one() {
    check("ctrl-shift-C/c", r"\x1b[27;6;67~", r"\x1b[27;6;67~");
    check("ctrl-,", r"\x1b[27;5;44~", r"\x1b[27;5;44~");
    check("ctrl-1", r"\x1b[27;5;49~", r"\x1b[27;5;49~");
    check("ctrl-я", r"\x1b[27;5;1103~", r"\x1b[27;5;1103~");
    check("shift-enter", r"\x1b[27;2;13~", r"\x1b[27;2;13~");
    check("ctrl-enter", r"\x1b[27;5;13~", r"\x1b[27;5;13~");
    check("alt-enter", r"\x1b[27;3;13~", r"\x1b[27;3;13~");
    check("ctrl-tab", r"\x1b[27;5;9~", r"\x1b[27;5;9~");
    check("ctrl-shift-tab", r"\x1b[27;6;9~", r"\x1b[27;6;9~");
    check("shift-escape", r"\x1b[27;2;27~", r"\x1b[27;2;27~");
}

#[test]
fn letters_that_are_not_ascii_are_told_as_the_layout_has_them() {
    check("ctrl-с/с/c", r"\x1b[27;5;1089~", r"\x1b[27;5;1089~");
    check("ctrl-shift-С/с/c", r"\x1b[27;6;1057~", r"\x1b[27;6;1057~");
    check("ctrl-alt-с/с/c", r"\x1b[27;7;1089~", r"\x1b[27;7;1089~");
    check("alt-с/с/c", r"\x1b\xd1\x81", r"\x1b[27;3;1089~");
    check("с/с/c", r"\xd1\x81", r"\xd1\x81");
}

#[test]
fn the_rest_is_as_ever() {
    check("enter", r"\r", r"\r");
    check("num-enter", r"\r", r"\r");
    check("tab", r"\t", r"\t");
    check("shift-tab", r"\x1b[Z", r"\x1b[Z");
    check("escape", r"\x1b", r"\x1b");
    check("backspace", r"\x7f", r"\x7f");
    check("ctrl-up", r"\x1b[1;5A", r"\x1b[1;5A");
    check("shift-f5", r"\x1b[15;2~", r"\x1b[15;2~");
    check("super-a", "nothing", "nothing");
    check("ctrl-c release", "nothing", "nothing");
}

#[test]
fn the_kitty_protocol_wins_where_both_are_on() {
    let both = Modes::MODIFY_OTHER_KEYS | Modes::KITTY_DISAMBIGUATE;
    check_in(both, "ctrl-c", r"\x1b[99;5u");
    check_in(both, "shift-enter", r"\x1b[13;2u");
}
