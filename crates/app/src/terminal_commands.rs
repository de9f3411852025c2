//! The client half of `trackside terminal`.

use std::io::Write;

use anyhow::{Context as _, Result, bail};
use control::{Call, StatusReply, TabKind, WorkspaceStatus};

use crate::cli::{TerminalCommand, WhichTerminal};
use crate::commands::{call, clean, named, screen};
use crate::places::Places;

pub(crate) fn run(command: TerminalCommand, places: &Places, out: &mut impl Write) -> Result<()> {
    match command {
        TerminalCommand::New { place, cwd, command } => {
            let cwd = cwd.map(std::path::absolute).transpose()?;
            let command = (!command.is_empty()).then_some(command);
            let new = Call::TerminalNew { workspace: named(place.workspace), cwd, command };
            writeln!(out, "{}", call(places, new)?["tab"])?;
        }
        TerminalCommand::List { place } => list(places, named(place.workspace).as_deref(), out)?,
        TerminalCommand::Send { which, enter, text } => {
            let WhichTerminal { place, tab } = which;
            let workspace = named(place.workspace);
            call(places, Call::TerminalSend { workspace, tab, text, enter })?;
        }
        TerminalCommand::Text { which } => {
            let status: StatusReply = serde_json::from_value(call(places, Call::Status)?)?;
            let workspace = named(which.place.workspace);
            let found = status.workspaces.iter().find(|it| is_meant(it, workspace.as_deref()));
            if let Some(name) = workspace.as_deref().filter(|_| found.is_none()) {
                bail!("there is no workspace {}", clean(name));
            }
            let tab = which.tab.or_else(|| default_tab(found?));
            let tab = Some(tab.context("there is no terminal here")?);
            screen(&call(places, Call::Screen { workspace, tab })?, false, out)?;
        }
        TerminalCommand::Close { which, force } => {
            let WhichTerminal { place, tab } = which;
            let workspace = named(place.workspace);
            call(places, Call::TerminalClose { workspace, tab, force })?;
        }
    }
    Ok(())
}

fn list(places: &Places, workspace: Option<&str>, out: &mut impl Write) -> Result<()> {
    let status: StatusReply = serde_json::from_value(call(places, Call::Status)?)?;
    let all = status.workspaces.iter();
    for found in all.filter(|it| workspace.is_none() || is_meant(it, workspace)) {
        for tab in &found.tabs {
            let Some(terminal) = &tab.terminal else { continue };
            let state = match (&terminal.signal, terminal.exit_code, &terminal.running) {
                _ if terminal.failure.is_some() => "did not start".to_owned(),
                (Some(signal), ..) => format!("killed by {signal}"),
                (None, Some(code), _) => format!("exited {code}"),
                (None, None, Some(running)) => format!("running {}", clean(running)),
                (None, None, None) => "at its prompt".to_owned(),
            };
            let (name, title) = (clean(&found.name), clean(&tab.title));
            writeln!(out, "{:<4} {name:<20} {state:<20} {title}", tab.id)?;
        }
    }
    Ok(())
}

pub(crate) fn is_meant(workspace: &WorkspaceStatus, wanted: Option<&str>) -> bool {
    wanted.map_or(workspace.active, |wanted| {
        wanted == workspace.name || wanted == workspace.path || wanted == workspace.id.to_string()
    })
}

/// As the instance chooses where no tab is named.
fn default_tab(workspace: &WorkspaceStatus) -> Option<u64> {
    let terminals = workspace.tabs.iter().filter(|tab| tab.kind == TabKind::Terminal);
    let ids: Vec<u64> = terminals.map(|tab| tab.id).collect();
    workspace.active_tab.filter(|id| ids.contains(id)).or_else(|| ids.last().copied())
}
