//! Keys on their way to a program, in the encoding of xterm.
//!
//! The keyboard protocols that tell more keys apart are not spoken yet: Shift+Enter is Enter here.

use bitflags::bitflags;

use crate::Modes;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// What the layout gives, with Shift and the third level applied.
    Character(String),
    Named(NamedKey),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NamedKey {
    Enter,
    Tab,
    Backspace,
    Escape,
    Space,
    ArrowUp,
    ArrowDown,
    ArrowLeft,
    ArrowRight,
    Home,
    End,
    PageUp,
    PageDown,
    Insert,
    Delete,
    /// A function key, counted from 1.
    F(u8),
}

bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modifiers: u8 {
        const SHIFT = 1;
        const CTRL = 1 << 1;
        const ALT = 1 << 2;
        /// Belongs to the window manager: what is pressed with it is never sent.
        const SUPER = 1 << 3;
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPress {
    pub key: Key,
    pub modifiers: Modifiers,
}

/// The bytes a program expects for `press`; `None` when there is nothing to send.
pub fn encode_key(press: &KeyPress, modes: Modes) -> Option<Vec<u8>> {
    if press.modifiers.contains(Modifiers::SUPER) {
        return None;
    }
    match &press.key {
        Key::Character(text) => encode_text(text, press.modifiers),
        Key::Named(key) => encode_named(*key, press.modifiers, modes),
    }
}

fn encode_text(text: &str, modifiers: Modifiers) -> Option<Vec<u8>> {
    if text.is_empty() {
        return None;
    }
    let control = if modifiers.contains(Modifiers::CTRL) { control_byte(text) } else { None };
    let bytes = control.map_or_else(|| text.as_bytes().to_vec(), |byte| vec![byte]);
    Some(with_alt(bytes, modifiers))
}

/// What Ctrl makes of a character: the historical table, digits included.
fn control_byte(text: &str) -> Option<u8> {
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
        NamedKey::Insert => return Some(tilde_key(2, modifiers)),
        NamedKey::Delete => return Some(tilde_key(3, modifiers)),
        NamedKey::PageUp => return Some(tilde_key(5, modifiers)),
        NamedKey::PageDown => return Some(tilde_key(6, modifiers)),
        NamedKey::F(number) => return function_key(number, modifiers),
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
    let code = match number {
        1..=4 => {
            let letter = char::from(b'P' + number - 1);
            let text = match modifier_number(modifiers) {
                Some(number) => format!("\x1b[1;{number}{letter}"),
                None => format!("\x1bO{letter}"),
            };
            return Some(text.into_bytes());
        }
        // The codes have holes where a DEC keyboard had gaps between its blocks of keys.
        5 => 15,
        6..=10 => number + 11,
        11..=14 => number + 12,
        15..=16 => number + 13,
        17..=20 => number + 14,
        _ => return None,
    };
    Some(tilde_key(code, modifiers))
}

/// The number that stands for the modifiers in a sequence; `None` when none is held.
fn modifier_number(modifiers: Modifiers) -> Option<u8> {
    let bit = |modifier, bit| if modifiers.contains(modifier) { bit } else { 0 };
    let bits = bit(Modifiers::SHIFT, 1) + bit(Modifiers::ALT, 2) + bit(Modifiers::CTRL, 4);
    (bits != 0).then_some(1 + bits)
}

#[cfg(test)]
mod tests;
