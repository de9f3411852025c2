//! `[agents.NAME]` as it is written.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny};

use super::{AgentConfig, RestartPolicy};
use crate::project::Setting;
use crate::{tokens, value};

/// What is absent stays as it was.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table with the settings of an agent")]
pub(crate) struct AgentEntry {
    display_name: Option<String>,
    #[serde(deserialize_with = "command")]
    start: Option<Vec<String>>,
    #[serde(deserialize_with = "command")]
    resume: Option<Vec<String>>,
    #[serde(deserialize_with = "command")]
    run: Option<Vec<String>>,
    #[serde(deserialize_with = "value::optional_duration")]
    needs_input_timeout: Option<Duration>,
    #[serde(deserialize_with = "value::optional_duration")]
    stale_timeout: Option<Duration>,
    #[serde(deserialize_with = "value::restart_policy")]
    restart: Option<RestartPolicy>,
    hooks: Option<bool>,
    #[serde(deserialize_with = "environment")]
    env: Option<BTreeMap<String, String>>,
    /// Named here to be known; they are read by themselves.
    rules: Option<IgnoredAny>,
}

impl AgentEntry {
    /// Changes the agent of that name, or adds it, which takes a `start`.
    pub(crate) fn merge(
        self,
        agents: &mut BTreeMap<String, AgentConfig>,
        name: &str,
    ) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return Err(format!(
                "agents: the name `{name}` is not 1 to 64 letters, digits, `-`, `_` or `.`"
            ));
        }
        let agent = match agents.get_mut(name) {
            Some(agent) => agent,
            None if self.start.is_none() => {
                return Err(format!(
                    "agents.{name}: missing field `start`, expected a command such as [\"{name}\"]"
                ));
            }
            None => agents.entry(name.to_owned()).or_insert_with(|| AgentConfig::new(&[])),
        };
        let Self { display_name, start, resume, run, .. } = self;
        let Self { needs_input_timeout, stale_timeout, restart, hooks, env, .. } = self;
        replace(&mut agent.start, start);
        replace(&mut agent.resume, resume);
        replace(&mut agent.run, run);
        replace(&mut agent.needs_input_timeout, needs_input_timeout);
        replace(&mut agent.stale_timeout, stale_timeout);
        replace(&mut agent.restart, restart);
        replace(&mut agent.hooks, hooks);
        replace(&mut agent.env, env);
        agent.display_name = display_name.or_else(|| agent.display_name.take());
        Ok(())
    }

    /// What of it decides what runs, and with which environment.
    pub(crate) fn settings(&self, agent: &str) -> Vec<Setting> {
        // Every field is named, so that a new one is not forgotten here.
        let Self { start, resume, run, hooks, env, .. } = self;
        let Self { display_name: _, needs_input_timeout: _, stale_timeout: _, .. } = self;
        let Self { restart: _, rules: _, .. } = self;
        let setting = |key: &'static str, words: &[String]| Setting {
            agent: agent.to_owned(),
            key,
            words: words.to_vec(),
        };
        let commands = [("start", start), ("resume", resume), ("run", run)];
        let commands = commands.into_iter().filter_map(|(key, words)| Some((key, words.as_ref()?)));
        let mut settings: Vec<Setting> = commands.map(|(key, words)| setting(key, words)).collect();
        settings.extend(hooks.map(|hooks| setting("hooks", &[hooks.to_string()])));
        match env {
            Some(env) if env.is_empty() => settings.push(setting("env", &[])),
            Some(env) => settings.extend(
                env.iter().map(|(name, value)| setting("env", &[name.clone(), value.clone()])),
            ),
            None => {}
        }
        settings
    }
}

fn replace<T>(place: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *place = new;
    }
}

fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    if words.first().is_none_or(String::is_empty) {
        return Err(D::Error::custom(
            "an empty command, expected a program and its arguments, such as [\"claude\"]",
        ));
    }
    for word in &words {
        if word.contains('\0') {
            return Err(D::Error::custom("a NUL character, which no argument can hold"));
        }
        tokens::check_word(word).map_err(D::Error::custom)?;
    }
    Ok(Some(words))
}

fn environment<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, String>>, D::Error> {
    let variables = BTreeMap::<String, String>::deserialize(deserializer)?;
    for (name, value) in &variables {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(D::Error::custom(format!(
                "`{name}` cannot be set, expected a name without `=` and text without NUL"
            )));
        }
    }
    Ok(Some(variables))
}
