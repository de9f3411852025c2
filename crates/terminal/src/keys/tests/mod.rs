//! What each key sends, one line a case: the shared reading of cases.

mod kitty;
mod kitty_table;
mod legacy;
mod modify_other;

use super::*;

#[track_caller]
fn check(chord: &str, expected: &str) {
    check_in(Modes::empty(), chord, expected);
}

/// `expected` has escapes as in `\x1b[A`; `nothing` where nothing is sent.
#[track_caller]
fn check_in(modes: Modes, chord: &str, expected: &str) {
    let bytes = encode_key(&parse(chord), modes, KeyOptions::default());
    let text = bytes.map_or("nothing".to_owned(), |bytes| bytes.escape_ascii().to_string());
    assert_eq!(text, expected, "{chord} in {modes:?}");
}

/// Reads `ctrl-shift-up` or `alt-x`, with ` release` or ` repeat` behind it.
///
/// A character may be followed by that without modifiers and that of a US keyboard: `shift-A/a`,
/// `ctrl-с/с/c`. Keys of the keypad are `kp-5`, with what they type behind a colon.
fn parse(case: &str) -> KeyPress {
    let (chord, kind) = match case.rsplit_once(' ') {
        Some((chord, "release")) => (chord, KeyKind::Release),
        Some((chord, "repeat")) => (chord, KeyKind::Repeat),
        _ => (case, KeyKind::Press),
    };
    let mut modifiers = Modifiers::empty();
    let mut rest = chord;
    while let Some((modifier, after)) =
        PREFIXES.iter().find_map(|(prefix, modifier)| Some((*modifier, rest.strip_prefix(prefix)?)))
    {
        modifiers |= modifier;
        rest = after;
    }
    let (name, text) = match rest.split_once(':') {
        Some((name, text)) if !name.is_empty() => (name, Some(text.to_owned())),
        _ => (rest, None),
    };
    if let Some(named) = named(name) {
        return KeyPress { kind, text, ..KeyPress::new(Key::Named(named), modifiers) };
    }
    let mut parts = if rest == "/" { vec![rest] } else { rest.split('/').collect() }.into_iter();
    let key = Key::Character(parts.next().unwrap_or_default().to_owned());
    let mut next = || parts.next().and_then(|part| part.chars().next());
    let (unshifted, base_layout) = (next(), next());
    KeyPress { kind, unshifted, base_layout, ..KeyPress::new(key, modifiers) }
}

const PREFIXES: &[(&str, Modifiers)] = &[
    ("ctrl-", Modifiers::CTRL),
    ("alt-", Modifiers::ALT),
    ("shift-", Modifiers::SHIFT),
    ("super-", Modifiers::SUPER),
    ("hyper-", Modifiers::HYPER),
    ("meta-", Modifiers::META),
    ("caps-", Modifiers::CAPS_LOCK),
    ("num-", Modifiers::NUM_LOCK),
];

fn named(name: &str) -> Option<NamedKey> {
    let of_number = |prefix| name.strip_prefix(prefix)?.parse().ok();
    let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
    let keypad = of_number("kp-").map(|digit| NamedKey::Keypad(KeypadKey::Digit(digit)));
    known.or(keypad).or_else(|| of_number("f").map(NamedKey::F))
}

