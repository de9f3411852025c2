//! From winit's keys to ours.

use terminal::{Key, KeyPress, Modifiers, NamedKey};
use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{
    Key as WinitKey, KeyCode, ModifiersState, NamedKey as WinitNamed, PhysicalKey,
};
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement as _;
use workspace::KeyInput;

/// What a pressed key means to us; `None` for releases, modifiers and keys without a meaning.
pub(crate) fn key_input(event: &KeyEvent, modifiers: ModifiersState) -> Option<KeyInput> {
    if event.state != ElementState::Pressed {
        return None;
    }
    let key = match &event.logical_key {
        WinitKey::Character(text) => Key::Character(text.to_string()),
        WinitKey::Named(named) => Key::Named(named_key(*named)?),
        WinitKey::Dead(_) | WinitKey::Unidentified(_) => return None,
    };
    let base = match event.key_without_modifiers() {
        WinitKey::Character(text) => text.chars().next().filter(char::is_ascii),
        _ => None,
    };
    let base = base.or_else(|| us_key(event.physical_key));
    Some(KeyInput { press: KeyPress { key, modifiers: our_modifiers(modifiers) }, base })
}

pub(crate) fn our_modifiers(modifiers: ModifiersState) -> Modifiers {
    let mut ours = Modifiers::empty();
    ours.set(Modifiers::SHIFT, modifiers.shift_key());
    ours.set(Modifiers::CTRL, modifiers.control_key());
    ours.set(Modifiers::ALT, modifiers.alt_key());
    ours.set(Modifiers::SUPER, modifiers.super_key());
    ours
}

fn named_key(named: WinitNamed) -> Option<NamedKey> {
    Some(match named {
        WinitNamed::Enter => NamedKey::Enter,
        WinitNamed::Tab => NamedKey::Tab,
        WinitNamed::Space => NamedKey::Space,
        WinitNamed::Backspace => NamedKey::Backspace,
        WinitNamed::Escape => NamedKey::Escape,
        WinitNamed::ArrowUp => NamedKey::ArrowUp,
        WinitNamed::ArrowDown => NamedKey::ArrowDown,
        WinitNamed::ArrowLeft => NamedKey::ArrowLeft,
        WinitNamed::ArrowRight => NamedKey::ArrowRight,
        WinitNamed::Home => NamedKey::Home,
        WinitNamed::End => NamedKey::End,
        WinitNamed::PageUp => NamedKey::PageUp,
        WinitNamed::PageDown => NamedKey::PageDown,
        WinitNamed::Insert => NamedKey::Insert,
        WinitNamed::Delete => NamedKey::Delete,
        WinitNamed::F1 => NamedKey::F(1),
        WinitNamed::F2 => NamedKey::F(2),
        WinitNamed::F3 => NamedKey::F(3),
        WinitNamed::F4 => NamedKey::F(4),
        WinitNamed::F5 => NamedKey::F(5),
        WinitNamed::F6 => NamedKey::F(6),
        WinitNamed::F7 => NamedKey::F(7),
        WinitNamed::F8 => NamedKey::F(8),
        WinitNamed::F9 => NamedKey::F(9),
        WinitNamed::F10 => NamedKey::F(10),
        WinitNamed::F11 => NamedKey::F(11),
        WinitNamed::F12 => NamedKey::F(12),
        _ => return None,
    })
}

/// What a US keyboard has at that place, for layouts without Latin letters.
fn us_key(key: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = key else { return None };
    Some(match code {
        KeyCode::KeyA => 'a',
        KeyCode::KeyB => 'b',
        KeyCode::KeyC => 'c',
        KeyCode::KeyD => 'd',
        KeyCode::KeyE => 'e',
        KeyCode::KeyF => 'f',
        KeyCode::KeyG => 'g',
        KeyCode::KeyH => 'h',
        KeyCode::KeyI => 'i',
        KeyCode::KeyJ => 'j',
        KeyCode::KeyK => 'k',
        KeyCode::KeyL => 'l',
        KeyCode::KeyM => 'm',
        KeyCode::KeyN => 'n',
        KeyCode::KeyO => 'o',
        KeyCode::KeyP => 'p',
        KeyCode::KeyQ => 'q',
        KeyCode::KeyR => 'r',
        KeyCode::KeyS => 's',
        KeyCode::KeyT => 't',
        KeyCode::KeyU => 'u',
        KeyCode::KeyV => 'v',
        KeyCode::KeyW => 'w',
        KeyCode::KeyX => 'x',
        KeyCode::KeyY => 'y',
        KeyCode::KeyZ => 'z',
        KeyCode::Digit0 => '0',
        KeyCode::Digit1 => '1',
        KeyCode::Digit2 => '2',
        KeyCode::Digit3 => '3',
        KeyCode::Digit4 => '4',
        KeyCode::Digit5 => '5',
        KeyCode::Digit6 => '6',
        KeyCode::Digit7 => '7',
        KeyCode::Digit8 => '8',
        KeyCode::Digit9 => '9',
        KeyCode::Minus => '-',
        KeyCode::Equal => '=',
        KeyCode::Comma => ',',
        KeyCode::Period => '.',
        KeyCode::Slash => '/',
        KeyCode::Backslash => '\\',
        KeyCode::BracketLeft => '[',
        KeyCode::BracketRight => ']',
        _ => return None,
    })
}
