//! What xterm sends.

use super::{check, check_in};
use crate::Modes;
use crate::keys::{KeyOptions, encode_key};

#[test]
fn text_passes_as_utf8() {
    check("a", "a");
    check("shift-A", "A");
    check("ä", r"\xc3\xa4");
    check("日本", r"\xe6\x97\xa5\xe6\x9c\xac");
    check("", "nothing");
}

#[test]
fn characters_of_altgr_come_without_an_escape() {
    check("@", "@");
    check("{", "{");
    check("€", r"\xe2\x82\xac");
}

#[test]
fn ctrl_letters_are_control_bytes() {
    for (letter, byte) in ('a'..='z').zip(1u8..) {
        let expected = [byte].escape_ascii().to_string();
        check(&format!("ctrl-{letter}"), &expected);
        check(&format!("ctrl-shift-{}", letter.to_ascii_uppercase()), &expected);
    }
}

#[test]
fn ctrl_symbols_and_digits_follow_the_historical_table() {
    for (keys, expected) in [
        ("@2", r"\x00"),
        ("[{3", r"\x1b"),
        ("\\|4", r"\x1c"),
        ("]}5", r"\x1d"),
        ("^~6", r"\x1e"),
        ("_/7", r"\x1f"),
        ("?8", r"\x7f"),
    ] {
        for key in keys.chars() {
            check(&format!("ctrl-{key}"), expected);
        }
    }
    check("ctrl-0", "0");
    check("ctrl-1", "1");
    check("ctrl-9", "9");
    check("ctrl-,", ",");
    check("ctrl-я", r"\xd1\x8f");
}

#[test]
fn ctrl_goes_by_the_place_of_a_key_whose_letter_is_not_ascii() {
    check("ctrl-с/с/c", r"\x03");
    check("ctrl-с/с/c repeat", r"\x03");
    check("ctrl-shift-С/с/c", r"\x03");
    check("ctrl-alt-с/с/c", r"\x1b\x03");
    check("ctrl-я/я/z", r"\x1a");
    check("ctrl-х/х/[", r"\x1b");
    check("ctrl-ψ/ψ/c", r"\x03");
    check("ctrl-ש/ש/a", r"\x01");
    // Without a control byte at its place either, it types what it types.
    check("ctrl-ж/ж/;", r"\xd0\xb6");
    // What the layout has of ASCII counts, wherever it is.
    check("ctrl-z/z/y", r"\x1a");
    check("ctrl-,/,/w", ",");
    check("с/с/c", r"\xd1\x81");
    check("shift-С/с/c", r"\xd0\xa1");
    check("alt-с/с/c", r"\x1b\xd1\x81");
    check("alt-shift-С/с/c", r"\x1b\xd0\xa1");
}

#[test]
fn alt_puts_an_escape_before_text() {
    check("alt-x", r"\x1bx");
    check("alt-shift-X", r"\x1bX");
    check("alt-ö", r"\x1b\xc3\xb6");
    check("ctrl-alt-c", r"\x1b\x03");
    check("ctrl-alt-space", r"\x1b\x00");
}

#[test]
fn editing_keys() {
    check("enter", r"\r");
    check("shift-enter", r"\r");
    check("ctrl-enter", r"\r");
    check("alt-enter", r"\x1b\r");
    check("tab", r"\t");
    check("ctrl-tab", r"\t");
    check("shift-tab", r"\x1b[Z");
    check("alt-tab", r"\x1b\t");
    check("alt-shift-tab", r"\x1b\x1b[Z");
    check("backspace", r"\x7f");
    check("shift-backspace", r"\x7f");
    check("ctrl-backspace", r"\x08");
    check("alt-backspace", r"\x1b\x7f");
    check("ctrl-alt-backspace", r"\x1b\x08");
    check("escape", r"\x1b");
    check("alt-escape", r"\x1b\x1b");
    check("space", " ");
    check("shift-space", " ");
    check("ctrl-space", r"\x00");
    check("alt-space", r"\x1b ");
    check_in(Modes::NEW_LINE, "enter", r"\r\n");
}

#[test]
fn cursor_keys() {
    for (key, letter) in
        [("up", 'A'), ("down", 'B'), ("right", 'C'), ("left", 'D'), ("home", 'H'), ("end", 'F')]
    {
        check(key, &format!(r"\x1b[{letter}"));
        check_in(Modes::APP_CURSOR, key, &format!(r"\x1bO{letter}"));
        check_in(Modes::APP_KEYPAD, key, &format!(r"\x1b[{letter}"));
        for (modifiers, number) in MODIFIERS {
            let expected = format!(r"\x1b[1;{number}{letter}");
            check(&format!("{modifiers}{key}"), &expected);
            check_in(Modes::APP_CURSOR, &format!("{modifiers}{key}"), &expected);
        }
    }
}

