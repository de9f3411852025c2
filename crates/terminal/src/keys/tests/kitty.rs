//! The kitty protocol's rules, by the flags a program asked for.

use super::check_in;
use crate::{Modes, encode_composed};

/// `flags` as a program asks for them: 1 disambiguate, 2 events, 4 alternates, 8 all keys, 16 text.
#[track_caller]
fn check(flags: u32, chord: &str, expected: &str) {
    check_in(modes(flags), chord, expected);
}

fn modes(flags: u32) -> Modes {
    [
        Modes::KITTY_DISAMBIGUATE,
        Modes::KITTY_EVENTS,
        Modes::KITTY_ALTERNATES,
        Modes::KITTY_ALL_KEYS,
        Modes::KITTY_TEXT,
    ]
    .into_iter()
    .enumerate()
    .filter(|(bit, _)| flags & (1 << bit) != 0)
    .fold(Modes::empty(), |all, (_, mode)| all | mode)
}

#[test]
fn text_stays_text_unless_all_keys_are_wanted() {
    for flags in 1..8 {
        check(flags, "a", "a");
        check(flags, "shift-A/a", "A");
        check(flags, "ä/ä", r"\xc3\xa4");
        check(flags, "a repeat", "a");
        check(flags, "space", " ");
        check(flags, "shift-space", " ");
        check(flags, "kp-5:5", "5");
        check(flags, "caps-num-A/a", "A");
        check(flags, "я/я/z", r"\xd1\x8f");
    }
}

#[test]
fn flag_1_tells_apart_what_looked_the_same() {
    check(1, "escape", r"\x1b[27u");
    check(1, "alt-escape", r"\x1b[27;3u");
    check(1, "ctrl-i", r"\x1b[105;5u");
    check(1, "ctrl-m", r"\x1b[109;5u");
    check(1, "ctrl-c", r"\x1b[99;5u");
    check(1, "ctrl-[", r"\x1b[91;5u");
    check(1, "ctrl-3", r"\x1b[51;5u");
    check(1, "ctrl-space", r"\x1b[32;5u");
    check(1, "alt-space", r"\x1b[32;3u");
    check(1, "alt-x", r"\x1b[120;3u");
    check(1, "alt-[", r"\x1b[91;3u");
    check(1, "alt-shift-X/x", r"\x1b[120;4u");
    check(1, "ctrl-shift-A/a", r"\x1b[97;6u");
    check(1, "ctrl-shift-I/i", r"\x1b[105;6u");
    check(1, "ctrl-alt-a", r"\x1b[97;7u");
    check(1, "ctrl-shift-#/3", r"\x1b[51;6u");
    check(1, "ctrl-shift-:/;", r"\x1b[59;6u");
    check(1, "super-a", r"\x1b[97;9u");
    check(1, "hyper-a", r"\x1b[97;17u");
    check(1, "meta-a", r"\x1b[97;33u");
    check(1, "ctrl-alt-shift-super-hyper-meta-A/a", r"\x1b[97;64u");
    check(1, "ctrl-с/с/c", r"\x1b[1089;5u");
    check(1, "a release", "nothing");
    check(1, "ctrl-c release", "nothing");
    check(1, "ctrl-c repeat", r"\x1b[99;5u");
}

#[test]
fn flag_1_leaves_enter_tab_and_backspace_alone_without_modifiers() {
    check(1, "enter", r"\r");
    check(1, "tab", r"\t");
    check(1, "backspace", r"\x7f");
    check(1, "caps-num-enter", r"\r");
    check(1, "num-tab", r"\t");
    check(1, "num-backspace", r"\x7f");
    check(1, "shift-enter", r"\x1b[13;2u");
    check(1, "num-shift-enter", r"\x1b[13;2u");
    check(1, "ctrl-enter", r"\x1b[13;5u");
    check(1, "alt-enter", r"\x1b[13;3u");
    check(1, "shift-tab", r"\x1b[9;2u");
    check(1, "ctrl-shift-tab", r"\x1b[9;6u");
    check(1, "ctrl-backspace", r"\x1b[127;5u");
    check(1, "alt-backspace", r"\x1b[127;3u");
    check_in(modes(1) | Modes::NEW_LINE, "enter", r"\r\n");
}

