//! What a question is about, as it stands around the question: all of it, for who answers, and the few
//! words of it that tell one question from others that read the same.

use std::ops::Range;

use crate::Reason;
use crate::question::{is_frame, shorten};

/// Rows between the upper edge of a dialog and its question.
const MAX_ABOVE: usize = 24;
/// Rows above a question that has no edge.
const MAX_BLOCK: usize = 4;
/// Rows that are kept of what a question is about.
const MAX_ABOUT: usize = 8;
/// Characters of what stands for it; the whole is shown below the question.
const MAX_SUBJECT: usize = 120;
/// Words of a heading such as `Bash command`.
const HEADING_WORDS: usize = 3;

/// Where a question stands: its row, and the rows of its options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) rows: &'a [String],
    pub(crate) question: usize,
    pub(crate) options: Option<&'a Range<usize>>,
}

impl<'a> Place<'a> {
    /// What stands above the question in its dialog, and between it and its options. Without an edge to
    /// tell where the dialog begins, what is above counts only if there is nothing between.
    fn around(self) -> (&'a [String], &'a [String]) {
        let between = self.options.and_then(|it| self.rows.get(self.question + 1..it.start));
        let between = between.unwrap_or_default();
        let above = &self.rows[..self.question.min(self.rows.len())];
        let edge = above.iter().rev().take(MAX_ABOVE).position(|row| is_edge(row));
        let is_filled = |row: &&String| !row.chars().all(char::is_whitespace);
        let block = || above.iter().rev().take_while(is_filled).count().min(MAX_BLOCK);
        let is_alone = between.iter().all(|row| shorten(row).is_empty());
        let count = edge.unwrap_or_else(|| if is_alone { block() } else { 0 });
        (&above[above.len() - count..], between)
    }

    /// The last rows around it that say something: what is nearest to the question matters most. That
    /// there was more is said, since it is asked about, too.
    pub(crate) fn lines(self) -> Vec<String> {
        let (above, between) = self.around();
        let texts = above.iter().chain(between).map(|row| shorten(row));
        let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        if texts.len() > MAX_ABOUT {
            texts.drain(..=texts.len() - MAX_ABOUT);
            texts.insert(0, "…".to_owned());
        }
        texts
    }

    /// The command that is to be run, or what is to be changed, where the question does not say it itself.
    /// Nothing rather than something else: every form here is one that a program has.
    pub(crate) fn subject(self, reason: Reason, text: &str) -> Option<String> {
        let (above, between) = self.around();
        let subject = match reason {
            Reason::Permission => {
                let rows: Vec<&String> = above.iter().chain(between).collect();
                let named = |row: &&&String| names_all(text, &shorten(row));
                if rows.iter().any(|row| named(&row)) {
                    return None;
                }
                marked(&rows).or_else(|| labelled(&rows)).or_else(|| headed(&rows))
            }
            Reason::Confirmation if has_marked_letters(text) => {
                above.last().map(|row| shorten(row)).filter(|row| !row.is_empty())
            }
            Reason::Confirmation
            | Reason::Question
            | Reason::Password
            | Reason::FirstRun
            | Reason::Error
            | Reason::TurnDone
            | Reason::Silence
            | Reason::GaveUp => None,
        }?;
        Some(cut(&subject)).filter(|subject| !text.contains(subject.as_str()))
    }
}

/// Whether a question says in full what stands in a row of its own.
fn names_all(question: &str, row: &str) -> bool {
    let is_name = |c: char| matches!(c, '.' | '/' | '_' | '-');
    !row.contains(' ') && row.contains(is_name) && question.contains(row)
}

/// Behind a sign that stands for a shell, or for what is done to a file: `$ touch x`, `→ Edit x`; or in a
/// frame of its own below `? Shell touch x`; or between two dashed lines.
fn marked(rows: &[&String]) -> Option<String> {
    let texts: Vec<String> = rows.iter().map(|row| shorten(row)).collect();
    if let Some(at) = texts.iter().position(|text| text.starts_with("$ ")) {
        return texts[at].get(2..).map(|first| with_rest(first, &texts[at + 1..]));
    }
    let behind = |signs: &[&str]| {
        let stripped =
            |text: &String| signs.iter().find_map(|it| Some(text.strip_prefix(it)?.to_owned()));
        texts.iter().find_map(stripped)
    };
    if let Some(subject) = behind(&["→ ", "← "]) {
        return Some(subject);
    }
    if let Some(tool) = behind(&["? "]) {
        let is_end = |text: &&String| !text.is_empty() && tool.ends_with(&format!(" {text}"));
        let command = texts.iter().find(is_end).cloned();
        return Some(command.unwrap_or(tool));
    }
    let dashes = rows.iter().position(|row| is_dashed(row))?;
    let until = rows.iter().skip(dashes + 1).position(|row| is_dashed(row))?;
    let inside = texts.get(dashes + 1..dashes + 1 + until)?;
    let (first, rest) = inside.split_first()?;
    Some(with_rest(first, rest)).filter(|subject| !subject.is_empty())
}

/// `Destination: src/main.rs`.
fn labelled(rows: &[&String]) -> Option<String> {
    rows.iter().find_map(|row| Some(shorten(row).strip_prefix("Destination: ")?.to_owned()))
}

/// Below a heading such as `Bash command`.
fn headed(rows: &[&String]) -> Option<String> {
    let mut texts = rows.iter().map(|row| shorten(row)).filter(|text| !text.is_empty());
    let heading = texts.next()?;
    let is_heading = heading.starts_with(char::is_uppercase)
        && heading.split(' ').count() <= HEADING_WORDS
        && heading.chars().all(|c| c.is_alphabetic() || c == ' ');
    texts.next().filter(|text| is_heading && !text.starts_with("Tip:"))
}

/// A command goes on in the rows below it, up to an empty one.
fn with_rest(first: &str, rest: &[String]) -> String {
    let rest = rest.iter().take_while(|text| !text.is_empty());
    let parts: Vec<&str> = [first].into_iter().chain(rest.map(String::as_str)).collect();
    parts.join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SUBJECT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// `(Y)es/(N)o`: asked below the command or the file that it is about, or below what a command has printed.
fn has_marked_letters(text: &str) -> bool {
    text.contains("(Y)es/(N)o") && !text.contains("output")
}

/// A line across, not just the side of a frame. One that is dashed, or inside of a frame, only divides
/// a dialog: a command stands between two of them.
fn is_edge(row: &str) -> bool {
    let is_line = |c: &char| matches!(c, '─' | '━' | '═' | '▔' | '▁');
    let is_side = |c: char| matches!(c, '│' | '┃' | '║' | '|');
    row.chars().all(is_frame) && !row.contains(is_side) && row.chars().filter(is_line).count() > 2
}

fn is_dashed(row: &str) -> bool {
    let is_dash = |c: &char| matches!(c, '╌' | '╍' | '┄' | '┅' | '┈' | '┉');
    row.chars().all(is_frame) && row.chars().filter(is_dash).count() > 2
}

#[cfg(test)]
mod tests;
