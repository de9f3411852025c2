//! From tables of a file to rules, each of which is right or told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::text::{RuleText, Wrong};
use super::{
    MAX_FILE_COMPILED, MAX_FILE_RULES, MAX_RULES, RuleEntry, RuleError, RuleOrigin, built_in,
};
use crate::load::{check_text, read_file};
use crate::{AgentConfig, ConfigError};

/// A file of rules: `[[rules]]` again and again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFile {
    pub entries: Vec<RuleEntry>,
    pub errors: Vec<RuleError>,
}

/// Reads a file of rules.
///
/// # Errors
/// The file cannot be read, or is no such file. What is wrong with one rule is in the result.
pub fn load_rules(path: &Path) -> Result<RuleFile, ConfigError> {
    let bytes = read_file(path)?;
    parse_rules(check_text(&bytes, path)?, path)
}

/// Reads the text of a file of rules; `path` is only for errors.
///
/// # Errors
/// The text is no such file. What is wrong with one rule is in the result.
pub fn parse_rules(text: &str, path: &Path) -> Result<RuleFile, ConfigError> {
    parse_knowing(text, path, built_in::has)
}

/// Reads the rules by which others are checked.
pub(super) fn parse_unchecked(text: &str, path: &Path) -> Result<RuleFile, ConfigError> {
    parse_knowing(text, path, |_| true)
}

fn parse_knowing(
    text: &str,
    path: &Path,
    known: impl Fn(&str) -> bool,
) -> Result<RuleFile, ConfigError> {
    check_text(text.as_bytes(), path)?;
    let table = DeTable::parse(text).map_err(|err| ConfigError::from_toml(path, text, &err))?;
    let mut table = table.into_inner();
    let rules = table.remove("rules");
    if let Some(key) = table.keys().next() {
        let message = format!("unknown field `{}`, expected `[[rules]]`", key.get_ref());
        return Err(ConfigError::at(path, text.as_bytes(), key.span().start, &message));
    }
    let mut reader = RuleReader::new(path, text);
    let entries = rules.map_or_else(Vec::new, |rules| reader.read(None, rules, known));
    Ok(RuleFile { entries, errors: reader.errors })
}

/// Takes the rules out of the agents of a file, by the agents' names: the rest is read whole or not
/// at all, and a bad rule is no reason not to read it.
pub(crate) fn take<'i>(file: &mut DeTable<'i>) -> BTreeMap<String, Spanned<DeValue<'i>>> {
    let Some(DeValue::Table(agents)) = file.get_mut("agents").map(Spanned::get_mut) else {
        return BTreeMap::new();
    };
    let taken = agents.iter_mut().filter_map(|(name, agent)| {
        let DeValue::Table(agent) = agent.get_mut() else { return None };
        Some((name.get_ref().to_string(), agent.remove("rules")?))
    });
    taken.collect()
}

/// Reads the rules of one file within bounds that hold for all of them.
pub(crate) struct RuleReader<'a> {
    path: &'a Path,
    text: &'a str,
    n_left: usize,
    compiled_left: usize,
    pub(crate) errors: Vec<RuleError>,
}

impl<'a> RuleReader<'a> {
    pub(crate) fn new(path: &'a Path, text: &'a str) -> Self {
        let (n_left, compiled_left) = (MAX_FILE_RULES, MAX_FILE_COMPILED);
        Self { path, text, n_left, compiled_left, errors: Vec::new() }
    }

    /// Reads the rules of an agent, puts them before those that it has, and says which they are.
    pub(crate) fn add(
        &mut self,
        agent: &mut AgentConfig,
        name: &str,
        rules: Spanned<DeValue<'_>>,
        origin: RuleOrigin,
    ) -> Vec<RuleEntry> {
        let before = std::mem::take(&mut agent.rules);
        let known = |id: &str| built_in::has(id) || before.iter().any(|(_, it)| it.id() == id);
        let entries = self.read(Some(name), rules, known);
        let own = entries.iter().map(|entry| (origin, entry.clone()));
        agent.rules = own.chain(before.iter().cloned()).collect();
        entries
    }

    fn read(
        &mut self,
        agent: Option<&str>,
        rules: Spanned<DeValue<'_>>,
        known: impl Fn(&str) -> bool,
    ) -> Vec<RuleEntry> {
        let at = rules.span().start;
        let DeValue::Array(rules) = rules.into_inner() else {
            let message = format!("expected tables, each under [[{}]]", key(agent));
            self.complain(agent, None, Wrong::new(message), at);
            return Vec::new();
        };
        let mut ids = BTreeSet::new();
        let mut entries = Vec::new();
        for (index, rule) in rules.into_iter().enumerate() {
            let at = rule.span().start;
            let id =
                rule.get_ref().get("id").and_then(|id| id.get_ref().as_str().map(str::to_owned));
            if index == MAX_RULES || self.n_left == 0 {
                let limit = if index == MAX_RULES { MAX_RULES } else { MAX_FILE_RULES };
                let message = format!("more than {limit} rules; this and the next are left out");
                self.complain(agent, id, Wrong::new(message), at);
                break;
            }
            self.n_left -= 1;
            match self.entry(rule, &known) {
                Ok(entry) if !ids.insert(entry.id().to_owned()) => {
                    let wrong = Wrong::new("id: another rule of this list has it");
                    self.complain(agent, id, wrong, at);
                }
                Ok(entry) => entries.push(entry),
                Err(wrong) => self.complain(agent, id, wrong, at),
            }
        }
        entries
    }

    fn entry(
        &mut self,
        rule: Spanned<DeValue<'_>>,
        known: impl Fn(&str) -> bool,
    ) -> Result<RuleEntry, Wrong> {
        let rule = RuleText::deserialize(ValueDeserializer::from(rule)).map_err(|err| {
            let message = ConfigError::toml_message(self.text, &err);
            Wrong { at: err.span().map(|span| span.start), ..Wrong::new(message) }
        })?;
        let only_switches_off = rule.only_switches_off();
        if self.compiled_left == 0 && !only_switches_off {
            return Err(too_much());
        }
        let entry = rule.into_entry();
        // What is compiled in vain takes as long.
        let compiled = match &entry {
            Ok(RuleEntry::Use(rule)) => rule.memory(),
            Ok(RuleEntry::SwitchOff(_)) => 0,
            Err(wrong) => wrong.compiled,
        };
        let fits = compiled <= self.compiled_left;
        self.compiled_left = self.compiled_left.saturating_sub(compiled);
        match entry {
            Ok(_) if !fits => Err(too_much()),
            Ok(entry) if only_switches_off && !known(entry.id()) => {
                Err(Wrong::new("id: there is no rule of that id to switch off"))
            }
            entry => entry,
        }
    }

    fn complain(&mut self, agent: Option<&str>, id: Option<String>, wrong: Wrong, at: usize) {
        let key = key(agent);
        let rule = id.as_ref().map_or_else(String::new, |id| format!(" `{id}`"));
        let message = format!("{key}{rule}: {}", wrong.message);
        let at = wrong.at.unwrap_or(at);
        let error = ConfigError::at(self.path, self.text.as_bytes(), at, &message);
        let (agent, message) = (agent.map(str::to_owned), error.to_string());
        self.errors.push(RuleError { agent, id, message });
    }
}

fn too_much() -> Wrong {
    let limit = MAX_FILE_COMPILED >> 20;
    Wrong::new(format!("pattern: the rules of this file take more than {limit} MiB when compiled"))
}

fn key(agent: Option<&str>) -> String {
    agent.map_or_else(|| "rules".to_owned(), |agent| format!("agents.{agent}.rules"))
}
