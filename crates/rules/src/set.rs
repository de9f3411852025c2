//! The rules that hold for one program, in the order in which they are tried.

use std::ops::Range;

use crate::{Reason, Rule, RuleKind, TitleSays};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

/// A rule that matched, and what that means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit<'a, T> {
    pub id: &'a str,
    pub says: T,
    /// Where in the text, in bytes.
    pub start: usize,
    pub end: usize,
}

/// Places of one rule on a screen that are told of: as many as it has rows that are looked at.
const MAX_PLACES: usize = 24;

impl Rules {
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter()
    }

    /// What a title says, if anything.
    pub fn title(&self, title: &str) -> Option<Hit<'_, TitleSays>> {
        self.first(title, |kind| match kind {
            RuleKind::Title(says) => Some(says),
            RuleKind::Line(_)
            | RuleKind::Screen(_)
            | RuleKind::Prompt
            | RuleKind::Notification(_) => None,
        })
    }

    /// What a line asks that ends at the cursor.
    pub fn line(&self, line: &str) -> Option<Hit<'_, Reason>> {
        self.first(line, |kind| match kind {
            RuleKind::Line(reason) => Some(reason),
            RuleKind::Title(_)
            | RuleKind::Screen(_)
            | RuleKind::Prompt
            | RuleKind::Notification(_) => None,
        })
    }

    /// What a notification calls for, if it says.
    pub fn notification(&self, text: &str) -> Option<Hit<'_, Reason>> {
        self.first(text, |kind| match kind {
            RuleKind::Notification(reason) => Some(reason),
            RuleKind::Title(_) | RuleKind::Line(_) | RuleKind::Screen(_) | RuleKind::Prompt => None,
        })
    }

    /// All that a screen may ask: for each rule the rows in which it matches, from above.
    pub fn screen<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Hit<'a, Reason>> {
        let rules = self.0.iter().filter_map(|rule| match rule.kind() {
            RuleKind::Screen(reason) => Some((rule, reason)),
            RuleKind::Title(_)
            | RuleKind::Line(_)
            | RuleKind::Prompt
            | RuleKind::Notification(_) => None,
        });
        rules.flat_map(move |(rule, says)| {
            let places = Places { rule, text, at: Some(0) };
            let hit = move |found: Range<usize>| {
                let Range { start, end } = found;
                Hit { id: rule.id(), says, start, end }
            };
            places.take(MAX_PLACES).map(hit)
        })
    }

    /// Whether a line that ends at the cursor is a prompt.
    pub fn prompt(&self, line: &str) -> Option<Hit<'_, ()>> {
        self.first(line, |kind| match kind {
            RuleKind::Prompt => Some(()),
            RuleKind::Title(_)
            | RuleKind::Line(_)
            | RuleKind::Screen(_)
            | RuleKind::Notification(_) => None,
        })
    }

    fn first<T>(&self, text: &str, says: impl Fn(RuleKind) -> Option<T>) -> Option<Hit<'_, T>> {
        self.0.iter().find_map(|rule| {
            let says = says(rule.kind())?;
            let Range { start, end } = rule.find(text, 0)?;
            Some(Hit { id: rule.id(), says, start, end })
        })
    }
}

/// The places of a rule, no more than one a row.
struct Places<'a> {
    rule: &'a Rule,
    text: &'a str,
    /// Where to go on.
    at: Option<usize>,
}

impl Iterator for Places<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let found = self.rule.find(self.text, self.at.take()?)?;
        let line = self.text[found.start..].find('\n');
        self.at = line.map(|line| found.start + line + 1);
        Some(found)
    }
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self(rules.into_iter().collect())
    }
}
