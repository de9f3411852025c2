//! What a program that waits asks, read off its screen.

use terminal::ScreenLook;

use crate::options::{List, Options};
use crate::{Reason, Rules};

/// Rows with text, from the bottom, that are looked at.
const ROWS: usize = 24;
/// Characters of a question that are kept.
const MAX_TEXT: usize = 200;

/// What a program asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub reason: Reason,
    /// The rule by which it was found.
    pub rule: String,
    pub text: String,
    /// One key answers it, without Enter.
    pub is_menu: bool,
    /// The answers that it numbers.
    pub choices: Vec<Choice>,
}

impl Question {
    /// Whether it is the same for who reads it, by whichever rule it was found.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        (&self.text, &self.choices) == (&other.text, &other.choices)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is to be pressed.
    pub key: char,
    pub label: String,
}

/// What a screen at rest was found to say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    pub question: Option<Question>,
    /// The rule by which the cursor stands behind the prompt of a line editor.
    pub prompt: Option<String>,
    /// Nothing stands before the cursor.
    pub is_line_empty: bool,
}

pub(crate) fn read(screen: &ScreenLook, rules: &Rules) -> Reading {
    let line = screen.before_cursor();
    let prompt = rules.prompt(&line).map(|hit| hit.id.to_owned());
    Reading { question: find(screen, rules), prompt, is_line_empty: line.trim().is_empty() }
}

pub(crate) fn find(screen: &ScreenLook, rules: &Rules) -> Option<Question> {
    locate(screen, &screen.rows(), rules).map(|found| found.question)
}

/// A question, the row of the screen in which it stands, and what is to be chosen from.
pub(crate) struct Found {
    pub(crate) question: Question,
    pub(crate) row: usize,
    pub(crate) options: Option<Options>,
}

/// `rows` are those of the screen.
pub(crate) fn locate(screen: &ScreenLook, rows: &[String], rules: &Rules) -> Option<Found> {
    let line = screen.before_cursor();
    if let Some(hit) = rules.line(&line) {
        let question = Question {
            reason: hit.says,
            rule: hit.id.to_owned(),
            text: shorten(&line),
            is_menu: false,
            choices: Vec::new(),
        };
        return Some(Found { question, row: usize::from(screen.cursor().row), options: None });
    }
    let is_filled = |(_, row): &(usize, &String)| !row.trim().is_empty();
    let filled: Vec<(usize, &String)> = rows.iter().enumerate().filter(is_filled).collect();
    let lower = &filled[filled.len().saturating_sub(ROWS)..];
    let texts: Vec<&str> = lower.iter().map(|(_, row)| row.as_str()).collect();
    let text = texts.join("\n");
    let hit = rules.screen(&text)?;
    let index = text[..hit.start].matches('\n').count();
    let (found, _) = *lower.get(index)?;
    let reason = hit.says;
    // Below an error there is a prompt, where a key is the first of many.
    let is_menu = reason != Reason::Error;
    let options = Options::around(screen, rows, found).filter(|_| is_menu);
    let row = options.as_ref().map_or(found, |options| options.question_row(rows, found));
    let choices = match options.as_ref().map(|options| &options.list) {
        Some(List::Numbered(choices)) => choices.clone(),
        Some(List::Below(_) | List::Beside(_)) | None => Vec::new(),
    };
    let (rule, text) = (hit.id.to_owned(), shorten(&rows[row]));
    let question = Question { reason, rule, text, is_menu, choices };
    Some(Found { question, row, options })
}

pub(crate) fn is_frame(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2500}'..='\u{259f}' | '|')
}

/// Without the frame around it, and not too long.
pub(crate) fn shorten(line: &str) -> String {
    let text = line.trim_matches(is_frame);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests;
