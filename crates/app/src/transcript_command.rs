//! `trackside transcript`: what the agents of a folder have printed, whether anything runs or not.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use control::{Call, Client, ConnectError, StatusReply};
use host::{Transcript, transcript};
use store::Session;

use crate::cli::TranscriptArgs;
use crate::commands::{clean, named};
use crate::places::Places;
use crate::sessions::agent_transcripts;
use crate::transcript_text::{write_raw, write_text};

pub(crate) fn run(args: TranscriptArgs, places: &Places, out: &mut impl Write) -> Result<()> {
    let root = root_of(args.place.workspace, places)?;
    let folder = places.state_dir.join(transcript::FOLDER).join(agent_transcripts(&root));
    let launches = transcript::launches(&folder).unwrap_or_default();
    if launches.is_empty() {
        let root = clean(&root.to_string_lossy());
        bail!("nothing is kept of an agent in {root}; agents started with --no-host leave nothing");
    }
    let since = args.since.map(ago);
    let n_launches = launches.len();
    for folder in launches {
        let path = || clean(&folder.to_string_lossy());
        let transcript =
            Transcript::open(&folder).with_context(|| format!("cannot read {}", path()))?;
        let from = match since {
            None => transcript.start(),
            Some(since) => match transcript.offset_at(since) {
                Some(from) => from,
                None => continue,
            },
        };
        if args.raw {
            write_raw(&transcript, from, out)?;
            continue;
        }
        if n_launches > 1 {
            let launch = folder.file_name().unwrap_or_default().to_string_lossy();
            writeln!(out, "── launch {launch} ──")?;
        }
        write_text(&transcript, from, out)?;
    }
    Ok(())
}

/// The folder of the workspace that is meant: as the running instance knows it, or the last one did.
fn root_of(workspace: Option<String>, places: &Places) -> Result<PathBuf> {
    let wanted = named(workspace);
    let known = match Client::connect(&places.running_socket()) {
        Ok(mut client) => running(&mut client)?,
        Err(ConnectError::NoInstance { .. }) => remembered(places)?,
        Err(err) => return Err(err.into()),
    };
    let is_wanted = |known: &Known| match &wanted {
        None => known.is_active,
        Some(wanted) => {
            known.name == *wanted
                || known.root.as_os_str() == wanted.as_str()
                || known.id == *wanted
        }
    };
    if let Some(found) = known.into_iter().find(is_wanted) {
        return Ok(found.root);
    }
    match wanted.map(PathBuf::from) {
        // Closed since, perhaps.
        Some(path) if path.is_absolute() => Ok(path),
        Some(name) => bail!("no workspace is called `{}`", clean(&name.to_string_lossy())),
        None => bail!("no workspace is open; name a folder with `-w PATH`"),
    }
}

/// A workspace that may be meant.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) root: PathBuf,
    pub(crate) is_active: bool,
}

fn running(client: &mut Client) -> Result<Vec<Known>> {
    let status: StatusReply = serde_json::from_value(client.call(Call::Status)?)?;
    let known = status.workspaces.into_iter().map(|workspace| Known {
        id: workspace.id.to_string(),
        name: workspace.name,
        root: workspace.path.into(),
        is_active: workspace.active,
    });
    Ok(known.collect())
}

/// Ids are of one run, and nothing runs.
pub(crate) fn remembered(places: &Places) -> Result<Vec<Known>> {
    let session = Session::load(&places.state_dir)?.value;
    let active = session.active;
    let known = session.workspaces.into_iter().enumerate().map(|(place, workspace)| Known {
        id: String::new(),
        name: workspace.name,
        root: workspace.root.into(),
        is_active: active == Some(place),
    });
    Ok(known.collect())
}

/// In milliseconds since 1970.
fn ago(time: Duration) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.saturating_sub(time).as_millis()).unwrap_or(u64::MAX)
}
