//! A character or sequence that has begun and not ended, followed byte by byte.
//!
//! Sequences end where the parser would end them, with two differences: a string that is broken off
//! (by CAN, SUB or an escape character that does not end it) is dropped, and so is one that is longer
//! than its limit. Control characters inside of sequences come out at once, as they would be executed.

use super::{BEL, CAN, ESC, SUB, csi, dcs, osc};

#[derive(Debug, Default)]
pub(super) struct Hold {
    kind: Kind,
    /// Control sequences and escapes from their escape character on, strings without their introducer.
    bytes: Vec<u8>,
    /// It was too long: the rest of it is dropped, too.
    overflowed: bool,
    /// A string had control characters, which were left out.
    had_controls: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringKind {
    Osc,
    Dcs,
    /// SOS, PM or APC: nobody reads them.
    Other,
}

/// What came of further bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Nothing yet.
    Open,
    /// A control character to be executed before the sequence it stands in.
    Control(u8),
    /// What is held is one whole character, or one whole sequence. [`Hold::take`] gives it.
    Character,
    Escape,
    Csi,
    String {
        kind: StringKind,
        bell: bool,
    },
    /// What was held is no character; the byte that says so was not taken.
    BrokenCharacter,
    /// What was held is dropped.
    Cancelled,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Nothing,
    Character,
    Escape,
    /// An escape with intermediates, such as `ESC ( B`.
    Intermediate,
    Csi,
    String(StringKind),
    /// An escape character stands in a string: a backslash would end it.
    StringEnd(StringKind),
}

impl Hold {
    pub(super) fn is_empty(&self) -> bool {
        self.kind == Kind::Nothing
    }

    /// Whether the string that just ended had control characters, which are not in [`Self::take`].
    pub(super) fn had_controls(&self) -> bool {
        self.had_controls
    }

