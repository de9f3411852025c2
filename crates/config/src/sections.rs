//! The settings themselves, apart from agents and limits.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::agents::built_in_agents;
use crate::value;
use crate::{AgentConfig, AttachConfig, Limits, NotifyConfig, RuleError};

/// Everything a user can set. `Config::default()` is what holds without any file.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub theme: ThemeChoice,
    /// Size of the editor's and the terminal's text, in logical pixels.
    pub font_size: f32,
    pub text_rendering: TextRendering,
    pub reduced_motion: ReducedMotion,
    /// By name: the built-in ones, changed and joined by the user's.
    pub agents: BTreeMap<String, AgentConfig>,
    pub limits: Limits,
    pub terminal: TerminalConfig,
    pub environment: EnvironmentConfig,
    pub notify: NotifyConfig,
    pub recording: RecordingConfig,
    pub attach: AttachConfig,
    /// Chord to action name. Both are checked by the keymap, which knows the actions.
    pub keys: BTreeMap<String, String>,
    /// The rules that were left out because they cannot be used.
    pub rule_errors: Vec<RuleError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeChoice {
    /// Whatever the desktop says.
    #[default]
    Auto,
    Dark,
    Light,
}

/// How the edges of letters are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextRendering {
    /// For LCD where the system's fonts are set up for it and the screen is coarse.
    #[default]
    Auto,
    Lcd,
    Grayscale,
}

/// Whether nothing pulses, slides or fades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReducedMotion {
    /// Where the desktop asks for it.
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of terminal settings")]
pub struct TerminalConfig {
    /// Lines kept above the screen.
    #[serde(deserialize_with = "value::whole::<_, 0, 200_000>")]
    pub scrollback_lines: usize,
    /// Program that terminals and the agent `shell` run; the user's `$SHELL` when absent.
    #[serde(deserialize_with = "value::absolute_path")]
    pub shell: Option<PathBuf>,
    /// What Shift+Enter sends to a program that does not ask for keys to be told apart.
    #[serde(deserialize_with = "value::shift_enter")]
    pub shift_enter: ShiftEnter,
    /// What is selected with the mouse also goes to the clipboard.
    pub copy_on_select: bool,
    /// Programs that clear the scrollback are not obeyed.
    pub keep_history: bool,
    /// The least contrast of text with its ground, as a ratio of 1 to 21; 1 leaves colours alone.
    #[serde(deserialize_with = "value::contrast")]
    pub minimum_contrast: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShiftEnter {
    /// The same as Enter alone.
    #[default]
    Enter,
    /// A line feed, which many programs take for a new line in what is being typed.
    Newline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table about the environment")]
pub struct EnvironmentConfig {
    /// Whether programs are also looked for where the user's login shell would find them.
    #[serde(deserialize_with = "value::login_path")]
    pub login_path: LoginPath,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table about recordings")]
pub struct RecordingConfig {
    /// The last minutes of each agent are kept in memory.
    pub keep: bool,
}

impl Default for RecordingConfig {
    fn default() -> Self {
        Self { keep: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoginPath {
    /// When Trackside was not started from a shell.
    #[default]
    Auto,
    Always,
    Never,
}

impl LoginPath {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The word that stands for it in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            font_size: 14.0,
            text_rendering: TextRendering::default(),
            reduced_motion: ReducedMotion::default(),
            agents: built_in_agents(),
            limits: Limits::default(),
            terminal: TerminalConfig::default(),
            environment: EnvironmentConfig::default(),
            notify: NotifyConfig::default(),
            recording: RecordingConfig::default(),
            attach: AttachConfig::default(),
            keys: BTreeMap::new(),
            rule_errors: Vec::new(),
        }
    }
}

impl Default for TerminalConfig {
    fn default() -> Self {
        Self {
            scrollback_lines: 10_000,
            shell: None,
            shift_enter: ShiftEnter::default(),
            copy_on_select: false,
            keep_history: false,
            minimum_contrast: 1.0,
        }
    }
}

impl ShiftEnter {
    pub(crate) const ALL: [Self; 2] = [Self::Enter, Self::Newline];

    /// The word that stands for it in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::Newline => "newline",
        }
    }
}

impl ThemeChoice {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Dark, Self::Light];

    /// The word that stands for it in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

impl ReducedMotion {
    /// As it stands in the file: a word, or yes and no.
    pub(crate) fn toml(self) -> &'static str {
        match self {
            Self::Auto => "\"auto\"",
            Self::Always => "true",
            Self::Never => "false",
        }
    }
}

impl TextRendering {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Lcd, Self::Grayscale];

    /// The word that stands for it in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Lcd => "lcd",
            Self::Grayscale => "grayscale",
        }
    }
}
