//! Finding text in all that a terminal has shown.
//!
//! The search itself runs on packed lines that nobody changes any more, on whatever thread asks for
//! it, and needs the terminal's lock only for as long as it takes to get hold of them. A match is told by
//! the number of its line, which stays the same while output goes on and when the screen is resized.

use std::borrow::Cow;
use std::io;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};
use unicode_width::UnicodeWidthChar as _;

use crate::MatchSpan;
use crate::history::{Block, Cluster};

/// Matches that are told; more are not looked for.
const MAX_MATCHES: usize = 100_000;

/// Text that is searched before looking whether to stop, give or take a line.
const PART: usize = 16 * 1024;

/// What a pattern may take, compiled: some hundred times what people write.
const MAX_PATTERN_MEMORY: usize = 1024 * 1024;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchQuery {
    pub pattern: String,
    pub is_regex: bool,
    pub case_sensitive: bool,
}

/// The pattern is no regular expression, or too large a one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPattern(pub String);

/// A match, in columns of a numbered line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchMatch {
    pub(crate) line: u64,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// What was found, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchMatches {
    pub matches: Arc<[SearchMatch]>,
    /// There are more, or it was told to stop before the end.
    pub is_partial: bool,
}

/// The lines of a terminal at one moment, to be read without its lock.
#[derive(Debug, Clone)]
pub struct Contents {
    pub(crate) first_line: u64,
    pub(crate) blocks: Vec<Arc<Block>>,
}

impl SearchQuery {
    /// # Errors
    /// [`BadPattern`] says what is wrong with it, in one line.
    pub fn compile(&self) -> Result<Pattern, BadPattern> {
        let syntax = syntax::Config::new().case_insensitive(!self.case_sensitive).multi_line(true);
        let config = Regex::config()
            .match_kind(MatchKind::LeftmostFirst)
            .nfa_size_limit(Some(MAX_PATTERN_MEMORY))
            .hybrid_cache_capacity(MAX_PATTERN_MEMORY);
        let mut builder = Regex::builder();
        builder.configure(config).syntax(syntax);
        let pattern = if self.is_regex { self.pattern.clone() } else { escape(&self.pattern) };
        builder.build(&pattern).map(Pattern).map_err(|err| {
            if err.size_limit().is_some() {
                return BadPattern("the expression is too large".to_owned());
            }
            let reason = err.syntax_error().map_or_else(|| err.to_string(), ToString::to_string);
            let line = reason.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
            BadPattern(line.trim().trim_start_matches("error: ").to_owned())
        })
    }
}

#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Contents {
    /// Looks through all lines. Stops early, with what it has, once `stop` is set.
    pub fn search(&self, pattern: &Pattern, stop: &AtomicBool) -> SearchMatches {
        let mut matches = Vec::new();
        let mut first = self.first_line;
        for block in &self.blocks {
            for part in parts(block.text()) {
                if stop.load(Ordering::Relaxed) || matches.len() >= MAX_MATCHES {
                    return SearchMatches { matches: matches.into(), is_partial: true };
                }
                search_part(block, part, first, pattern, &mut matches);
            }
            first += block.lines() as u64;
        }
        let is_partial = matches.len() >= MAX_MATCHES;
        SearchMatches { matches: matches.into(), is_partial }
    }

    /// Writes all text, a line feed after each line, to be saved or read elsewhere.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.write_part(self.first_line, 0, out).map(drop)
    }

    /// The number that the next line will have.
    pub fn end_line(&self) -> u64 {
        self.first_line + self.blocks.iter().map(|block| block.lines() as u64).sum::<u64>()
    }

    /// The same for the lines from that one on but for the last `held_back`, which may still change: at
    /// least as many as the screen has rows. Returns which line comes next.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_part(
        &self,
        from: u64,
        held_back: usize,
        out: &mut impl io::Write,
    ) -> io::Result<u64> {
        let end = self.end_line().saturating_sub(held_back as u64);
        let mut first = self.first_line;
        for block in &self.blocks {
            let before = first;
            first += block.lines() as u64;
            // No block has more lines than there is memory for.
            let index = |line: u64| usize::try_from(line - before).unwrap_or(usize::MAX);
            for line in index(from.clamp(before, first))..index(end.clamp(before, first)) {
                let text = without_tab_fill(block.line_text(line));
                if block.is_cut(line) {
                    out.write_all(text.as_bytes())?;
                } else {
                    out.write_all(text.trim_end_matches(' ').as_bytes())?;
                    out.write_all(b"\n")?;
                }
            }
        }
        Ok(end.max(from))
    }
}

