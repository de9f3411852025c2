//! A question with all that a person needs to answer it from elsewhere.

use terminal::ScreenLook;

use crate::question::{self, Found, choice, is_frame, shorten};
use crate::{Choice, Question, Rules};

/// Rows between the upper edge of a dialog and its question.
const MAX_ABOVE: usize = 12;
/// Rows above a question that has no edge.
const MAX_BLOCK: usize = 4;
/// Rows that are kept of what a question is about.
const MAX_ABOUT: usize = 8;
/// A word longer than this is no answer that one types.
const MAX_WORD: usize = 12;

/// What a program asks, what that is about, and how it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    pub question: Question,
    /// What stands around the question, such as the command that is to be run.
    pub about: Vec<String>,
    /// None where no answer can be told from the screen.
    pub answers: Vec<Answer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// By which it is chosen.
    pub key: char,
    pub label: String,
    /// What the program is sent.
    pub sends: String,
    /// The program takes Enter alone for this one.
    pub is_default: bool,
}

pub(crate) fn read(screen: &ScreenLook, rules: &Rules) -> Option<Dialog> {
    let rows = screen.rows();
    let Found { question, row } = question::locate(screen, &rows, rules)?;
    let about = about(&rows, row);
    let answers = if question.choices.is_empty() && !question.is_menu {
        typed_answers(&question.text)
    } else {
        question.choices.iter().map(pressed).collect()
    };
    Some(Dialog { question, about, answers })
}

/// A menu takes the number of the choice at once.
fn pressed(choice: &Choice) -> Answer {
    Answer {
        key: choice.key,
        label: choice.label.clone(),
        sends: choice.key.to_string(),
        is_default: false,
    }
}

/// What stands between the question and its choices, or else above the question.
fn about(rows: &[String], question: usize) -> Vec<String> {
    let below = rows.iter().skip(question + 1);
    let between: Vec<&String> = below.take_while(|row| choice(row).is_none()).collect();
    let has_choices = question + 1 + between.len() < rows.len();
    let between = if has_choices { texts(&between) } else { Vec::new() };
    if !between.is_empty() {
        return between;
    }
    let above: Vec<&String> = rows.iter().take(question).rev().collect();
    let edge = above.iter().take(MAX_ABOVE).position(|row| is_edge(row));
    let count = edge.unwrap_or_else(|| {
        let is_filled = |row: &&&String| !row.chars().all(char::is_whitespace);
        above.iter().take_while(is_filled).count().min(MAX_BLOCK)
    });
    let above: Vec<&String> = above.into_iter().take(count).rev().collect();
    texts(&above)
}

/// A line across, not just the side of a frame.
fn is_edge(row: &str) -> bool {
    let is_line = |c: &char| matches!(c, '─' | '━' | '═' | '╌' | '╍' | '▔' | '▁');
    row.chars().all(is_frame) && row.chars().filter(is_line).count() > 2
}

/// The last of them that say something: what is nearest to the question matters most.
fn texts(rows: &[&String]) -> Vec<String> {
    let texts = rows.iter().map(|row| shorten(row)).filter(|text| !text.is_empty());
    let texts: Vec<String> = texts.collect();
    texts[texts.len().saturating_sub(MAX_ABOUT)..].to_vec()
}

/// Answers that a line names: `[y/N]`, `(yes/no/[fingerprint])`, `[y,n,q,?]`, `(Y)es/(N)o`.
fn typed_answers(line: &str) -> Vec<Answer> {
    let marked: Vec<Answer> = line.split('/').filter_map(marked_answer).collect();
    let answers = if marked.len() > 1 { marked } else { listed_answers(line) };
    let is_twice = |answer: &Answer| answers.iter().filter(|it| it.key == answer.key).count() > 1;
    // With two answers to one key nobody knows which was meant.
    if answers.len() < 2 || answers.iter().any(is_twice) { Vec::new() } else { answers }
}

/// `(D)on't ask again`: the letter answers.
fn marked_answer(part: &str) -> Option<Answer> {
    let (_, part) = part.split_once('(')?;
    let (letter, rest) = part.split_once(')')?;
    let mut letters = letter.chars();
    let key = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = rest.split(['[', ':', '?']).next().unwrap_or_default().trim_end();
    let is_word = letters.next().is_none() && rest.starts_with(char::is_alphabetic);
    let key = key.to_ascii_lowercase();
    let (label, sends) = (format!("{letter}{rest}"), format!("{key}\r"));
    is_word.then_some(Answer { key, label, sends, is_default: false })
}

/// `[y/N]`: the words of the last brackets.
fn listed_answers(line: &str) -> Vec<Answer> {
    let close = line.rfind([']', ')']).unwrap_or(0);
    let inside = &line[..close];
    let open = if line[close..].starts_with(')') { inside.rfind('(') } else { inside.rfind('[') };
    let Some(open) = open else { return Vec::new() };
    let words = inside[open + 1..].split(['/', ',']).map(str::trim);
    // `[fingerprint]` stands for what one would have to type.
    let words: Vec<&str> = words.filter(|word| !word.starts_with('[')).collect();
    let is_answer = |word: &&str| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric());
        (is_plain && (1..=MAX_WORD).contains(&word.len())) || *word == "?"
    };
    if !words.iter().all(is_answer) {
        return Vec::new();
    }
    words.into_iter().filter_map(typed).collect()
}

/// The one that is written large is the default.
fn typed(written: &str) -> Option<Answer> {
    let word = written.to_ascii_lowercase();
    let key = word.chars().next()?;
    let label = match word.as_str() {
        "y" | "yes" => "Yes".to_owned(),
        "n" | "no" => "No".to_owned(),
        _ => word.clone(),
    };
    let is_default = written.starts_with(|c: char| c.is_ascii_uppercase());
    Some(Answer { key, label, sends: format!("{word}\r"), is_default })
}

#[cfg(test)]
mod tests;
