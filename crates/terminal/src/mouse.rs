//! Mouse events on their way to a program that asked for them.
//!
//! Whether the mouse is the program's at the moment is decided elsewhere, and so is whether it moved
//! to another cell: a report is made of whatever arrives here.

use crate::{CellPoint, Modes, Modifiers};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    Left,
    Middle,
    Right,
    WheelUp,
    WheelDown,
    WheelLeft,
    WheelRight,
    /// A button beyond the usual three and the wheel, as X counts them: 8 is "back", 9 "forward".
    /// There are reports for those up to 11.
    Extra(u8),
}

impl MouseButton {
    /// Whether it turns rather than being held down.
    pub fn is_wheel(self) -> bool {
        match self {
            Self::WheelUp | Self::WheelDown | Self::WheelLeft | Self::WheelRight => true,
            Self::Left | Self::Middle | Self::Right | Self::Extra(_) => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    Press,
    Release,
    Motion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseInput {
    pub kind: MouseKind,
    /// For motion: the button held, if any.
    pub button: Option<MouseButton>,
    pub at: CellPoint,
    pub modifiers: Modifiers,
}

/// The report for `input`; `None` when the program did not ask for such events, or asked for an
/// encoding that cannot hold it.
pub fn encode_mouse(input: &MouseInput, modes: Modes) -> Option<Vec<u8>> {
    if !is_wanted(input, modes) {
        return None;
    }
    let CellPoint { row, column } = input.at;
    let (x, y) = (u32::from(column) + 1, u32::from(row) + 1);
    let modifiers = modifier_bits(input.modifiers);
    if modes.contains(Modes::SGR_MOUSE) {
        let end = if input.kind == MouseKind::Release { 'm' } else { 'M' };
        let code = button_code(input.button)? + motion_bit(input.kind) + modifiers;
        return Some(format!("\x1b[<{code};{x};{y}{end}").into_bytes());
    }
    // The old encoding does not say which button was released.
    let button = if input.kind == MouseKind::Release { None } else { input.button };
    let code = button_code(button)? + motion_bit(input.kind) + modifiers;
    let mut bytes = b"\x1b[M".to_vec();
    for number in [code, x, y] {
        push_offset(&mut bytes, number, modes)?;
    }
    Some(bytes)
}

fn is_wanted(input: &MouseInput, modes: Modes) -> bool {
    let is_wheel = input.button.is_some_and(MouseButton::is_wheel);
    match input.kind {
        MouseKind::Press => input.button.is_some() && modes.intersects(Modes::MOUSE),
        MouseKind::Release => input.button.is_some() && !is_wheel && modes.intersects(Modes::MOUSE),
        MouseKind::Motion if input.button.is_some() => {
            !is_wheel && modes.intersects(Modes::MOUSE_DRAG | Modes::MOUSE_MOTION)
        }
        MouseKind::Motion => modes.contains(Modes::MOUSE_MOTION),
    }
}

fn button_code(button: Option<MouseButton>) -> Option<u32> {
    Some(match button {
        Some(MouseButton::Left) => 0,
        Some(MouseButton::Middle) => 1,
        Some(MouseButton::Right) => 2,
        None => 3,
        Some(MouseButton::WheelUp) => 64,
        Some(MouseButton::WheelDown) => 65,
        Some(MouseButton::WheelLeft) => 66,
        Some(MouseButton::WheelRight) => 67,
        Some(MouseButton::Extra(number @ 8..=11)) => 128 + u32::from(number) - 8,
        Some(MouseButton::Extra(_)) => return None,
    })
}

fn motion_bit(kind: MouseKind) -> u32 {
    if kind == MouseKind::Motion { 32 } else { 0 }
}

fn modifier_bits(modifiers: Modifiers) -> u32 {
    let bit = |modifier, bit| if modifiers.contains(modifier) { bit } else { 0 };
    bit(Modifiers::SHIFT, 4) + bit(Modifiers::ALT, 8) + bit(Modifiers::CTRL, 16)
}

/// Adds `number` the old way, offset by 32: one byte, or one character up to U+07FF in UTF-8 mode.
fn push_offset(bytes: &mut Vec<u8>, number: u32, modes: Modes) -> Option<()> {
    let shifted = number + 32;
    if modes.contains(Modes::UTF8_MOUSE) {
        let c = char::from_u32(shifted).filter(|c| *c <= '\u{7ff}')?;
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        bytes.push(u8::try_from(shifted).ok()?);
    }
    Some(())
}

#[cfg(test)]
mod tests;
