//! What a program that waits asks, read off its screen.

mod place;

use terminal::ScreenLook;

use crate::about::Place;
use crate::options::{List, Options};
use crate::{Reason, Rules};

/// Rows with text, from the bottom, that are looked at.
const ROWS: usize = 24;
/// Characters of a question that are kept.
const MAX_TEXT: usize = 200;
/// What finds a question that no rule knows, for those who ask why.
const MENU: &str = "menu";
const LABEL: &str = "label";

/// What a program asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub reason: Reason,
    /// The rule by which it was found.
    pub rule: String,
    pub text: String,
    /// What it is about, where the text does not say so: the command that is to be run, or the file.
    pub subject: Option<String>,
    /// One key answers it, without Enter.
    pub is_menu: bool,
    /// The answers that it numbers.
    pub choices: Vec<Choice>,
    pub(crate) standing: Standing,
    /// The row of the screen in which it begins.
    pub(crate) top: usize,
}

/// How sure it is that a question is asked, by how it stands on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It says what a program waits for of which others say that it waits.
    Words,
    /// A program asks that has come to rest.
    Question,
    /// A menu with its pointer, or a prompt at the cursor: whatever else moves on the screen, nobody
    /// draws that but to be answered.
    Dialog,
}

impl Question {
    /// Whether it was found by how it stands before the cursor alone.
    pub(crate) fn is_label(&self) -> bool {
        self.standing == Standing::Words && self.reason == Reason::Question
    }

    /// What is asked and what about, on one line: in these words of others, if they say both.
    pub fn line(&self, told: Option<&str>) -> String {
        match (&self.subject, told) {
            (Some(subject), Some(told)) if told.contains(subject.as_str()) => told.to_owned(),
            (Some(subject), _) => format!("{subject} · {}", self.text),
            (None, told) => told.unwrap_or(&self.text).to_owned(),
        }
    }

    /// Whether it is the same for who reads it, by whichever rule it was found.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        (&self.text, &self.choices) == (&other.text, &other.choices)
    }

    /// Whether it is asked about something else, as far as both say what about.
    pub(crate) fn is_about_another(&self, other: &Self) -> bool {
        self.subject.is_some() && other.subject.is_some() && self.subject != other.subject
    }
}

/// What a screen asks that may not be at rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Glimpse {
    pub(crate) question: Option<Question>,
    /// It was printed since the screen was last looked at, be it in the words that stood there before.
    pub(crate) is_drawn: bool,
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
    /// The cursor is shown. Programs that draw lists and forms of their own hide it.
    pub is_cursor_shown: bool,
}

pub(crate) fn read(screen: &ScreenLook, rules: &Rules) -> Reading {
    let line = screen.before_cursor();
    let prompt = rules.prompt(&line).map(|hit| hit.id.to_owned());
    Reading {
        question: find(screen, rules),
        prompt,
        is_line_empty: line.trim().is_empty(),
        is_cursor_shown: screen.is_cursor_shown(),
    }
}

pub(crate) fn find(screen: &ScreenLook, rules: &Rules) -> Option<Question> {
    locate(screen, &screen.rows(), rules).map(|found| found.question)
}

pub(crate) fn glimpse(screen: &ScreenLook, rules: &Rules) -> Glimpse {
    let question = find(screen, rules);
    let is_drawn = question.as_ref().is_some_and(|question| screen.is_drawn_anew(question.top));
    Glimpse { question, is_drawn }
}

/// A question, the row of the screen in which it stands, and what is to be chosen from.
pub(crate) struct Found {
    pub(crate) question: Question,
    pub(crate) row: usize,
    pub(crate) options: Option<Options>,
}

/// `rows` are those of the screen.
pub(crate) fn locate(screen: &ScreenLook, rows: &[String], rules: &Rules) -> Option<Found> {
    let mut found = locate_words(screen, rows, rules)?;
    let asked = &found.question;
    found.question.subject = found.place(rows).subject(asked.reason, &asked.text);
    Some(found)
}

fn locate_words(screen: &ScreenLook, rows: &[String], rules: &Rules) -> Option<Found> {
    let line = screen.before_cursor();
    if let Some(hit) = rules.line(&line).filter(|hit| !is_typed(&line, hit.says)) {
        let standing = match hit.says {
            Reason::Confirmation | Reason::Password => Standing::Dialog,
            _ => Standing::Question,
        };
        return Some(Found::at_cursor(screen, hit.says, hit.id, standing));
    }
    let words = by_words(screen, rows, rules);
    words.or_else(|| menu(screen, rows)).or_else(|| label(screen, &line))
}

