//! Mouse reports, one line a case.

use super::*;

const CLICK_SGR: Modes = Modes::MOUSE_CLICK.union(Modes::SGR_MOUSE);

/// `what` is like `press left`, `drag left`, `move`, `ctrl-shift-press right`; `at` is column, row.
#[track_caller]
fn check(modes: Modes, what: &str, at: (u16, u16), expected: &str) {
    let (kind, button) = what.split_once(' ').unwrap_or((what, ""));
    let mut modifiers = Modifiers::empty();
    for (name, modifier) in
        [("shift-", Modifiers::SHIFT), ("alt-", Modifiers::ALT), ("ctrl-", Modifiers::CTRL)]
    {
        modifiers.set(modifier, kind.contains(name));
    }
    let kind = match kind.rsplit('-').next() {
        Some("press") => MouseKind::Press,
        Some("release") => MouseKind::Release,
        Some("drag" | "move") => MouseKind::Motion,
        other => panic!("unknown kind {other:?}"),
    };
    let button = match button {
        "left" => Some(MouseButton::Left),
        "middle" => Some(MouseButton::Middle),
        "right" => Some(MouseButton::Right),
        "wheel-up" => Some(MouseButton::WheelUp),
        "wheel-down" => Some(MouseButton::WheelDown),
        "wheel-left" => Some(MouseButton::WheelLeft),
        "wheel-right" => Some(MouseButton::WheelRight),
        number => number.parse().ok().map(MouseButton::Extra),
    };
    let at = CellPoint { column: at.0, row: at.1 };
    let bytes = encode_mouse(&MouseInput { kind, button, at, modifiers }, modes);
    let text = bytes.map_or("nothing".to_owned(), |bytes| bytes.escape_ascii().to_string());
    assert_eq!(text, expected, "{what} at {at:?} in {modes:?}");
}

#[test]
fn sgr_reports_count_from_one_and_name_the_button_released() {
    check(CLICK_SGR, "press left", (0, 0), r"\x1b[<0;1;1M");
    check(CLICK_SGR, "release left", (4, 2), r"\x1b[<0;5;3m");
    check(CLICK_SGR, "press middle", (0, 0), r"\x1b[<1;1;1M");
    check(CLICK_SGR, "release right", (499, 299), r"\x1b[<2;500;300m");
}

#[test]
fn modifiers_are_added() {
    check(CLICK_SGR, "shift-press left", (0, 0), r"\x1b[<4;1;1M");
    check(CLICK_SGR, "alt-press left", (0, 0), r"\x1b[<8;1;1M");
    check(CLICK_SGR, "ctrl-press left", (0, 0), r"\x1b[<16;1;1M");
    check(CLICK_SGR, "ctrl-shift-press right", (0, 0), r"\x1b[<22;1;1M");
}

#[test]
fn the_wheel_is_pressed_but_never_released() {
    check(CLICK_SGR, "press wheel-up", (0, 0), r"\x1b[<64;1;1M");
    check(CLICK_SGR, "press wheel-down", (0, 0), r"\x1b[<65;1;1M");
    check(CLICK_SGR, "press wheel-left", (0, 0), r"\x1b[<66;1;1M");
    check(CLICK_SGR, "press wheel-right", (0, 0), r"\x1b[<67;1;1M");
    check(CLICK_SGR, "ctrl-press wheel-up", (0, 0), r"\x1b[<80;1;1M");
    check(CLICK_SGR, "alt-shift-press wheel-down", (0, 0), r"\x1b[<77;1;1M");
    check(CLICK_SGR, "ctrl-press wheel-right", (0, 0), r"\x1b[<83;1;1M");
    check(Modes::MOUSE_CLICK, "press wheel-up", (0, 0), r"\x1b[M`!!");
    check(Modes::MOUSE_CLICK, "press wheel-left", (0, 0), r"\x1b[Mb!!");
    for wheel in ["wheel-up", "wheel-down", "wheel-left", "wheel-right"] {
        check(CLICK_SGR, &format!("release {wheel}"), (0, 0), "nothing");
        check(Modes::MOUSE_MOTION, &format!("drag {wheel}"), (0, 0), "nothing");
    }
}

