//! What the user has set up themselves, and would lose to an argument of ours.
//!
//! Claude Code runs all hooks it is given. Codex and aider have room for one: an argument replaces
//! what their files say. So where those files speak of it at all, the agent is left alone.

use crate::Agent;

/// A file of the user's that may hold such a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Below the user's home.
    Home(&'static str),
    /// Below Codex's own folder.
    CodexHome(&'static str),
    /// Below the folder that the agent is started in, and those above it.
    Folder(&'static str),
    System(&'static str),
}

/// What was found of it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct OwnSettings {
    codex: bool,
    aider: bool,
}

impl OwnSettings {
    /// Where to look before an agent is launched. Settings of other names are the user's to switch
    /// `hooks` off for.
    pub fn places(agent: Agent) -> &'static [Place] {
        match agent {
            Agent::Claude => &[],
            Agent::Codex => &[
                Place::CodexHome("config.toml"),
                Place::CodexHome("managed_config.toml"),
                Place::Folder(".codex/config.toml"),
                Place::System("/etc/codex/config.toml"),
                Place::System("/etc/codex/managed_config.toml"),
            ],
            Agent::Aider => &[
                Place::Home(".aider.conf.yml"),
                Place::Folder(".aider.conf.yml"),
                Place::Home(".env"),
                Place::Folder(".env"),
            ],
        }
    }

    /// Takes in a file of one of those places.
    pub fn read(&mut self, agent: Agent, text: &str) {
        match agent {
            Agent::Claude => {}
            Agent::Codex => self.codex |= text.lines().any(sets_notify),
            Agent::Aider => self.aider |= text.lines().any(sets_notifications),
        }
    }

    /// Takes in a variable of the agent's environment.
    pub fn read_variable(&mut self, name: &str) {
        self.aider |= name.starts_with("AIDER_NOTIFICATIONS");
    }

    /// A file is there that may say anything.
    pub fn cannot_be_read(&mut self, agent: Agent) {
        match agent {
            Agent::Claude => {}
            Agent::Codex => self.codex = true,
            Agent::Aider => self.aider = true,
        }
    }

    pub(crate) fn would_lose(self, agent: Agent) -> bool {
        match agent {
            Agent::Claude => false,
            Agent::Codex => self.codex,
            Agent::Aider => self.aider,
        }
    }
}

/// A line of TOML with a key of that name, in whichever table.
fn sets_notify(line: &str) -> bool {
    let Some((key, _)) = line.split_once('=') else { return false };
    let last = key.rsplit('.').next().unwrap_or(key);
    last.trim().trim_matches(['"', '\'']) == "notify"
}

/// A line of YAML, or of a file of variables, that is no comment.
fn sets_notifications(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    !line.starts_with('#') && line.contains("notifications") && line.contains([':', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(agent: Agent, text: &str, expected: bool) {
        let mut own = OwnSettings::default();
        own.read(agent, text);
        assert_eq!(own.would_lose(agent), expected, "{} with {text:?}", agent.name());
    }

    #[test]
    fn a_notify_of_the_user_s_own_is_found_in_any_spelling() {
        check(Agent::Codex, "model = \"x\"\nnotify = [\"me\"]\n", true);
        check(Agent::Codex, "[profiles.a]\n  notify=['me']", true);
        check(Agent::Codex, "profiles.a.\"notify\" = []", true);
        check(Agent::Codex, "# notify = [\"me\"]\n[tui]\nnotifications = true", false);
        check(Agent::Codex, "", false);
    }

    #[test]
    fn notifications_of_the_user_s_own_are_found() {
        check(Agent::Aider, "notifications: true\n", true);
        check(Agent::Aider, "model: x\nnotifications-command: \"say done\"", true);
        check(Agent::Aider, "AIDER_NOTIFICATIONS=1", true);
        check(Agent::Aider, "#notifications: false\nmodel: x", false);
        let mut own = OwnSettings::default();
        own.read_variable("AIDER_MODEL");
        assert!(!own.would_lose(Agent::Aider), "another variable");
        own.read_variable("AIDER_NOTIFICATIONS_COMMAND");
        assert!(own.would_lose(Agent::Aider), "a variable of the same meaning");
        assert!(!own.would_lose(Agent::Codex), "and of nobody else");
    }

    #[test]
    fn all_hooks_that_claude_code_has_are_run() {
        check(Agent::Claude, "{\"hooks\":{}}", false);
    }
}
