//! Takes names and secrets out of a recording, so that it can be shown to others.
//!
//! Each character is replaced by as many `x` as it has columns, so that everything stays where it is.
//! They are looked for twice: in the order in which they were printed, and on the screen, where words
//! stand that were printed in pieces, here and there, or wrapped.
//!
//! What is not found: a secret that a program breaks into lines of its own, unless it is a key in the usual
//! form, one that is drawn as a picture or in letters that are not letters, and one that looks like any
//! other word.

mod block;
mod find;
mod ink;
mod strings;
mod tokens;
mod typed;

use std::collections::BTreeSet;
use std::ops::Range;

use unicode_width::UnicodeWidthChar as _;

use block::Block;
pub use find::Identity;
use find::{Finder, Found};
pub(crate) use tokens::{Piece, Tokens};

use crate::{Happening, Recording};

/// Secrets of which also the beginnings are looked for, and the least of a beginning.
const MAX_KNOWN: usize = 256;
const BEGINNING: usize = 5;

/// Knows what to look for.
#[derive(Debug)]
pub struct Scrubber {
    finder: Finder,
}

/// One after the other, all that was printed; and which of its characters are to be hidden.
struct Stream {
    bytes: Vec<u8>,
    /// By where a character begins.
    hidden: Vec<bool>,
    /// Secrets that were found, names apart.
    known: BTreeSet<String>,
}

/// A text, and where in the stream each of its characters is.
#[derive(Debug, Default, Clone)]
struct Line {
    text: String,
    /// Where in `text` and where in the stream; nowhere for blanks that nobody printed.
    places: Vec<(usize, Option<usize>)>,
}

impl Scrubber {
    /// `None` for a name that is too long to look for.
    pub fn new(identity: &Identity) -> Option<Self> {
        Finder::new(identity).map(|finder| Self { finder })
    }

    pub fn scrub(&self, recording: &mut Recording) {
        let mut stream = Stream::of(recording);
        let mut block = Block::default();
        stream.each_line(|line, stream| {
            let found = self.finder.find(&line.text);
            stream.hide(line, &found);
            stream.hide_lines(&block.take(line));
        });
        ink::look(recording, &mut stream, &self.finder);
        stream.hide_beginnings();
        let edits = self.edits(&stream);
        apply(recording, &edits);
        typed::scrub(recording);
        self.scrub_words(recording);
    }

    /// A text of one line without names and secrets.
    pub(crate) fn scrub_text(&self, text: &str) -> String {
        let found = self.finder.find(text);
        let is_hidden = |at: usize| found.iter().any(|found| found.range.contains(&at));
        text.char_indices().fold(String::new(), |mut scrubbed, (at, c)| {
            if is_hidden(at) {
                scrubbed.push_str(&cover(c));
            } else {
                scrubbed.push(c);
            }
            scrubbed
        })
    }

    /// What is to be put in place of what, in order.
    fn edits(&self, stream: &Stream) -> Vec<(Range<usize>, Vec<u8>)> {
        let mut edits = Vec::new();
        for token in Tokens::new(&stream.bytes) {
            match token.piece {
                Piece::Char(c) if stream.is_hidden(token.range.start) => {
                    edits.push((token.range, cover(c).into_bytes()));
                }
                Piece::String { kind, body } => {
                    let old = stream.bytes.get(body.clone()).unwrap_or_default();
                    let new = strings::scrubbed(kind, old, self);
                    edits.extend((new != old).then_some((body, new)));
                }
                Piece::Char(_) | Piece::Look | Piece::Other => {}
            }
        }
        edits
    }

    fn scrub_words(&self, recording: &mut Recording) {
        for event in &mut recording.events {
            if let Happening::Report { text: Some(text), .. } = &mut event.what {
                *text = self.scrub_text(text);
            }
        }
        if let Some(agent) = &mut recording.about.agent {
            *agent = self.scrub_text(agent);
        }
    }
}

impl Stream {
    fn of(recording: &Recording) -> Self {
        let output = recording.events.iter().filter_map(|event| match &event.what {
            Happening::Output(bytes) => Some(bytes.as_slice()),
            _ => None,
        });
        let bytes: Vec<u8> = output.flatten().copied().collect();
        Self { hidden: vec![false; bytes.len()], bytes, known: BTreeSet::new() }
    }

