//! What each key sends, one line a case.

use super::*;

#[track_caller]
fn check(chord: &str, expected: &str) {
    check_in(Modes::empty(), chord, expected);
}

/// `chord` is like `ctrl-shift-up` or `alt-x`; `expected` has escapes as in `\x1b[A`.
#[track_caller]
fn check_in(modes: Modes, chord: &str, expected: &str) {
    let bytes = encode_key(&parse(chord), modes);
    let text = bytes.map_or("nothing".to_owned(), |bytes| bytes.escape_ascii().to_string());
    assert_eq!(text, expected, "{chord} in {modes:?}");
}

fn parse(chord: &str) -> KeyPress {
    let mut modifiers = Modifiers::empty();
    let mut rest = chord;
    for (prefix, modifier) in [
        ("ctrl-", Modifiers::CTRL),
        ("alt-", Modifiers::ALT),
        ("shift-", Modifiers::SHIFT),
        ("super-", Modifiers::SUPER),
    ] {
        if let Some(after) = rest.strip_prefix(prefix) {
            modifiers |= modifier;
            rest = after;
        }
    }
    let named = match rest {
        "enter" => NamedKey::Enter,
        "tab" => NamedKey::Tab,
        "backspace" => NamedKey::Backspace,
        "escape" => NamedKey::Escape,
        "space" => NamedKey::Space,
        "up" => NamedKey::ArrowUp,
        "down" => NamedKey::ArrowDown,
        "left" => NamedKey::ArrowLeft,
        "right" => NamedKey::ArrowRight,
        "home" => NamedKey::Home,
        "end" => NamedKey::End,
        "pageup" => NamedKey::PageUp,
        "pagedown" => NamedKey::PageDown,
        "insert" => NamedKey::Insert,
        "delete" => NamedKey::Delete,
        _ => match rest.strip_prefix('f').and_then(|number| number.parse().ok()) {
            Some(number) => NamedKey::F(number),
            None => return KeyPress { key: Key::Character(rest.to_owned()), modifiers },
        },
    };
    KeyPress { key: Key::Named(named), modifiers }
}

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
