//! `trackside agent list`: which agents are known in a folder, and what each comes to.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use config::{Config, Token, TokenValues};
use control::{Call, StatusReply};
use serde_json::{Value, json};
use workspace::{ProjectSettings, TrustLevel};

use crate::commands::{call, clean, named};
use crate::places::Places;
use crate::projects::{self, Reading};
use crate::terminal_commands::is_meant;
use crate::{availability, doctor};

/// Where the definition of an agent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    BuiltIn,
    User,
    Project,
}

struct Row {
    name: String,
    title: String,
    command: Vec<String>,
    hooks: bool,
    source: Source,
    /// `None` where nothing has to be trusted.
    trusted: Option<bool>,
    /// Where its program is, or why not.
    found: Result<PathBuf>,
}

pub(crate) fn run(
    workspace: Option<String>,
    as_json: bool,
    places: &Places,
    out: &mut impl Write,
) -> Result<()> {
    let user = config::load(&places.config_file).unwrap_or_default();
    let running = call(places, Call::Doctor).ok();
    let search = doctor::search_path(running.as_ref());
    let folder = folder(workspace, places)?;
    let Reading { settings, notice: _ } = projects::read(&folder, &user, &places.state_dir);
    let rows = rows(&user, &settings, search.as_deref(), &folder);
    if as_json {
        writeln!(out, "{}", to_json(&rows, &settings, &folder))?;
        return Ok(());
    }
    for row in &rows {
        writeln!(out, "{}", clean(&line(row)))?;
    }
    if let Some(complaint) = settings.complaint() {
        writeln!(out, "{}", clean(&complaint))?;
    }
    Ok(())
}

/// The folder of the workspace that is meant, or without an instance the current one.
pub(crate) fn folder(workspace: Option<String>, places: &Places) -> Result<PathBuf> {
    let here = || std::env::current_dir().context("cannot tell the current folder");
    let wanted = named(workspace);
    let status = match (call(places, Call::Status), &wanted) {
        (Ok(status), _) => serde_json::from_value::<StatusReply>(status)?,
        (Err(_), None) => return here(),
        (Err(_), Some(path)) if path.starts_with('/') => return Ok(path.into()),
        (Err(err), Some(_)) => return Err(err),
    };
    let found = status.workspaces.iter().find(|it| is_meant(it, wanted.as_deref()));
    match (found, wanted) {
        (Some(found), _) => Ok(PathBuf::from(&found.path)),
        (None, None) => here(),
        (None, Some(path)) if Path::new(&path).is_dir() => Ok(path.into()),
        (None, Some(wanted)) => {
            bail!("there is no workspace `{wanted}`; `trackside status` lists them")
        }
    }
}

fn rows(
    user: &Config,
    settings: &ProjectSettings,
    search: Option<&OsStr>,
    folder: &Path,
) -> Vec<Row> {
    let merged = settings.over(user);
    let built_in = Config::default().agents;
    let here = folder.to_string_lossy();
    let in_folder = TokenValues::default().with(Token::Worktree, &*here);
    let in_folder = in_folder.with(Token::ProjectRoot, here);
    let row = |name: &String| {
        let agent = merged.agent_command(name).ok()?;
        let (source, trusted) = match settings {
            ProjectSettings::Read { project, trust, .. } if project.touches(name) => {
                let trusted = project.commands(name).then_some(*trust == TrustLevel::Full);
                (Source::Project, trusted)
            }
            _ if built_in.get(name) == user.agents.get(name) => (Source::BuiltIn, None),
            _ => (Source::User, None),
        };
        // A program of the folder's own.
        let program = in_folder.expand(&agent.argv[..1]).unwrap_or_else(|_| agent.argv.clone());
        let found = availability::find(&program, search, folder);
        Some(Row {
            name: agent.name,
            title: agent.title,
            command: agent.argv,
            hooks: agent.hooks,
            source,
            trusted,
            found,
        })
    };
    merged.agents.keys().filter_map(row).collect()
}

fn line(row: &Row) -> String {
    let installed = if row.found.is_ok() { "installed" } else { "not installed" };
    let command = row.command.join(" ");
    let path = row.found.as_ref().map_or_else(|_| String::new(), |it| it.display().to_string());
    let note = match (row.source, row.trusted) {
        (Source::Project, Some(false)) => "from this folder, not trusted",
        (Source::Project, Some(true)) => "from this folder, trusted",
        (Source::Project, None) => "changed by this folder",
        (Source::User, _) => "from your config",
        (Source::BuiltIn, _) => "",
    };
    format!("{:<12} {installed:<14} {command:<24} {path:<32} {note}", row.name)
        .trim_end()
        .to_owned()
}

fn to_json(rows: &[Row], settings: &ProjectSettings, folder: &Path) -> Value {
    let agents = rows.iter().map(|row| {
        json!({
            "name": row.name,
            "display_name": row.title,
            "command": row.command,
            "installed": row.found.is_ok(),
            "path": row.found.as_ref().ok().map(|path| path.to_string_lossy()),
            "reason": row.found.as_ref().err().map(ToString::to_string),
            "source": match row.source {
                Source::BuiltIn => "built_in",
                Source::User => "user",
                Source::Project => "project",
            },
            "trusted": row.trusted,
            "hooks": row.hooks,
        })
    });
    let (folder, project) = (folder.to_string_lossy(), project_to_json(settings));
    let agents = agents.collect::<Vec<_>>();
    json!({ "version": 1, "folder": folder, "project": project, "agents": agents })
}

/// What there is of a folder's own settings; null where it has none.
pub(crate) fn project_to_json(settings: &ProjectSettings) -> Value {
    match settings {
        ProjectSettings::None => Value::Null,
        ProjectSettings::Broken(err) => json!({ "trusted": false, "error": err.to_string() }),
        ProjectSettings::Read { trust, .. } => {
            json!({ "trusted": *trust == TrustLevel::Full, "error": null })
        }
    }
}