#[test]
fn flag_1_makes_keys_of_the_keypad_keys_of_their_own() {
    check(1, "kp-pageup", r"\x1b[57421u");
    check(1, "kp-0", r"\x1b[57399u");
    check(1, "ctrl-kp-0:0", r"\x1b[57399;5u");
    check(1, "kp-enter", r"\x1b[57414u");
    check(1, "kp-begin", r"\x1b[E");
    check(2, "kp-pageup", r"\x1b[5~");
    check(2, "kp-up release", r"\x1b[1;1:3A");
    check(4, "kp-0", "0");
    check(4, "kp-enter", r"\r");
}

#[test]
fn keys_without_text_have_one_form_whatever_the_cursor_mode() {
    let modes = modes(1) | Modes::APP_CURSOR;
    check_in(modes, "up", r"\x1b[A");
    check_in(modes, "home", r"\x1b[H");
    check_in(modes, "ctrl-up", r"\x1b[1;5A");
    check(1, "f1", r"\x1b[P");
    check(1, "f3", r"\x1b[13~");
    check(1, "shift-f3", r"\x1b[13;2~");
    check(1, "f5", r"\x1b[15~");
    check(1, "ctrl-delete", r"\x1b[3;5~");
    check(1, "super-up", r"\x1b[1;9A");
    check(1, "f13", r"\x1b[57376u");
    check(1, "capslock", "nothing");
    check(3, "numlock", "nothing");
    check(1, "pause", r"\x1b[57362u");
    check(1, "menu", r"\x1b[57363u");
}

#[test]
fn locks_are_told_for_keys_that_type_nothing() {
    check(1, "num-up", r"\x1b[1;129A");
    check(1, "caps-f5", r"\x1b[15;65~");
    check(1, "caps-num-ctrl-up", r"\x1b[1;197A");
    check(1, "num-ctrl-c", r"\x1b[99;5u");
    check(1, "num-escape", r"\x1b[27;129u");
    check(8, "num-a", r"\x1b[97;129u");
    check(8, "caps-A/a", r"\x1b[97;65u");
    check(8, "num-enter", r"\x1b[13;129u");
}

#[test]
fn flag_2_tells_repeats_and_releases() {
    check(3, "ctrl-c", r"\x1b[99;5u");
    check(3, "ctrl-c repeat", r"\x1b[99;5:2u");
    check(3, "ctrl-c release", r"\x1b[99;5:3u");
    check(3, "up", r"\x1b[A");
    check(3, "up repeat", r"\x1b[1;1:2A");
    check(3, "up release", r"\x1b[1;1:3A");
    check(3, "delete release", r"\x1b[3;1:3~");
    check(3, "f3 release", r"\x1b[13;1:3~");
    check(3, "escape release", r"\x1b[27;1:3u");
    check(3, "a repeat", "a");
    check(3, "a release", r"\x1b[97;1:3u");
    check(3, "shift-A/a release", r"\x1b[97;2:3u");
    check(3, "space release", r"\x1b[32;1:3u");
    check(2, "a release", r"\x1b[97;1:3u");
    check(2, "escape", r"\x1b");
    check(2, "ctrl-c", r"\x03");
    check(2, "ctrl-c release", r"\x1b[99;5:3u");
    check(2, "f1", r"\x1b[P");
}

#[test]
fn enter_tab_and_backspace_are_released_only_where_all_keys_are_wanted() {
    for key in ["enter", "tab", "backspace", "shift-enter", "ctrl-backspace", "shift-tab"] {
        check(2, &format!("{key} release"), "nothing");
        check(3, &format!("{key} release"), "nothing");
        check(7, &format!("{key} release"), "nothing");
    }
    check(3, "enter repeat", r"\r");
    check(3, "shift-enter repeat", r"\x1b[13;2:2u");
    check(10, "enter release", r"\x1b[13;1:3u");
    check(10, "tab release", r"\x1b[9;1:3u");
    check(10, "shift-enter release", r"\x1b[13;2:3u");
    check(10, "backspace repeat", r"\x1b[127;1:2u");
}

