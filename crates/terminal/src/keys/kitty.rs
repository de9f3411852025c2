//! The keyboard protocol of kitty: `CSI code:alternates ; modifiers:event ; text u`.
//!
//! What the program asked for is in five flags of [`Modes`]; each combination is allowed. As long as
//! it has not asked for all keys as escapes, Enter, Tab and Backspace keep their old bytes, so that
//! a shell stays usable after a program that did not tidy up.

use std::fmt::Write as _;

use super::functional::Code;
use super::{Key, KeyKind, KeyPress, Modifiers, NamedKey, legacy};
use crate::Modes;

pub(super) fn encode(press: &KeyPress, modes: Modes) -> Option<Vec<u8>> {
    let press = &seen_by_program(press, modes);
    let all_keys = modes.contains(Modes::KITTY_ALL_KEYS);
    if press.kind == KeyKind::Release && !modes.contains(Modes::KITTY_EVENTS) {
        return None;
    }
    if press.kind != KeyKind::Release
        && !all_keys
        && let Some(text) = press.typed()
    {
        return Some(text.as_bytes().to_vec());
    }
    let (code, has_alternates) = match &press.key {
        Key::Named(key) if key.is_modifier() && !all_keys => return None,
        Key::Named(NamedKey::Enter | NamedKey::Tab | NamedKey::Backspace)
            if !all_keys && press.kind == KeyKind::Release =>
        {
            return None;
        }
        Key::Named(NamedKey::Enter | NamedKey::Tab | NamedKey::Backspace)
            if !all_keys && press.modifiers.is_empty() =>
        {
            return legacy::encode(press, modes);
        }
        Key::Named(NamedKey::Space) => (NamedKey::Space.code()?, true),
        Key::Named(key) => (key.code()?, false),
        Key::Character(_) => (Code { number: key_number(press), end: 'u' }, true),
    };
    let sequence = Sequence::new(press, code, has_alternates, modes);
    if sequence.is_legacy(press, modes) {
        return legacy::encode(press, modes);
    }
    (code.number != 0 || !sequence.text.is_empty()).then(|| sequence.to_bytes())
}

/// Text that belongs to no key has the number 0.
pub(super) fn keyless_text(text: &str) -> Vec<u8> {
    let alternates = (None, None);
    let code = Code { number: 0, end: 'u' };
    let modifiers = Modifiers::empty();
    Sequence { code, alternates, modifiers, event: None, text: text.to_owned() }.to_bytes()
}

/// The press with what the flags hide from the program taken away.
fn seen_by_program(press: &KeyPress, modes: Modes) -> KeyPress {
    let mut press = press.clone();
    if let Key::Named(NamedKey::Modifier(key)) = press.key {
        // Windows tell of a modifier before or after they count it as held.
        press.modifiers.set(key.modifier(), press.kind != KeyKind::Release);
    }
    if !modes.intersects(Modes::KITTY_DISAMBIGUATE | Modes::KITTY_ALL_KEYS) {
        press = press.off_keypad();
    }
    let types = match press.key {
        Key::Character(_) => true,
        Key::Named(key) => {
            use NamedKey::{Backspace, Enter, Space, Tab};
            matches!(key, Space | Enter | Tab | Backspace)
        }
    };
    if types && !modes.contains(Modes::KITTY_ALL_KEYS) {
        press.modifiers = press.modifiers.held();
    }
    press
}

/// The unshifted character of the key; 0 where the text does not come from one.
fn key_number(press: &KeyPress) -> u32 {
    let Key::Character(text) = &press.key else { return 0 };
    let only = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let lowered = || only(&only(text)?.to_lowercase().collect::<String>());
    press.unshifted.or_else(lowered).map_or(0, u32::from)
}

struct Sequence {
    code: Code,
    /// The shifted key, and the one of a US keyboard.
    alternates: (Option<char>, Option<char>),
    modifiers: Modifiers,
    event: Option<u8>,
    text: String,
}

impl Sequence {
    fn new(press: &KeyPress, code: Code, has_alternates: bool, modes: Modes) -> Self {
        let event = match press.kind {
            _ if !modes.contains(Modes::KITTY_EVENTS) => None,
            KeyKind::Press => None,
            KeyKind::Repeat => Some(2),
            KeyKind::Release => Some(3),
        };
        let is_other = |c: &char| u32::from(*c) != code.number;
        let alternates = if has_alternates && modes.contains(Modes::KITTY_ALTERNATES) {
            (shifted(press).filter(is_other), press.base_layout.filter(is_other))
        } else {
            (None, None)
        };
        let wants_text = modes.contains(Modes::KITTY_ALL_KEYS | Modes::KITTY_TEXT)
            && press.kind != KeyKind::Release;
        let text = press.typed().filter(|_| wants_text).unwrap_or_default().to_owned();
        Self { code, alternates, modifiers: press.modifiers, event, text }
    }

    /// Whether the old encoding says all that the program wants to know.
    fn is_legacy(&self, press: &KeyPress, modes: Modes) -> bool {
        if modes.intersects(Modes::KITTY_DISAMBIGUATE | Modes::KITTY_ALL_KEYS) {
            return false;
        }
        let says_no_more = self.event.is_none() && self.alternates == (None, None);
        match press.key {
            Key::Character(_) | Key::Named(NamedKey::Space | NamedKey::Escape) => says_no_more,
            Key::Named(_) => !modes.contains(Modes::KITTY_EVENTS),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let Code { number, end } = self.code;
        let modifiers = u32::from(protocol_bits(self.modifiers));
        let has_second = modifiers != 0 || self.event.is_some();
        let mut out = String::from("\x1b[");
        if number != 1 || has_second {
            out.push_str(&number.to_string());
        }
        match self.alternates {
            (None, None) => {}
            (Some(shifted), None) => push(&mut out, ':', u32::from(shifted)),
            (shifted, Some(base)) => {
                out.push(':');
                out.extend(shifted.map(|shifted| u32::from(shifted).to_string()));
                push(&mut out, ':', u32::from(base));
            }
        }
        match (has_second, self.text.is_empty()) {
            (true, _) => push(&mut out, ';', 1 + modifiers),
            (false, false) => out.push(';'),
            (false, true) => {}
        }
        if let Some(event) = self.event {
            push(&mut out, ':', event.into());
        }
        for (index, c) in self.text.chars().enumerate() {
            push(&mut out, if index == 0 { ';' } else { ':' }, c.into());
        }
        out.push(end);
        out.into_bytes()
    }
}

fn push(out: &mut String, before: char, number: u32) {
    // Writing to a string cannot fail.
    let _infallible = write!(out, "{before}{number}").is_ok();
}

/// The character Shift makes of the key, while Shift is held.
fn shifted(press: &KeyPress) -> Option<char> {
    let Key::Character(text) = &press.key else { return None };
    let mut chars = text.chars();
    let only = chars.next().filter(|_| chars.next().is_none())?;
    press.modifiers.contains(Modifiers::SHIFT).then_some(only)
}

/// The protocol counts Alt before Ctrl, unlike we.
fn protocol_bits(modifiers: Modifiers) -> u8 {
    let bit = |modifier: Modifiers, bit| if modifiers.contains(modifier) { bit } else { 0 };
    bit(Modifiers::SHIFT, 1)
        + bit(Modifiers::ALT, 2)
        + bit(Modifiers::CTRL, 4)
        + bit(Modifiers::SUPER, 8)
        + bit(Modifiers::HYPER, 16)
        + bit(Modifiers::META, 32)
        + bit(Modifiers::CAPS_LOCK, 64)
        + bit(Modifiers::NUM_LOCK, 128)
}
