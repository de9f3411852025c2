//! `[notify]`: how the person is told that an agent waits while they look elsewhere.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

use crate::value::{self, Parsed};

/// What an agent can wait for, as it is written here and in JSON.
pub const REASONS: [&str; 9] = [
    "permission",
    "question",
    "confirmation",
    "password",
    "first_run",
    "error",
    "turn_done",
    "silence",
    "gave_up",
];
/// Those that are told of unless the user says otherwise: silence is only a guess, and who gave up
/// has said why before.
const USUAL: usize = 7;
/// Longest name of a sound.
const SOUND_CHARS: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table about notifications")]
pub struct NotifyConfig {
    /// Show a notification of the desktop.
    pub desktop: bool,
    /// What that sounds like.
    #[serde(deserialize_with = "sound")]
    pub sound: Sound,
    /// Program and arguments to run for each agent that begins to wait; empty for none.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
    /// Which of [`REASONS`] are told of.
    #[serde(deserialize_with = "reasons")]
    pub reasons: BTreeSet<&'static str>,
    /// Do not disturb, until it is switched off.
    pub dnd: bool,
    /// Also without a window, where nobody can be looking.
    pub headless: bool,
    /// The least time between two notifications about the same agent.
    #[serde(deserialize_with = "value::duration")]
    pub min_interval: Duration,
}

/// What a notification sounds like. The desktop plays it, if it can.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sound {
    #[default]
    None,
    /// The desktop's own for a message.
    Usual,
    /// By its name in the desktop's sound theme.
    Named(String),
    /// The absolute path of a sound file.
    File(PathBuf),
}

impl Default for NotifyConfig {
    fn default() -> Self {
        Self {
            desktop: true,
            sound: Sound::default(),
            command: Vec::new(),
            reasons: REASONS.into_iter().take(USUAL).collect(),
            dnd: false,
            headless: false,
            min_interval: Duration::from_secs(10),
        }
    }
}

/// Reads a command; unlike an agent's it may be empty, and nothing in it is replaced.
fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    if words.first().is_some_and(String::is_empty) {
        return Err(D::Error::custom(
            "no program, expected one and its arguments, such as [\"notify.sh\"]",
        ));
    }
    if words.iter().any(|word| word.contains('\0')) {
        return Err(D::Error::custom("a NUL character, which no argument can hold"));
    }
    Ok(words)
}

fn reasons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeSet<&'static str>, D::Error> {
    let names = Vec::<ReasonName>::deserialize(deserializer)?;
    Ok(names.into_iter().map(|ReasonName(name)| name).collect())
}

/// One of [`REASONS`].
struct ReasonName(&'static str);

impl<'de> Deserialize<'de> for ReasonName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |word: &str| REASONS.into_iter().find(|name| *name == word);
        let expected = "\"permission\", \"question\", \"confirmation\", \"password\", \
                        \"first_run\", \"error\", \"turn_done\", \"silence\" or \"gave_up\"";
        deserializer.deserialize_str(Parsed::new(expected, read)).map(Self)
    }
}

fn sound<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sound, D::Error> {
    deserializer.deserialize_any(SoundVisitor)
}

struct SoundVisitor;

impl Visitor<'_> for SoundVisitor {
    type Value = Sound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, the name of a sound or the absolute path of a sound file")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<Sound, E> {
        Ok(if on { Sound::Usual } else { Sound::None })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Sound, E> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_name = (1..=SOUND_CHARS).contains(&text.len()) && text.chars().all(is_plain);
        match text {
            _ if text.starts_with('/') && !text.contains('\0') => Ok(Sound::File(text.into())),
            _ if is_name => Ok(Sound::Named(text.to_owned())),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

#[cfg(test)]
mod tests;
