//! Lines out of a stream of bytes, without ever holding more than one may be long.
//!
//! A line that is under way is kept in small pieces and joined only once it is whole: a buffer
//! that grows to a megabyte and is thrown away, again and again and on many threads, would leave
//! the allocator holding that much for each of them.

use std::mem;

/// Bytes in a piece.
const PIECE: usize = 16 * 1024;

/// Collects bytes until a line is whole. It holds at most the limit plus what one push brings.
#[derive(Debug)]
pub struct LineBuffer {
    /// The beginning of a line, known to hold no line break.
    begun: Vec<Vec<u8>>,
    begun_len: usize,
    /// What was pushed, and how much of it has been taken.
    pushed: Vec<u8>,
    taken: usize,
    limit: usize,
}

/// A line did not end within the limit. What follows it cannot be told apart: close the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a line is longer than {limit} bytes")]
pub struct LineTooLong {
    pub limit: usize,
}

impl LineBuffer {
    pub fn new(limit: usize) -> Self {
        Self { begun: Vec::new(), begun_len: 0, pushed: Vec::new(), taken: 0, limit }
    }

    /// Lines may be so long from now on.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Takes bytes as they come. Take all whole lines out before pushing more.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pushed.extend_from_slice(bytes);
    }

    /// The next whole line without its ending, or `None` until more bytes have come.
    ///
    /// # Errors
    /// The line is over the limit, whether its end has come or not.
    pub fn next_line(&mut self) -> Result<Option<Vec<u8>>, LineTooLong> {
        let fresh = &self.pushed[self.taken..];
        let end = fresh.iter().position(|byte| *byte == b'\n');
        let fresh = &fresh[..end.unwrap_or(fresh.len())];
        let len = self.begun_len + fresh.len();
        if len > self.limit {
            return Err(LineTooLong { limit: self.limit });
        }
        if end.is_none() {
            append(&mut self.begun, fresh);
            self.begun_len = len;
            self.pushed.clear();
            self.taken = 0;
            return Ok(None);
        }
        let mut line = Vec::with_capacity(len);
        for piece in mem::take(&mut self.begun) {
            line.extend_from_slice(&piece);
        }
        line.extend_from_slice(fresh);
        self.taken += fresh.len() + 1;
        self.begun_len = 0;
        if line.ends_with(b"\r") {
            line.pop();
        }
        Ok(Some(line))
    }

    /// Whether a line has begun that has not ended.
    pub fn has_rest(&self) -> bool {
        self.begun_len > 0 || self.taken < self.pushed.len()
    }

    /// Bytes of memory held.
    pub fn capacity(&self) -> usize {
        self.begun.iter().map(Vec::capacity).sum::<usize>() + self.pushed.capacity()
    }
}

fn append(pieces: &mut Vec<Vec<u8>>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match pieces.last_mut().filter(|piece| piece.len() < PIECE) {
            Some(piece) => {
                let (fitting, rest) = bytes.split_at(bytes.len().min(PIECE - piece.len()));
                piece.extend_from_slice(fitting);
                bytes = rest;
            }
            None => pieces.push(Vec::new()),
        }
    }
}
