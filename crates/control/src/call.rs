//! What can be asked of a running instance.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call and its arguments. `workspace` is an id, a name or a path; absent, the active one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    Ping,
    /// Answered with a [`StatusReply`](crate::StatusReply).
    Status,
    /// Answered with [`Stats`](crate::Stats).
    Stats,
    Doctor,
    /// The actions that [`Call::Do`] takes.
    Actions,
    Do {
        action: String,
        #[serde(default)]
        args: Value,
    },
    /// Lines and columns count from 1. The path is absolute: the instance has another directory.
    Open {
        path: PathBuf,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
        /// Answer only once the file is closed again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        wait: bool,
    },
    AgentStart {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        agent: AgentChoice,
    },
    /// Answered when no process of the agent is left.
    AgentStop {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
    },
    AgentRestart {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
    },
    /// As [`Call::AgentRestart`], so that the agent goes on with the session it was in.
    AgentResume {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
    },
    /// `text` goes to the program unchanged; `enter` adds a carriage return.
    AgentSend {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        text: String,
        #[serde(default)]
        enter: bool,
    },
    /// Saves the last minutes of the agent, whose state is wrong. Answered with the path of the file.
    AgentWrong {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        /// The state that would be right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// Absolute: the instance has another directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<PathBuf>,
    },
    /// A terminal without an agent: the user's shell, or a command. Answered with its tab's id.
    TerminalNew {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        /// Absolute: the instance has another directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<PathBuf>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        command: Option<Vec<String>>,
    },
    /// As [`Call::AgentSend`]. `tab` is that of a terminal; absent, the active one if it is a
    /// terminal's, or else the last that is.
    TerminalSend {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<u64>,
        text: String,
        #[serde(default)]
        enter: bool,
    },
    /// Answered when no process of the terminal is left; refused while something runs in it,
    /// unless by `force`.
    TerminalClose {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<u64>,
        #[serde(default)]
        force: bool,
    },
    /// Answered when the state, one of [`WAIT_STATES`](crate::WAIT_STATES), holds.
    Wait {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        state: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Why an agent's state is what it is. Answered with an [`Explanation`](crate::Explanation).
    Explain {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
    },
    /// What an agent does, by somebody who knows. A program that an agent started may report about
    /// that agent, and about no other.
    Report {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        state: ReportedState,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<crate::ReasonKind>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Of two reports the one with the higher number counts, whichever comes last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sequence: Option<u64>,
        /// The launch that it is about, as the agent's hooks were told; refused for another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        launch: Option<u64>,
        /// What the agent calls its own session, by which it can go on with it later.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    Screen {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<u64>,
    },
    Screenshot {
        path: PathBuf,
    },
    Keys {
        keys: String,
    },
    Type {
        text: String,
    },
    /// Answered with a stream of [`Event`](crate::Event)s until either side closes.
    Events,
    Quit {
        #[serde(default)]
        stop_agents: bool,
    },
}

/// Which agent to start.
/// What a report says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportedState {
    Running,
    NeedsInput,
    Completed,
    Errored,
    /// What was reported before no longer holds.
    Cleared,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentChoice {
    /// One that is built in or configured.
    Name(String),
    /// Any program with its arguments.
    Command(Vec<String>),
}

impl Call {
    /// The names on the wire, in the order of the variants.
    pub const NAMES: [&str; 25] = [
        "ping",
        "status",
        "stats",
        "doctor",
        "actions",
        "do",
        "open",
        "agent_start",
        "agent_stop",
        "agent_restart",
        "agent_resume",
        "agent_send",
        "agent_wrong",
        "terminal_new",
        "terminal_send",
        "terminal_close",
        "wait",
        "explain",
        "report",
        "screen",
        "screenshot",
        "keys",
        "type",
        "events",
        "quit",
    ];
    /// Those without arguments.
    const BARE: [&str; 6] = ["ping", "status", "stats", "doctor", "actions", "events"];

    /// The name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Status => "status",
            Self::Stats => "stats",
            Self::Doctor => "doctor",
            Self::Actions => "actions",
            Self::Do { .. } => "do",
            Self::Open { .. } => "open",
            Self::AgentStart { .. } => "agent_start",
            Self::AgentStop { .. } => "agent_stop",
            Self::AgentRestart { .. } => "agent_restart",
            Self::AgentResume { .. } => "agent_resume",
            Self::AgentSend { .. } => "agent_send",
            Self::AgentWrong { .. } => "agent_wrong",
            Self::TerminalNew { .. } => "terminal_new",
            Self::TerminalSend { .. } => "terminal_send",
            Self::TerminalClose { .. } => "terminal_close",
            Self::Wait { .. } => "wait",
            Self::Explain { .. } => "explain",
            Self::Report { .. } => "report",
            Self::Screen { .. } => "screen",
            Self::Screenshot { .. } => "screenshot",
            Self::Keys { .. } => "keys",
            Self::Type { .. } => "type",
            Self::Events => "events",
            Self::Quit { .. } => "quit",
        }
    }

    /// Whether a program may be started by it.
    pub fn may_start_a_program(&self) -> bool {
        matches!(
            self,
            Self::AgentStart { .. }
                | Self::AgentRestart { .. }
                | Self::AgentResume { .. }
                | Self::TerminalNew { .. }
                | Self::Do { .. }
        )
    }

    /// How long a client waits before it takes the instance to hang; `None` where the length of
    /// the wait is the very point of the call.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self {
            Self::Wait { timeout_ms: Some(limit), .. } => {
                Some(Duration::from_millis(*limit).saturating_add(Duration::from_secs(10)))
            }
            Self::Wait { timeout_ms: None, .. }
            | Self::Open { wait: true, .. }
            | Self::AgentStop { .. }
            | Self::TerminalClose { .. }
            | Self::Events
            | Self::Quit { .. } => None,
            _ => Some(Duration::from_secs(60)),
        }
    }

    /// A call from its name and its arguments, or why there is none, in words for its sender.
    pub(crate) fn from_parts(name: &str, args: Map<String, Value>) -> Result<Self, String> {
        if !Self::NAMES.contains(&name) {
            return Err(format!(
                "unknown call `{}`, expected one of {}",
                shortened(name),
                Self::NAMES.join(", ")
            ));
        }
        let is_bare = Self::BARE.contains(&name);
        if let Some(unknown) = args.keys().next().filter(|_| is_bare) {
            return Err(format!("{name}: unknown field `{}`, expected none", shortened(unknown)));
        }
        let args = if is_bare { Value::Null } else { Value::Object(args) };
        let call = Value::Object(Map::from_iter([(name.to_owned(), args)]));
        Self::deserialize(call).map_err(|err| format!("{name}: {}", shortened(&err.to_string())))
    }

    /// The inverse of [`Call::from_parts`], without the name.
    pub(crate) fn args(&self) -> Result<Map<String, Value>, serde_json::Error> {
        // `{"name": {...}}`, or a mere `"name"` where there are none.
        match serde_json::to_value(self)?.get_mut(self.name()).map(Value::take) {
            Some(Value::Object(args)) => Ok(args),
            Some(_) | None => Ok(Map::new()),
        }
    }
}

/// What a stranger wrote, fit for an error message: short, and nothing a terminal would obey.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 400;
    let mut short = String::new();
    for c in text.chars().take(MAX_CHARS) {
        match c {
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                short.extend(c.escape_unicode());
            }
            _ if c.is_control() => short.extend(c.escape_default()),
            _ => short.push(c),
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}
