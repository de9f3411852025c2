//! SGR parameters, read as they stand.

use alacritty_terminal::vte::ansi::{Attr, Color, NamedColor, Rgb};

/// A sequence with more parameters is ignored as a whole.
const MAX_PARAMETERS: usize = 32;
/// Larger numbers are this one.
const MAX_NUMBER: u32 = u16::MAX as u32;

const COLORS: [NamedColor; 16] = [
    NamedColor::Black,
    NamedColor::Red,
    NamedColor::Green,
    NamedColor::Yellow,
    NamedColor::Blue,
    NamedColor::Magenta,
    NamedColor::Cyan,
    NamedColor::White,
    NamedColor::BrightBlack,
    NamedColor::BrightRed,
    NamedColor::BrightGreen,
    NamedColor::BrightYellow,
    NamedColor::BrightBlue,
    NamedColor::BrightMagenta,
    NamedColor::BrightCyan,
    NamedColor::BrightWhite,
];

/// Calls `set` for each attribute that `parameters`, digits and semicolons, ask for.
pub(super) fn each(parameters: &[u8], mut set: impl FnMut(Attr)) {
    let mut numbers = [0; MAX_PARAMETERS];
    let Some(count) = read(parameters, &mut numbers) else { return };
    let mut rest = &numbers[..count];
    while let [number, after @ ..] = rest {
        rest = after;
        let attribute = match number {
            38 => color(&mut rest).map(Attr::Foreground),
            48 => color(&mut rest).map(Attr::Background),
            58 => color(&mut rest).map(|color| Attr::UnderlineColor(Some(color))),
            other => simple(*other),
        };
        if let Some(attribute) = attribute {
            set(attribute);
        }
    }
}

/// Reads numbers, and how many there are; `None` if that is too many.
fn read(parameters: &[u8], numbers: &mut [u16; MAX_PARAMETERS]) -> Option<usize> {
    let mut count = 1;
    let mut number: u32 = 0;
    for byte in parameters {
        if *byte == b';' {
            numbers[count - 1] = u16::try_from(number).unwrap_or(u16::MAX);
            number = 0;
            count += 1;
            if count > MAX_PARAMETERS {
                return None;
            }
        } else {
            number = (number * 10 + u32::from(byte.wrapping_sub(b'0'))).min(MAX_NUMBER);
        }
    }
    numbers[count - 1] = u16::try_from(number).unwrap_or(u16::MAX);
    Some(count)
}

fn simple(number: u16) -> Option<Attr> {
    Some(match number {
        0 => Attr::Reset,
        1 => Attr::Bold,
        2 => Attr::Dim,
        3 => Attr::Italic,
        4 => Attr::Underline,
        5 => Attr::BlinkSlow,
        6 => Attr::BlinkFast,
        7 => Attr::Reverse,
        8 => Attr::Hidden,
        9 => Attr::Strike,
        21 => Attr::DoubleUnderline,
        22 => Attr::CancelBoldDim,
        23 => Attr::CancelItalic,
        24 => Attr::CancelUnderline,
        25 => Attr::CancelBlink,
        27 => Attr::CancelReverse,
        28 => Attr::CancelHidden,
        29 => Attr::CancelStrike,
        39 => Attr::Foreground(Color::Named(NamedColor::Foreground)),
        49 => Attr::Background(Color::Named(NamedColor::Background)),
        59 => Attr::UnderlineColor(None),
        30..=37 => Attr::Foreground(named(number - 30)),
        40..=47 => Attr::Background(named(number - 40)),
        90..=97 => Attr::Foreground(named(number - 90 + 8)),
        100..=107 => Attr::Background(named(number - 100 + 8)),
        _ => return None,
    })
}

fn named(index: u16) -> Color {
    Color::Named(COLORS[usize::from(index) % COLORS.len()])
}

/// Takes a colour from the front of `numbers`, as much of it as there is.
fn color(numbers: &mut &[u16]) -> Option<Color> {
    let mut byte = || {
        let (first, rest) = numbers.split_first()?;
        *numbers = rest;
        u8::try_from(*first).ok()
    };
    match byte()? {
        2 => Some(Color::Spec(Rgb { r: byte()?, g: byte()?, b: byte()? })),
        5 => Some(Color::Indexed(byte()?)),
        _ => None,
    }
}