    fn is_hidden(&self, at: usize) -> bool {
        self.hidden.get(at).copied().unwrap_or(false)
    }

    /// What was printed without the cursor being moved, run by run.
    fn each_line(&mut self, mut take: impl FnMut(&Line, &mut Self)) {
        let bytes = std::mem::take(&mut self.bytes);
        let mut line = Line::default();
        for token in Tokens::new(&bytes) {
            match token.piece {
                Piece::Char(c) => line.push(c, Some(token.range.start)),
                Piece::Look => {}
                Piece::String { .. } | Piece::Other => {
                    take(&line, self);
                    line.clear();
                }
            }
        }
        take(&line, self);
        self.bytes = bytes;
    }

    fn hide(&mut self, line: &Line, found: &[Found]) {
        for Found { range, is_name } in found {
            self.hide_range(line, range);
            let secret = line.text.get(range.clone()).filter(|_| !is_name);
            if let Some(secret) = secret.filter(|_| self.known.len() < MAX_KNOWN) {
                self.known.insert(secret.to_owned());
            }
        }
    }

    fn hide_lines(&mut self, lines: &[Line]) {
        for line in lines {
            self.hide(line, &[Found { range: 0..line.text.len(), is_name: false }]);
        }
    }

    fn hide_range(&mut self, line: &Line, range: &Range<usize>) {
        let from = line.places.partition_point(|(at, _)| *at < range.start);
        let places = line.places.iter().skip(from).take_while(|(at, _)| *at < range.end);
        for (_, place) in places {
            if let Some(hidden) = place.and_then(|place| self.hidden.get_mut(place)) {
                *hidden = true;
            }
        }
    }

    /// A secret that appears bit by bit, drawn anew each time, was there in part before.
    fn hide_beginnings(&mut self) {
        let known: Vec<String> = std::mem::take(&mut self.known).into_iter().collect();
        let heads: Vec<(&str, &str)> = known
            .iter()
            .filter_map(|secret| Some((secret.get(..BEGINNING)?, secret.as_str())))
            .collect();
        self.each_line(|line, stream| {
            for (head, secret) in &heads {
                for (at, _) in line.text.match_indices(head) {
                    let rest = line.text.get(at..).unwrap_or_default().bytes();
                    let len = rest.zip(secret.bytes()).take_while(|(one, other)| one == other);
                    stream.hide_range(line, &(at..at + len.count()));
                }
            }
        });
    }
}

impl Line {
    fn push(&mut self, c: char, place: Option<usize>) {
        self.places.push((self.text.len(), place));
        self.text.push(c);
    }

    fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }
}

/// What takes the place of a character. Slashes stay, so that a path is still seen to be one.
fn cover(c: char) -> String {
    if c == '/' { "/".to_owned() } else { "x".repeat(c.width().unwrap_or(0)) }
}

/// Puts edits where they belong; what reaches over several events goes to the first.
fn apply(recording: &mut Recording, edits: &[(Range<usize>, Vec<u8>)]) {
    let mut edits = edits.iter().peekable();
    let mut from = 0;
    for event in &mut recording.events {
        let Happening::Output(bytes) = &mut event.what else { continue };
        let to = from + bytes.len();
        let mut kept = from;
        let mut scrubbed = Vec::with_capacity(bytes.len());
        while let Some((range, new)) = edits.peek().filter(|(range, _)| range.start < to) {
            if range.start >= from {
                scrubbed.extend_from_slice(part(bytes, from, kept..range.start));
                scrubbed.extend_from_slice(new);
            }
            kept = range.end.min(to);
            if range.end > to {
                break;
            }
            edits.next();
        }
        scrubbed.extend_from_slice(part(bytes, from, kept..to));
        *bytes = scrubbed;
        from = to;
    }
}

fn part(bytes: &[u8], from: usize, range: Range<usize>) -> &[u8] {
    bytes.get(range.start - from..range.end - from).unwrap_or_default()
}

#[cfg(test)]
mod tests;