#[test]
fn buttons_8_to_11_have_codes_of_their_own() {
    check(CLICK_SGR, "press 8", (0, 0), r"\x1b[<128;1;1M");
    check(CLICK_SGR, "release 9", (0, 0), r"\x1b[<129;1;1m");
    check(CLICK_SGR, "ctrl-press 10", (0, 0), r"\x1b[<146;1;1M");
    check(CLICK_SGR, "press 11", (0, 0), r"\x1b[<131;1;1M");
    check(CLICK_SGR, "press 12", (0, 0), "nothing");
    check(CLICK_SGR, "press 7", (0, 0), "nothing");
    check(Modes::MOUSE_DRAG | Modes::SGR_MOUSE, "drag 8", (0, 0), r"\x1b[<160;1;1M");
    check(Modes::MOUSE_CLICK, "press 8", (0, 0), r"\x1b[M\xa0!!");
    check(Modes::MOUSE_CLICK, "release 8", (0, 0), r"\x1b[M#!!");
    check(Modes::MOUSE_CLICK | Modes::UTF8_MOUSE, "press 8", (0, 0), r"\x1b[M\xc2\xa0!!");
}

#[test]
fn sgr_is_used_where_utf8_is_on_too() {
    let both = CLICK_SGR | Modes::UTF8_MOUSE;
    check(both, "press left", (222, 0), r"\x1b[<0;223;1M");
}

#[test]
fn motion_is_reported_to_those_who_asked() {
    check(CLICK_SGR, "drag left", (0, 0), "nothing");
    check(Modes::MOUSE_DRAG | Modes::SGR_MOUSE, "drag left", (0, 0), r"\x1b[<32;1;1M");
    check(Modes::MOUSE_DRAG | Modes::SGR_MOUSE, "move", (0, 0), "nothing");
    check(Modes::MOUSE_MOTION | Modes::SGR_MOUSE, "drag right", (0, 0), r"\x1b[<34;1;1M");
    check(Modes::MOUSE_MOTION | Modes::SGR_MOUSE, "move", (0, 0), r"\x1b[<35;1;1M");
}

#[test]
fn nothing_is_sent_to_those_who_did_not_ask() {
    check(Modes::empty(), "press left", (0, 0), "nothing");
    check(Modes::SGR_MOUSE, "press left", (0, 0), "nothing");
    check(CLICK_SGR, "press none", (0, 0), "nothing");
    check(CLICK_SGR, "release none", (0, 0), "nothing");
}

#[test]
fn the_old_encoding_has_bytes_offset_by_32() {
    check(Modes::MOUSE_CLICK, "press left", (0, 0), r"\x1b[M !!");
    check(Modes::MOUSE_CLICK, "release left", (0, 0), r"\x1b[M#!!");
    check(Modes::MOUSE_CLICK, "ctrl-release right", (1, 2), "\\x1b[M3\\\"#");
    check(Modes::MOUSE_MOTION, "move", (0, 0), r"\x1b[MC!!");
    check(Modes::MOUSE_CLICK, "press left", (222, 0), r"\x1b[M \xff!");
    check(Modes::MOUSE_CLICK, "press left", (223, 0), "nothing");
}

#[test]
fn utf8_mode_reaches_further() {
    let modes = Modes::MOUSE_CLICK | Modes::UTF8_MOUSE;
    check(modes, "press left", (222, 0), r"\x1b[M \xc3\xbf!");
    check(modes, "press left", (999, 0), r"\x1b[M \xd0\x88!");
    check(modes, "press left", (2014, 0), r"\x1b[M \xdf\xbf!");
    check(modes, "press left", (2015, 0), "nothing");
}
