//! Options one below the other, the selected one behind a pointer.

use std::ops::Range;

use super::numbered::choice;
use super::{List, MAX_OPTIONS, Options, POINTERS, is_explained};
use crate::question::{is_frame, shorten};

/// What may stand between a pointer and an option.
const MARKS: [char; 5] = ['✔', '✓', '○', '◯', '•'];

/// The only such menu in these rows.
pub(super) fn find(rows: &[String], window: Range<usize>) -> Option<Options> {
    let pointed = window.filter(|row| pointer(&rows[*row]) && choice(&rows[*row]).is_none());
    let mut menus = pointed.filter_map(|row| menu_at(rows, row));
    let (first, second) = (menus.next(), menus.next());
    // Of two pointers one is not what Enter takes.
    if second.is_some() { None } else { first }
}

fn pointer(row: &str) -> bool {
    let mut chars = row.trim_start_matches(is_frame).chars();
    chars.next().is_some_and(|c| POINTERS.contains(&c)) && chars.next() == Some(' ')
}

/// All options whose labels begin in the same column as the one behind the pointer.
fn menu_at(rows: &[String], pointed: usize) -> Option<Options> {
    let column = label_column(&rows[pointed])?;
    let above = rows[..pointed].iter().rev().take_while(|row| place(row, column) != Place::Outside);
    let start = pointed - above.count();
    let below = rows[pointed + 1..].iter().take_while(|row| place(row, column) != Place::Outside);
    let end = pointed + 1 + below.count();
    let is_option = |row: &usize| *row == pointed || place(&rows[*row], column) == Place::Option;
    let options: Vec<usize> = (start..end).filter(is_option).collect();
    let label = |row: &usize| {
        let rest: String = rows[*row].chars().skip(column).collect();
        shorten(&rest)
    };
    let labels: Vec<String> = options.iter().take(MAX_OPTIONS).map(label).collect();
    let selected =
        options.iter().position(|row| *row == pointed).filter(|it| *it < labels.len())?;
    let rows_of_it = *options.first()?..options.last()? + 1;
    (labels.len() > 1 && is_explained(rows, rows_of_it.end)).then_some(Options {
        list: List::Below(labels),
        selected: Some(selected),
        rows: rows_of_it,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Option,
    /// Further right: it belongs to the option above.
    Note,
    Outside,
}

fn place(row: &str, column: usize) -> Place {
    match label_column(row) {
        _ if pointer(row) => Place::Outside,
        Some(at) if at == column => Place::Option,
        Some(at) if at > column => Place::Note,
        Some(_) | None => Place::Outside,
    }
}

/// Where the words of a row begin, behind a frame, a pointer and marks.
fn label_column(row: &str) -> Option<usize> {
    let is_before = |c: char| is_frame(c) || POINTERS.contains(&c) || MARKS.contains(&c);
    row.chars().position(|c| !is_before(c))
}
