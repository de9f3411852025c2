//! Links in what a terminal shows: those a program made (OSC 8), and addresses and paths in its text.
//!
//! Where a link leads is only told here. Whether it is followed is for others to decide, who know which
//! folders are trusted.

use std::ops::Range;

use crate::CellPoint;
use crate::emulator::{Emulator, RowReader};

/// How far text is looked at around a cell, in rows.
const MAX_ROWS: i32 = 40;

/// How far a word is followed to each side, in characters.
const MAX_WORD: usize = 2083;

/// A link under the pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub target: LinkTarget,
    /// The cells of it that are in view: row and columns.
    pub cells: Vec<(u16, Range<u16>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// An address as the program gave it or as it stands in the text, of any scheme.
    Address(String),
    /// What may be the path of a file, as it stands in the text, with line and column from 1.
    Path { path: String, line: Option<u32>, column: Option<u32> },
}

/// Characters that end an address or a path.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "\"'`<>|│┃║{}^\\«»“”‘’".contains(c)
}

/// Text of some rows that belong together, and the cell of each of its characters.
struct Flow {
    text: Vec<(char, i32, usize)>,
    /// Where in `text` the cell that was asked for is.
    at: usize,
}

/// The link at a cell of the view.
pub(crate) fn link_at(grid: &Emulator, at: CellPoint) -> Option<Link> {
    let line = grid.line_at(at.row.into());
    let column = usize::from(at.column);
    if line < grid.first_line() || line > grid.last_line() || column >= grid.columns() {
        return None;
    }
    let mut links = Vec::new();
    grid.copy_links(line, &mut links);
    let number = links.get(column).copied().unwrap_or(0);
    if let Some(target) = grid.link_target(number) {
        let target = LinkTarget::Address(target.to_owned());
        return Some(Link { target, cells: cells_of_link(grid, number) });
    }
    let flow = flow_around(grid, line, column)?;
    let word = word_around(&flow)?;
    let chars: Vec<char> = flow.text[word.clone()].iter().map(|(c, ..)| *c).collect();
    let (part, target) = read_word(&chars, flow.at - word.start)?;
    let cells = &flow.text[word.start + part.start..word.start + part.end];
    Some(Link { target, cells: cells_in_view(grid, cells) })
}

/// All cells in view that a program gave the same link.
fn cells_of_link(grid: &Emulator, number: u32) -> Vec<(u16, Range<u16>)> {
    let (mut cells, mut links) = (Vec::new(), Vec::new());
    for row in 0..=u16::try_from(grid.last_line()).unwrap_or(0) {
        grid.copy_links(grid.line_at(row.into()), &mut links);
        for (column, _) in links.iter().enumerate().filter(|(_, other)| **other == number) {
            push_cell(&mut cells, row, column);
        }
    }
    cells
}

fn cells_in_view(grid: &Emulator, text: &[(char, i32, usize)]) -> Vec<(u16, Range<u16>)> {
    let mut cells = Vec::new();
    for (_, line, column) in text {
        let row = line - grid.line_at(0);
        if let Ok(row) = u16::try_from(row)
            && i32::from(row) <= grid.last_line()
        {
            push_cell(&mut cells, row, *column);
        }
    }
    cells
}

fn push_cell(cells: &mut Vec<(u16, Range<u16>)>, row: u16, column: usize) {
    let column = u16::try_from(column).unwrap_or(u16::MAX);
    match cells.last_mut() {
        Some((last_row, columns)) if *last_row == row && columns.end == column => columns.end += 1,
        _ => cells.push((row, column..column + 1)),
    }
}

/// The text of the line that a cell is in, as far as it matters.
fn flow_around(grid: &Emulator, line: i32, column: usize) -> Option<Flow> {
    let mut first = line;
    while first > grid.first_line() && line - first < MAX_ROWS && grid.is_wrapped(first - 1) {
        first -= 1;
    }
    let mut flow = Flow { text: Vec::new(), at: 0 };
    let mut found = false;
    let mut reader = RowReader::new(grid);
    for row in first..=grid.last_line().min(line + MAX_ROWS) {
        for (index, cell) in reader.row(row).iter().enumerate() {
            let is_spacer = cell.attributes.intersects(crate::Attributes::SPACERS);
            if row == line && index == column {
                found = true;
                flow.at = if is_spacer { flow.text.len().checked_sub(1)? } else { flow.text.len() };
            }
            if !is_spacer {
                flow.text.push((cell.glyph, row, index));
            }
        }
        if !grid.is_wrapped(row) {
            break;
        }
    }
    found.then_some(flow)
}

