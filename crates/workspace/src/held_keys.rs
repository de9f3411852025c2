//! The keys a program was told of and that are still down.
//!
//! A release is the program's only if the press was: a shortcut of ours, or a key that was pressed
//! somewhere else, must not be released in front of a program that never saw it pressed.

use terminal::{Key, KeyPress, NamedKey};

/// Nobody has more fingers than this; releases may get lost, and must not pile up.
const MAX: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct HeldKeys(Vec<HeldKey>);

/// A key as a thing on the keyboard, whatever it means with the modifiers of the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
enum HeldKey {
    Character(char),
    Named(NamedKey),
    Text(String),
}

impl HeldKeys {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn press(&mut self, press: &KeyPress) {
        let key = HeldKey::of(press);
        if self.0.contains(&key) {
            return;
        }
        if self.0.len() == MAX {
            self.0.remove(0);
        }
        self.0.push(key);
    }

    /// Whether it was down.
    pub(crate) fn release(&mut self, press: &KeyPress) -> bool {
        let key = HeldKey::of(press);
        let place = self.0.iter().position(|held| *held == key);
        place.map(|place| self.0.remove(place)).is_some()
    }
}

impl HeldKey {
    fn of(press: &KeyPress) -> Self {
        match (&press.key, press.base_layout.or(press.unshifted)) {
            (Key::Named(named), _) => Self::Named(*named),
            (Key::Character(_), Some(c)) => Self::Character(c),
            (Key::Character(text), None) => Self::Text(text.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use terminal::Modifiers;

    use super::*;

    fn character(text: &str, place: Option<char>) -> KeyPress {
        let press = KeyPress::new(Key::Character(text.to_owned()), Modifiers::empty());
        KeyPress { base_layout: place, ..press }
    }

    #[test]
    fn a_key_is_released_once_and_only_if_it_was_pressed() {
        let mut held = HeldKeys::default();
        assert!(!held.release(&character("a", Some('a'))), "never pressed");
        held.press(&character("a", Some('a')));
        held.press(&character("a", Some('a')));
        assert!(held.release(&character("a", Some('a'))), "pressed, and repeated");
        assert!(!held.release(&character("a", Some('a'))), "released already");
    }

    #[test]
    fn a_key_is_the_same_whatever_it_types_meanwhile() {
        let mut held = HeldKeys::default();
        held.press(&character("A", Some('a')));
        assert!(held.release(&character("a", Some('a'))), "Shift was let go of first");
        held.press(&character("A", None));
        assert!(held.release(&character("a", None)), "also where its place is not known");
    }

    #[test]
    fn lost_releases_do_not_pile_up() {
        let mut held = HeldKeys::default();
        for number in 0..200 {
            held.press(&KeyPress::new(Key::Named(NamedKey::F(number)), Modifiers::empty()));
        }
        assert_eq!(held.0.len(), MAX, "only the newest are kept");
    }
}
