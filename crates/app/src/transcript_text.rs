//! What a launch has printed, as the lines that its terminal would have kept.
//!
//! The bytes go through a terminal of their own, so that what was drawn over or wrapped comes out as
//! it was to be read. They are read in pieces, and lines written as they leave the screen: memory
//! does not grow with the transcript.

use std::io::{self, Write};

use host::Transcript;
use terminal::{GridSize, Modes, TerminalBuffer, TerminalOptions};

use crate::commands::clean;

/// Bytes that are read and understood at a time. They cannot make more lines than are kept.
const PIECE: usize = 64 * 1024;
const KEPT_LINES: usize = 2 * PIECE;
/// Where nobody wrote down how large the terminal was.
const USUAL_SIZE: (u16, u16) = (80, 24);

/// Writes the lines that were printed, or changed, from that offset on.
///
/// # Errors
/// The transcript cannot be read, or `out` cannot be written.
pub(crate) fn write_text(
    transcript: &Transcript,
    from: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut reader = Reader::new(transcript);
    reader.feed_until(from, &mut |_| Ok(()))?;
    let mut lines = Lines::from(&reader.terminal);
    reader.feed_until(transcript.end(), &mut |terminal| lines.write_settled(terminal, out))?;
    lines.finish(&reader.terminal, out)
}

/// Writes the bytes themselves from that offset on, as far as they are kept.
///
/// # Errors
/// The transcript cannot be read, or `out` cannot be written.
pub(crate) fn write_raw(
    transcript: &Transcript,
    from: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    let mut at = from;
    while let Some(kept) = transcript.next_kept(at) {
        let len = transcript.read_at(kept, &mut piece)?;
        if len == 0 {
            return Err(vanished());
        }
        out.write_all(&piece[..len])?;
        at = kept + len as u64;
    }
    Ok(())
}

/// Plays a transcript into a terminal.
struct Reader<'a> {
    transcript: &'a Transcript,
    terminal: TerminalBuffer,
    at: u64,
    piece: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn new(transcript: &'a Transcript) -> Self {
        let at = transcript.start();
        let size = grid(transcript.size_at(at).unwrap_or(USUAL_SIZE));
        let options = TerminalOptions {
            scrollback_lines: KEPT_LINES,
            scrollback_bytes: usize::MAX,
            keeps_history: true,
            ..TerminalOptions::default()
        };
        Self { transcript, terminal: TerminalBuffer::new(size, options), at, piece: vec![0; PIECE] }
    }

    /// Plays on, calling `after` when there may be new lines.
    fn feed_until(
        &mut self,
        end: u64,
        after: &mut impl FnMut(&TerminalBuffer) -> io::Result<()>,
    ) -> io::Result<()> {
        while let Some(kept) = self.transcript.next_kept(self.at).filter(|kept| *kept < end) {
            if kept > self.at {
                let gap = format!("\x18\r\n[{} bytes were not kept]\r\n", kept - self.at);
                let _unanswered = self.terminal.feed(gap.as_bytes());
            }
            if let Some(size) = self.transcript.size_at(kept) {
                self.terminal.resize(grid(size));
            }
            let next_size = self.transcript.next_size(kept).unwrap_or(end);
            let len = next_size.min(end).saturating_sub(kept).max(1);
            let len = usize::try_from(len).map_or(PIECE, |len| len.min(PIECE));
            let len = self.transcript.read_at(kept, &mut self.piece[..len])?;
            if len == 0 {
                return Err(vanished());
            }
            // Whoever asked has long had an answer.
            let _unanswered = self.terminal.feed(&self.piece[..len]);
            self.at = kept + len as u64;
            after(&self.terminal)?;
        }
        Ok(())
    }
}

/// Which lines were written, and which were there before.
struct Lines {
    next: u64,
    /// On the screen when it began: left out as far as they are still the same.
    known: Vec<String>,
}

impl Lines {
    fn from(terminal: &TerminalBuffer) -> Self {
        let contents = terminal.contents();
        let next = contents.end_line().saturating_sub(rows(terminal) as u64);
        let mut known = Vec::new();
        // Memory takes all that is written to it.
        let _next = contents.write_part(next, 0, &mut known);
        let known = String::from_utf8_lossy(&known);
        let is_blank = known.trim().is_empty();
        let known = known.lines().filter(|_| !is_blank).map(str::to_owned).collect();
        Self { next, known }
    }

    /// Writes what has left the screen.
    fn write_settled(&mut self, terminal: &TerminalBuffer, out: &mut impl Write) -> io::Result<()> {
        // What a full-screen program hides comes back when it ends.
        if terminal.modes().contains(Modes::ALT_SCREEN) {
            return Ok(());
        }
        let contents = terminal.contents();
        let settled = contents.end_line().saturating_sub(rows(terminal) as u64);
        // What was known is compared in one go.
        if settled < self.next + self.known.len() as u64 {
            return Ok(());
        }
        let mut text = Vec::new();
        self.next = contents.write_part(self.next, rows(terminal), &mut text)?;
        self.write(&text, out)
    }

    fn finish(mut self, terminal: &TerminalBuffer, out: &mut impl Write) -> io::Result<()> {
        let is_full_screen = terminal.modes().contains(Modes::ALT_SCREEN);
        let shown = if is_full_screen { terminal.visible_text() } else { Vec::new() };
        let _unanswered = terminal.feed(LEAVE_FULL_SCREEN);
        let mut text = Vec::new();
        self.next = terminal.contents().write_part(self.next, 0, &mut text)?;
        end_once(&mut text);
        text.extend_from_slice(shown.join("\n").as_bytes());
        end_once(&mut text);
        self.write(&text, out)
    }

    fn write(&mut self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        let text = String::from_utf8_lossy(text);
        let known = std::mem::take(&mut self.known);
        let mut known = known.iter().peekable();
        for line in text.split_inclusive('\n') {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            if known.next_if(|known| *known == bare).is_some() {
                continue;
            }
            known = [].iter().peekable();
            for (at, part) in bare.split('\t').enumerate() {
                let tab = if at > 0 { "\t" } else { "" };
                write!(out, "{tab}{}", clean(part))?;
            }
            out.write_all(&line.as_bytes()[bare.len()..])?;
        }
        Ok(())
    }
}

/// Rows below the last line are no text.
fn end_once(text: &mut Vec<u8>) {
    let end = text.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    text.truncate(end);
    if !text.is_empty() {
        text.push(b'\n');
    }
}

/// Also ends what was cut short.
const LEAVE_FULL_SCREEN: &[u8] = b"\x18\x1b[?1049l";

fn rows(terminal: &TerminalBuffer) -> usize {
    terminal.size().rows.into()
}

fn grid((columns, rows): (u16, u16)) -> GridSize {
    GridSize { columns: columns.max(1), rows: rows.max(1) }
}

/// It was there a moment ago: the oldest part of a transcript goes when it becomes too long.
fn vanished() -> io::Error {
    io::Error::other("the transcript was cut while it was read; try again")
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