#[test]
fn paging_keys() {
    for (key, code) in [("insert", 2), ("delete", 3), ("pageup", 5), ("pagedown", 6)] {
        check(key, &format!(r"\x1b[{code}~"));
        for (modifiers, number) in MODIFIERS {
            check(&format!("{modifiers}{key}"), &format!(r"\x1b[{code};{number}~"));
        }
    }
}

#[test]
fn function_keys() {
    for (number, letter) in [(1, 'P'), (2, 'Q'), (3, 'R'), (4, 'S')] {
        check(&format!("f{number}"), &format!(r"\x1bO{letter}"));
        check(&format!("ctrl-f{number}"), &format!(r"\x1b[1;5{letter}"));
    }
    let codes = [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34];
    for (number, code) in (5..).zip(codes) {
        check(&format!("f{number}"), &format!(r"\x1b[{code}~"));
        check(&format!("shift-f{number}"), &format!(r"\x1b[{code};2~"));
    }
    check("f0", "nothing");
    check("f21", "nothing");
    check("f255", "nothing");
}

#[test]
fn the_keypad_sends_what_its_equals_elsewhere_send() {
    check("kp-5:5", "5");
    check("kp-5", "5");
    check("kp-decimal:,", ",");
    check("kp-decimal", ".");
    check("kp-add:+", "+");
    check("kp-multiply", "*");
    check("alt-kp-5:5", r"\x1b5");
    check("kp-enter", r"\r");
    check("alt-kp-enter", r"\x1b\r");
    check("kp-up", r"\x1b[A");
    check("ctrl-kp-up", r"\x1b[1;5A");
    check("kp-begin", r"\x1b[E");
    check("kp-delete", r"\x1b[3~");
    check_in(Modes::APP_CURSOR, "kp-up", r"\x1bOA");
    check_in(Modes::APP_KEYPAD, "kp-5:5", "5");
    check_in(Modes::APP_KEYPAD, "kp-enter", r"\r");
}

#[test]
fn releases_locks_and_keys_without_a_sequence_send_nothing() {
    check("a release", "nothing");
    check("enter release", "nothing");
    check("up release", "nothing");
    check("a repeat", "a");
    check("up repeat", r"\x1b[A");
    check("num-up", r"\x1b[A");
    check("caps-num-ctrl-up", r"\x1b[1;5A");
    check("caps-A", "A");
    check("num-enter", r"\r");
    check("left-shift", "nothing");
    check("capslock", "nothing");
    check("pause", "nothing");
    check("menu", "nothing");
    check("media-play", "nothing");
}

#[test]
fn shift_enter_can_be_made_a_line_feed_where_it_is_enter_otherwise() {
    #[track_caller]
    fn check(modes: Modes, chord: &str, expected: &str) {
        let options = KeyOptions { shift_enter_newline: true };
        let bytes = encode_key(&super::parse(chord), modes, options).unwrap_or_default();
        assert_eq!(bytes.escape_ascii().to_string(), expected, "{chord} in {modes:?}");
    }
    check(Modes::empty(), "shift-enter", r"\n");
    check(Modes::empty(), "num-shift-enter", r"\n");
    check(Modes::NEW_LINE, "shift-enter", r"\n");
    check(Modes::empty(), "enter", r"\r");
    check(Modes::empty(), "alt-shift-enter", r"\x1b\r");
    check(Modes::empty(), "ctrl-shift-enter", r"\r");
    check(Modes::KITTY_DISAMBIGUATE, "shift-enter", r"\x1b[13;2u");
    check(Modes::MODIFY_OTHER_KEYS_1, "shift-enter", r"\x1b[27;2;13~");
}

#[test]
fn super_belongs_to_the_window_manager() {
    check("super-c", "nothing");
    check("ctrl-super-up", "nothing");
}

const MODIFIERS: [(&str, u8); 7] = [
    ("shift-", 2),
    ("alt-", 3),
    ("alt-shift-", 4),
    ("ctrl-", 5),
    ("ctrl-shift-", 6),
    ("ctrl-alt-", 7),
    ("ctrl-alt-shift-", 8),
];