    /// Whether the string that just ended was too long: [`Self::take`] has only how it began.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// What was held, and no more of it.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    pub(super) fn start_sequence(&mut self) {
        self.start(Kind::Escape);
        self.bytes.push(ESC);
    }

    pub(super) fn start_character(&mut self, bytes: &[u8]) {
        self.start(Kind::Character);
        self.bytes.extend_from_slice(bytes);
    }

    /// A control sequence that lacks only its final byte.
    pub(super) fn start_csi(&mut self, bytes: Vec<u8>) {
        self.start(Kind::Csi);
        self.bytes = bytes;
    }

    /// Takes bytes from the front of `input`, up to the next event, and says how many.
    pub(super) fn advance(&mut self, input: &[u8]) -> (usize, Event) {
        let mut at = 0;
        while at < input.len() {
            let (taken, event) = match self.kind {
                Kind::Nothing => return (at, Event::Open),
                Kind::Character => self.character(input[at]),
                Kind::String(kind) => self.string(kind, &input[at..]),
                Kind::StringEnd(kind) => self.string_end(kind, input[at]),
                Kind::Escape | Kind::Intermediate | Kind::Csi => (1, self.sequence(input[at])),
            };
            at += taken;
            if event != Event::Open {
                return (at, event);
            }
        }
        (at, Event::Open)
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    fn start(&mut self, kind: Kind) {
        *self = Self { kind, ..Self::default() };
    }

    fn end(&mut self, event: Event) -> Event {
        self.kind = Kind::Nothing;
        event
    }

    fn cancel(&mut self) -> Event {
        self.start(Kind::Nothing);
        Event::Cancelled
    }

    fn character(&mut self, byte: u8) -> (usize, Event) {
        self.bytes.push(byte);
        match std::str::from_utf8(&self.bytes) {
            Ok(_) => (1, self.end(Event::Character)),
            Err(err) if err.error_len().is_none() => (1, Event::Open),
            Err(_) => {
                self.start(Kind::Nothing);
                (0, Event::BrokenCharacter)
            }
        }
    }

    fn sequence(&mut self, byte: u8) -> Event {
        match (self.kind, byte) {
            (_, ESC) => {
                self.start_sequence();
                Event::Open
            }
            (_, CAN | SUB) => self.cancel(),
            (_, 0x00..=0x1f) => Event::Control(byte),
            (_, 0x7f..) => Event::Open,
            (Kind::Escape, b'[') => self.go_on(Kind::Csi, byte),
            (Kind::Escape, b']') => self.start_string(StringKind::Osc),
            (Kind::Escape, b'P') => self.start_string(StringKind::Dcs),
            (Kind::Escape, b'X' | b'^' | b'_') => self.start_string(StringKind::Other),
            (Kind::Csi, 0x20..=0x3f) => self.go_on(Kind::Csi, byte),
            (Kind::Csi, _) => self.finish(Event::Csi, byte),
            (_, 0x20..=0x2f) => self.go_on(Kind::Intermediate, byte),
            (_, 0x30..=0x7e) => self.finish(Event::Escape, byte),
        }
    }

    fn go_on(&mut self, kind: Kind, byte: u8) -> Event {
        self.kind = kind;
        // Whole, its final byte included, a sequence that is passed on has so many bytes at most.
        if self.bytes.len() + 1 < csi::MAX_LEN {
            self.bytes.push(byte);
        } else {
            self.overflowed = true;
        }
        Event::Open
    }

    fn finish(&mut self, event: Event, byte: u8) -> Event {
        if self.overflowed {
            return self.cancel();
        }
        self.bytes.push(byte);
        self.end(event)
    }

    fn start_string(&mut self, kind: StringKind) -> Event {
        self.start(Kind::String(kind));
        Event::Open
    }

    fn string(&mut self, kind: StringKind, input: &[u8]) -> (usize, Event) {
        let control = input.iter().position(|byte| *byte < 0x20);
        self.collect(kind, &input[..control.unwrap_or(input.len())]);
        let Some(at) = control else { return (input.len(), Event::Open) };
        let event = match input[at] {
            ESC => {
                self.kind = Kind::StringEnd(kind);
                Event::Open
            }
            CAN | SUB => self.cancel(),
            BEL if kind == StringKind::Osc => self.finish_string(kind, true),
            _ => {
                self.had_controls = true;
                Event::Open
            }
        };
        (at + 1, event)
    }

    fn string_end(&mut self, kind: StringKind, byte: u8) -> (usize, Event) {
        if byte == b'\\' {
            return (1, self.finish_string(kind, false));
        }
        self.start_sequence();
        (0, Event::Open)
    }

    fn finish_string(&mut self, kind: StringKind, bell: bool) -> Event {
        let is_told = !self.overflowed || !self.bytes.is_empty();
        if is_told { self.end(Event::String { kind, bell }) } else { self.cancel() }
    }

    fn collect(&mut self, kind: StringKind, run: &[u8]) {
        if self.overflowed {
            return;
        }
        let most = match kind {
            StringKind::Osc => osc::MAX_CLIPBOARD,
            StringKind::Dcs => dcs::MAX_LEN,
            StringKind::Other => 0,
        };
        // One byte more than the limit is enough to know that it is too long.
        let room = (most + 1).saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&run[..run.len().min(room)]);
        if kind == StringKind::Osc && osc::is_title(&self.bytes) {
            self.bytes.truncate(osc::MAX_TITLE);
            return;
        }
        if kind == StringKind::Osc && osc::is_status(&self.bytes) {
            self.bytes.truncate(osc::MAX_LEN);
            return;
        }
        let limit = if kind == StringKind::Osc { osc::limit(&self.bytes) } else { most };
        if self.bytes.len() > limit {
            self.overflowed = true;
            // Who copies too much is told so.
            let keep = if limit == osc::MAX_CLIPBOARD { 4 } else { 0 };
            self.bytes = self.bytes[..keep].to_vec();
        }
    }
}
