//! From a file to [`Config`].

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::agents::{self, AgentEntry};
use crate::value;
use crate::{
    Config, ConfigError, EnvironmentConfig, Limits, TerminalConfig, TextRendering, ThemeChoice,
};

/// Size from which a config file is refused unread.
pub const MAX_BYTES: u64 = 1024 * 1024;
/// More of a kind than anybody writes by hand.
const MAX_AGENTS: usize = 256;
const MAX_KEYS: usize = 1_000;

/// Reads a config file; one that does not exist means the defaults.
///
/// # Errors
/// The file cannot be read, is no file, is too long, or says something wrong.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let failed = |source| ConfigError::Read { path: path.to_owned(), source };
    // Opening a FIFO would wait for somebody to write to it.
    match path.metadata() {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(err) => return Err(failed(err)),
        Ok(_) if path == Path::new("/dev/null") => return Ok(Config::default()),
        Ok(metadata) if !metadata.is_file() => {
            return Err(ConfigError::NotAFile { path: path.to_owned() });
        }
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            return Err(ConfigError::TooLarge { path: path.to_owned() });
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    // The file may grow between the two looks.
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    match str::from_utf8(&bytes) {
        Ok(text) => parse(text, path),
        Err(err) => Err(ConfigError::at(path, &bytes, err.valid_up_to(), "not UTF-8 text")),
    }
}

/// Reads the text of a config file; `path` is only for the error.
///
/// # Errors
/// Names the place, the key and what was expected there.
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    if text.len() as u64 > MAX_BYTES {
        return Err(ConfigError::TooLarge { path: path.to_owned() });
    }
    let wrong_at = |offset, message: &str| ConfigError::at(path, text.as_bytes(), offset, message);
    if let Some(offset) = text.find('\0') {
        return Err(wrong_at(offset, "a NUL character; a config file is text"));
    }
    // In two steps, because an error then knows its key and not only its place.
    let file = DeTable::parse(text)
        .and_then(|table| FileText::deserialize(Deserializer::from(table)))
        .map_err(|err| ConfigError::from_toml(path, text, &err))?;
    file.into_config().map_err(|(offset, message)| wrong_at(offset, &message))
}

/// The file as it is written: what is absent keeps its default.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of settings")]
struct FileText {
    #[serde(deserialize_with = "value::theme")]
    theme: ThemeChoice,
    #[serde(deserialize_with = "value::font_size")]
    font_size: f32,
    #[serde(deserialize_with = "value::text_rendering")]
    text_rendering: TextRendering,
    reduced_motion: bool,
    agents: BTreeMap<Spanned<String>, AgentEntry>,
    limits: Limits,
    terminal: TerminalConfig,
    environment: EnvironmentConfig,
    keys: BTreeMap<Spanned<String>, String>,
}

impl Default for FileText {
    fn default() -> Self {
        let Config {
            theme,
            font_size,
            text_rendering,
            reduced_motion,
            limits,
            terminal,
            environment,
            ..
        } = Config::default();
        Self {
            theme,
            font_size,
            text_rendering,
            reduced_motion,
            agents: BTreeMap::new(),
            limits,
            terminal,
            environment,
            keys: BTreeMap::new(),
        }
    }
}

impl FileText {
    fn into_config(self) -> Result<Config, (usize, String)> {
        let FileText { theme, font_size, text_rendering, reduced_motion, .. } = self;
        let FileText { agents, limits, terminal, environment, keys, .. } = self;
        let too_many = |kind: &str, allowed: usize, at: Option<&Spanned<String>>| match at {
            Some(key) => Err((key.span().start, format!("more than {allowed} {kind}"))),
            None => Ok(()),
        };
        too_many("agents", MAX_AGENTS, agents.keys().nth(MAX_AGENTS))?;
        too_many("keys", MAX_KEYS, keys.keys().nth(MAX_KEYS))?;

        let mut known = Config::default().agents;
        for (name, entry) in agents {
            let offset = name.span().start;
            let name = name.into_inner();
            agents::merge(&mut known, name, entry).map_err(|message| (offset, message))?;
        }
        let keys = keys.into_iter().map(|(chord, action)| (chord.into_inner(), action)).collect();
        Ok(Config {
            theme,
            font_size,
            text_rendering,
            reduced_motion,
            agents: known,
            limits,
            terminal,
            environment,
            keys,
        })
    }
}
