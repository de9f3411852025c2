//! Turns TOML files into typed settings, or says precisely why not.
//!
//! A file is taken whole or not at all, apart from rules ([`RuleError`]): there is no half-applied
//! config, and what to keep when a file is refused is the caller's business. Nothing here watches files or starts programs.
//!
//! Invariants:
//! - The defaults live in `Default` and nowhere else; [`default_text`] is written from them.
//! - An error is one line: `file:line:column: key: what is wrong, and what was expected`.
//! - Whatever the file holds, time and memory are bounded by [`MAX_BYTES`].

mod agents;
mod attach;
mod error;
mod limits;
mod load;
mod notify;
mod project;
mod rules;
mod sections;
mod template;
mod tokens;
mod value;

pub use ::rules::Rule;
pub use agents::{AgentConfig, ResolvedAgent, RestartPolicy, UnknownAgent};
pub use attach::{AttachConfig, DetachKey};
pub use error::ConfigError;
pub use limits::Limits;
pub use load::{MAX_BYTES, load, parse};
pub use notify::{NotifyConfig, REASONS, Sound};
pub use project::{PROJECT_FILE, Project, ProjectError, Setting};
pub use rules::{
    KINDS, KnownRule, RuleEntry, RuleError, RuleFile, RuleOrigin, load_rules, parse_rules,
};
pub use sections::{
    Config, EnvironmentConfig, LoginPath, RecordingConfig, ReducedMotion, ShiftEnter,
    TerminalConfig, TextRendering, ThemeChoice,
};
pub use template::default_text;
pub use tokens::{MissingToken, Token, TokenValues};

#[cfg(test)]
mod tests;