fn word_around(flow: &Flow) -> Option<Range<usize>> {
    let near = flow.at.saturating_sub(MAX_WORD)..flow.at + MAX_WORD;
    let is_part = |index: &usize| {
        near.contains(index) && flow.text.get(*index).is_some_and(|(c, ..)| !ends_word(*c))
    };
    if !is_part(&flow.at) {
        return None;
    }
    let start = (0..=flow.at).rev().take_while(is_part).last()?;
    let end = (flow.at..flow.text.len()).take_while(is_part).last()? + 1;
    Some(start..end)
}

/// What a word links to, and which part of it does. The part holds `at`.
fn read_word(word: &[char], at: usize) -> Option<(Range<usize>, LinkTarget)> {
    if let Some(part) = address(word, at) {
        let text: String = word[part.clone()].iter().collect();
        return Some((part, LinkTarget::Address(text)));
    }
    path(word, at)
}

const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "file://"];

fn address(word: &[char], at: usize) -> Option<Range<usize>> {
    let start = (0..=at).rev().find(|start| {
        let rest = &word[*start..];
        let begins_here = *start == 0 || !word[*start - 1].is_alphanumeric();
        begins_here && SCHEMES.iter().any(|scheme| starts_with(rest, scheme))
    })?;
    let end = start + trimmed_len(&word[start..]);
    let scheme_len = word[start..].iter().position(|c| *c == ':')? + 1;
    (end > at && end > start + scheme_len + 2).then_some(start..end)
}

fn starts_with(word: &[char], prefix: &str) -> bool {
    word.len() >= prefix.len() && word.iter().zip(prefix.chars()).all(|(a, b)| *a == b)
}

/// Without punctuation that belongs to the sentence around it, and without brackets that were opened
/// before it.
fn trimmed_len(word: &[char]) -> usize {
    let count = |wanted: char| word.iter().filter(|c| **c == wanted).count();
    // How many brackets are closed that were not opened.
    let mut extra_round = count(')').saturating_sub(count('('));
    let mut extra_square = count(']').saturating_sub(count('['));
    let mut len = word.len();
    while let Some(last) = word[..len].last() {
        let extra = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '…' => {
                len -= 1;
                continue;
            }
            ')' => &mut extra_round,
            ']' => &mut extra_square,
            _ => break,
        };
        if *extra == 0 {
            break;
        }
        *extra -= 1;
        len -= 1;
    }
    len
}

/// `src/main.rs`, `src/main.rs:12:5`, `src/main.rs(12,5)`: something with a slash or a dot in it.
fn path(word: &[char], at: usize) -> Option<(Range<usize>, LinkTarget)> {
    let start = word[..=at].iter().rposition(|c| "([=,;@".contains(*c)).map_or(0, |open| open + 1);
    let rest = &word[start..];
    let len = rest.iter().position(|c| "():,;[]=".contains(*c)).unwrap_or(rest.len());
    let name: String = rest[..len].iter().collect();
    let name = name.trim_end_matches(['.', '!', '?', '…']);
    if !looks_like_path(name) {
        return None;
    }
    let mut end = start + name.chars().count();
    let mut numbers = [None; 2];
    for number in &mut numbers {
        let Some((value, len)) = number_after(&word[end..]) else { break };
        *number = Some(value);
        end += len;
    }
    let [line, column] = numbers;
    (at < end).then(|| (start..end, LinkTarget::Path { path: name.to_owned(), line, column }))
}

fn looks_like_path(name: &str) -> bool {
    let stem = name.trim_start_matches(['.', '/', '~']);
    let has_name = stem.chars().any(char::is_alphanumeric);
    let has_extension = name.rsplit_once('.').is_some_and(|(before, extension)| {
        !before.is_empty()
            && (1..=10).contains(&extension.len())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && extension.chars().any(|c| c.is_ascii_alphabetic())
    });
    has_name && (name.contains('/') || has_extension)
}

/// `:12`, `(12` or `,12`: the number and how many characters that takes.
fn number_after(rest: &[char]) -> Option<(u32, usize)> {
    if !matches!(rest.first()?, ':' | '(' | ',') {
        return None;
    }
    let digits: String = rest[1..].iter().take_while(|c| c.is_ascii_digit()).collect();
    Some((digits.parse().ok()?, 1 + digits.len()))
}

#[cfg(test)]
mod tests;