#[rustfmt::skip]
const NAMES: &[(&str, NamedKey)] = &[
    ("enter", NamedKey::Enter),
    ("tab", NamedKey::Tab),
    ("backspace", NamedKey::Backspace),
    ("escape", NamedKey::Escape),
    ("space", NamedKey::Space),
    ("up", NamedKey::ArrowUp),
    ("down", NamedKey::ArrowDown),
    ("left", NamedKey::ArrowLeft),
    ("right", NamedKey::ArrowRight),
    ("home", NamedKey::Home),
    ("end", NamedKey::End),
    ("pageup", NamedKey::PageUp),
    ("pagedown", NamedKey::PageDown),
    ("insert", NamedKey::Insert),
    ("delete", NamedKey::Delete),
    ("capslock", NamedKey::CapsLock),
    ("scrolllock", NamedKey::ScrollLock),
    ("numlock", NamedKey::NumLock),
    ("printscreen", NamedKey::PrintScreen),
    ("pause", NamedKey::Pause),
    ("menu", NamedKey::Menu),
    ("kp-decimal", NamedKey::Keypad(KeypadKey::Decimal)),
    ("kp-divide", NamedKey::Keypad(KeypadKey::Divide)),
    ("kp-multiply", NamedKey::Keypad(KeypadKey::Multiply)),
    ("kp-subtract", NamedKey::Keypad(KeypadKey::Subtract)),
    ("kp-add", NamedKey::Keypad(KeypadKey::Add)),
    ("kp-enter", NamedKey::Keypad(KeypadKey::Enter)),
    ("kp-equal", NamedKey::Keypad(KeypadKey::Equal)),
    ("kp-separator", NamedKey::Keypad(KeypadKey::Separator)),
    ("kp-left", NamedKey::Keypad(KeypadKey::Left)),
    ("kp-right", NamedKey::Keypad(KeypadKey::Right)),
    ("kp-up", NamedKey::Keypad(KeypadKey::Up)),
    ("kp-down", NamedKey::Keypad(KeypadKey::Down)),
    ("kp-pageup", NamedKey::Keypad(KeypadKey::PageUp)),
    ("kp-pagedown", NamedKey::Keypad(KeypadKey::PageDown)),
    ("kp-home", NamedKey::Keypad(KeypadKey::Home)),
    ("kp-end", NamedKey::Keypad(KeypadKey::End)),
    ("kp-insert", NamedKey::Keypad(KeypadKey::Insert)),
    ("kp-delete", NamedKey::Keypad(KeypadKey::Delete)),
    ("kp-begin", NamedKey::Keypad(KeypadKey::Begin)),
    ("media-play", NamedKey::Media(MediaKey::Play)),
    ("media-pause", NamedKey::Media(MediaKey::Pause)),
    ("media-playpause", NamedKey::Media(MediaKey::PlayPause)),
    ("media-reverse", NamedKey::Media(MediaKey::Reverse)),
    ("media-stop", NamedKey::Media(MediaKey::Stop)),
    ("media-forward", NamedKey::Media(MediaKey::FastForward)),
    ("media-rewind", NamedKey::Media(MediaKey::Rewind)),
    ("media-next", NamedKey::Media(MediaKey::TrackNext)),
    ("media-previous", NamedKey::Media(MediaKey::TrackPrevious)),
    ("media-record", NamedKey::Media(MediaKey::Record)),
    ("volume-down", NamedKey::Media(MediaKey::LowerVolume)),
    ("volume-up", NamedKey::Media(MediaKey::RaiseVolume)),
    ("volume-mute", NamedKey::Media(MediaKey::MuteVolume)),
    ("left-shift", NamedKey::Modifier(ModifierKey::LeftShift)),
    ("left-ctrl", NamedKey::Modifier(ModifierKey::LeftCtrl)),
    ("left-alt", NamedKey::Modifier(ModifierKey::LeftAlt)),
    ("left-super", NamedKey::Modifier(ModifierKey::LeftSuper)),
    ("left-hyper", NamedKey::Modifier(ModifierKey::LeftHyper)),
    ("left-meta", NamedKey::Modifier(ModifierKey::LeftMeta)),
    ("right-shift", NamedKey::Modifier(ModifierKey::RightShift)),
    ("right-ctrl", NamedKey::Modifier(ModifierKey::RightCtrl)),
    ("right-alt", NamedKey::Modifier(ModifierKey::RightAlt)),
    ("right-super", NamedKey::Modifier(ModifierKey::RightSuper)),
    ("right-hyper", NamedKey::Modifier(ModifierKey::RightHyper)),
    ("right-meta", NamedKey::Modifier(ModifierKey::RightMeta)),
    ("level3", NamedKey::Modifier(ModifierKey::Level3Shift)),
    ("level5", NamedKey::Modifier(ModifierKey::Level5Shift)),
];
