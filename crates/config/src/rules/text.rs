//! One rule as it is written.

use rules::{BadPattern, MAX_COMPILED, Reason, Rule, RuleKind, TitleSays};
use serde::Deserialize;
use serde::de::Deserializer;
use toml::Spanned;

use super::RuleEntry;
use crate::value::Parsed;

const MAX_ID: usize = 64;

/// What is absent is decided by the rest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `id`, `kind` and `pattern`")]
pub(super) struct RuleText {
    #[serde(deserialize_with = "id")]
    id: String,
    #[serde(default, deserialize_with = "kind")]
    kind: Option<Kind>,
    #[serde(default, deserialize_with = "says")]
    says: Option<Says>,
    #[serde(default, deserialize_with = "reason")]
    reason: Option<Reason>,
    pattern: Option<Spanned<String>>,
    #[serde(default = "enabled")]
    enabled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Title,
    Line,
    Screen,
    Prompt,
    Notification,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Working,
    Waiting,
}

/// What is wrong with a rule, and where if not with all of it.
pub(super) struct Wrong {
    pub(super) at: Option<usize>,
    pub(super) message: String,
    /// What was compiled in vain, in bytes.
    pub(super) compiled: usize,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { at: None, message: message.into(), compiled: 0 }
    }
}

impl RuleText {
    /// Whether it is about a rule that stands elsewhere.
    pub(super) fn only_switches_off(&self) -> bool {
        !self.enabled && self.pattern.is_none()
    }

    pub(super) fn into_entry(self) -> Result<RuleEntry, Wrong> {
        if self.only_switches_off() {
            return Ok(RuleEntry::SwitchOff(self.id));
        }
        let kind = self.kind.ok_or_else(|| {
            Wrong::new(
                "missing field `kind`, expected \"title\", \"line\", \"screen\", \"prompt\" or \
                 \"notification\"",
            )
        })?;
        let kind =
            meaning(kind, self.says.unwrap_or(Says::Waiting), self.reason).map_err(Wrong::new)?;
        let pattern = self.pattern.ok_or_else(|| {
            Wrong::new("missing field `pattern`, expected a regular expression such as '\\?$'")
        })?;
        let rule = Rule::new(&self.id, kind, pattern.get_ref()).map_err(|err| Wrong {
            at: Some(pattern.span().start),
            message: format!("pattern: {err}"),
            compiled: if err == BadPattern::TooLarge { MAX_COMPILED } else { 0 },
        })?;
        Ok(if self.enabled { RuleEntry::Use(rule) } else { RuleEntry::SwitchOff(self.id) })
    }
}

fn meaning(kind: Kind, says: Says, reason: Option<Reason>) -> Result<RuleKind, &'static str> {
    let asked = reason.unwrap_or(Reason::Question);
    match (kind, says) {
        (Kind::Title, Says::Working) if reason.is_some() => {
            Err("reason: who works waits for nothing; leave it out, or say \"waiting\"")
        }
        (Kind::Title, Says::Working) => Ok(RuleKind::Title(TitleSays::Working)),
        (_, Says::Working) => Err("says: only a title can say \"working\""),
        (Kind::Title, Says::Waiting) => Ok(RuleKind::Title(TitleSays::Waiting(reason))),
        (Kind::Line, Says::Waiting) => Ok(RuleKind::Line(asked)),
        (Kind::Screen, Says::Waiting) => Ok(RuleKind::Screen(asked)),
        (Kind::Notification, Says::Waiting) => Ok(RuleKind::Notification(asked)),
        (Kind::Prompt, Says::Waiting) if reason.is_some() => {
            Err("reason: a prompt waits for whatever comes next; leave it out")
        }
        (Kind::Prompt, Says::Waiting) => Ok(RuleKind::Prompt),
    }
}

fn enabled() -> bool {
    true
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let read = |word: &str| {
        let is_right = (1..=MAX_ID).contains(&word.len()) && word.chars().all(is_plain);
        is_right.then(|| word.to_owned())
    };
    deserializer.deserialize_str(Parsed::new(
        "1 to 64 letters, digits, `-`, `_` or `.`, such as \"my.ask\"",
        read,
    ))
}

fn kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Kind>, D::Error> {
    let read = |word: &str| match word {
        "title" => Some(Kind::Title),
        "line" => Some(Kind::Line),
        "screen" => Some(Kind::Screen),
        "prompt" => Some(Kind::Prompt),
        "notification" => Some(Kind::Notification),
        _ => None,
    };
    let parsed =
        Parsed::new("\"title\", \"line\", \"screen\", \"prompt\" or \"notification\"", read);
    deserializer.deserialize_str(parsed).map(Some)
}

fn says<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Says>, D::Error> {
    let read = |word: &str| match word {
        "working" => Some(Says::Working),
        "waiting" => Some(Says::Waiting),
        _ => None,
    };
    deserializer.deserialize_str(Parsed::new("\"working\" or \"waiting\"", read)).map(Some)
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Reason>, D::Error> {
    let read = |word: &str| Reason::SEEN.into_iter().find(|reason| reason.name() == word);
    let expected = "\"permission\", \"question\", \"confirmation\", \"password\", \"first_run\", \
                    \"error\" or \"turn_done\"";
    deserializer.deserialize_str(Parsed::new(expected, read)).map(Some)
}
