//! What a program offers to choose from, as it stands on its screen: numbered, one below the other, or
//! side by side.
//!
//! Nothing is found rather than something wrong: where options have no numbers, the screen must say
//! that Enter takes one of them, and show which one that would be. Options that are ticked are left
//! alone, since Enter would not take one but hand in all.

mod below;
mod beside;
mod numbered;

pub(crate) use numbered::choice;

use std::ops::Range;

use terminal::ScreenLook;

use crate::Choice;
use crate::question::{is_frame, shorten};

/// Rows above what a rule has found among which options are looked for.
const ABOVE: usize = 24;
/// Rows with text between the last option and the line that says what Enter does.
const MAX_BELOW: usize = 4;
pub(crate) const MAX_OPTIONS: usize = 9;

/// Glyphs that stand before the selected option, and seldom before anything else.
const POINTERS: [char; 4] = ['❯', '›', '▸', '▶'];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) list: List,
    /// The one that Enter takes, where that can be told.
    pub(crate) selected: Option<usize>,
    /// From the first to the last of them.
    pub(crate) rows: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum List {
    Numbered(Vec<Choice>),
    Below(Vec<String>),
    Beside(Vec<String>),
}

impl Options {
    /// The options that belong to what a rule has found in the row `found`: it may stand above them, be
    /// one of them, or be the line below them that names the keys.
    pub(crate) fn around(screen: &ScreenLook, rows: &[String], found: usize) -> Option<Self> {
        let window = found.saturating_sub(ABOVE)..rows.len();
        let numbered = numbered::find(rows, window.clone());
        let numbered = numbered.filter(|it| it.is_meant(rows, found));
        let unnumbered = [below::find(rows, window.clone()), beside::find(screen, rows, window)];
        let mut unnumbered = unnumbered.into_iter().flatten().filter(|it| it.is_meant(rows, found));
        // The lowest is what the program waits for; above it may be a text with a list in it.
        let (first, second) = (unnumbered.next(), unnumbered.next());
        let unnumbered = if second.is_some() { None } else { first };
        let lowest = numbered.into_iter().chain(unnumbered).max_by_key(|it| it.rows.end)?;
        if lowest.labels().any(is_ticked) { None } else { Some(lowest) }
    }

    /// The last options of the screen, if they have numbers and exactly one of them a pointer.
    pub(crate) fn pointed(rows: &[String]) -> Option<Self> {
        let numbered = numbered::find(rows, 0..rows.len())?;
        let is_menu = numbered.selected.is_some() && !numbered.labels().any(is_ticked);
        is_menu.then_some(numbered)
    }

    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        let (choices, labels) = match &self.list {
            List::Numbered(choices) => (&choices[..], &[][..]),
            List::Below(labels) | List::Beside(labels) => (&[][..], &labels[..]),
        };
        choices.iter().map(|choice| choice.label.as_str()).chain(labels.iter().map(String::as_str))
    }

    fn is_meant(&self, rows: &[String], found: usize) -> bool {
        if found < self.rows.start {
            return true;
        }
        let is_among = self.rows.contains(&found);
        let after = rows.get(self.rows.end..=found).unwrap_or_default();
        let is_right_above = after.iter().filter(|row| is_filled(row)).count() <= MAX_BELOW;
        // A list that a program has printed is no menu because it says “press Enter” below.
        let names_enter = rows[found].to_lowercase().contains("enter");
        let is_menu = says_how(&rows[found]) || (self.selected.is_some() && names_enter);
        is_among || (is_right_above && is_menu)
    }

    /// The row of the question: the one that was found, unless that is among the options or below.
    pub(crate) fn question_row(&self, rows: &[String], found: usize) -> usize {
        if found < self.rows.start {
            return found;
        }
        let above = rows[..self.rows.start].iter().rposition(|row| !shorten(row).is_empty());
        above.unwrap_or(found)
    }
}

fn is_filled(row: &str) -> bool {
    !row.chars().all(is_frame)
}

/// Whether a line names the keys of a menu: Enter, and what that does or how one gets to the others.
fn says_how(row: &str) -> bool {
    let row = row.to_lowercase();
    let does = ["select", "confirm", "choose", "submit", "navigate"];
    row.contains("enter") && does.iter().any(|word| row.contains(word))
}

/// The lines after `row`, and that itself, name the keys.
fn is_explained(rows: &[String], row: usize) -> bool {
    rows.iter().skip(row).any(|row| says_how(row))
}

fn is_ticked(label: &str) -> bool {
    let boxes = ["[ ]", "[x]", "[X]", "[✔]", "[✓]", "[*]", "☐", "☑", "☒", "◻", "◼", "□", "■"];
    boxes.iter().any(|it| label.starts_with(it))
}

#[cfg(test)]
mod tests;
