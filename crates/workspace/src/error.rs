//! Why a wish was refused, in words for the person who had it.

use std::path::PathBuf;

use config::UnknownAgent;

use crate::{ArgsError, LinkRefusal};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    #[error("unknown action `{0}`; `trackside do --list` shows all of them")]
    UnknownAction(String),
    #[error("`{0}` needs arguments and so cannot be bound to a key")]
    NeedsArguments(String),
    #[error("{action}: {why}")]
    BadArguments { action: &'static str, why: ArgsError },
    #[error("no folder is open; open one with ctrl-k ctrl-o or `trackside PATH`")]
    NoWorkspace,
    #[error("there is no workspace `{0}`; `trackside status` lists them")]
    UnknownWorkspace(String),
    #[error("nothing is about to end; `app.quit_and_stop` ends all agents")]
    NothingEnds,
    #[error("there is no such tab")]
    NoSuchTab,
    #[error("there is no pane there")]
    NoSuchPane,
    #[error("there is nothing to split; open a file or a terminal first")]
    NothingToSplit,
    #[error("the pane is too small to be split")]
    TooSmallToSplit,
    #[error("the agent's tab stays where it is; move another one")]
    AgentStays,
    #[error("{workspace} has no agent; start one with ctrl-shift-a or `trackside agent start`")]
    NoAgent { workspace: String },
    #[error("the agent of {workspace} is still running; stop it first")]
    AgentAlive { workspace: String },
    #[error("the agent of {workspace} has ended; restart it first")]
    AgentEnded { workspace: String },
    #[error("it is not known which session the agent of {workspace} was in; restart it instead")]
    NoSession { workspace: String },
    #[error(
        "`{agent}` has no `resume` command; restart it instead, or give it one in `config.toml`"
    )]
    CannotResume { agent: String },
    #[error("{0}; any other command goes after `--`")]
    UnknownAgent(String),
    #[error(
        "the settings of {} say what `{agent}` runs, and you have not trusted them; look at them with \
         `trackside trust --show {}`, then run `trackside trust {}`",
        folder.display(), folder.display(), folder.display()
    )]
    Untrusted { agent: String, folder: PathBuf },
    #[error("{why}; until that is mended, `{agent}` is not started here")]
    ProjectBroken { agent: String, why: String },
    #[error(
        "${variable} has no value when `{agent}` is started by hand; take it out of its `start` command"
    )]
    MissingValue { agent: String, variable: String },
    #[error("no command was given")]
    EmptyCommand,
    #[error(
        "{limit} agents are running, which is the limit; stop one or raise `limits.max_agents`"
    )]
    TooManyAgents { limit: usize },
    #[error("{limit} terminals are open, which is the limit; close one first")]
    TooManyTerminals { limit: usize },
    #[error("the terminal has ended; restart it or open another")]
    TerminalEnded,
    #[error("{program} is running in a terminal of {workspace}; end it or close its tab first")]
    TerminalBusy { workspace: String, program: String },
    #[error("no agent needs you")]
    NobodyNeedsYou,
    #[error("that question has only just come; read it first")]
    NotYetRead,
    #[error("the agent of {workspace} asks something else now; nothing was sent")]
    AsksSomethingElse { workspace: String },
    #[error("there is no open file here")]
    NoFile,
    #[error("nothing is being looked for; open the find bar first")]
    NoFind,
    #[error("there is no prompt there; shells mark theirs with OSC 133")]
    NoPrompt,
    #[error("it has not wanted to copy anything")]
    NothingToTake,
    #[error("there is no link there")]
    NoLink,
    #[error(transparent)]
    LinkRefused(#[from] LinkRefusal),
    #[error("there is no terminal here")]
    NoTerminal,
    #[error("{} is still being read", .0.display())]
    StillLoading(PathBuf),
    #[error(
        "unsaved changes in {0}; save them, keep them for the next start with `trackside do \
         app.keep_and_quit`, or discard them with `trackside do app.discard_and_quit`"
    )]
    Unsaved(String),
    #[error("{} is still being saved", .0.display())]
    StillSaving(PathBuf),
    #[error("there is no text to change: {0}")]
    NotLoaded(String),
    #[error("Trackside is ending")]
    Quitting,
    #[error("`{0}` cannot be read as a key; write chords such as ctrl-shift-p")]
    BadChord(String),
}

impl From<UnknownAgent> for ActionError {
    fn from(unknown: UnknownAgent) -> Self {
        Self::UnknownAgent(unknown.to_string())
    }
}
