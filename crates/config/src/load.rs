//! From a file to [`Config`].

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::agents::AgentEntry;
use crate::rules::{self, RuleReader};
use crate::value;
use crate::{
    AttachConfig, Config, ConfigError, EnvironmentConfig, Limits, NotifyConfig, RecordingConfig,
    ReducedMotion, RuleOrigin, TerminalConfig, TextRendering, ThemeChoice,
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
    match read_file(path) {
        Err(ConfigError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(Config::default())
        }
        Err(_) if path == Path::new("/dev/null") => Ok(Config::default()),
        Err(err) => Err(err),
        Ok(bytes) => parse(check_text(&bytes, path)?, path),
    }
}

/// The bytes of a file that is not too long.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, ConfigError> {
    let failed = |source| ConfigError::Read { path: path.to_owned(), source };
    // Opening a FIFO would wait for somebody to write to it.
    match path.metadata() {
        Err(err) => return Err(failed(err)),
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
    Ok(bytes)
}

/// Reads the text of a config file; `path` is only for the error.
///
/// # Errors
/// Names the place, the key and what was expected there.
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    check_text(text.as_bytes(), path)?;
    let wrong_at = |offset, message: &str| ConfigError::at(path, text.as_bytes(), offset, message);
    // In two steps, because an error then knows its key and not only its place.
    let wrong_toml = |err: toml::de::Error| ConfigError::from_toml(path, text, &err);
    let mut table = DeTable::parse(text).map_err(wrong_toml)?;
    let written = rules::take(table.get_mut());
    let file = FileText::deserialize(Deserializer::from(table)).map_err(wrong_toml)?;
    let config = file.into_config().map_err(|(offset, message)| wrong_at(offset, &message))?;
    let mut reader = RuleReader::new(path, text);
    let mut agents = config.agents;
    for (name, rules) in written {
        if let Some(agent) = agents.get_mut(&name) {
            reader.add(agent, &name, rules, RuleOrigin::User);
        }
    }
    Ok(Config { agents, rule_errors: reader.errors, ..config })
}

/// Text that is worth parsing.
pub(crate) fn check_text<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str, ConfigError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ConfigError::TooLarge { path: path.to_owned() });
    }
    let wrong_at = |offset, message: &str| Err(ConfigError::at(path, bytes, offset, message));
    match str::from_utf8(bytes) {
        Err(err) => wrong_at(err.valid_up_to(), "not UTF-8 text"),
        Ok(text) => match text.find('\0') {
            Some(offset) => wrong_at(offset, "a NUL character; a config file is text"),
            None => Ok(text),
        },
    }
}

/// No more agents than anybody writes by hand; else where the first one too many is.
pub(crate) fn check_count<T>(agents: &BTreeMap<Spanned<String>, T>) -> Result<(), (usize, String)> {
    too_many("agents", MAX_AGENTS, agents.keys().nth(MAX_AGENTS))
}

fn too_many(
    kind: &str,
    allowed: usize,
    first: Option<&Spanned<String>>,
) -> Result<(), (usize, String)> {
    match first {
        Some(key) => Err((key.span().start, format!("more than {allowed} {kind}"))),
        None => Ok(()),
    }
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
    #[serde(deserialize_with = "value::reduced_motion")]
    reduced_motion: ReducedMotion,
    agents: BTreeMap<Spanned<String>, AgentEntry>,
    limits: Limits,
    terminal: TerminalConfig,
    environment: EnvironmentConfig,
    notify: NotifyConfig,
    recording: RecordingConfig,
    attach: AttachConfig,
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
            notify,
            recording,
            attach,
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
            notify,
            recording,
            attach,
            keys: BTreeMap::new(),
        }
    }
}

impl FileText {
    fn into_config(self) -> Result<Config, (usize, String)> {
        let FileText { theme, font_size, text_rendering, reduced_motion, attach, .. } = self;
        let FileText { agents, limits, terminal, environment, notify, recording, keys, .. } = self;
        check_count(&agents)?;
        too_many("keys", MAX_KEYS, keys.keys().nth(MAX_KEYS))?;

        let mut known = Config::default().agents;
        for (name, entry) in agents {
            let offset = name.span().start;
            let name = name.into_inner();
            entry.merge(&mut known, &name).map_err(|message| (offset, message))?;
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
            notify,
            recording,
            attach,
            keys,
            rule_errors: Vec::new(),
        })
    }
}