impl Found {
    /// Where it stands on the screen with those rows.
    pub(crate) fn place<'a>(&'a self, rows: &'a [String]) -> Place<'a> {
        let options = self.options.as_ref().map(|options| &options.rows);
        Place { rows, question: self.row, options }
    }

    fn at_cursor(screen: &ScreenLook, reason: Reason, rule: &str, standing: Standing) -> Self {
        let cursor = usize::from(screen.cursor().row);
        let (rule, text) = (rule.to_owned(), shorten(&screen.before_cursor()));
        let (subject, is_menu, choices) = (None, false, Vec::new());
        let top = cursor;
        let question = Question { reason, rule, text, subject, is_menu, choices, standing, top };
        Self { question, row: screen.line(cursor).start, options: None }
    }

    fn menu(
        screen: &ScreenLook,
        (reason, rule): (Reason, &str),
        (found, rows): (usize, &[String]),
        options: Option<Options>,
    ) -> Self {
        let row = options.as_ref().map_or(found, |options| options.question_row(rows, found));
        let choices = match options.as_ref().map(|options| &options.list) {
            Some(List::Numbered(choices)) => choices.clone(),
            Some(List::Below(_) | List::Beside(_)) | None => Vec::new(),
        };
        // Below an error there is a prompt, where a key is the first of many.
        let is_menu = reason != Reason::Error;
        let standing = match &options {
            _ if !is_menu => Standing::Words,
            Some(options) if options.selected.is_some() => Standing::Dialog,
            Some(_) | None => Standing::Question,
        };
        let (rule, text) = (rule.to_owned(), shorten(&screen.line_text(row)));
        let (subject, top) = (None, row);
        let question = Question { reason, rule, text, subject, is_menu, choices, standing, top };
        Self { question, row, options }
    }
}

/// What a rule finds where it stands for a question, and not for talk about one.
fn by_words(screen: &ScreenLook, rows: &[String], rules: &Rules) -> Option<Found> {
    let is_filled = |(_, row): &(usize, &String)| !row.trim().is_empty();
    let filled: Vec<(usize, &String)> = rows.iter().enumerate().filter(is_filled).collect();
    let lower = &filled[filled.len().saturating_sub(ROWS)..];
    let texts: Vec<&str> = lower.iter().map(|(_, row)| row.as_str()).collect();
    let text = texts.join("\n");
    rules.screen(&text).find_map(|hit| {
        let index = text[..hit.start].matches('\n').count();
        let (found, row) = *lower.get(index)?;
        let begin = text[..hit.start].rfind('\n').map_or(0, |at| at + 1);
        let before = row.get(..hit.start - begin)?;
        let after = text[hit.end..].lines().next().unwrap_or_default();
        let is_error = hit.says == Reason::Error;
        let options = Options::around(screen, rows, found).filter(|_| !is_error);
        let is_asked = match &options {
            _ if is_error => place::is_error(rows, found, before, after),
            Some(options) => place::ends_with_options(rows, &options.rows),
            None => place::ends_with_words(rows, found, before),
        };
        is_asked.then(|| Found::menu(screen, (hit.says, hit.id), (found, rows), options))
    })
}

/// Numbered answers, one of them behind a pointer, are a question in whatever words.
fn menu(screen: &ScreenLook, rows: &[String]) -> Option<Found> {
    let options = Options::pointed(rows)?;
    let is_asked = place::ends_with_options(rows, &options.rows);
    let found = options.rows.start;
    is_asked.then(|| Found::menu(screen, (Reason::Question, MENU), (found, rows), Some(options)))
}

/// `Enter the code: ` or `name: (demo) ` before the cursor is a question if the program has stopped. Whether
/// it has is for others to say: progress is told in such words, too.
fn label(screen: &ScreenLook, line: &str) -> Option<Found> {
    let words = shorten(line);
    let is_spaced = screen.is_blank_before_cursor();
    let label = words.strip_suffix(':').or_else(|| before_default(&words).filter(|_| is_spaced))?;
    let has_words = label.chars().filter(|c| c.is_alphabetic()).count() > 1;
    has_words.then(|| Found::at_cursor(screen, Reason::Question, LABEL, Standing::Words))
}

/// What stands before an answer in brackets that is taken for none.
fn before_default(words: &str) -> Option<&str> {
    let brackets = [(')', '('), (']', '[')];
    brackets.iter().find_map(|(end, begin)| Some(words.strip_suffix(*end)?.rsplit_once(*begin)?.0))
}

/// Whether a line that ends like a question was typed by the person, behind a prompt.
fn is_typed(line: &str, reason: Reason) -> bool {
    reason == Reason::Question && place::is_prompt(line)
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
