//! The agents that are known without any file.
//!
//! Each command is one that the program documents: an agent that cannot take up an earlier session
//! by its id, or do one task by itself, has none.

use std::collections::BTreeMap;

use super::{AgentConfig, SHELL};

const SESSION: &str = "$TRACKSIDE_SESSION_ID";
const PROMPT: &str = "$TRACKSIDE_PROMPT";

/// Name, display name, and the commands to start, resume and run.
type Row<'a> = (&'a str, &'a str, &'a [&'a str], &'a [&'a str], &'a [&'a str]);

const AGENTS: [Row<'_>; 7] = [
    (
        "claude",
        "Claude Code",
        &["claude"],
        &["claude", "--resume", SESSION],
        &["claude", "-p", PROMPT, "--output-format", "stream-json", "--verbose"],
    ),
    ("codex", "Codex", &["codex"], &["codex", "resume", SESSION], &["codex", "exec", PROMPT]),
    ("aider", "Aider", &["aider"], &[], &["aider", "--message", PROMPT]),
    (
        "opencode",
        "OpenCode",
        &["opencode"],
        &["opencode", "--session", SESSION],
        &["opencode", "run", PROMPT],
    ),
    ("gemini", "Gemini", &["gemini"], &["gemini", "--resume", SESSION], &["gemini", "-p", PROMPT]),
    ("shell", "Shell", &[SHELL], &[], &[]),
    ("fake", "Fake agent", &["sh"], &[], &[]),
];

pub(crate) fn built_in_agents() -> BTreeMap<String, AgentConfig> {
    let agent = |(name, display_name, start, resume, run): Row<'_>| {
        let agent = AgentConfig {
            display_name: Some(display_name.to_owned()),
            resume: super::owned(resume),
            run: super::owned(run),
            ..AgentConfig::new(start)
        };
        (name.to_owned(), agent)
    };
    AGENTS.into_iter().map(agent).collect()
}
