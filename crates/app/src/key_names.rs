//! winit's names of keys and ours, side by side: tables and nothing else.

use terminal::{KeypadKey, MediaKey, ModifierKey, NamedKey};
use winit::keyboard::{KeyCode, KeyLocation, NamedKey as Winit, PhysicalKey};

/// `None`: the key has no meaning to us.
pub(crate) fn named_key(named: Winit, location: KeyLocation) -> Option<NamedKey> {
    let side = |left, right| {
        let key = if location == KeyLocation::Right { right } else { left };
        Some(NamedKey::Modifier(key))
    };
    Some(match named {
        Winit::Enter => NamedKey::Enter,
        Winit::Tab => NamedKey::Tab,
        Winit::Space => NamedKey::Space,
        Winit::Backspace => NamedKey::Backspace,
        Winit::Escape => NamedKey::Escape,
        Winit::ArrowUp => NamedKey::ArrowUp,
        Winit::ArrowDown => NamedKey::ArrowDown,
        Winit::ArrowLeft => NamedKey::ArrowLeft,
        Winit::ArrowRight => NamedKey::ArrowRight,
        Winit::Home => NamedKey::Home,
        Winit::End => NamedKey::End,
        Winit::PageUp => NamedKey::PageUp,
        Winit::PageDown => NamedKey::PageDown,
        Winit::Insert => NamedKey::Insert,
        Winit::Delete => NamedKey::Delete,
        Winit::CapsLock => NamedKey::CapsLock,
        Winit::ScrollLock => NamedKey::ScrollLock,
        Winit::NumLock => NamedKey::NumLock,
        Winit::PrintScreen => NamedKey::PrintScreen,
        Winit::Pause => NamedKey::Pause,
        Winit::ContextMenu => NamedKey::Menu,
        Winit::MediaPlay => NamedKey::Media(MediaKey::Play),
        Winit::MediaPause => NamedKey::Media(MediaKey::Pause),
        Winit::MediaPlayPause => NamedKey::Media(MediaKey::PlayPause),
        Winit::MediaStop => NamedKey::Media(MediaKey::Stop),
        Winit::MediaFastForward => NamedKey::Media(MediaKey::FastForward),
        Winit::MediaRewind => NamedKey::Media(MediaKey::Rewind),
        Winit::MediaTrackNext => NamedKey::Media(MediaKey::TrackNext),
        Winit::MediaTrackPrevious => NamedKey::Media(MediaKey::TrackPrevious),
        Winit::MediaRecord => NamedKey::Media(MediaKey::Record),
        Winit::AudioVolumeDown => NamedKey::Media(MediaKey::LowerVolume),
        Winit::AudioVolumeUp => NamedKey::Media(MediaKey::RaiseVolume),
        Winit::AudioVolumeMute => NamedKey::Media(MediaKey::MuteVolume),
        Winit::Shift => return side(ModifierKey::LeftShift, ModifierKey::RightShift),
        Winit::Control => return side(ModifierKey::LeftCtrl, ModifierKey::RightCtrl),
        Winit::Alt => return side(ModifierKey::LeftAlt, ModifierKey::RightAlt),
        Winit::Super => return side(ModifierKey::LeftSuper, ModifierKey::RightSuper),
        Winit::Hyper => return side(ModifierKey::LeftHyper, ModifierKey::RightHyper),
        Winit::Meta => return side(ModifierKey::LeftMeta, ModifierKey::RightMeta),
        Winit::AltGraph => NamedKey::Modifier(ModifierKey::Level3Shift),
        function => NamedKey::F(function_number(function)?),
    })
}

fn function_number(named: Winit) -> Option<u8> {
    const FUNCTION_KEYS: [Winit; 35] = [
        Winit::F1,
        Winit::F2,
        Winit::F3,
        Winit::F4,
        Winit::F5,
        Winit::F6,
        Winit::F7,
        Winit::F8,
        Winit::F9,
        Winit::F10,
        Winit::F11,
        Winit::F12,
        Winit::F13,
        Winit::F14,
        Winit::F15,
        Winit::F16,
        Winit::F17,
        Winit::F18,
        Winit::F19,
        Winit::F20,
        Winit::F21,
        Winit::F22,
        Winit::F23,
        Winit::F24,
        Winit::F25,
        Winit::F26,
        Winit::F27,
        Winit::F28,
        Winit::F29,
        Winit::F30,
        Winit::F31,
        Winit::F32,
        Winit::F33,
        Winit::F34,
        Winit::F35,
    ];
    let index = FUNCTION_KEYS.iter().position(|key| *key == named)?;
    u8::try_from(index + 1).ok()
}

/// A key of the keypad while Num Lock is off.
pub(crate) fn keypad_key(named: Winit) -> Option<KeypadKey> {
    Some(match named {
        Winit::Enter => KeypadKey::Enter,
        Winit::ArrowLeft => KeypadKey::Left,
        Winit::ArrowRight => KeypadKey::Right,
        Winit::ArrowUp => KeypadKey::Up,
        Winit::ArrowDown => KeypadKey::Down,
        Winit::PageUp => KeypadKey::PageUp,
        Winit::PageDown => KeypadKey::PageDown,
        Winit::Home => KeypadKey::Home,
        Winit::End => KeypadKey::End,
        Winit::Insert => KeypadKey::Insert,
        Winit::Delete => KeypadKey::Delete,
        Winit::Clear => KeypadKey::Begin,
        _ => return None,
    })
}

/// A key of the keypad by what it types.
pub(crate) fn keypad_sign(sign: char) -> Option<KeypadKey> {
    Some(match sign {
        '0'..='9' => KeypadKey::Digit(u8::try_from(sign.to_digit(10)?).ok()?),
        '.' => KeypadKey::Decimal,
        '/' => KeypadKey::Divide,
        '*' => KeypadKey::Multiply,
        '-' => KeypadKey::Subtract,
        '+' => KeypadKey::Add,
        '=' => KeypadKey::Equal,
        ',' => KeypadKey::Separator,
        _ => return None,
    })
}

/// What a US keyboard has at that place.
pub(crate) fn us_key(key: PhysicalKey) -> Option<char> {
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
        KeyCode::Semicolon => ';',
        KeyCode::Quote => '\'',
        KeyCode::Backquote => '`',
        _ => return None,
    })
}
