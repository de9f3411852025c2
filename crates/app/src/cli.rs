//! The command line, as typed.

mod agent;
pub(crate) mod mistyped;
mod terminal;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

pub(crate) use self::agent::{AgentCommand, RulesCommand};
pub(crate) use self::terminal::{TerminalCommand, WhichTerminal};

/// A native editor for people who run many coding agents.
#[derive(Debug, Parser)]
#[command(name = "trackside", version)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub places: Places,
    #[command(flatten)]
    pub open: OpenArgs,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Where state and configuration are; also finds the running instance.
#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// Another place for state: an instance of its own
    #[arg(long, global = true, value_name = "DIR", env = "TRACKSIDE_STATE_DIR")]
    pub state_dir: Option<PathBuf>,
    /// Another configuration file
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// Folders and files to open; a line and a column may follow, as in src/main.rs:12:5
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Return when the opened files are closed again
    #[arg(long)]
    pub wait: bool,
    /// Open nothing of what was open last time; that is put beside, as session.json.before
    #[arg(long)]
    pub fresh: bool,
    /// Let programs end with the instance, in place of having a process of their own hold their terminals
    #[arg(long)]
    pub no_host: bool,
    /// Run the same app with no window, drawn offscreen
    #[arg(long)]
    pub headless: bool,
    /// Size of the offscreen picture
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1600x1000", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Device pixels per logical pixel, offscreen
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_scale)]
    pub scale: f32,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct InWorkspace {
    /// A workspace's id, name or path; the active one if absent
    #[arg(short = 'w', long = "workspace", value_name = "W")]
    pub workspace: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show workspaces, agents, states, reasons, ages
    Status {
        #[arg(long)]
        json: bool,
    },
    /// Open a folder or file in the running instance
    Open {
        #[arg(value_name = "PATH[:LINE[:COL]]")]
        path: String,
    },
    /// Start, stop, restart and talk to agents
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Let a folder's own settings (.trackside/config.toml) decide what agents run in it
    Trust(TrustArgs),
    /// Open, close and talk to terminals without an agent
    #[command(subcommand)]
    Terminal(TerminalCommand),
    /// Wait until a workspace's agent is in a state
    Wait {
        #[command(flatten)]
        place: InWorkspace,
        /// idle, starting, running, `needs_input`, stale, exited, completed, errored or stopped
        #[arg(long)]
        state: String,
        /// How long at most: 30s, 500ms, 2m
        #[arg(long, value_parser = parse_duration)]
        timeout: Option<Duration>,
    },
    /// Say why an agent's state is what it is: what is believed, and what else there is to say
    Explain {
        #[command(flatten)]
        place: InWorkspace,
        #[arg(long)]
        json: bool,
    },
    /// Report what an agent does; for hooks and scripts, also those that an agent starts
    Report {
        #[command(flatten)]
        place: InWorkspace,
        /// running, `needs_input`, completed, errored, or cleared: what was reported no longer holds
        #[arg(value_parser = parse_report, required_unless_present = "hook")]
        state: Option<control::ReportedState>,
        /// What is waited for: permission, question, confirmation, password, `first_run`, error,
        /// `turn_done`; anything else is shown as it is
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        /// Of two reports the one with the higher number counts; by default the time of the call
        #[arg(long, value_name = "N")]
        sequence: Option<u64>,
        /// What the agent calls its own session, by which it can go on with it later
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        #[command(flatten)]
        hook: HookArgs,
    },
    /// Play a recording through the terminal and the rules, and print the states it passes through
    Replay {
        file: PathBuf,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
        /// Print what can be read in it instead, to be looked at before it is shared
        #[arg(long, conflicts_with = "json")]
        text: bool,
        /// Columns and rows of the recorded screen; by default what the file says, or 120x40
        #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_size)]
        size: Option<(u32, u32)>,
        /// By whose rules; by default those that hold for every program
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
    },
    /// Print what a tab shows, as text
    Screen {
        #[command(flatten)]
        place: InWorkspace,
        /// A tab's id; the workspace's active one if absent
        #[arg(long)]
        tab: Option<u64>,
        #[arg(long)]
        json: bool,
    },
    /// Print what a workspace's agent has printed, in all its launches, as text
    Transcript(TranscriptArgs),
    /// Draw what the window shows into a PNG file
    Screenshot { file: PathBuf },
    /// Do any action the palette has
    Do {
        /// The action's name, such as file.save
        #[arg(required_unless_present = "list")]
        action: Option<String>,
        /// Its arguments as a JSON object
        args: Option<String>,
        /// List all actions
        #[arg(long)]
        list: bool,
    },
    /// Press keys in the window: ctrl-shift-p ctrl-home f3
    Keys {
        #[arg(required = true)]
        keys: Vec<String>,
    },
    /// Type text in the window
    Type { text: String },
    /// Print state changes as they happen
    Events {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show frames, times, wake-ups and memory
    Stats {
        #[arg(long)]
        json: bool,
    },
    /// Show the configuration: check it, or print its path or the defaults
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Say what works here: GPU adapter, fonts, agents found, sockets, clipboard
    Doctor,
    /// Hold the terminals of an instance, which starts this itself
    #[command(hide = true)]
    Host {
        /// Where to listen
        #[arg(long, value_name = "PATH")]
        socket: PathBuf,
    },
    /// End the running instance
    Quit {
        /// Stop the agents too, without asking; with no instance running those that go on without one
        #[arg(long)]
        stop_agents: bool,
    },
}

/// What agents call us with at their steps; see docs/adr/0017-hooks.md.
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// Read what this agent tells its hooks: claude, codex or aider. Says nothing, and never fails
    #[arg(
        long,
        value_name = "AGENT",
        value_parser = parse_hook,
        conflicts_with_all = ["workspace", "state", "reason", "sequence", "session"],
    )]
    pub hook: Option<hooks::Agent>,
    /// The launch that the hook was set up for
    #[arg(long, value_name = "N", requires = "hook")]
    pub launch: Option<u64>,
    /// What it tells, if not on standard input
    #[arg(long, value_name = "JSON", requires = "hook", allow_hyphen_values = true)]
    pub payload: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TranscriptArgs {
    #[command(flatten)]
    pub place: InWorkspace,
    /// The bytes as they were printed, with what makes a terminal do things
    #[arg(long)]
    pub raw: bool,
    /// Only what was printed so long ago at most: 10m, 30s, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub since: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The folder; the current one if absent
    pub path: Option<PathBuf>,
    /// Only show what would be trusted
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    pub show: bool,
    /// List the folders that are trusted
    #[arg(long, conflicts_with_all = ["path", "revoke"])]
    pub list: bool,
    /// Trust that folder no longer
    #[arg(long, value_name = "PATH", conflicts_with = "path")]
    pub revoke: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Read the configuration and say whether it is right
    Check,
    /// Print where it is
    Path,
    /// Print the default configuration with comments
    Default,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let number = |part: &str| part.parse().ok().filter(|n| (1..=16_384).contains(n));
    text.split_once('x')
        .and_then(|(width, height)| Some((number(width)?, number(height)?)))
        .ok_or_else(|| "expected WIDTHxHEIGHT, each from 1 to 16384, such as 1600x1000".to_owned())
}

