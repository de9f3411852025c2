//! The bar with which one finds text in all that a terminal has shown.
//!
//! It belongs to one terminal and leaves that visible. The search itself runs elsewhere: here is what
//! was asked for, and what came of it. Matches are counted from the newest, where people start.

use std::time::{Duration, Instant};

use terminal::{SearchMatch, SearchMatches, SearchQuery};

use crate::{ProgramId, TextInput};

/// While output goes on it is searched again, but no sooner than this after the last time.
const SEARCH_EVERY: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct Find {
    pub(crate) program: ProgramId,
    pub(crate) input: TextInput,
    pub(crate) is_regex: bool,
    pub(crate) case_sensitive: bool,
    /// Keys go to the bar, and not to the terminal.
    pub(crate) has_keys: bool,
    pub(crate) outcome: FindOutcome,
    /// What was searched last, if anything.
    last: Option<Search>,
}

/// A search that was asked for.
#[derive(Debug)]
struct Search {
    id: u64,
    /// How much had been printed by then.
    output: u64,
    at: Instant,
    is_answered: bool,
    /// It looks for something else than the one before.
    is_new: bool,
}

/// What came of the last search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindOutcome {
    /// Nothing was asked for, or there is no answer yet.
    Unknown,
    /// The pattern cannot be read.
    Bad(String),
    Found {
        matches: SearchMatches,
        current: Option<usize>,
    },
}

impl Find {
    /// `query` is what it has to begin with.
    pub(crate) fn new(program: ProgramId, query: &SearchQuery) -> Self {
        Self {
            program,
            input: TextInput::new(&query.pattern),
            is_regex: query.is_regex,
            case_sensitive: query.case_sensitive,
            has_keys: true,
            outcome: FindOutcome::Unknown,
            last: None,
        }
    }

    /// The terminal that it searches.
    pub fn program(&self) -> ProgramId {
        self.program
    }

    pub fn input(&self) -> &TextInput {
        &self.input
    }

    pub fn is_regex(&self) -> bool {
        self.is_regex
    }

    pub fn is_case_sensitive(&self) -> bool {
        self.case_sensitive
    }

    /// Whether what is typed goes into it.
    pub fn has_keys(&self) -> bool {
        self.has_keys
    }

    pub fn outcome(&self) -> &FindOutcome {
        &self.outcome
    }

    /// "3 of 17", "none", or why nothing can be found.
    pub fn summary(&self) -> String {
        match &self.outcome {
            FindOutcome::Unknown => String::new(),
            FindOutcome::Bad(why) => why.clone(),
            FindOutcome::Found { matches, current } => {
                let count = matches.matches.len();
                let more = if matches.is_partial { "+" } else { "" };
                match current {
                    _ if count == 0 && !matches.is_partial => "none".to_owned(),
                    Some(current) => format!("{} of {count}{more}", count - current),
                    None => format!("{count}{more}"),
                }
            }
        }
    }

    pub(crate) fn query(&self) -> SearchQuery {
        SearchQuery {
            pattern: self.input.text().to_owned(),
            is_regex: self.is_regex,
            case_sensitive: self.case_sensitive,
        }
    }

    /// Forgets what was found and asked for.
    pub(crate) fn forget(&mut self) {
        self.outcome = FindOutcome::Unknown;
        self.last = None;
    }

    pub(crate) fn ask(&mut self, id: u64, output: u64, now: Instant) {
        let is_new = self.last.is_none();
        self.last = Some(Search { id, output, at: now, is_answered: false, is_new });
    }

    /// Whether what is in it was ever searched for.
    pub(crate) fn is_asked(&self) -> bool {
        self.last.is_some()
    }

    /// Whether the answer is to what was asked last, and if so whether that was something new.
    pub(crate) fn answered(&mut self, id: u64) -> Option<Novelty> {
        let last = self.last.as_mut().filter(|last| last.id == id)?;
        last.is_answered = true;
        Some(if last.is_new { Novelty::New } else { Novelty::Again })
    }

    /// When to search again, of a terminal that has printed so much.
    pub(crate) fn due(&self, output: u64) -> Option<Instant> {
        let last = self.last.as_ref()?;
        let is_outdated = last.is_answered && last.output != output;
        is_outdated.then(|| last.at + SEARCH_EVERY)
    }

    pub(crate) fn current(&self) -> Option<SearchMatch> {
        match &self.outcome {
            FindOutcome::Found { matches, current } => matches.matches.get((*current)?).cloned(),
            FindOutcome::Unknown | FindOutcome::Bad(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    Again,
}
