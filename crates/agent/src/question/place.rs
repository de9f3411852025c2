//! Whether words on a screen are what the program asks now, or only stand there: in an answer, in what it
//! was told, or in a dialog that is over.

use std::ops::Range;

use super::is_frame;
use crate::options::choice;

/// Rows with text that a dialog may have below its options: keys, and what one of them would do.
const BELOW_OPTIONS: usize = 8;
/// Rows with text below a question that has no options.
const BELOW_WORDS: usize = 3;
/// Rows with text between an error and the prompt, for what it says in full.
const BELOW_ERROR: usize = 6;
/// Words before those that tell an error, such as `unexpected status`.
const WORDS_BEFORE: usize = 3;
/// Signs before options of which one or some are taken, and those before the ones that are not.
const TICKS: [char; 6] = ['●', '○', '◉', '◯', '◼', '◻'];
const OPEN_TICKS: [char; 3] = ['○', '◯', '◻'];
/// Columns in which a sign before a message stands; further right it belongs to something else.
const MARGIN: usize = 4;

/// Signs with which agents begin what they say or do.
const SPEAKS: [char; 4] = ['●', '⏺', '•', '✦'];
/// Before a line that the person has typed, or types.
const PROMPTS: [char; 3] = ['❯', '›', '>'];
const QUOTES: [char; 8] = ['"', '\'', '`', '“', '”', '‘', '’', '«'];

/// Whether a dialog with these options is the last thing on the screen.
pub(super) fn ends_with_options(rows: &[String], options: &Range<usize>) -> bool {
    is_end(&rows[options.end.min(rows.len())..], BELOW_OPTIONS)
}

/// Whether words in that row, which begin behind `before`, are a dialog without options, and the last
/// thing on the screen.
pub(super) fn ends_with_words(rows: &[String], row: usize, before: &str) -> bool {
    let below = &rows[row + 1..];
    // Options without numbers: as many as there are, and nothing but them.
    let is_list = below.iter().any(|row| is_ticked(row, &OPEN_TICKS));
    let is_option = |row: &String| is_list && is_ticked(row, &TICKS);
    let other: Vec<String> = below.iter().filter(|row| !is_option(row)).cloned().collect();
    let is_end = is_end(&other, BELOW_WORDS);
    is_end && !speaks(&rows[row]) && !is_prompt(&rows[row]) && words(before) <= WORDS_BEFORE
}

/// Whether it is an error that the program has stopped at, and not one that it writes about: it stands
/// at the beginning of what is said, and nothing but the prompt comes after it.
pub(super) fn is_error(rows: &[String], row: usize, before: &str, after: &str) -> bool {
    let is_quoted = before.ends_with(QUOTES) || is_prompt(&rows[row]);
    let goes_on = rows[row].to_lowercase().contains("retrying");
    let is_inside = rows[row].starts_with(' ')
        && !rows[row].trim_start().starts_with(|c: char| !c.is_alphanumeric())
        && row.checked_sub(1).is_some_and(|above| is_filled(&rows[above]));
    // What an agent says about errors begins with the same sign as an error of its own.
    let is_prose = speaks(&rows[row]) && after.starts_with(' ');
    if is_quoted || goes_on || is_inside || is_prose || !introduces(before, &rows[row]) {
        return false;
    }
    let below: Vec<&String> = rows[row + 1..].iter().filter(|row| is_filled(row)).collect();
    let prompts = below.iter().filter(|row| is_prompt(row)).count();
    let until_prompt = below.iter().take_while(|row| !is_prompt(row)).count();
    let is_last = until_prompt <= BELOW_ERROR || prompts == 0;
    is_last && prompts <= 1 && !below.iter().any(|row| speaks(row))
}

/// Whether what stands before an error is no sentence about it: nothing, its kind and a colon, or a few
/// words behind a sign of their own.
fn introduces(before: &str, row: &str) -> bool {
    let has_sign = before.trim_start_matches(is_frame).starts_with(|c: char| !c.is_alphanumeric());
    let has_sign = has_sign && !speaks(row);
    match words(before) {
        0 => true,
        1..=WORDS_BEFORE => has_sign || before.trim_end().ends_with([':', '(']),
        _ => false,
    }
}

/// Whether these rows, which are the last, say nothing but how one answers.
fn is_end(below: &[String], most: usize) -> bool {
    let below = below.iter().filter(|row| is_filled(row));
    let mut count = 0;
    for row in below {
        count += 1;
        if count > most || is_prompt(row) || speaks(row) {
            return false;
        }
    }
    true
}

/// Whether a row is an option behind one of these signs.
fn is_ticked(row: &str, signs: &[char]) -> bool {
    let mut chars = row.trim_start_matches(is_frame).chars();
    chars.next().is_some_and(|sign| signs.contains(&sign)) && chars.next() == Some(' ')
}

fn is_filled(row: &str) -> bool {
    !row.chars().all(is_frame)
}

/// A row in which the person types, or has typed.
pub(super) fn is_prompt(row: &str) -> bool {
    row.trim_start_matches(is_frame).starts_with(PROMPTS) && choice(row).is_none()
}

/// A row with which something begins that the agent says.
fn speaks(row: &str) -> bool {
    row.chars().take(MARGIN).any(|c| SPEAKS.contains(&c)) && choice(row).is_none()
}

/// Words in a text, apart from signs.
fn words(text: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).count()
}
