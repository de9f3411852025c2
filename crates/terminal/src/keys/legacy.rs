//! The encoding of xterm, which every program understands and which tells many keys apart no more.
//!
//! Keys of the keypad send what their equals elsewhere send: a program that wants to know the
//! difference has the kitty protocol for it. With Ctrl, a key whose letter has no control byte because
//! it is not ASCII sends that of a US keyboard: Ctrl+C ends a program whatever the layout.

use super::functional::tilde_number;
use super::{Key, KeyPress, KeypadKey, Modifiers, NamedKey};
use crate::Modes;

pub(super) fn encode(press: &KeyPress, modes: Modes) -> Option<Vec<u8>> {
    let modifiers = press.modifiers.held();
    if modifiers.intersects(Modifiers::SUPER | Modifiers::HYPER | Modifiers::META) {
        return None;
    }
    match press.clone().off_keypad().key {
        Key::Character(text) => encode_text(&text, press.base_layout, modifiers),
        Key::Named(key) => encode_named(key, modifiers, modes),
    }
}

fn encode_text(text: &str, base_layout: Option<char>, modifiers: Modifiers) -> Option<Vec<u8>> {
    if text.is_empty() {
        return None;
    }
    let control = if modifiers.contains(Modifiers::CTRL) {
        let place = base_layout.filter(|_| !text.is_ascii());
        control_byte(text).or_else(|| control_byte(place?.encode_utf8(&mut [0; 4])))
    } else {
        None
    };
    let bytes = control.map_or_else(|| text.as_bytes().to_vec(), |byte| vec![byte]);
    Some(with_alt(bytes, modifiers))
}

/// What Ctrl makes of a character: the historical table, digits included.
pub(super) fn control_byte(text: &str) -> Option<u8> {
    let &[byte] = text.as_bytes() else { return None };
    Some(match byte {
        b'a'..=b'z' | b'A'..=b'Z' => byte & 0x1f,
        b' ' | b'@' | b'2' => 0x00,
        b'[' | b'{' | b'3' => 0x1b,
        b'\\' | b'|' | b'4' => 0x1c,
        b']' | b'}' | b'5' => 0x1d,
        b'^' | b'~' | b'6' => 0x1e,
        b'_' | b'/' | b'7' => 0x1f,
        b'?' | b'8' => 0x7f,
        _ => return None,
    })
}

fn encode_named(key: NamedKey, modifiers: Modifiers, modes: Modes) -> Option<Vec<u8>> {
    let ctrl = modifiers.contains(Modifiers::CTRL);
    let shift = modifiers.contains(Modifiers::SHIFT);
    let plain: &[u8] = match key {
        NamedKey::Enter if modes.contains(Modes::NEW_LINE) => b"\r\n",
        NamedKey::Enter => b"\r",
        NamedKey::Tab if shift => b"\x1b[Z",
        NamedKey::Tab => b"\t",
        NamedKey::Backspace if ctrl => b"\x08",
        NamedKey::Backspace => b"\x7f",
        NamedKey::Escape => b"\x1b",
        NamedKey::Space if ctrl => b"\0",
        NamedKey::Space => b" ",
        NamedKey::ArrowUp => return Some(letter_key('A', modifiers, modes)),
        NamedKey::ArrowDown => return Some(letter_key('B', modifiers, modes)),
        NamedKey::ArrowRight => return Some(letter_key('C', modifiers, modes)),
        NamedKey::ArrowLeft => return Some(letter_key('D', modifiers, modes)),
        NamedKey::Home => return Some(letter_key('H', modifiers, modes)),
        NamedKey::End => return Some(letter_key('F', modifiers, modes)),
        NamedKey::Keypad(KeypadKey::Begin) => return Some(letter_key('E', modifiers, modes)),
        NamedKey::Insert => return Some(tilde_key(2, modifiers)),
        NamedKey::Delete => return Some(tilde_key(3, modifiers)),
        NamedKey::PageUp => return Some(tilde_key(5, modifiers)),
        NamedKey::PageDown => return Some(tilde_key(6, modifiers)),
        NamedKey::F(number) => return function_key(number, modifiers),
        NamedKey::CapsLock
        | NamedKey::ScrollLock
        | NamedKey::NumLock
        | NamedKey::PrintScreen
        | NamedKey::Pause
        | NamedKey::Menu
        | NamedKey::Keypad(_)
        | NamedKey::Media(_)
        | NamedKey::Modifier(_) => return None,
    };
    Some(with_alt(plain.to_vec(), modifiers))
}

/// Alt puts an escape before what the key sends without it.
fn with_alt(mut bytes: Vec<u8>, modifiers: Modifiers) -> Vec<u8> {
    if modifiers.contains(Modifiers::ALT) {
        bytes.insert(0, 0x1b);
    }
    bytes
}

/// Arrows, Home and End.
fn letter_key(letter: char, modifiers: Modifiers, modes: Modes) -> Vec<u8> {
    match modifier_number(modifiers) {
        Some(number) => format!("\x1b[1;{number}{letter}"),
        None if modes.contains(Modes::APP_CURSOR) => format!("\x1bO{letter}"),
        None => format!("\x1b[{letter}"),
    }
    .into_bytes()
}

fn tilde_key(code: u8, modifiers: Modifiers) -> Vec<u8> {
    match modifier_number(modifiers) {
        Some(number) => format!("\x1b[{code};{number}~"),
        None => format!("\x1b[{code}~"),
    }
    .into_bytes()
}

fn function_key(number: u8, modifiers: Modifiers) -> Option<Vec<u8>> {
    let letter = match number {
        1..=4 => char::from(b'P' + number - 1),
        _ => return Some(tilde_key(tilde_number(number)?, modifiers)),
    };
    let text = match modifier_number(modifiers) {
        Some(number) => format!("\x1b[1;{number}{letter}"),
        None => format!("\x1bO{letter}"),
    };
    Some(text.into_bytes())
}

/// The number that stands for the modifiers in a sequence; `None` when none is held.
pub(super) fn modifier_number(modifiers: Modifiers) -> Option<u8> {
    let bit = |modifier, bit| if modifiers.contains(modifier) { bit } else { 0 };
    let bits = bit(Modifiers::SHIFT, 1) + bit(Modifiers::ALT, 2) + bit(Modifiers::CTRL, 4);
    (bits != 0).then_some(1 + bits)
}
