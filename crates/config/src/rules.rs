//! The rules by which agents are judged: those that come with us, the user's and a project's.
//!
//! A rule that cannot be used is left out and told. It never costs the rest of a file, nor the
//! agent that it is about.

mod built_in;
mod read;
mod text;

use std::collections::BTreeSet;
use std::fmt;

use rules::{Rule, Rules};

pub use self::built_in::KINDS;
pub use self::read::{RuleFile, load_rules, parse_rules};
pub(crate) use self::read::{RuleReader, take};
use crate::{Config, UnknownAgent};

/// Rules that one agent may have of its own.
pub(crate) const MAX_RULES: usize = 64;
/// Rules that one file may hold.
pub(crate) const MAX_FILE_RULES: usize = 256;
/// What all rules of one file may take when compiled, in bytes.
pub(crate) const MAX_FILE_COMPILED: usize = 4 * 1024 * 1024;

/// What a file says of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleEntry {
    /// Instead of any other of its id.
    Use(Rule),
    /// No rule of that id is to be used.
    SwitchOff(String),
}

/// Who wrote a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleOrigin {
    /// Comes with us, and holds for every program.
    Common,
    /// Comes with us, and holds for one kind of agent.
    Kind(&'static str),
    User,
    Project,
    /// A file that is only looked at.
    File,
}

/// A rule that holds, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRule {
    pub origin: RuleOrigin,
    pub rule: Rule,
}

/// A rule that cannot be used, and why: one line that says where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError {
    /// Whose it would be; a file of rules names nobody.
    pub agent: Option<String>,
    /// Where it has one that can be read.
    pub id: Option<String>,
    pub message: String,
}

impl RuleEntry {
    pub fn id(&self) -> &str {
        match self {
            Self::Use(rule) => rule.id(),
            Self::SwitchOff(id) => id,
        }
    }
}

impl Config {
    /// The rules that hold for an agent of that name which runs that program, in the order in which
    /// they are tried: a project's, the user's, those of its kind, those for everybody.
    ///
    /// Its kind is its name, or else the last part of its program's path. What is said of an agent
    /// of the program's name holds for it too.
    pub fn known_rules(&self, name: &str, program: &str) -> Vec<KnownRule> {
        let program = program.rsplit('/').next().unwrap_or(program);
        let names: BTreeSet<&str> = [name, program].into();
        let names = [name, program].into_iter().take(names.len());
        let own = names.clone().filter_map(|name| self.agents.get(name));
        let own = own.flat_map(|agent| agent.rules.iter().cloned());
        layered(own.chain(built_in::of(names)))
    }

    /// The same, ready to be used.
    pub fn rules(&self, name: &str, program: &str) -> Rules {
        self.known_rules(name, program).into_iter().map(|known| known.rule).collect()
    }

    /// The first rule that was left out, and how many more were.
    pub fn rule_complaint(&self) -> Option<String> {
        complaint(&self.rule_errors)
    }

    /// The rules that hold for an agent of that name when it is started as it is configured.
    ///
    /// # Errors
    /// The name is neither built in nor configured.
    pub fn agent_rules(&self, name: &str) -> Result<Vec<KnownRule>, UnknownAgent> {
        let agent = self.agent_command(name)?;
        let program = agent.argv.first().map_or("", String::as_str);
        Ok(self.known_rules(name, program))
    }
}

pub(crate) fn complaint(errors: &[RuleError]) -> Option<String> {
    let first = errors.first()?;
    Some(match errors.len() {
        1 => first.to_string(),
        n_errors => format!("{first} (and {} more)", n_errors - 1),
    })
}

/// Without those that a stronger one of the same id replaces or switches off.
pub(crate) fn layered(
    entries: impl IntoIterator<Item = (RuleOrigin, RuleEntry)>,
) -> Vec<KnownRule> {
    let mut ids = BTreeSet::new();
    let first = entries.into_iter().filter(|(_, entry)| ids.insert(entry.id().to_owned()));
    let used = first.filter_map(|(origin, entry)| match entry {
        RuleEntry::Use(rule) => Some(KnownRule { origin, rule }),
        RuleEntry::SwitchOff(_) => None,
    });
    used.collect()
}

impl RuleFile {
    /// The rules of a file that is only looked at, before those that would hold without it.
    pub fn before(&self, known: Vec<KnownRule>) -> Vec<KnownRule> {
        let own = self.entries.iter().map(|entry| (RuleOrigin::File, entry.clone()));
        let known = known.into_iter().map(|it| (it.origin, RuleEntry::Use(it.rule)));
        layered(own.chain(known))
    }
}

/// As people read it.
impl fmt::Display for RuleOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Common => f.write_str("built in"),
            Self::Kind(kind) => write!(f, "built in for {kind}"),
            Self::User => f.write_str("your config"),
            Self::Project => f.write_str("this folder"),
            Self::File => f.write_str("file"),
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RuleError {}

#[cfg(test)]
mod tests;
