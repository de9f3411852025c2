//! Secrets as they stand on the screen, traced back to where they were printed.
//!
//! A terminal is fed the recording once more, each character printed in a colour of its own: a number
//! that says where in the stream it came from. However it was moved, wrapped or drawn over, each cell
//! then tells which bytes to hide.

use std::io::Write as _;

use terminal::{Attributes, Cell, CellColor, GridSize, Snapshot, TerminalBuffer, TerminalOptions};

use super::block::Block;
use super::find::Finder;
use super::{Line, Piece, Stream, Tokens};
use crate::{Happening, Recording, USUAL_SIZE};

/// A colour has 24 bits; later output is not traced.
const MAX_TRACED: usize = 1 << 24;

struct Screen<'a> {
    terminal: TerminalBuffer,
    /// To be fed.
    inked: Vec<u8>,
    snapshot: Snapshot,
    /// Of the rows when they were last looked at.
    versions: Vec<u64>,
    /// Lines that may have scrolled since.
    new_lines: usize,
    finder: &'a Finder,
}

/// Hides what is found on the screen at any time.
pub(super) fn look(recording: &Recording, stream: &mut Stream, finder: &Finder) {
    let size = recording.about.size.unwrap_or(USUAL_SIZE);
    let options = TerminalOptions { scrollback_lines: 0, ..TerminalOptions::default() };
    let mut screen = Screen {
        terminal: TerminalBuffer::new(size, options),
        inked: Vec::new(),
        snapshot: Snapshot::default(),
        versions: Vec::new(),
        new_lines: 0,
        finder,
    };
    let bytes = std::mem::take(&mut stream.bytes);
    let mut stops = stops(recording).into_iter().peekable();
    for token in Tokens::new(&bytes).take_while(|token| token.range.end < MAX_TRACED) {
        while let Some((_, size)) = stops.next_if(|(at, _)| *at <= token.range.start) {
            screen.look(stream);
            if let Some(size) = size {
                screen.terminal.resize(size);
            }
        }
        let raw = bytes.get(token.range.clone()).unwrap_or_default();
        match token.piece {
            Piece::Char(c) => screen.print(c, token.range.start),
            Piece::Look | Piece::String { .. } => {}
            Piece::Other => screen.pass(raw, stream),
        }
    }
    screen.look(stream);
    stream.bytes = bytes;
}

/// Where in the stream an event ends, and what size the screen takes there.
fn stops(recording: &Recording) -> Vec<(usize, Option<GridSize>)> {
    let mut at = 0;
    let mut stops = Vec::new();
    for event in &recording.events {
        match &event.what {
            Happening::Output(bytes) => {
                at += bytes.len();
                stops.push((at, None));
            }
            Happening::Resize(size) => stops.push((at, Some(*size))),
            _ => {}
        }
    }
    stops
}

impl Screen<'_> {
    fn print(&mut self, c: char, place: usize) {
        let [_, red, green, blue] = u32::try_from(place).unwrap_or(u32::MAX).to_be_bytes();
        // Writing to memory cannot fail.
        let _written = write!(self.inked, "\x1b[38;2;{red};{green};{blue}m{c}").is_ok();
    }

    /// Passes on what is no character, looking before much would be lost by it.
    fn pass(&mut self, raw: &[u8], stream: &mut Stream) {
        // An update that is held back could not be looked at.
        if raw.starts_with(b"\x1b[?2026") {
            return;
        }
        self.new_lines += usize::from(raw == b"\n");
        let is_full = 2 * self.new_lines >= usize::from(self.terminal.size().rows);
        if is_full || matches!(raw.last(), Some(b'J' | b'h' | b'l' | b'c')) {
            self.look(stream);
        }
        self.inked.extend_from_slice(raw);
    }

    fn look(&mut self, stream: &mut Stream) {
        self.new_lines = 0;
        if self.inked.is_empty() {
            return;
        }
        self.terminal.feed(&self.inked);
        self.inked.clear();
        if !self.terminal.snapshot_into(&mut self.snapshot) {
            return;
        }
        self.versions.resize(self.snapshot.rows.len(), 0);
        let (mut line, mut block) = (Line::default(), Block::default());
        let mut is_new = false;
        for (row, seen) in self.snapshot.rows.iter().zip(&mut self.versions) {
            is_new |= std::mem::replace(seen, row.version) != row.version;
            row.cells.iter().for_each(|cell| push(&mut line, cell));
            // A row that is full to its end may go on in the next.
            if row.cells.last().is_some_and(|cell| cell.glyph != ' ') {
                continue;
            }
            if std::mem::take(&mut is_new) {
                stream.hide(&line, &self.finder.find(&line.text));
            }
            stream.hide_lines(&block.take(&line));
            line.clear();
        }
        if is_new {
            stream.hide(&line, &self.finder.find(&line.text));
        }
    }
}

fn push(line: &mut Line, cell: &Cell) {
    if cell.attributes.intersects(Attributes::SPACERS) {
        return;
    }
    let place = match cell.foreground {
        CellColor::Rgb(red, green, blue) => {
            usize::try_from(u32::from_be_bytes([0, red, green, blue])).ok()
        }
        CellColor::Default | CellColor::Indexed(_) => None,
    };
    line.push(cell.glyph, place);
}
