//! What a program that waits asks, read off its screen.

use terminal::ScreenLook;

use crate::{Reason, Rules};

/// Rows with text, from the bottom, that are looked at.
const ROWS: usize = 24;
/// Characters of a question that are kept.
const MAX_TEXT: usize = 200;
const MAX_CHOICES: usize = 9;

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

/// A question, and the row of the screen in which it stands.
pub(crate) struct Found {
    pub(crate) question: Question,
    pub(crate) row: usize,
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
        return Some(Found { question, row: usize::from(screen.cursor().row) });
    }
    let is_filled = |(_, row): &(usize, &String)| !row.trim().is_empty();
    let filled: Vec<(usize, &String)> = rows.iter().enumerate().filter(is_filled).collect();
    let lower = &filled[filled.len().saturating_sub(ROWS)..];
    let texts: Vec<&str> = lower.iter().map(|(_, row)| row.as_str()).collect();
    let text = texts.join("\n");
    let hit = rules.screen(&text)?;
    let index = text[..hit.start].matches('\n').count();
    let (row, asked) = lower.get(index)?;
    let reason = hit.says;
    let question = Question {
        reason,
        rule: hit.id.to_owned(),
        text: shorten(asked),
        // Below an error there is a prompt, where a key is the first of many.
        is_menu: reason != Reason::Error,
        choices: choices(&texts[index.min(texts.len())..]),
    };
    Some(Found { question, row: *row })
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

/// A row that begins with a number, perhaps with a pointer before it.
pub(crate) fn choice(row: &str) -> Option<Choice> {
    let row = shorten(row);
    let row = row.trim_start_matches(['❯', '›', '>', '●', '○', '◉', '*', ' ']);
    let (number, label) = row.split_once(['.', ')'])?;
    let mut digits = number.trim().chars();
    let key = digits.next().filter(char::is_ascii_digit)?;
    let is_choice = digits.next().is_none() && label.starts_with(' ');
    is_choice.then(|| Choice { key, label: label.trim().to_owned() })
}

fn choices(rows: &[&str]) -> Vec<Choice> {
    let numbered = rows.iter().filter_map(|row| choice(row));
    let mut found: Vec<Choice> = Vec::new();
    for choice in numbered {
        let expected = char::from_digit(u32::try_from(found.len()).unwrap_or(0) + 1, 10);
        if Some(choice.key) == expected && found.len() < MAX_CHOICES {
            found.push(choice);
        }
    }
    if found.len() < 2 { Vec::new() } else { found }
}

#[cfg(test)]
mod tests;
