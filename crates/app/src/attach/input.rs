//! What is typed into the outer terminal, on its way to the program.
//!
//! It goes as it is, but for the key that detaches, however it is encoded, and for what the outer
//! terminal answers to the one question that we ask it. Within a paste nothing is a key.

use config::DetachKey;

use super::outgoing::Paste;

/// Nothing that is typed begins a longer sequence.
const MAX_HELD: usize = 64;
/// Caps lock and num lock, which terminals report with a key.
const LOCKS: u32 = 64 + 128;
const CTRL: u32 = 4;

/// What is asked of the outer terminal: which keys it tells apart, whether its wheel types arrows, and what
/// it is. Every terminal answers the last, so that its answer says that no other is to be expected any more.
pub(super) const QUESTION: &str = "\x1b[?u\x1b[?1007$p\x1b[c";

#[derive(Debug)]
pub(super) struct Input {
    detach: DetachKey,
    /// The beginning of a sequence, the rest of which has not come yet.
    held: Vec<u8>,
    is_pasting: bool,
    is_asking: bool,
}

/// What came of some bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Typed {
    pub(super) to_program: Vec<u8>,
    pub(super) detaches: bool,
    /// The outer terminal can tell all keys apart.
    pub(super) has_kitty: bool,
    /// Its wheel types arrows.
    pub(super) has_wheel: bool,
    /// Somebody has typed, rather than moved the mouse or looked elsewhere.
    pub(super) is_typed: bool,
    /// And has handed it in.
    pub(super) submits: bool,
}

impl Input {
    pub(super) fn new(detach: DetachKey) -> Self {
        Self { detach, held: Vec::new(), is_pasting: false, is_asking: false }
    }

    /// [`QUESTION`] was asked.
    pub(super) fn ask(&mut self) {
        self.is_asking = true;
    }

    /// How it stands with pastes after all that was taken.
    pub(super) fn paste(&self) -> Paste {
        if self.is_pasting { Paste::Open } else { Paste::None }
    }

    /// Takes what was typed. What follows the key that detaches is dropped.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Typed {
        let mut typed = Typed::default();
        let mut bytes = [std::mem::take(&mut self.held), bytes.to_vec()].concat();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let len = match sequence(rest) {
                Sequence::None => 1,
                Sequence::Whole(len) => len,
                // A lone escape is a key, unless more is sure to come.
                Sequence::Begun if (rest.len() == 1 && !self.is_pasting) => 1,
                Sequence::Begun if rest.len() > MAX_HELD => rest.len(),
                Sequence::Begun => {
                    self.held = bytes.split_off(at);
                    break;
                }
            };
            let one = &rest[..len];
            at += len;
            match one {
                b"\x1b[200~" => self.is_pasting = true,
                b"\x1b[201~" => self.is_pasting = false,
                _ if !self.is_pasting && self.is_detach(one) => {
                    typed.detaches = true;
                    return typed;
                }
                _ if self.is_asking && self.take_answer(one, &mut typed) => continue,
                _ => {}
            }
            typed.is_typed |= !is_report(one);
            typed.submits |= !self.is_pasting && matches!(one, b"\r" | b"\x1b[13u" | b"\x1b[13;1u");
            typed.to_program.extend_from_slice(one);
        }
        typed
    }

    fn take_answer(&mut self, one: &[u8], typed: &mut Typed) -> bool {
        match one {
            [0x1b, b'[', b'?', .., b'u'] => typed.has_kitty = true,
            b"\x1b[?1007;1$y" => typed.has_wheel = true,
            [0x1b, b'[', b'?', .., b'$', b'y'] => {}
            [0x1b, b'[', b'?', .., b'c'] => self.is_asking = false,
            _ => return false,
        }
        true
    }

    fn is_detach(&self, one: &[u8]) -> bool {
        if *one == [self.detach.byte()] {
            return true;
        }
        let Some((parameters, last)) = parameters(one) else { return false };
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
        let key = u32::from(self.detach.key());
        match last {
            // kitty: KEY:SHIFTED:BASE;MODIFIERS:EVENT;TEXT
            b'u' => {
                let mut fields = parameters.split(';').map(|field| field.split(':'));
                let code = number(fields.next().and_then(|mut field| field.next()));
                let mut field = fields.next().into_iter().flatten();
                let modifiers = number(field.next()).unwrap_or(1);
                let is_release = field.next() == Some("3");
                code == Some(key) && is_ctrl(modifiers) && !is_release
            }
            // xterm: 27;MODIFIERS;KEY
            b'~' => {
                let mut fields = parameters.split(';');
                let (first, modifiers, code) = (fields.next(), fields.next(), fields.next());
                first == Some("27")
                    && number(code) == Some(key)
                    && number(modifiers).is_some_and(is_ctrl)
            }
            _ => false,
        }
    }
}

/// Of the mouse or the focus.
fn is_report(one: &[u8]) -> bool {
    matches!(one, b"\x1b[I" | b"\x1b[O" | [0x1b, b'[', b'<' | b'M', ..])
}

/// Ctrl, and nothing else but locks. Modifiers are counted from 1.
fn is_ctrl(modifiers: u32) -> bool {
    modifiers.saturating_sub(1) & !LOCKS == CTRL
}

enum Sequence {
    None,
    Begun,
    Whole(usize),
}

/// The control sequence that the bytes begin with.
fn sequence(bytes: &[u8]) -> Sequence {
    match bytes {
        [0x1b] | [0x1b, b'['] => return Sequence::Begun,
        [0x1b, b'[', ..] => {}
        _ => return Sequence::None,
    }
    for (at, byte) in bytes.iter().enumerate().skip(2) {
        match byte {
            0x20..=0x3f => {}
            0x40..=0x7e => return Sequence::Whole(at + 1),
            _ => return Sequence::None,
        }
    }
    Sequence::Begun
}

/// What stands in a control sequence, and the byte that ends it.
fn parameters(one: &[u8]) -> Option<(&str, u8)> {
    let (last, inner) = one.strip_prefix(b"\x1b[")?.split_last()?;
    Some((str::from_utf8(inner).ok()?, *last))
}

#[cfg(test)]
mod tests;
