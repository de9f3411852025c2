//! Keys on their way to a program: what was pressed, and in which encoding it is told.
//!
//! There are three: the keyboard protocol of kitty where the program asked for any part of it,
//! `modifyOtherKeys` of xterm where it asked for that, and what xterm sends by default. Nothing
//! here decides whether a key is the program's: what arrives is meant for it.
//!
//! Invariants:
//! - A key that types text sends exactly that text, unless the program asked for all keys as escapes.
//! - Without `KITTY_EVENTS` a release sends nothing, and a repeat is a press.

mod functional;
mod kitty;
mod legacy;
mod modify_other;

use bitflags::bitflags;

use crate::Modes;

pub use functional::{KeypadKey, MediaKey, ModifierKey, NamedKey};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// What the layout gives, with Shift and the third level applied.
    Character(String),
    Named(NamedKey),
}

bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modifiers: u8 {
        const SHIFT = 1;
        const CTRL = 1 << 1;
        const ALT = 1 << 2;
        /// Belongs to the window manager: only the kitty protocol has a way to tell of it.
        const SUPER = 1 << 3;
        const HYPER = 1 << 4;
        const META = 1 << 5;
        const CAPS_LOCK = 1 << 6;
        const NUM_LOCK = 1 << 7;
        /// On or off rather than held.
        const LOCKS = Self::CAPS_LOCK.bits() | Self::NUM_LOCK.bits();
    }
}

impl Modifiers {
    /// The modifiers that are held down; no lock is.
    #[must_use]
    pub fn held(self) -> Self {
        self.difference(Self::LOCKS)
    }

    /// Whether a key pressed with these types what is printed on it.
    pub fn let_text_through(self) -> bool {
        Self::SHIFT.contains(self.held())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KeyKind {
    #[default]
    Press,
    /// The key is held down.
    Repeat,
    Release,
}

/// One thing that happened to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPress {
    pub key: Key,
    pub modifiers: Modifiers,
    pub kind: KeyKind,
    /// The character on the key in the present layout, without any modifier.
    pub unshifted: Option<char>,
    /// The character a US keyboard has at the key's place.
    pub base_layout: Option<char>,
    /// What a named key types, where it does: those of the keypad while Num Lock is on.
    pub text: Option<String>,
}

/// What the person chose, beside what the program asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyOptions {
    /// Shift+Enter sends a line feed where the program cannot tell it from Enter otherwise.
    pub shift_enter_newline: bool,
}

impl KeyPress {
    /// A press of which nothing else is known.
    pub fn new(key: Key, modifiers: Modifiers) -> Self {
        let kind = KeyKind::Press;
        Self { key, modifiers, kind, unshifted: None, base_layout: None, text: None }
    }

    /// The same key where it does not matter that it is on the keypad.
    #[must_use]
    pub fn off_keypad(mut self) -> Self {
        if let Key::Named(NamedKey::Keypad(key)) = self.key {
            match (key.elsewhere(), key.character()) {
                (Some(named), _) => self.key = Key::Named(named),
                (None, Some(c)) => {
                    let text = self.text.take().unwrap_or_else(|| c.to_string());
                    self.key = Key::Character(text);
                }
                (None, None) => {}
            }
        }
        self
    }

    /// What the key types, if nothing that is held keeps it from typing.
    fn typed(&self) -> Option<&str> {
        let text = match &self.key {
            Key::Character(text) => text.as_str(),
            Key::Named(NamedKey::Space) => " ",
            Key::Named(_) => self.text.as_deref()?,
        };
        let is_text = !text.is_empty() && !text.contains(char::is_control);
        (is_text && self.modifiers.let_text_through()).then_some(text)
    }
}

/// The bytes a program expects for `press`; `None` when there is nothing to send.
pub fn encode_key(press: &KeyPress, modes: Modes, options: KeyOptions) -> Option<Vec<u8>> {
    if modes.intersects(Modes::KITTY) {
        return kitty::encode(press, modes);
    }
    if press.kind == KeyKind::Release {
        return None;
    }
    let other = modes.intersects(Modes::MODIFY_OTHER_KEYS_1 | Modes::MODIFY_OTHER_KEYS);
    if let Some(bytes) = modify_other::encode(press, modes).filter(|_| other) {
        return Some(bytes);
    }
    let is_shift_enter =
        press.key == Key::Named(NamedKey::Enter) && press.modifiers.held() == Modifiers::SHIFT;
    if is_shift_enter && options.shift_enter_newline {
        return Some(b"\n".to_vec());
    }
    legacy::encode(press, modes)
}

/// The bytes for text that no single key has typed, such as what an input method composed.
pub fn encode_composed(text: &str, modes: Modes) -> Vec<u8> {
    if modes.contains(Modes::KITTY_ALL_KEYS | Modes::KITTY_TEXT) {
        return kitty::keyless_text(text);
    }
    text.as_bytes().to_vec()
}

#[cfg(test)]
mod tests;
