//! What is added to a launch.
//!
//! Always right after the program, where each of them takes options whatever follows: a list, a
//! sub-command, a prompt behind `--`. A launch that is not understood is left as it is.

use serde_json::{Map, Value, json};

use crate::quote;
use crate::{Agent, OwnSettings};

/// Seconds after which Claude Code gives up on a hook. Ours ends by itself long before.
const TIMEOUT: u32 = 5;

/// Claude Code's steps, with the tools or kinds for which each is told; all where that is empty.
/// The agent goes on at once after those that are told in the background. Two of these may overtake each
/// other, so that a tool that is about to run and a request for it must not say different things.
const CLAUDE_STEPS: [(&str, &str, Manner); 7] = [
    ("UserPromptSubmit", "", Manner::Background),
    ("PreToolUse", "AskUserQuestion", Manner::Background),
    ("PostToolUse", "", Manner::Background),
    ("PermissionRequest", "", Manner::Background),
    ("Notification", "permission_prompt|idle_prompt|elicitation_dialog", Manner::Background),
    ("Stop", "", Manner::Background),
    ("SessionEnd", "", Manner::Waiting),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Background,
    /// It is the last thing to be told, and must not be cut off by the agent's end.
    Waiting,
}

/// Words after which Claude Code is no session in a terminal, or takes no hooks.
const NO_CLAUDE_SESSION: [&str; 27] = [
    "agents",
    "attach",
    "auth",
    "auto-mode",
    "daemon",
    "doctor",
    "gateway",
    "install",
    "kill",
    "logs",
    "mcp",
    "plugin",
    "plugins",
    "project",
    "respawn",
    "rm",
    "setup-token",
    "stop",
    "ultrareview",
    "update",
    "upgrade",
    "--bare",
    "--safe-mode",
    "--bg",
    "--background",
    "--help",
    "--version",
];

/// The same for Codex; `resume` and `fork` are sessions.
const NO_CODEX_SESSION: [&str; 32] = [
    "agents",
    "exec",
    "e",
    "review",
    "login",
    "logout",
    "mcp",
    "mcp-server",
    "plugin",
    "app-server",
    "remote-control",
    "completion",
    "update",
    "doctor",
    "sandbox",
    "debug",
    "apply",
    "a",
    "queue",
    "archive",
    "delete",
    "migrate-rollouts",
    "migrate-nfs-db",
    "unarchive",
    "cloud",
    "exec-server",
    "features",
    "help",
    "--remote",
    "--help",
    "--version",
    "-V",
];

const NO_AIDER_SESSION: [&str; 6] = ["--gui", "--browser", "--help", "-h", "--version", "--exit"];

/// Who is called by a hook, and what for.
#[derive(Debug, Clone, Copy)]
pub struct Reporter<'a> {
    /// The path of our program.
    pub program: &'a str,
    /// The launch that is reported about, and no other.
    pub launch: u64,
}

/// The command with what makes the agent report, or `None` where nothing is to be added.
pub fn arguments(
    command: &[String],
    reporter: Reporter<'_>,
    own: &OwnSettings,
) -> Option<Vec<String>> {
    let (program, rest) = command.split_first()?;
    let agent = Agent::of_program(program)?;
    if own.would_lose(agent) || !takes_hooks(agent, rest) {
        return None;
    }
    let added = match agent {
        Agent::Claude => vec!["--settings".to_owned(), reporter.claude_settings().to_string()],
        Agent::Codex => vec!["-c".to_owned(), reporter.codex_notify()],
        Agent::Aider => {
            let command = reporter.shell_command(Agent::Aider);
            vec!["--notifications".to_owned(), "--notifications-command".to_owned(), command]
        }
    };
    Some([program.clone()].into_iter().chain(added).chain(rest.iter().cloned()).collect())
}

/// Whether it is a session whose user has not set the same option.
fn takes_hooks(agent: Agent, rest: &[String]) -> bool {
    let options: Vec<&str> =
        rest.iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let has_any = |words: &[&str]| options.iter().any(|option| words.contains(option));
    match agent {
        Agent::Claude => {
            let is_settings = |option: &&str| is_option(option, "--settings");
            !has_any(&NO_CLAUDE_SESSION) && !options.iter().any(is_settings)
        }
        Agent::Codex => !has_any(&NO_CODEX_SESSION) && !sets_notify(&options),
        Agent::Aider => {
            // Its options may be cut short.
            let is_set =
                |option: &&str| option.starts_with("--notif") || option.starts_with("--no-notif");
            !has_any(&NO_AIDER_SESSION) && !options.iter().any(is_set)
        }
    }
}

fn is_option(word: &str, name: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Whether `-c notify=…` is there in any of its spellings.
fn sets_notify(options: &[&str]) -> bool {
    let is_notify = |setting: &str| {
        let key = setting.split('=').next().unwrap_or_default().trim();
        key == "notify" || key.ends_with(".notify")
    };
    let apart = options.windows(2).any(|pair| {
        matches!(pair, [option, setting] if matches!(*option, "-c" | "--config") && is_notify(setting))
    });
    let joined = options.iter().any(|option| {
        let setting = option.strip_prefix("--config=").or_else(|| option.strip_prefix("-c"));
        setting.is_some_and(|setting| is_notify(setting.trim_start_matches('=')))
    });
    apart || joined
}

impl Reporter<'_> {
    fn words(self, agent: Agent) -> [String; 6] {
        let launch = self.launch.to_string();
        [self.program, "report", "--hook", agent.name(), "--launch", &launch].map(str::to_owned)
    }

    /// Says nothing and never fails, be our program gone or another: what a hook prints, and its
    /// exit code, may be an order to the agent.
    fn shell_command(self, agent: Agent) -> String {
        let words = self.words(agent);
        let (program, rest) = (&words[0], &words[1..]);
        format!("{} {} >/dev/null 2>&1 || :", quote::shell(program), rest.join(" "))
    }

    fn claude_settings(self) -> Value {
        let command = self.shell_command(Agent::Claude);
        let step = |(name, matcher, manner): (&str, &str, Manner)| {
            let mut hook = json!({ "type": "command", "command": command, "timeout": TIMEOUT });
            if manner == Manner::Background {
                hook["async"] = json!(true);
            }
            let group = match matcher {
                "" => json!({ "hooks": [hook] }),
                matcher => json!({ "matcher": matcher, "hooks": [hook] }),
            };
            (name.to_owned(), json!([group]))
        };
        let steps: Map<String, Value> = CLAUDE_STEPS.into_iter().map(step).collect();
        json!({ "hooks": steps })
    }

    /// Codex adds what it has to tell as one more argument: the value of `--payload`.
    fn codex_notify(self) -> String {
        let words = self.words(Agent::Codex).into_iter().chain(["--payload".to_owned()]);
        let words: Vec<String> = words.map(|word| quote::toml(&word)).collect();
        format!("notify=[{}]", words.join(","))
    }
}

#[cfg(test)]
mod tests;
