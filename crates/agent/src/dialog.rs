//! A question with all that a person needs to answer it from elsewhere.

use terminal::{NamedKey, ScreenLook};

use crate::options::{List, Options};
use crate::question::{self, Found};
use crate::{Question, Rules};

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
    pub given: Given,
    /// The program takes Enter alone for this one.
    pub is_default: bool,
}

impl Answer {
    /// Whether what it means is still to be typed, as with `Type something`.
    pub fn wants_text(&self) -> bool {
        let label = self.label.to_lowercase();
        ["type something", "type your", "enter a"].iter().any(|it| label.starts_with(it))
    }
}

/// How a program is given an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// These characters say it.
    Typed(String),
    /// An arrow, pressed so often, selects it; Enter then takes what is selected.
    Selected { arrow: NamedKey, presses: usize },
}

impl Dialog {
    /// Whether `later` is the same dialog, in which that answer is now the selected one.
    pub fn has_selected(&self, answer: usize, later: &Self) -> bool {
        let offered = |dialog: &Self| {
            let answers = dialog.answers.iter();
            answers.map(|answer| (answer.key, answer.label.clone())).collect::<Vec<_>>()
        };
        (&self.question, &self.about) == (&later.question, &later.about)
            && offered(self) == offered(later)
            && later.answers.get(answer).is_some_and(|answer| answer.is_default)
    }
}

pub(crate) fn read(screen: &ScreenLook, rules: &Rules) -> Option<Dialog> {
    let rows = screen.rows();
    let found = question::locate(screen, &rows, rules)?;
    let about = found.place(&rows).lines();
    let Found { question, options, .. } = found;
    let answers = match options {
        Some(options) => chosen_answers(&options),
        None if question.is_menu => Vec::new(),
        None => typed_answers(&question.text),
    };
    Some(Dialog { question, about, answers })
}

/// Answers to a menu. None where two without a number read the same: nobody could tell them apart.
fn chosen_answers(options: &Options) -> Vec<Answer> {
    let labels: Vec<&str> = options.labels().collect();
    let has_numbers = matches!(options.list, List::Numbered(_));
    let is_twice = |label: &str| labels.iter().filter(|it| **it == label).count() > 1;
    if !has_numbers && labels.iter().any(|label| is_twice(label) || label.is_empty()) {
        return Vec::new();
    }
    let answers = ('1'..='9').zip(&labels).enumerate().map(|(index, (number, label))| {
        let letter = own_letter(label).filter(|_| !has_numbers);
        let typed = letter.map(|letter| Given::Typed(letter.to_string()));
        Answer {
            key: letter.unwrap_or(number),
            label: (*label).to_owned(),
            given: typed.unwrap_or_else(|| given(options, index)),
            is_default: options.selected == Some(index),
        }
    });
    let answers: Vec<Answer> = answers.collect();
    if has_keys_twice(&answers) { Vec::new() } else { answers }
}

/// With two answers to one key nobody knows which was meant.
fn has_keys_twice(answers: &[Answer]) -> bool {
    let is_twice = |answer: &Answer| answers.iter().filter(|it| it.key == answer.key).count() > 1;
    answers.iter().any(is_twice)
}

/// `Reject (n)`: the letter answers.
fn own_letter(label: &str) -> Option<char> {
    let (_, letter) = label.strip_suffix(')')?.rsplit_once(" (")?;
    let mut letters = letter.chars();
    letters.next().filter(|c| c.is_ascii_lowercase() && letters.next().is_none())
}

/// A menu with numbers takes the number at once; another one must be gone through.
fn given(options: &Options, index: usize) -> Given {
    let [back, forward] = match &options.list {
        List::Numbered(choices) => {
            return Given::Typed(
                choices.get(index).map(|it| it.key.to_string()).unwrap_or_default(),
            );
        }
        List::Below(_) => [NamedKey::ArrowUp, NamedKey::ArrowDown],
        List::Beside(_) => [NamedKey::ArrowLeft, NamedKey::ArrowRight],
    };
    let selected = options.selected.unwrap_or(index);
    let arrow = if index < selected { back } else { forward };
    Given::Selected { arrow, presses: index.abs_diff(selected) }
}

/// Answers that a line names: `[y/N]`, `(yes/no/[fingerprint])`, `[y,n,q,?]`, `(Y)es/(N)o`.
fn typed_answers(line: &str) -> Vec<Answer> {
    let marked: Vec<Answer> = line.split('/').filter_map(marked_answer).collect();
    let answers = if marked.len() > 1 { marked } else { listed_answers(line) };
    if answers.len() < 2 || has_keys_twice(&answers) { Vec::new() } else { answers }
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
    let (label, given) = (format!("{letter}{rest}"), Given::Typed(format!("{key}\r")));
    is_word.then_some(Answer { key, label, given, is_default: false })
}

/// `[y/N]`: the words of the last brackets.
fn listed_answers(line: &str) -> Vec<Answer> {
    let close = line.rfind([']', ')']).unwrap_or(0);
    let inside = &line[..close];
    let open = if line[close..].starts_with(')') { inside.rfind('(') } else { inside.rfind('[') };
    let Some(open) = open else { return Vec::new() };
    // Where commas are between them, a slash is one of them.
    let separators: &[char] = if inside[open + 1..].contains(',') { &[','] } else { &['/'] };
    let words = inside[open + 1..].split(separators).map(str::trim);
    // `[fingerprint]` stands for what one would have to type.
    let words: Vec<&str> = words.filter(|word| !word.starts_with('[')).collect();
    let is_answer = |word: &&str| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric());
        (is_plain && (1..=MAX_WORD).contains(&word.len())) || ["?", "/"].contains(word)
    };
    if !words.iter().all(is_answer) {
        return Vec::new();
    }
    // `j` and `J` are two answers; elsewhere the one that is written large is the default.
    let has_both = |word: &&str| is_large(word) && words.contains(&&*word.to_ascii_lowercase());
    let tells_case = words.iter().any(has_both);
    words
        .iter()
        .filter_map(|word| if tells_case { word_answer(word) } else { typed(word) })
        .collect()
}

fn typed(written: &str) -> Option<Answer> {
    let answer = word_answer(&written.to_ascii_lowercase())?;
    Some(Answer { is_default: is_large(written), ..answer })
}

fn is_large(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}

fn word_answer(word: &str) -> Option<Answer> {
    let label = match word {
        "y" | "yes" => "Yes",
        "n" | "no" => "No",
        _ => word,
    };
    Some(Answer {
        key: word.chars().next()?,
        label: label.to_owned(),
        given: Given::Typed(format!("{word}\r")),
        is_default: false,
    })
}

#[cfg(test)]
mod tests;
