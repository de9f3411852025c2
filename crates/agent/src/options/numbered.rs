//! Options that begin with numbers.

use std::ops::Range;

use super::{List, MAX_OPTIONS, Options, POINTERS};
use crate::Choice;
use crate::question::{is_frame, shorten};

/// The last list of at least two in these rows that counts from one.
pub(super) fn find(rows: &[String], window: Range<usize>) -> Option<Options> {
    let mut lists: Vec<Vec<(usize, Choice)>> = Vec::new();
    for (row, text) in rows.iter().enumerate().take(window.end).skip(window.start) {
        let Some(choice) = choice(text) else { continue };
        // What a question is about may hold a list, too; the menu comes last.
        if choice.key == '1' {
            lists.push(Vec::new());
        }
        let Some(list) = lists.last_mut() else { continue };
        let expected = u32::try_from(list.len() + 1).ok();
        if choice.key.to_digit(10) == expected && list.len() < MAX_OPTIONS {
            list.push((row, choice));
        }
    }
    let list = lists.into_iter().rfind(|list| list.len() > 1)?;
    let mut pointed = list.iter().enumerate().filter(|(_, (row, _))| is_pointed(&rows[*row]));
    let selected = match (pointed.next(), pointed.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    };
    let rows = list.first()?.0..list.last()?.0 + 1;
    let choices = list.into_iter().map(|(_, choice)| choice).collect();
    Some(Options { list: List::Numbered(choices), selected, rows })
}

/// A row that begins with a number, perhaps with a pointer before it.
pub(crate) fn choice(row: &str) -> Option<Choice> {
    let row = shorten(row);
    let row = row.trim_start_matches(|c| is_pointer(c) || matches!(c, '○' | '*' | ' '));
    let (number, label) = row.split_once(['.', ')'])?;
    let mut digits = number.trim().chars();
    let key = digits.next().filter(char::is_ascii_digit)?;
    let is_choice = digits.next().is_none() && label.starts_with(' ');
    is_choice.then(|| Choice { key, label: label.trim().to_owned() })
}

fn is_pointed(row: &str) -> bool {
    row.trim_start_matches(is_frame).starts_with(is_pointer)
}

/// Before a number also what else stands before a line is one.
fn is_pointer(c: char) -> bool {
    POINTERS.contains(&c) || matches!(c, '>' | '●' | '◉')
}
