//! Which agents there are and how each is started.

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::{Config, value};

/// Names that, with `$TRACKSIDE_` before them, stand for something in an argument.
pub const TOKENS: [&str; 11] = [
    "TASK_ID",
    "SLUG",
    "PROMPT",
    "BODY",
    "MESSAGE",
    "SESSION_ID",
    "PROJECT_ROOT",
    "WORKTREE",
    "WORKSPACE",
    "PHASE",
    "SOCKET",
];
/// As a program: the user's shell.
const SHELL: &str = "$SHELL";
const TOKEN_PREFIX: &str = "$TRACKSIDE_";

/// How one agent is started and judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentConfig {
    pub display_name: Option<String>,
    /// Program and arguments; never empty. `$SHELL` as the program is the user's shell.
    pub start: Vec<String>,
    /// The same for going on with an earlier session; empty when the agent cannot.
    pub resume: Vec<String>,
    /// The same for doing one task without a person; empty when the agent cannot.
    pub run: Vec<String>,
    /// Silence after which it is taken to wait for the user.
    pub needs_input_timeout: Duration,
    /// Waiting after which the user is taken to have forgotten it.
    pub stale_timeout: Duration,
    pub restart: RestartPolicy,
    /// Set for its process, beside what Trackside sets.
    pub env: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestartPolicy {
    #[default]
    Never,
    OnCrash,
}

/// An agent by name, ready to be launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedAgent {
    pub name: String,
    /// What the user reads: the display name, or else the name.
    pub title: String,
    /// The start command with the user's shell filled in; never empty.
    pub argv: Vec<String>,
    pub needs_input_timeout: Duration,
    pub stale_timeout: Duration,
    pub restart: RestartPolicy,
    pub env: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent is called `{}`; known agents: {known}", name.escape_debug())]
pub struct UnknownAgent {
    pub name: String,
    /// The names there are, separated by commas.
    pub known: String,
}

impl Config {
    /// How the agent of that name is started. Whether its program exists is not looked at.
    ///
    /// # Errors
    /// The name is neither built in nor configured.
    pub fn agent_command(&self, name: &str) -> Result<ResolvedAgent, UnknownAgent> {
        let Some(agent) = self.agents.get(name) else {
            let known = self.agents.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(UnknownAgent { name: name.to_owned(), known });
        };
        let mut argv = agent.start.clone();
        if let Some(program) = argv.first_mut().filter(|program| *program == SHELL) {
            *program = self.shell();
        }
        Ok(ResolvedAgent {
            name: name.to_owned(),
            title: agent.display_name.clone().unwrap_or_else(|| name.to_owned()),
            argv,
            needs_input_timeout: agent.needs_input_timeout,
            stale_timeout: agent.stale_timeout,
            restart: agent.restart,
            env: agent.env.clone(),
        })
    }

    /// The program terminals run: `terminal.shell`, else `$SHELL`, else `/bin/sh`.
    pub fn shell(&self) -> String {
        let configured = self.terminal.shell.as_ref().and_then(|path| path.to_str());
        let login = || env::var("SHELL").ok().filter(|shell| shell.starts_with('/'));
        configured.map(str::to_owned).or_else(login).unwrap_or_else(|| "/bin/sh".to_owned())
    }
}

impl AgentConfig {
    /// An agent with that start command and the usual timeouts.
    pub fn new(start: &[&str]) -> Self {
        Self {
            display_name: None,
            start: owned(start),
            resume: Vec::new(),
            run: Vec::new(),
            needs_input_timeout: Duration::from_secs(5),
            stale_timeout: Duration::from_secs(60),
            restart: RestartPolicy::Never,
            env: BTreeMap::new(),
        }
    }
}

impl RestartPolicy {
    pub(crate) const ALL: [Self; 2] = [Self::Never, Self::OnCrash];

    /// The word that stands for it in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::OnCrash => "on-crash",
        }
    }
}

/// `[agents.NAME]` as it is written: what is absent stays as it was.
#[derive(Default, Deserialize)]
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
    #[serde(deserialize_with = "environment")]
    env: Option<BTreeMap<String, String>>,
}

/// Changes the agent of that name, or adds it, which takes a `start`.
pub(crate) fn merge(
    agents: &mut BTreeMap<String, AgentConfig>,
    name: String,
    entry: AgentEntry,
) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
        return Err(format!(
            "agents: the name `{name}` is not 1 to 64 letters, digits, `-`, `_` or `.`"
        ));
    }
    let agent = match agents.get_mut(&name) {
        Some(agent) => agent,
        None if entry.start.is_none() => {
            return Err(format!(
                "agents.{name}: missing field `start`, expected a command such as [\"{name}\"]"
            ));
        }
        None => agents.entry(name).or_insert_with(|| AgentConfig::new(&[])),
    };
    let AgentEntry {
        display_name,
        start,
        resume,
        run,
        needs_input_timeout,
        stale_timeout,
        restart,
        env,
    } = entry;
    replace(&mut agent.start, start);
    replace(&mut agent.resume, resume);
    replace(&mut agent.run, run);
    replace(&mut agent.needs_input_timeout, needs_input_timeout);
    replace(&mut agent.stale_timeout, stale_timeout);
    replace(&mut agent.restart, restart);
    replace(&mut agent.env, env);
    agent.display_name = display_name.or_else(|| agent.display_name.take());
    Ok(())
}

pub(crate) fn built_in_agents() -> BTreeMap<String, AgentConfig> {
    let called = |display_name: &str, start: &[&str]| AgentConfig {
        display_name: Some(display_name.to_owned()),
        ..AgentConfig::new(start)
    };
    let claude = AgentConfig {
        resume: owned(&["claude", "--resume", "$TRACKSIDE_SESSION_ID"]),
        run: owned(&[
            "claude",
            "-p",
            "$TRACKSIDE_PROMPT",
            "--output-format",
            "stream-json",
            "--verbose",
        ]),
        ..called("Claude Code", &["claude"])
    };
    let agents = [
        ("claude", claude),
        ("codex", called("Codex", &["codex"])),
        ("aider", called("Aider", &["aider"])),
        ("opencode", called("OpenCode", &["opencode"])),
        ("gemini", called("Gemini", &["gemini"])),
        ("shell", called("Shell", &[SHELL])),
        ("fake", called("Fake agent", &["sh"])),
    ];
    agents.into_iter().map(|(name, agent)| (name.to_owned(), agent)).collect()
}

fn replace<T>(place: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *place = new;
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    if words.first().is_none_or(String::is_empty) {
        return Err(D::Error::custom(
            "an empty command, expected a program and its arguments, such as [\"claude\"]",
        ));
    }
    for word in &words {
        check_word(word).map_err(D::Error::custom)?;
    }
    Ok(Some(words))
}

/// Whether a word can be an argument and names only tokens that exist.
fn check_word(word: &str) -> Result<(), String> {
    if word.contains('\0') {
        return Err("a NUL character, which no argument can hold".to_owned());
    }
    for (at, _) in word.match_indices(TOKEN_PREFIX) {
        let rest = &word[at + TOKEN_PREFIX.len()..];
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        if !TOKENS.contains(&name) {
            return Err(format!(
                "unknown token `{TOKEN_PREFIX}{name}`, expected one of {TOKEN_PREFIX}{{{}}}",
                TOKENS.join(", ")
            ));
        }
    }
    Ok(())
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
