//! Which agents there are and how each is started.

mod built_in;
mod entry;

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

pub(crate) use self::built_in::built_in_agents;
pub(crate) use self::entry::AgentEntry;
use crate::{Config, RuleEntry, RuleOrigin};

/// As a program: the user's shell.
const SHELL: &str = "$SHELL";

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
    /// Whether it is asked, at launch, to report its own state to us.
    pub hooks: bool,
    /// Set for its process, beside what Trackside sets.
    pub env: BTreeMap<String, String>,
    /// Rules of its own, the strongest first. [`Config::known_rules`] has all that hold for it.
    pub rules: Vec<(RuleOrigin, RuleEntry)>,
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
    /// The start command with the user's shell filled in, tokens not; never empty.
    pub argv: Vec<String>,
    /// The same for going on with an earlier session; empty when the agent cannot.
    pub resume: Vec<String>,
    pub needs_input_timeout: Duration,
    pub stale_timeout: Duration,
    pub restart: RestartPolicy,
    pub hooks: bool,
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
        let with_shell = |command: &[String]| {
            let mut argv = command.to_vec();
            if let Some(program) = argv.first_mut().filter(|program| *program == SHELL) {
                *program = self.shell();
            }
            argv
        };
        Ok(ResolvedAgent {
            name: name.to_owned(),
            title: agent.display_name.clone().unwrap_or_else(|| name.to_owned()),
            argv: with_shell(&agent.start),
            resume: with_shell(&agent.resume),
            needs_input_timeout: agent.needs_input_timeout,
            stale_timeout: agent.stale_timeout,
            restart: agent.restart,
            hooks: agent.hooks,
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
            hooks: true,
            env: BTreeMap::new(),
            rules: Vec::new(),
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

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