fn parse_scale(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|scale| (0.5..=4.0).contains(scale))
        .ok_or_else(|| "expected a number from 0.5 to 4".to_owned())
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let factor = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 30s, 500ms or 2m".to_owned()),
    };
    let number: Option<f64> = text[..text.len() - unit.len()].parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number * factor).ok())
        .ok_or_else(|| "expected a time such as 30s, 500ms or 2m".to_owned())
}

fn parse_report(text: &str) -> Result<control::ReportedState, String> {
    use control::ReportedState::{Cleared, Completed, Errored, NeedsInput, Running};
    match text {
        "running" => Ok(Running),
        "needs_input" => Ok(NeedsInput),
        "completed" => Ok(Completed),
        "errored" => Ok(Errored),
        "cleared" => Ok(Cleared),
        _ => Err("expected running, needs_input, completed, errored or cleared".to_owned()),
    }
}

fn parse_hook(text: &str) -> Result<hooks::Agent, String> {
    hooks::Agent::named(text).ok_or_else(|| "expected claude, codex or aider".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn times_are_read_with_and_without_unit() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)), "milliseconds");
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)), "minutes");
        assert_eq!(parse_duration("3"), Ok(Duration::from_secs(3)), "seconds are the default");
        assert!(parse_duration("soon").is_err(), "words are refused");
        assert!(parse_duration("-1s").is_err(), "negative times are refused");
    }

    #[test]
    fn sizes_are_bounded() {
        assert_eq!(parse_size("1600x1000"), Ok((1600, 1000)), "the usual form");
        assert!(parse_size("0x5").is_err(), "nothing to draw on");
        assert!(parse_size("99999x5").is_err(), "larger than any texture");
    }
}
