//! From winit's keys to ours.
//!
//! A key has three faces: what it means with the modifiers held (logical), what is on it in the
//! present layout (unmodified), and where it is (physical). Programs are told the first, shortcuts
//! are looked up by the second, and by the third where the layout has no Latin letter on it. Control
//! bytes go by the third there too.

use std::time::Instant;

use terminal::{Key, KeyKind, KeyPress, KeypadKey, Modifiers, NamedKey};
use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{
    Key as WinitKey, KeyCode, KeyLocation, ModifiersState, NamedKey as WinitNamed, PhysicalKey,
};
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement as _;
use workspace::{Action, KeyInput};

use crate::app::App;
use crate::key_names::{keypad_key, keypad_sign, named_key, us_key};

/// What winit says of a key; its own type can be had from a window only.
#[derive(Debug, Clone)]
pub(crate) struct RawKey {
    logical: WinitKey,
    unmodified: WinitKey,
    physical: PhysicalKey,
    location: KeyLocation,
    text: Option<String>,
    kind: KeyKind,
}

impl From<&KeyEvent> for RawKey {
    fn from(event: &KeyEvent) -> Self {
        Self {
            logical: event.logical_key.clone(),
            unmodified: event.key_without_modifiers(),
            physical: event.physical_key,
            location: event.location,
            text: event.text.as_ref().map(ToString::to_string),
            kind: match (event.state, event.repeat) {
                (ElementState::Released, _) => KeyKind::Release,
                (ElementState::Pressed, true) => KeyKind::Repeat,
                (ElementState::Pressed, false) => KeyKind::Press,
            },
        }
    }
}

/// Follows the keyboard from event to event.
#[derive(Debug, Default)]
pub(crate) struct Keyboard {
    modifiers: ModifiersState,
    /// The key that reaches the third level is held.
    alt_graph: bool,
}

impl Keyboard {
    pub(crate) fn set_modifiers(&mut self, modifiers: ModifiersState) {
        self.modifiers = modifiers;
    }

    /// Keys let go of elsewhere are not told.
    pub(crate) fn forget(&mut self) {
        self.alt_graph = false;
    }

    pub(crate) fn modifiers(&self) -> Modifiers {
        let mut ours = Modifiers::empty();
        ours.set(Modifiers::SHIFT, self.modifiers.shift_key());
        ours.set(Modifiers::CTRL, self.modifiers.control_key());
        ours.set(Modifiers::ALT, self.modifiers.alt_key());
        ours.set(Modifiers::SUPER, self.modifiers.super_key());
        ours
    }

    /// What happened to a key; `None` for those without a meaning, and for dead keys, which begin
    /// what the next one ends.
    pub(crate) fn key_input(&mut self, raw: &RawKey) -> Option<KeyInput> {
        if raw.logical == WinitKey::Named(WinitNamed::AltGraph) {
            self.alt_graph = raw.kind != KeyKind::Release;
        }
        let (key, text) = key_of(raw)?;
        let unshifted = match &raw.unmodified {
            WinitKey::Character(text) => single(text),
            WinitKey::Named(_) | WinitKey::Dead(_) | WinitKey::Unidentified(_) => None,
        };
        let modifiers = self.modifiers_of(&key, unshifted);
        let base_layout = us_key(raw.physical);
        let base = unshifted.filter(char::is_ascii).or(base_layout);
        let base = base.filter(|_| matches!(key, Key::Character(_)));
        let press = KeyPress { key, modifiers, kind: raw.kind, unshifted, base_layout, text };
        Some(KeyInput { press, base })
    }

    /// What is held, without what was only needed to reach the key's third level. Some systems take
    /// `AltGr` for Ctrl and Alt: what it types is text, and no shortcut.
    fn modifiers_of(&self, key: &Key, unshifted: Option<char>) -> Modifiers {
        let modifiers = self.modifiers();
        let both = Modifiers::CTRL | Modifiers::ALT;
        // Ctrl alone with AltGr is Ctrl with the sign AltGr gives: Ctrl+\\ on a German keyboard.
        let Key::Character(text) = key else { return modifiers };
        if !modifiers.contains(both) {
            return modifiers;
        }
        let is_other = |c: char| Some(c) != unshifted && c.to_lowercase().next() != unshifted;
        let is_third_level = match single(text) {
            // With Shift it may well be the second level.
            Some(c) => is_other(c) && !modifiers.contains(Modifiers::SHIFT),
            None => true,
        };
        let typed_by_alt_graph = self.alt_graph || (is_third_level && unshifted.is_some());
        if typed_by_alt_graph { modifiers.difference(both) } else { modifiers }
    }
}

impl App {
    pub(crate) fn key(&mut self, input: KeyInput, now: Instant) {
        let is_modifier = matches!(input.press.key, Key::Named(key) if key.is_modifier());
        if is_modifier || input.press.kind == KeyKind::Release {
            // Of these only programs are told, so nothing on show changes and nobody is refused.
            let effects = self.state.update(Action::Key(input), now);
            self.run(effects.unwrap_or_default(), now);
            return;
        }
        if self.key_on_rail(&input) {
            return;
        }
        self.view.key_pressed(now);
        self.stats.unseen_key.get_or_insert(now);
        self.wish(Action::Key(input), now);
    }
}

/// The key, and what it types where that is not the key itself.
fn key_of(raw: &RawKey) -> Option<(Key, Option<String>)> {
    let typed = raw.text.clone().filter(|text| !text.contains(char::is_control));
    if raw.location == KeyLocation::Numpad {
        let keypad = match &raw.logical {
            WinitKey::Named(named) => keypad_key(*named),
            WinitKey::Character(text) => single(text).and_then(keypad_sign),
            // The key in the middle has no name while Num Lock is off.
            WinitKey::Unidentified(_) if raw.physical == KeyCode::Numpad5 => Some(KeypadKey::Begin),
            WinitKey::Dead(_) | WinitKey::Unidentified(_) => None,
        };
        if let Some(keypad) = keypad {
            let sign = match &raw.logical {
                WinitKey::Character(sign) => Some(sign.to_string()),
                WinitKey::Named(_) | WinitKey::Dead(_) | WinitKey::Unidentified(_) => None,
            };
            return Some((Key::Named(NamedKey::Keypad(keypad)), typed.or(sign)));
        }
    }
    let key = match &raw.logical {
        // Of a composition, the text is what came out; a release tells the key only.
        WinitKey::Character(logical) => {
            Key::Character(typed.unwrap_or_else(|| logical.to_string()))
        }
        WinitKey::Named(named) => Key::Named(named_key(*named, raw.location)?),
        WinitKey::Dead(_) | WinitKey::Unidentified(_) => return None,
    };
    Some((key, None))
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests;
