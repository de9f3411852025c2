//! The keys that have a name rather than a character, and the numbers they go by.

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
    CapsLock,
    ScrollLock,
    NumLock,
    PrintScreen,
    Pause,
    Menu,
    Keypad(KeypadKey),
    Media(MediaKey),
    Modifier(ModifierKey),
}

/// A key of the number block, by what it means at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeypadKey {
    Digit(u8),
    Decimal,
    Divide,
    Multiply,
    Subtract,
    Add,
    Enter,
    Equal,
    Separator,
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Insert,
    Delete,
    /// The one in the middle while Num Lock is off.
    Begin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaKey {
    Play,
    Pause,
    PlayPause,
    Reverse,
    Stop,
    FastForward,
    Rewind,
    TrackNext,
    TrackPrevious,
    Record,
    LowerVolume,
    RaiseVolume,
    MuteVolume,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModifierKey {
    LeftShift,
    LeftCtrl,
    LeftAlt,
    LeftSuper,
    LeftHyper,
    LeftMeta,
    RightShift,
    RightCtrl,
    RightAlt,
    RightSuper,
    RightHyper,
    RightMeta,
    /// Also known as the right Alt key of many keyboards.
    Level3Shift,
    Level5Shift,
}

/// The number and the last letter of a sequence that stands for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Code {
    pub number: u32,
    pub end: char,
}

impl NamedKey {
    /// Whether it changes what other keys mean and does nothing by itself.
    pub fn is_modifier(self) -> bool {
        matches!(self, Self::Modifier(_) | Self::CapsLock | Self::NumLock | Self::ScrollLock)
    }

    /// The kitty protocol's own table. `None`: there is no such key.
    pub(super) fn code(self) -> Option<Code> {
        let code = |number, end| Some(Code { number, end });
        match self {
            Self::Escape => code(27, 'u'),
            Self::Enter => code(13, 'u'),
            Self::Tab => code(9, 'u'),
            Self::Backspace => code(127, 'u'),
            Self::Space => code(32, 'u'),
            Self::Insert => code(2, '~'),
            Self::Delete => code(3, '~'),
            Self::ArrowLeft => code(1, 'D'),
            Self::ArrowRight => code(1, 'C'),
            Self::ArrowUp => code(1, 'A'),
            Self::ArrowDown => code(1, 'B'),
            Self::PageUp => code(5, '~'),
            Self::PageDown => code(6, '~'),
            Self::Home => code(1, 'H'),
            Self::End => code(1, 'F'),
            Self::CapsLock => code(57358, 'u'),
            Self::ScrollLock => code(57359, 'u'),
            Self::NumLock => code(57360, 'u'),
            Self::PrintScreen => code(57361, 'u'),
            Self::Pause => code(57362, 'u'),
            Self::Menu => code(57363, 'u'),
            Self::F(1) => code(1, 'P'),
            Self::F(2) => code(1, 'Q'),
            // `CSI R` would be taken for a report of the cursor's place.
            Self::F(3) => code(13, '~'),
            Self::F(4) => code(1, 'S'),
            Self::F(number @ 13..=35) => code(57376 + u32::from(number) - 13, 'u'),
            Self::F(number) => code(tilde_number(number)?.into(), '~'),
            Self::Keypad(KeypadKey::Begin) => code(1, 'E'),
            Self::Keypad(key) => code(key.number(), 'u'),
            Self::Media(key) => code(57428 + key as u32, 'u'),
            Self::Modifier(key) => code(57441 + key as u32, 'u'),
        }
    }
}

/// What stands for a function key before a `~`.
pub(super) fn tilde_number(function_key: u8) -> Option<u8> {
    // The numbers have holes where a DEC keyboard had gaps between its blocks of keys.
    Some(match function_key {
        5 => 15,
        6..=10 => function_key + 11,
        11..=14 => function_key + 12,
        15..=16 => function_key + 13,
        17..=20 => function_key + 14,
        _ => return None,
    })
}

impl KeypadKey {
    fn number(self) -> u32 {
        match self {
            Self::Digit(digit) => 57399 + u32::from(digit.min(9)),
            Self::Decimal => 57409,
            Self::Divide => 57410,
            Self::Multiply => 57411,
            Self::Subtract => 57412,
            Self::Add => 57413,
            Self::Enter => 57414,
            Self::Equal => 57415,
            Self::Separator => 57416,
            Self::Left => 57417,
            Self::Right => 57418,
            Self::Up => 57419,
            Self::Down => 57420,
            Self::PageUp => 57421,
            Self::PageDown => 57422,
            Self::Home => 57423,
            Self::End => 57424,
            Self::Insert => 57425,
            Self::Delete => 57426,
            Self::Begin => 57427,
        }
    }

    /// The key elsewhere on the keyboard that does the same; those that type text have none.
    pub fn elsewhere(self) -> Option<NamedKey> {
        Some(match self {
            Self::Enter => NamedKey::Enter,
            Self::Left => NamedKey::ArrowLeft,
            Self::Right => NamedKey::ArrowRight,
            Self::Up => NamedKey::ArrowUp,
            Self::Down => NamedKey::ArrowDown,
            Self::PageUp => NamedKey::PageUp,
            Self::PageDown => NamedKey::PageDown,
            Self::Home => NamedKey::Home,
            Self::End => NamedKey::End,
            Self::Insert => NamedKey::Insert,
            Self::Delete => NamedKey::Delete,
            Self::Digit(_)
            | Self::Decimal
            | Self::Divide
            | Self::Multiply
            | Self::Subtract
            | Self::Add
            | Self::Equal
            | Self::Separator
            | Self::Begin => return None,
        })
    }

    /// What is printed on the key.
    pub(super) fn character(self) -> Option<char> {
        Some(match self {
            Self::Digit(digit) => char::from_digit(digit.into(), 10)?,
            Self::Decimal => '.',
            Self::Divide => '/',
            Self::Multiply => '*',
            Self::Subtract => '-',
            Self::Add => '+',
            Self::Equal => '=',
            Self::Separator => ',',
            Self::Enter
            | Self::Left
            | Self::Right
            | Self::Up
            | Self::Down
            | Self::PageUp
            | Self::PageDown
            | Self::Home
            | Self::End
            | Self::Insert
            | Self::Delete
            | Self::Begin => return None,
        })
    }
}

impl ModifierKey {
    /// What is held while the key is down.
    pub(super) fn modifier(self) -> super::Modifiers {
        use super::Modifiers;
        match self {
            Self::LeftShift | Self::RightShift => Modifiers::SHIFT,
            Self::LeftCtrl | Self::RightCtrl => Modifiers::CTRL,
            Self::LeftAlt | Self::RightAlt => Modifiers::ALT,
            Self::LeftSuper | Self::RightSuper => Modifiers::SUPER,
            Self::LeftHyper | Self::RightHyper => Modifiers::HYPER,
            Self::LeftMeta | Self::RightMeta => Modifiers::META,
            Self::Level3Shift | Self::Level5Shift => Modifiers::empty(),
        }
    }
}
