//! The rules that hold for one program, in the order in which they are tried.

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
}

impl Rules {
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter()
    }

    /// What a title says, if anything.
    pub fn title(&self, title: &str) -> Option<Hit<'_, TitleSays>> {
        self.first(title, |kind| match kind {
            RuleKind::Title(says) => Some(says),
            RuleKind::Line(_) | RuleKind::Screen(_) | RuleKind::Prompt => None,
        })
    }

    /// What a line asks that ends at the cursor.
    pub fn line(&self, line: &str) -> Option<Hit<'_, Reason>> {
        self.first(line, |kind| match kind {
            RuleKind::Line(reason) => Some(reason),
            RuleKind::Title(_) | RuleKind::Screen(_) | RuleKind::Prompt => None,
        })
    }

    /// What a screen asks.
    pub fn screen(&self, text: &str) -> Option<Hit<'_, Reason>> {
        self.first(text, |kind| match kind {
            RuleKind::Screen(reason) => Some(reason),
            RuleKind::Title(_) | RuleKind::Line(_) | RuleKind::Prompt => None,
        })
    }

    /// Whether a line that ends at the cursor is a prompt.
    pub fn prompt(&self, line: &str) -> Option<Hit<'_, ()>> {
        self.first(line, |kind| match kind {
            RuleKind::Prompt => Some(()),
            RuleKind::Title(_) | RuleKind::Line(_) | RuleKind::Screen(_) => None,
        })
    }

    fn first<T>(&self, text: &str, says: impl Fn(RuleKind) -> Option<T>) -> Option<Hit<'_, T>> {
        self.0.iter().find_map(|rule| {
            let says = says(rule.kind())?;
            Some(Hit { id: rule.id(), says, start: rule.find(text)? })
        })
    }
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self(rules.into_iter().collect())
    }
}