/// A tab is a character of its own and leaves blanks up to where it goes; those are left out.
fn without_tab_fill(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut kept = String::with_capacity(line.len());
    let (mut column, mut fills_tab) = (0, false);
    for c in line.chars() {
        let is_fill = fills_tab && c == ' ' && column % 8 != 0;
        if !is_fill {
            fills_tab = c == '\t';
            kept.push(c);
        }
        column += c.width().unwrap_or(1);
    }
    Cow::Owned(kept)
}

/// Whole lines, some at a time: between them a search can be stopped.
fn parts(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let after = rest.get(PART..).unwrap_or_default();
        let end = memchr::memchr(b'\n', after).map_or(text.len(), |at| start + PART + at + 1);
        Some(std::mem::replace(&mut start, end)..end)
    })
}

fn search_part(
    block: &Block,
    part: Range<usize>,
    first: u64,
    pattern: &Pattern,
    matches: &mut Vec<SearchMatch>,
) {
    // Line by line would cost a call for each; a match over a line's end is cut there instead.
    let text = block.text();
    let mut ruler = Ruler::new(block, block.line_at(part.start));
    let mut at = part.start;
    while at < part.end && matches.len() < MAX_MATCHES {
        let input = Input::new(text).range(at..part.end);
        let Some(found) = pattern.0.search(&input) else { break };
        let line = block.line_at(found.start());
        let range = block.text_range(line);
        if ruler.line != line {
            ruler = Ruler::new(block, line);
        }
        let bytes = found.start()..found.end().min(range.end);
        if !bytes.is_empty() {
            let (start, end) = ruler.columns(bytes.start - range.start, bytes.end - range.start);
            if start < end {
                matches.push(SearchMatch { line: first + line as u64, start, end });
            }
        }
        // What it took beyond its line is looked at again.
        at = found.end().min(range.end + 1).max(found.start() + 1);
        // Past the end after an empty match there, where no boundary ever comes.
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

/// Tells columns of a line from bytes of its text, going over it once.
struct Ruler<'a> {
    line: usize,
    clusters: Peekable<Box<dyn Iterator<Item = Cluster<'a>> + 'a>>,
    byte: usize,
    column: u32,
}

impl<'a> Ruler<'a> {
    fn new(block: &'a Block, line: usize) -> Self {
        let clusters: Box<dyn Iterator<Item = _>> = Box::new(block.clusters(line));
        Self { line, clusters: clusters.peekable(), byte: 0, column: 0 }
    }

    /// The columns that some bytes take. Bytes of the next call come after them.
    fn columns(&mut self, start: usize, end: usize) -> (u32, u32) {
        self.skip(|byte, len| byte + len <= start);
        let first = self.column;
        self.skip(|byte, _| byte < end);
        (first, self.column)
    }

    fn skip(&mut self, is_before: impl Fn(usize, usize) -> bool) {
        let byte = &mut self.byte;
        while let Some(cluster) = self.clusters.next_if(|it| is_before(*byte, it.text_len())) {
            *byte += cluster.text_len();
            self.column += u32::try_from(cluster.columns()).unwrap_or(1);
        }
    }
}

/// Takes the meaning from all characters that have one in a pattern.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Matches as they are to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Highlights {
    pub(crate) matches: SearchMatches,
    pub(crate) current: Option<usize>,
}

impl Highlights {
    /// The parts of matches that lie in a row: `columns` of the line, after so many `before` it.
    pub(crate) fn in_row(&self, line: u64, before: usize, columns: usize) -> Vec<MatchSpan> {
        let row = before..before + columns;
        let first =
            self.matches.matches.partition_point(|m| (m.line, m.end as usize) <= (line, before));
        let in_row = self.matches.matches[first..].iter().enumerate();
        in_row
            .take_while(|(_, found)| found.line == line && (found.start as usize) < row.end)
            .map(|(index, found)| {
                let clip = |column: u32| {
                    let column = (column as usize).clamp(row.start, row.end) - row.start;
                    u16::try_from(column).unwrap_or(u16::MAX)
                };
                MatchSpan {
                    columns: clip(found.start)..clip(found.end),
                    is_current: self.current == Some(first + index),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
