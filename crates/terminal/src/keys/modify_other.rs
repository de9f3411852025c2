//! xterm's `modifyOtherKeys`: `CSI 27 ; modifiers ; code ~` for keys that have no sequence.
//!
//! Level 1 leaves alone what has had a meaning for ever (Ctrl+C, Alt+x), level 2 nothing but text.

use super::legacy::{control_byte, modifier_number};
use super::{Key, KeyPress, Modifiers, NamedKey};
use crate::Modes;

/// `None` where the key keeps its usual encoding.
pub(super) fn encode(press: &KeyPress, modes: Modes) -> Option<Vec<u8>> {
    let modifiers = press.modifiers.held();
    if modifiers.intersects(Modifiers::SUPER | Modifiers::HYPER | Modifiers::META) {
        return None;
    }
    let number = modifier_number(modifiers)?;
    let all = modes.contains(Modes::MODIFY_OTHER_KEYS);
    let code = match &press.key {
        Key::Character(text) => character_code(text, modifiers, all)?,
        Key::Named(key) => named_code(*key, modifiers, all)?,
    };
    Some(format!("\x1b[27;{number};{code}~").into_bytes())
}

fn character_code(text: &str, modifiers: Modifiers, all: bool) -> Option<u32> {
    let mut chars = text.chars();
    let code = u32::from(chars.next()?);
    let is_one = chars.next().is_none();
    let is_usual = match modifiers {
        _ if modifiers.let_text_through() => true,
        _ if all => false,
        _ if modifiers.contains(Modifiers::CTRL | Modifiers::SHIFT) => false,
        _ if modifiers.contains(Modifiers::CTRL) => control_byte(text).is_some(),
        _ => true,
    };
    (is_one && !is_usual).then_some(code)
}

fn named_code(key: NamedKey, modifiers: Modifiers, all: bool) -> Option<u32> {
    match key {
        NamedKey::Enter => Some(13),
        // Has a sequence of its own, which programs know better.
        NamedKey::Tab if modifiers == Modifiers::SHIFT => None,
        NamedKey::Tab => Some(9),
        NamedKey::Escape => Some(27),
        NamedKey::Backspace if all => Some(127),
        NamedKey::Space if all && !modifiers.let_text_through() => Some(32),
        _ => None,
    }
}
