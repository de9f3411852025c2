//! `trackside terminal …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::InWorkspace;

/// A terminal's tab; the active one if that is a terminal's, or else the last that is.
#[derive(Debug, Clone, Args)]
pub(crate) struct WhichTerminal {
    #[command(flatten)]
    pub place: InWorkspace,
    /// The id of a terminal's tab; the active one, or else the last, if absent
    #[arg(long, value_name = "N")]
    pub tab: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TerminalCommand {
    /// Open a terminal with your shell, or any command after --; print its tab's id
    New {
        #[command(flatten)]
        place: InWorkspace,
        /// Where it starts; else where the active terminal is, or the workspace's folder
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// List the terminals of all workspaces, or of one
    List {
        #[command(flatten)]
        place: InWorkspace,
    },
    /// Write text to a terminal
    Send {
        #[command(flatten)]
        which: WhichTerminal,
        /// Press Enter after it
        #[arg(long)]
        enter: bool,
        text: String,
    },
    /// Print what a terminal shows
    Text {
        #[command(flatten)]
        which: WhichTerminal,
    },
    /// Close a terminal and end all that was started in it
    Close {
        #[command(flatten)]
        which: WhichTerminal,
        /// Also while something runs in it
        #[arg(long)]
        force: bool,
    },
}
