//! One rule, ready to be used.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::Input;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;

use crate::Reason;

/// Longest pattern, in bytes.
pub const MAX_PATTERN: usize = 1024;
/// Memory that one compiled pattern may take, in bytes.
pub const MAX_COMPILED: usize = 256 * 1024;
/// Memory that matching one may take besides. What needs more is matched more slowly.
const MAX_CACHE: usize = 256 * 1024;

/// What a rule looks at, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    Title(TitleSays),
    /// The line that the cursor is in, up to the cursor.
    Line(Reason),
    /// The lower part of the screen of a program that waits: what it asks.
    Screen(Reason),
    /// The line of the cursor where a program edits one: its prompt.
    Prompt,
    /// The text of a notification: what it calls for.
    Notification(Reason),
}

/// What a title says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TitleSays {
    Working,
    Waiting(Option<Reason>),
}

/// A rule. Copies share what was compiled.
#[derive(Debug, Clone)]
pub struct Rule(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    id: String,
    kind: RuleKind,
    pattern: String,
    regex: Regex,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("an empty pattern matches everything")]
    Empty,
    #[error("it matches an empty text, and so everything")]
    MatchesEverything,
    #[error("it is longer than {MAX_PATTERN} bytes")]
    TooLong,
    #[error("it takes more than {} KiB when compiled; repeat fewer things", MAX_COMPILED / 1024)]
    TooLarge,
    #[error("{0}")]
    Syntax(String),
}

impl TitleSays {
    pub fn is_work(self) -> bool {
        self == Self::Working
    }
}

impl RuleKind {
    /// The word for where it looks.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title(_) => "title",
            Self::Line(_) => "line",
            Self::Screen(_) => "screen",
            Self::Prompt => "prompt",
            Self::Notification(_) => "notification",
        }
    }

    /// The word for what the program does where it matches.
    pub fn says(self) -> &'static str {
        match self {
            Self::Title(TitleSays::Working) => "working",
            Self::Title(TitleSays::Waiting(_))
            | Self::Line(_)
            | Self::Screen(_)
            | Self::Prompt
            | Self::Notification(_) => "waiting",
        }
    }

    /// What is waited for, where it tells.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Line(reason) | Self::Screen(reason) | Self::Notification(reason) => Some(reason),
            Self::Title(TitleSays::Waiting(reason)) => reason,
            Self::Title(TitleSays::Working) | Self::Prompt => None,
        }
    }
}

impl Rule {
    /// Compiles a rule.
    ///
    /// # Errors
    /// The pattern cannot be used.
    pub fn new(id: &str, kind: RuleKind, pattern: &str) -> Result<Self, BadPattern> {
        let regex = compile(pattern)?;
        let (id, pattern) = (id.to_owned(), pattern.to_owned());
        Ok(Self(Arc::new(Compiled { id, kind, pattern, regex })))
    }

    /// How people find it again.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    pub fn kind(&self) -> RuleKind {
        self.0.kind
    }

    pub fn pattern(&self) -> &str {
        &self.0.pattern
    }

    /// What it takes in memory, in bytes, without what matching it takes.
    pub fn memory(&self) -> usize {
        self.0.regex.memory_usage()
    }

    /// Where it first matches, from there on.
    pub(crate) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let input = Input::new(text).range(from..);
        self.0.regex.find(input).map(|found| found.range())
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        let parts = |rule: &Self| (rule.0.kind, rule.0.id.clone(), rule.0.pattern.clone());
        Arc::ptr_eq(&self.0, &other.0) || parts(self) == parts(other)
    }
}

impl Eq for Rule {}

fn compile(pattern: &str) -> Result<Regex, BadPattern> {
    if pattern.is_empty() {
        return Err(BadPattern::Empty);
    }
    if pattern.len() > MAX_PATTERN {
        return Err(BadPattern::TooLong);
    }
    let config = Config::new()
        .nfa_size_limit(Some(MAX_COMPILED))
        .onepass_size_limit(Some(MAX_COMPILED))
        .hybrid_cache_capacity(MAX_CACHE);
    let syntax = syntax::Config::new().multi_line(true);
    let built = Regex::builder().configure(config).syntax(syntax).build(pattern);
    let regex = built.map_err(|err| match err.syntax_error() {
        // The last line of several says what is wrong, those before draw where.
        Some(syntax) => BadPattern::Syntax(last_line(&syntax.to_string())),
        None => BadPattern::TooLarge,
    })?;
    if regex.is_match("") { Err(BadPattern::MatchesEverything) } else { Ok(regex) }
}

fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
