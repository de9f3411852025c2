//! What stands before the parser, so that no output of a program can exhaust it.
//!
//! It follows the structure of the byte stream just far enough to find three things, wherever the
//! stream happens to be cut into chunks, and passes on all else as it came:
//! - OSC strings, which the parser would collect without end, are held until they are complete.
//!   Those that are too long are swallowed, titles are cut.
//! - Repetitions (REP) are clamped to what fits on the screen.
//! - A character cut by the end of a chunk waits for its rest: vte 0.15 drops the characters after
//!   one that it has to put together itself.

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const ESC: u8 = 0x1b;

/// Longest OSC string that is passed on.
const MAX_OSC: usize = 64 * 1024;
/// Longest OSC 52 string: it carries the clipboard, a third longer for its base64.
const MAX_CLIPBOARD_OSC: usize = 128 * 1024;
/// Bytes of an OSC string with a title; more is never shown.
const MAX_TITLE_OSC: usize = 4 * 1024;
/// Separators after which the parser ignores a sequence for having too many parameters.
const MAX_SEPARATORS: u8 = 31;

/// Bytes passed on in one go, give or take a complete OSC string.
pub(crate) const SLICE: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Filter {
    state: State,
    /// An OSC string that has not ended yet, from its `]` on. Its `ESC` has been passed on.
    held: Vec<u8>,
    /// The first bytes of a character whose rest has not come yet.
    tail: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// Text, and also the strings the parser throws away: only an `ESC` matters.
    #[default]
    Ground,
    Escape,
    /// Between the intermediates and the final byte of a two-byte escape such as `ESC ( B`.
    EscapeIntermediate,
    Csi(Csi),
    Osc,
}

/// A control sequence as far as it has been seen.
#[derive(Debug, Clone, Copy)]
struct Csi {
    /// The first parameter.
    count: u16,
    separators: u8,
    /// No intermediates or private markers, so that a final `b` means REP.
    plain: bool,
}

/// What [`Filter::take`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) bytes: usize,
    /// Characters the parser will repeat because of them.
    pub(crate) repeats: usize,
}

impl Filter {
    /// Takes bytes from the front of `input` and leaves what the parser may see in `out`.
    ///
    /// Takes at least one byte if there is one, and stops early when `out` is long enough or costs
    /// the parser enough: so the time a lock is held for one `out` is bounded. No repetition is
    /// longer than `max_repeats`.
    pub(crate) fn take(&mut self, input: &[u8], max_repeats: usize, out: &mut Vec<u8>) -> Taken {
        out.clear();
        out.append(&mut self.tail);
        let mut taken = Taken { bytes: 0, repeats: 0 };
        while taken.bytes < input.len() && out.len() < SLICE && taken.repeats < max_repeats {
            let rest = &input[taken.bytes..];
            taken.bytes += match self.state {
                State::Ground => self.text(rest, out),
                State::Osc => self.osc(rest, out),
                State::Escape => self.escape(rest[0], out),
                State::EscapeIntermediate => self.escape_intermediate(rest[0], out),
                State::Csi(csi) => {
                    taken.repeats += self.csi(csi, rest[0], max_repeats, out);
                    1
                }
            };
        }
        self.hold_incomplete_character(out);
        taken
    }

    fn text(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        let window = &rest[..rest.len().min(SLICE - out.len())];
        let len = match window.iter().position(|byte| *byte == ESC) {
            Some(at) => {
                self.state = State::Escape;
                at + 1
            }
            None => window.len(),
        };
        out.extend_from_slice(&window[..len]);
        len
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) -> usize {
        self.state = match byte {
            b']' => {
                self.held.push(byte);
                self.state = State::Osc;
                return 1;
            }
            b'[' => State::Csi(Csi { count: 0, separators: 0, plain: true }),
            0x20..=0x2f => State::EscapeIntermediate,
            0x30..=0x7e | CAN | SUB => State::Ground,
            _ => State::Escape,
        };
        out.push(byte);
        1
    }

    fn escape_intermediate(&mut self, byte: u8, out: &mut Vec<u8>) -> usize {
        self.state = match byte {
            ESC => State::Escape,
            0x30..=0x7e | CAN | SUB => State::Ground,
            _ => State::EscapeIntermediate,
        };
        out.push(byte);
        1
    }

    /// Returns how many characters the parser will repeat because of this byte.
    fn csi(&mut self, mut csi: Csi, byte: u8, max_repeats: usize, out: &mut Vec<u8>) -> usize {
        match byte {
            b'0'..=b'9' if csi.separators == 0 => {
                csi.count = csi.count.saturating_mul(10).saturating_add(u16::from(byte - b'0'));
            }
            b';' | b':' => csi.separators = csi.separators.saturating_add(1),
            0x20..=0x2f | 0x3c..=0x3f => csi.plain = false,
            _ => {}
        }
        self.state = match byte {
            ESC => State::Escape,
            0x40..=0x7e | CAN | SUB => State::Ground,
            _ => State::Csi(csi),
        };
        let is_repeat = byte == b'b' && csi.plain && csi.separators <= MAX_SEPARATORS;
        let count = usize::from(csi.count).max(1);
        if is_repeat && count > max_repeats {
            // The parser has seen the count already: cancel, and say it again with a smaller one.
            out.extend_from_slice(format!("\x18\x1b[{max_repeats}b").as_bytes());
        } else {
            out.push(byte);
        }
        if is_repeat { count.min(max_repeats) } else { 0 }
    }

    fn osc(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        let end = rest.iter().position(|byte| matches!(*byte, BEL | CAN | SUB | ESC));
        let body = &rest[..end.unwrap_or(rest.len())];
        // One byte more than any limit is enough to know that it is too long.
        let room = (MAX_CLIPBOARD_OSC + 2).saturating_sub(self.held.len());
        self.held.extend_from_slice(&body[..body.len().min(room)]);
        let Some(end) = end else { return rest.len() };
        self.end_osc(rest[end], out);
        end + 1
    }

    fn end_osc(&mut self, terminator: u8, out: &mut Vec<u8>) {
        cut_title(&mut self.held);
        let is_clipboard = self.held.starts_with(b"]52;");
        let limit = if is_clipboard { MAX_CLIPBOARD_OSC } else { MAX_OSC };
        if self.held.len() <= limit + 1 {
            out.append(&mut self.held);
            out.push(terminator);
        } else {
            // The parser has seen an `ESC`: another one replaces it, anything else must cancel it.
            out.push(if terminator == ESC { ESC } else { CAN });
        }
        self.held = Vec::new();
        self.state = if terminator == ESC { State::Escape } else { State::Ground };
    }

    fn hold_incomplete_character(&mut self, out: &mut Vec<u8>) {
        for start in (out.len().saturating_sub(3)..out.len()).rev() {
            let is_continuation = out[start] & 0xc0 == 0x80;
            if is_continuation {
                continue;
            }
            let is_incomplete = std::str::from_utf8(&out[start..])
                .is_err_and(|err| err.valid_up_to() == 0 && err.error_len().is_none());
            if is_incomplete {
                self.tail = out.split_off(start);
            }
            return;
        }
    }
}

/// Shortens a title to what can be shown, at the end of a character.
fn cut_title(held: &mut Vec<u8>) {
    let is_title = matches!(held.as_slice(), [b']', b'0' | b'1' | b'2', b';', ..]);
    if !is_title || held.len() <= MAX_TITLE_OSC {
        return;
    }
    let mut len = MAX_TITLE_OSC;
    while held[len] & 0xc0 == 0x80 && len > 3 {
        len -= 1;
    }
    held.truncate(len);
}

#[cfg(test)]
mod tests;
