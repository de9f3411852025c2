//! What waits for the program to read it: what was typed, and answers to what it asked.
//!
//! Of each only so much waits for a program that does not read; what is more is dropped, as in a window.
//! So whoever types never waits for the program, and the key that detaches is always seen.

use std::collections::VecDeque;
use std::io;

/// The most of what was typed that may wait.
const TYPED: usize = 4 * 1024 * 1024;
/// The most answers that may wait for a program that asks and does not read.
const ANSWERS: usize = 64 * 1024;

const PASTE_END: &[u8] = b"\x1b[201~";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Typed,
    Answer,
}

#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    kind: Kind,
}

/// Whether the last of what was typed is within a paste.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paste {
    None,
    Open,
}

#[derive(Debug)]
pub(super) struct Outgoing {
    /// Two in a row are of different kinds.
    pieces: VecDeque<Piece>,
    /// How much of the first piece is written.
    written: usize,
    /// How it stood with pastes after what was typed last.
    paste: Paste,
    /// Of the paste that is open the rest is dropped: the program has been told its end.
    is_cut: bool,
}

impl Outgoing {
    pub(super) fn new() -> Self {
        Self { pieces: VecDeque::new(), written: 0, paste: Paste::None, is_cut: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Takes what was typed, after which a paste is open or not. False: there was no room for it.
    pub(super) fn typed(&mut self, bytes: &[u8], paste: Paste) -> bool {
        let before = std::mem::replace(&mut self.paste, paste);
        if !self.is_cut && self.waiting(Kind::Typed) + bytes.len() <= TYPED {
            self.push(bytes, Kind::Typed);
            return true;
        }
        // A program that never hears of the end would take all keys for pasted text.
        if before == Paste::Open && !self.is_cut {
            self.push(PASTE_END, Kind::Typed);
        }
        self.is_cut = paste == Paste::Open;
        false
    }

    /// Takes the answers to some output, all or none of them.
    pub(super) fn answer(&mut self, bytes: &[u8]) {
        if self.waiting(Kind::Answer) + bytes.len() <= ANSWERS {
            self.push(bytes, Kind::Answer);
        }
    }

    /// Has written what the program takes now; all is dropped once nobody is left to read it.
    pub(super) fn write(&mut self, mut write: impl FnMut(&[u8]) -> io::Result<usize>) {
        while let Some(first) = self.pieces.front_mut() {
            match write(&first.bytes[self.written..]) {
                Ok(len) => self.written += len,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => return self.clear(),
            }
            if self.written >= first.bytes.len() {
                self.pieces.pop_front();
                self.written = 0;
            } else if self.written > first.bytes.len() / 2 {
                // It may be added to for ever, by a program that is always a little behind.
                first.bytes.drain(..self.written);
                self.written = 0;
            }
        }
    }

    fn clear(&mut self) {
        self.pieces.clear();
        self.written = 0;
    }

    /// How many bytes of that kind wait.
    fn waiting(&self, kind: Kind) -> usize {
        let of_kind = self.pieces.iter().filter(|piece| piece.kind == kind);
        let all: usize = of_kind.map(|piece| piece.bytes.len()).sum();
        let is_first = self.pieces.front().is_some_and(|first| first.kind == kind);
        if is_first { all - self.written } else { all }
    }

    fn push(&mut self, bytes: &[u8], kind: Kind) {
        if bytes.is_empty() {
            return;
        }
        match self.pieces.back_mut().filter(|last| last.kind == kind) {
            Some(last) => last.bytes.extend_from_slice(bytes),
            None => self.pieces.push_back(Piece { bytes: bytes.to_vec(), kind }),
        }
    }
}

#[cfg(test)]
mod tests;
