//! Keys of several keyboards, as winit tells of them, and what we make of each.

use terminal::{Modes, encode_key};
use winit::keyboard::{NativeKey, SmolStr};

use super::*;

/// A press as winit tells it: the logical key, the one without modifiers, its place.
fn raw(logical: &str, unmodified: &str, code: KeyCode) -> RawKey {
    RawKey {
        logical: WinitKey::Character(SmolStr::new(logical)),
        unmodified: WinitKey::Character(SmolStr::new(unmodified)),
        physical: PhysicalKey::Code(code),
        location: KeyLocation::Standard,
        text: Some(logical.to_owned()),
        kind: KeyKind::Press,
    }
}

fn named(named: WinitNamed, location: KeyLocation) -> RawKey {
    let logical = WinitKey::Named(named);
    let physical = PhysicalKey::Code(KeyCode::Fn);
    let unmodified = logical.clone();
    RawKey { logical, unmodified, physical, location, text: None, kind: KeyKind::Press }
}

fn keyboard(held: &str) -> Keyboard {
    let mut modifiers = ModifiersState::empty();
    modifiers.set(ModifiersState::SHIFT, held.contains("shift"));
    modifiers.set(ModifiersState::CONTROL, held.contains("ctrl"));
    modifiers.set(ModifiersState::ALT, held.contains("alt "));
    Keyboard { modifiers, alt_graph: held.contains("altgr") }
}

/// What the key means: `modifiers key base`, and what a program without wishes is sent.
#[track_caller]
fn check(held: &str, raw: &RawKey, expected: &str) {
    let input = keyboard(held).key_input(raw);
    let text = input.map_or("nothing".to_owned(), |KeyInput { press, base }| {
        let bytes = encode_key(&press, Modes::empty(), terminal::KeyOptions::default());
        let bytes = bytes.unwrap_or_default().escape_ascii().to_string();
        let base = base.map_or("none".to_owned(), String::from);
        format!("{bytes} base {base}")
    });
    assert_eq!(text, expected, "{raw:?} with {held}");
}

#[test]
fn a_latin_keyboard_is_taken_by_its_own_letters() {
    check("", &raw("a", "a", KeyCode::KeyA), "a base a");
    check("shift", &raw("A", "a", KeyCode::KeyA), "A base a");
    check("ctrl", &raw("c", "c", KeyCode::KeyC), r"\x03 base c");
    check("alt ", &raw("x", "x", KeyCode::KeyX), r"\x1bx base x");
    // Dvorak and AZERTY: what is on the key counts, not where it is.
    check("ctrl", &raw("c", "c", KeyCode::KeyI), r"\x03 base c");
    check("ctrl", &raw("a", "a", KeyCode::KeyQ), r"\x01 base a");
}

#[test]
fn a_keyboard_without_latin_letters_is_taken_by_its_places() {
    check("ctrl", &raw("с", "с", KeyCode::KeyC), r"\x03 base c");
    check("", &raw("с", "с", KeyCode::KeyC), r"\xd1\x81 base c");
    check("ctrl", &raw("ψ", "ψ", KeyCode::KeyC), r"\x03 base c");
    check("ctrl alt ", &raw("с", "с", KeyCode::KeyC), r"\x1b\x03 base c");
    check("alt ", &raw("с", "с", KeyCode::KeyC), r"\x1b\xd1\x81 base c");
    check("ctrl", &raw("ö", "ö", KeyCode::Semicolon), r"\xc3\xb6 base ;");
}

#[test]
fn what_altgr_types_is_text_and_no_shortcut() {
    check("altgr", &raw("@", "q", KeyCode::KeyQ), "@ base q");
    // Where AltGr counts as Ctrl and Alt.
    check("ctrl alt altgr", &raw("@", "q", KeyCode::KeyQ), "@ base q");
    check("ctrl alt ", &raw("€", "e", KeyCode::KeyE), r"\xe2\x82\xac base e");
    check("ctrl alt shift altgr", &raw("¿", "?", KeyCode::Slash), r"\xc2\xbf base ?");
    // Ctrl and Alt themselves.
    check("ctrl alt ", &raw("c", "c", KeyCode::KeyC), r"\x1b\x03 base c");
    check("ctrl alt shift", &raw("C", "c", KeyCode::KeyC), r"\x1b\x03 base c");
    // Ctrl with a sign that only AltGr gives.
    check("ctrl altgr", &raw("\\", "ß", KeyCode::Minus), r"\x1c base -");
}

