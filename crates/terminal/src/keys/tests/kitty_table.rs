//! The protocol's table of keys without a character, number by number.

use super::check_in;
use crate::Modes;

/// The key alone, with Ctrl, and its release.
#[track_caller]
fn check(key: &str, number: u32, end: char) {
    let modes = Modes::KITTY_DISAMBIGUATE | Modes::KITTY_EVENTS | Modes::KITTY_ALL_KEYS;
    let alone = if number == 1 { String::new() } else { number.to_string() };
    check_in(modes, key, &format!(r"\x1b[{alone}{end}"));
    check_in(modes, &format!("ctrl-{key}"), &format!(r"\x1b[{number};5{end}"));
    check_in(modes, &format!("{key} release"), &format!(r"\x1b[{number};1:3{end}"));
}

/// A modifier's own bit is set while it is pressed.
#[track_caller]
fn check_modifier(key: &str, number: u32, own: u32) {
    let modes = Modes::KITTY_ALL_KEYS | Modes::KITTY_EVENTS;
    let pressed = if own == 0 { String::new() } else { format!(";{}", own + 1) };
    check_in(modes, key, &format!(r"\x1b[{number}{pressed}u"));
    check_in(modes, &format!("{key} repeat"), &format!(r"\x1b[{number};{}:2u", own + 1));
    check_in(modes, &format!("{key} release"), &format!(r"\x1b[{number};1:3u"));
    check_in(Modes::KITTY_DISAMBIGUATE | Modes::KITTY_EVENTS, key, "nothing");
}

#[test]
fn keys_with_old_numbers() {
    check("escape", 27, 'u');
    check("enter", 13, 'u');
    check("tab", 9, 'u');
    check("backspace", 127, 'u');
    check("insert", 2, '~');
    check("delete", 3, '~');
    check("left", 1, 'D');
    check("right", 1, 'C');
    check("up", 1, 'A');
    check("down", 1, 'B');
    check("pageup", 5, '~');
    check("pagedown", 6, '~');
    check("home", 1, 'H');
    check("end", 1, 'F');
    check("capslock", 57358, 'u');
    check("scrolllock", 57359, 'u');
    check("numlock", 57360, 'u');
    check("printscreen", 57361, 'u');
    check("pause", 57362, 'u');
    check("menu", 57363, 'u');
}

#[test]
fn function_keys() {
    check("f1", 1, 'P');
    check("f2", 1, 'Q');
    check("f3", 13, '~');
    check("f4", 1, 'S');
    check("f5", 15, '~');
    check("f6", 17, '~');
    check("f7", 18, '~');
    check("f8", 19, '~');
    check("f9", 20, '~');
    check("f10", 21, '~');
    check("f11", 23, '~');
    check("f12", 24, '~');
    for (number, code) in (13..=35).zip(57376..) {
        check(&format!("f{number}"), code, 'u');
    }
    check_in(Modes::KITTY_ALL_KEYS, "f36", "nothing");
    check_in(Modes::KITTY_ALL_KEYS, "f0", "nothing");
}

#[test]
fn the_keypad() {
    for (digit, code) in (0..=9).zip(57399..) {
        check(&format!("kp-{digit}"), code, 'u');
    }
    check("kp-decimal", 57409, 'u');
    check("kp-divide", 57410, 'u');
    check("kp-multiply", 57411, 'u');
    check("kp-subtract", 57412, 'u');
    check("kp-add", 57413, 'u');
    check("kp-enter", 57414, 'u');
    check("kp-equal", 57415, 'u');
    check("kp-separator", 57416, 'u');
    check("kp-left", 57417, 'u');
    check("kp-right", 57418, 'u');
    check("kp-up", 57419, 'u');
    check("kp-down", 57420, 'u');
    check("kp-pageup", 57421, 'u');
    check("kp-pagedown", 57422, 'u');
    check("kp-home", 57423, 'u');
    check("kp-end", 57424, 'u');
    check("kp-insert", 57425, 'u');
    check("kp-delete", 57426, 'u');
    check("kp-begin", 1, 'E');
}

#[test]
fn media_keys() {
    check("media-play", 57428, 'u');
    check("media-pause", 57429, 'u');
    check("media-playpause", 57430, 'u');
    check("media-reverse", 57431, 'u');
    check("media-stop", 57432, 'u');
    check("media-forward", 57433, 'u');
    check("media-rewind", 57434, 'u');
    check("media-next", 57435, 'u');
    check("media-previous", 57436, 'u');
    check("media-record", 57437, 'u');
    check("volume-down", 57438, 'u');
    check("volume-up", 57439, 'u');
    check("volume-mute", 57440, 'u');
}

#[test]
fn modifiers_are_keys_only_where_all_keys_are_wanted() {
    check_modifier("left-shift", 57441, 1);
    check_modifier("left-ctrl", 57442, 4);
    check_modifier("left-alt", 57443, 2);
    check_modifier("left-super", 57444, 8);
    check_modifier("left-hyper", 57445, 16);
    check_modifier("left-meta", 57446, 32);
    check_modifier("right-shift", 57447, 1);
    check_modifier("right-ctrl", 57448, 4);
    check_modifier("right-alt", 57449, 2);
    check_modifier("right-super", 57450, 8);
    check_modifier("right-hyper", 57451, 16);
    check_modifier("right-meta", 57452, 32);
    check_modifier("level3", 57453, 0);
    check_modifier("level5", 57454, 0);
}
