//! `[attach]`: an agent's terminal in another terminal.

use std::fmt;

use serde::Deserialize;

use crate::value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table about attached terminals")]
pub struct AttachConfig {
    /// Leaves the agent's terminal, in which it then goes on.
    #[serde(deserialize_with = "value::detach_key")]
    pub detach_key: DetachKey,
}

/// A key with Ctrl that types a control character: other keys cannot be told apart in every terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetachKey(char);

impl DetachKey {
    pub const EXPECTED: &str = "\"ctrl-\" and a letter or one of \\ ] ^ _, such as \"ctrl-\\\\\"; \
                                not ctrl-c, -i, -j and -m, which programs need";

    /// Reads `ctrl-x`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix("ctrl-")?.chars();
        let (key, None) = (rest.next()?, rest.next()) else { return None };
        let is_needed = matches!(key, 'c' | 'i' | 'j' | 'm');
        let is_control = key.is_ascii_lowercase() || matches!(key, '\\' | ']' | '^' | '_');
        (is_control && !is_needed).then_some(Self(key))
    }

    /// The key that is pressed with Ctrl.
    pub fn key(self) -> char {
        self.0
    }

    /// What terminals send for it unless they are asked for more.
    pub fn byte(self) -> u8 {
        u8::try_from(self.0).unwrap_or(0) & 0x1f
    }
}

impl Default for DetachKey {
    fn default() -> Self {
        Self('\\')
    }
}

impl fmt::Display for DetachKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ctrl-{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, byte: Option<u8>) {
        let key = DetachKey::parse(text);
        assert_eq!(key.map(DetachKey::byte), byte, "{text}");
        assert!(key.is_none_or(|key| key.to_string() == text), "{text} is shown as it is written");
    }

    #[test]
    fn a_key_with_ctrl_detaches() {
        check("ctrl-\\", Some(0x1c));
        check("ctrl-]", Some(0x1d));
        check("ctrl-q", Some(0x11));
        assert_eq!(DetachKey::default().to_string(), "ctrl-\\", "as it comes");
    }

    #[test]
    fn no_other_key_does() {
        for text in ["", "q", "ctrl-", "ctrl-Q", "ctrl-qq", "alt-q", "ctrl-[", "ctrl-m", "ctrl-ä"]
        {
            check(text, None);
        }
    }
}
