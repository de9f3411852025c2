//! `.trackside/config.toml`: what a folder's own settings change for agents started in it.
//!
//! The file is a stranger's. Here it is only read: in bounded time and memory, and without being
//! led out of the folder. Whether what it names may run is decided elsewhere, by [`Project::settings`]:
//! all that decides what runs or how it is judged, and nothing that does not.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::agents::AgentEntry;
use crate::load::{check_count, check_text};
use crate::rules::{self, RuleReader};
use crate::{AgentConfig, Config, ConfigError, RuleEntry, RuleError, RuleOrigin};

/// Below the folder it is about.
pub const PROJECT_FILE: &str = ".trackside/config.toml";

/// Settings that are the user's alone.
const USER_ONLY: [&str; 11] = [
    "theme",
    "font_size",
    "text_rendering",
    "reduced_motion",
    "limits",
    "terminal",
    "environment",
    "notify",
    "recording",
    "attach",
    "keys",
];

/// A folder's own settings, merged over the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    file: PathBuf,
    /// Those that it changes or adds, as they are then.
    agents: BTreeMap<String, AgentConfig>,
    settings: Vec<Setting>,
    rule_errors: Vec<RuleError>,
}

/// One setting that decides what runs, with which environment, or how it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub agent: String,
    /// `start`, `resume`, `run`, `hooks`, `env` or `rules`.
    pub key: &'static str,
    /// The command's words; of a variable its name and its value, of an empty `env` nothing; of a rule its
    /// id and what it is.
    pub words: Vec<String>,
}

/// A folder's settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct ProjectError {
    error: ConfigError,
    text: Option<String>,
}

impl Project {
    /// Reads the settings of a folder; `None` where it has none.
    ///
    /// # Errors
    /// There is something in their place that cannot be read, or says something wrong.
    pub fn load(root: &Path, user: &Config) -> Result<Option<Self>, ProjectError> {
        let file = root.join(PROJECT_FILE);
        let unreadable = |error| ProjectError { error, text: None };
        let Some(bytes) = read::read(root, &file).map_err(unreadable)? else { return Ok(None) };
        let text = check_text(&bytes, &file).map_err(unreadable)?;
        Self::parse(text, &file, user).map(Some)
    }

    /// Reads the text of such a file; `file` is for errors and for who asks.
    ///
    /// # Errors
    /// Names the place, the key and what was expected there.
    pub fn parse(text: &str, file: &Path, user: &Config) -> Result<Self, ProjectError> {
        let wrong = |error| ProjectError { error, text: Some(text.to_owned()) };
        let wrong_at =
            |at: usize, message: &str| wrong(ConfigError::at(file, text.as_bytes(), at, message));
        let wrong_toml = |err: &toml::de::Error| wrong(ConfigError::from_toml(file, text, err));

        check_text(text.as_bytes(), file).map_err(wrong)?;
        let mut table = DeTable::parse(text).map_err(|err| wrong_toml(&err))?;
        let users = table.get_ref().keys().find(|key| USER_ONLY.contains(&key.get_ref().as_ref()));
        if let Some(key) = users {
            let name = key.get_ref();
            let message = format!("{name}: only your own config.toml may set it, not a project");
            return Err(wrong_at(key.span().start, &message));
        }
        let mut rules = rules::take(table.get_mut());
        let written = ProjectText::deserialize(Deserializer::from(table));
        let ProjectText { agents: entries } = written.map_err(|err| wrong_toml(&err))?;
        check_count(&entries).map_err(|(at, message)| wrong_at(at, &message))?;

        let mut known = user.agents.clone();
        let mut names = BTreeSet::new();
        let mut settings = Vec::new();
        let mut reader = RuleReader::new(file, text);
        for (name, entry) in entries {
            let at = name.span().start;
            let name = name.into_inner();
            let of_entry = entry.settings(&name);
            entry.merge(&mut known, &name).map_err(|message| wrong_at(at, &message))?;
            settings.extend(of_entry);
            if let (Some(rules), Some(agent)) = (rules.remove(&name), known.get_mut(&name)) {
                let entries = reader.add(agent, &name, rules, RuleOrigin::Project);
                settings.extend(entries.iter().map(|entry| Setting::of_rule(&name, entry)));
            }
            names.insert(name);
        }
        let agents = known.into_iter().filter(|(name, _)| names.contains(name)).collect();
        let (file, rule_errors) = (file.to_owned(), reader.errors);
        Ok(Self { file, agents, settings, rule_errors })
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// All that decides what runs, in an order that does not depend on the file's.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Whether it decides what an agent of that name runs.
    pub fn commands(&self, agent: &str) -> bool {
        self.settings.iter().any(|setting| setting.agent == agent)
    }

    /// Whether it says anything of an agent of that name.
    pub fn touches(&self, agent: &str) -> bool {
        self.agents.contains_key(agent)
    }

    /// The first rule that was left out, and how many more were.
    pub fn rule_complaint(&self) -> Option<String> {
        rules::complaint(&self.rule_errors)
    }

    /// The user's settings with the folder's over them.
    #[must_use]
    pub fn over(&self, user: &Config) -> Config {
        let mut merged = user.clone();
        for (name, mut agent) in self.agents.clone() {
            // What the user says of it may have changed since it was read.
            let users = user.agents.get(&name).map_or(&[][..], |agent| &agent.rules);
            agent.rules.retain(|(origin, _)| *origin == RuleOrigin::Project);
            agent.rules.extend_from_slice(users);
            merged.agents.insert(name, agent);
        }
        merged
    }
}

impl Setting {
    fn of_rule(agent: &str, entry: &RuleEntry) -> Self {
        let words = match entry {
            RuleEntry::SwitchOff(id) => vec![id.clone()],
            RuleEntry::Use(rule) => {
                let kind = rule.kind();
                let says = kind.reason().map_or(kind.says(), |reason| reason.name());
                vec![
                    rule.id().to_owned(),
                    kind.name().to_owned(),
                    says.to_owned(),
                    rule.pattern().to_owned(),
                ]
            }
        };
        Self { agent: agent.to_owned(), key: "rules", words }
    }
}

impl ProjectError {
    /// Whether a right file may have said what an agent of that name runs.
    pub fn may_concern(&self, agent: &str) -> bool {
        self.text.as_ref().is_none_or(|text| text.contains(agent))
    }
}

/// As it is shown to who is asked: nothing in it is left out, and nothing can hide.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, key, words } = self;
        match (*key, &words[..]) {
            ("env", [name, value]) => write!(f, "{agent}.env.{} = {value:?}", shown_name(name)),
            ("env", _) => write!(f, "{agent}.env = {{}}"),
            ("rules", [id]) => write!(f, "{agent}.rules.{id} = off"),
            ("rules", [id, kind, says, pattern]) => {
                write!(f, "{agent}.rules.{id} = {kind} {says} {pattern:?}")
            }
            ("hooks", [value]) => write!(f, "{agent}.hooks = {value}"),
            _ => write!(f, "{agent}.{key} = {words:?}"),
        }
    }
}

/// Bare where that is unmistakable.
fn shown_name(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of settings")]
struct ProjectText {
    agents: BTreeMap<Spanned<String>, AgentEntry>,
}

#[cfg(test)]
mod tests;