#[test]
fn altgr_is_followed_from_press_to_release() {
    let mut keyboard = keyboard("ctrl alt ");
    let mut alt_graph = named(WinitNamed::AltGraph, KeyLocation::Standard);
    keyboard.key_input(&alt_graph);
    assert!(keyboard.alt_graph, "held");
    alt_graph.kind = KeyKind::Release;
    keyboard.key_input(&alt_graph);
    assert!(!keyboard.alt_graph, "let go of");
}

#[test]
fn dead_keys_wait_for_the_next_one_and_compositions_come_as_text() {
    let dead =
        RawKey { logical: WinitKey::Dead(Some('´')), text: None, ..raw("", "´", KeyCode::Equal) };
    check("", &dead, "nothing");
    let composed = RawKey { text: Some("é".to_owned()), ..raw("e", "e", KeyCode::KeyE) };
    check("", &composed, r"\xc3\xa9 base e");
    let released = RawKey { kind: KeyKind::Release, text: None, ..raw("e", "e", KeyCode::KeyE) };
    let press = keyboard("").key_input(&released).expect("a key").press;
    assert_eq!((press.kind, press.unshifted), (KeyKind::Release, Some('e')), "its release");
    let unknown = WinitKey::Unidentified(NativeKey::Unidentified);
    check("", &RawKey { logical: unknown, ..raw("", "", KeyCode::Fn) }, "nothing");
}

#[test]
fn the_keypad_is_told_apart() {
    let numpad =
        |sign: &str| RawKey { location: KeyLocation::Numpad, ..raw(sign, sign, KeyCode::Fn) };
    #[track_caller]
    fn check(raw: &RawKey, expected: &str) {
        let press = keyboard("").key_input(raw).expect("a key").press;
        let modes = Modes::KITTY_DISAMBIGUATE | Modes::KITTY_ALL_KEYS;
        let bytes = encode_key(&press, modes, terminal::KeyOptions::default()).unwrap_or_default();
        assert_eq!(bytes.escape_ascii().to_string(), expected, "{raw:?}");
    }
    check(&numpad("5"), r"\x1b[57404u");
    check(&numpad(","), r"\x1b[57416u");
    check(&numpad("+"), r"\x1b[57413u");
    check(&named(WinitNamed::Enter, KeyLocation::Numpad), r"\x1b[57414u");
    check(&named(WinitNamed::ArrowUp, KeyLocation::Numpad), r"\x1b[57419u");
    check(&named(WinitNamed::ArrowUp, KeyLocation::Standard), r"\x1b[A");
    let middle = RawKey {
        logical: WinitKey::Unidentified(NativeKey::Unidentified),
        physical: PhysicalKey::Code(KeyCode::Numpad5),
        text: None,
        ..numpad("")
    };
    check(&middle, r"\x1b[E");
}

#[test]
fn modifiers_have_two_sides_and_function_keys_numbers() {
    #[track_caller]
    fn check(raw: &RawKey, expected: &str) {
        let key = keyboard("").key_input(raw).map(|input| input.press.key);
        assert_eq!(format!("{key:?}"), format!("Some(Named({expected}))"), "{raw:?}");
    }
    check(&named(WinitNamed::Shift, KeyLocation::Left), "Modifier(LeftShift)");
    check(&named(WinitNamed::Shift, KeyLocation::Right), "Modifier(RightShift)");
    check(&named(WinitNamed::Control, KeyLocation::Right), "Modifier(RightCtrl)");
    check(&named(WinitNamed::AltGraph, KeyLocation::Standard), "Modifier(Level3Shift)");
    check(&named(WinitNamed::F1, KeyLocation::Standard), "F(1)");
    check(&named(WinitNamed::F24, KeyLocation::Standard), "F(24)");
    check(&named(WinitNamed::F35, KeyLocation::Standard), "F(35)");
    check(&named(WinitNamed::MediaPlayPause, KeyLocation::Standard), "Media(PlayPause)");
    check(&named(WinitNamed::ContextMenu, KeyLocation::Standard), "Menu");
}
