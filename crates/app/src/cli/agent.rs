//! `trackside agent …`.

use std::path::PathBuf;

use clap::Subcommand;
use config::DetachKey;

use super::InWorkspace;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Start a known agent by NAME, or any command after --
    Start {
        #[command(flatten)]
        place: InWorkspace,
        #[arg(required_unless_present = "command", conflicts_with = "command")]
        name: Option<String>,
        #[arg(last = true)]
        command: Vec<String>,
        /// Do not show its terminal here, as is done on a terminal while there is no window
        #[arg(long)]
        no_attach: bool,
    },
    /// Show the agent's terminal in this one; ctrl-\\ leaves it, and it goes on
    Attach {
        #[command(flatten)]
        place: InWorkspace,
        /// Another key that leaves it: ctrl- and a letter or one of \\ ] ^ _
        #[arg(long, value_name = "KEY", value_parser = parse_detach_key)]
        detach_key: Option<DetachKey>,
    },
    /// End the agent and everything it started
    Stop {
        #[command(flatten)]
        place: InWorkspace,
    },
    /// Start an ended agent again, keeping its scrollback
    Restart {
        #[command(flatten)]
        place: InWorkspace,
    },
    /// Start an ended agent again so that it goes on with the session it was in
    Resume {
        #[command(flatten)]
        place: InWorkspace,
    },
    /// Write text to the agent's terminal
    Send {
        #[command(flatten)]
        place: InWorkspace,
        /// Press Enter after it
        #[arg(long)]
        enter: bool,
        text: String,
    },
    /// Check or list the rules by which titles and screens are read
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Save the last minutes of an agent whose state is wrong, without names and secrets; print where
    Wrong {
        #[command(flatten)]
        place: InWorkspace,
        /// The state that would be right: running, `needs_input`, starting, stale or exited
        #[arg(long, value_name = "STATE")]
        expected: Option<String>,
        /// Another file than one in the state folder; it must not be there yet
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// List the known agents, which are installed, and which a folder's own settings define
    List {
        #[command(flatten)]
        place: InWorkspace,
        /// List what a crash left behind instead: programs that run on without Trackside
        #[arg(long, conflicts_with = "workspace")]
        orphans: bool,
        #[arg(long)]
        json: bool,
    },
    /// End what a crash left behind, and everything it started; print what that was
    KillOrphans,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Check the rules of your configuration, or of a file of rules
    Check {
        /// A file with `[[rules]]`; your configuration if absent
        file: Option<PathBuf>,
        /// Only the rules of that agent
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
        /// Also say which rules match where in a recording
        #[arg(long = "try", value_name = "RECORDING.jsonl")]
        recording: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// List the rules that hold, in the order in which they are tried, and where each is from
    List {
        #[command(flatten)]
        place: InWorkspace,
        /// For that agent; by default those that hold for every program
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
        #[arg(long)]
        json: bool,
    },
}

fn parse_detach_key(text: &str) -> Result<DetachKey, String> {
    DetachKey::parse(text).ok_or_else(|| format!("expected {}", DetachKey::EXPECTED))
}