#[test]
fn flag_4_adds_the_shifted_key_and_that_of_a_us_keyboard() {
    check(5, "ctrl-shift-A/a/a", r"\x1b[97:65;6u");
    check(5, "ctrl-a/a/a", r"\x1b[97;5u");
    check(5, "ctrl-с/с/c", r"\x1b[1089::99;5u");
    check(5, "ctrl-shift-С/с/c", r"\x1b[1089:1057:99;6u");
    check(5, "ctrl-shift-+/=/=", r"\x1b[61:43;6u");
    check(5, "ctrl-z/z/y", r"\x1b[122::121;5u");
    check(5, "alt-shift-Z/z/y", r"\x1b[122:90:121;4u");
    check(5, "ctrl-up", r"\x1b[1;5A");
    check(5, "ctrl-space", r"\x1b[32;5u");
    check(5, "shift-A/a/a", "A");
    check(7, "ctrl-shift-A/a/a release", r"\x1b[97:65;6:3u");
    check(7, "я/я/z release", r"\x1b[1103::122;1:3u");
    check(12, "shift-A/a/a", r"\x1b[97:65;2u");
    check(12, "a/a/a", r"\x1b[97u");
    check(4, "ctrl-c/c/c", r"\x03");
    check(4, "ctrl-с/с/c", r"\x1b[1089::99;5u");
    check(4, "shift-enter", r"\r");
    check(4, "up", r"\x1b[A");
    check(4, "f3", r"\x1bOR");
}

#[test]
fn flag_8_makes_escapes_of_all_keys() {
    check(8, "a", r"\x1b[97u");
    check(8, "shift-A/a", r"\x1b[97;2u");
    check(8, "A/a", r"\x1b[97u");
    check(8, "ä/ä", r"\x1b[228u");
    check(8, "enter", r"\x1b[13u");
    check(8, "tab", r"\x1b[9u");
    check(8, "shift-tab", r"\x1b[9;2u");
    check(8, "backspace", r"\x1b[127u");
    check(8, "escape", r"\x1b[27u");
    check(8, "space", r"\x1b[32u");
    check(8, "shift-space", r"\x1b[32;2u");
    check(8, "kp-5:5", r"\x1b[57404u");
    check(8, "ctrl-c", r"\x1b[99;5u");
    check(8, "up", r"\x1b[A");
    check(8, "a release", "nothing");
    check(8, "é/e", r"\x1b[101u");
    check(8, "ab", "nothing");
    check(10, "a repeat", r"\x1b[97;1:2u");
    check(10, "a release", r"\x1b[97;1:3u");
    check(11, "w release", r"\x1b[119;1:3u");
    check_in(modes(8) | Modes::APP_CURSOR, "up", r"\x1b[A");
}

#[test]
fn flag_16_adds_the_text_a_press_types() {
    check(24, "a", r"\x1b[97;;97u");
    check(24, "shift-A/a", r"\x1b[97;2;65u");
    check(24, "å/a", r"\x1b[97;;229u");
    check(24, "space", r"\x1b[32;;32u");
    check(24, "kp-5:5", r"\x1b[57404;;53u");
    check(24, "ctrl-a", r"\x1b[97;5u");
    check(24, "alt-a", r"\x1b[97;3u");
    check(24, "enter", r"\x1b[13u");
    check(24, "up", r"\x1b[A");
    check(24, "e\u{301}/e", r"\x1b[101;;101:769u");
    check(24, "한국", r"\x1b[0;;54620:44397u");
    check(26, "a repeat", r"\x1b[97;1:2;97u");
    check(26, "a release", r"\x1b[97;1:3u");
    check(28, "shift-A/a/a", r"\x1b[97:65;2;65u");
    check(31, "shift-Я/я/z", r"\x1b[1103:1071:122;2;1071u");
    check(31, "shift-Я/я/z release", r"\x1b[1103:1071:122;2:3u");
}

#[test]
fn flag_16_means_nothing_without_flag_8() {
    check(16, "a", "a");
    check(16, "ctrl-c", r"\x03");
    check(16, "ctrl-с/с/c", r"\x03");
    check(16, "up", r"\x1b[A");
    check(16, "shift-enter", r"\r");
    check(17, "ctrl-a", r"\x1b[97;5u");
    check(17, "a", "a");
}

#[test]
fn composed_text_has_the_number_0_where_text_is_sent_with_keys() {
    #[track_caller]
    fn check(flags: u32, text: &str, expected: &str) {
        let bytes = encode_composed(text, modes(flags));
        assert_eq!(bytes.escape_ascii().to_string(), expected, "{text} with flags {flags}");
    }
    check(0, "日", r"\xe6\x97\xa5");
    check(15, "日", r"\xe6\x97\xa5");
    check(24, "日本", r"\x1b[0;;26085:26412u");
}
