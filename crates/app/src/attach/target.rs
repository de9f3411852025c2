//! Which agent is meant, and the way to it.
//!
//! The host is asked, whether an instance runs or not; what runs is known by the labels that it keeps. An
//! instance only says which workspace is meant, as it would for any other command.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use base::LogErr as _;
use control::host::{HostErrorKind, ProgramStatus};
use control::{Call, CallError, ConnectError, ErrorKind, StateWord, StatusReply};
use host::{Client, ClientError, HostSource, Transcript};
use pty::{Mailbox, PtyTerminal};
use terminal::{Modes, TerminalBuffer, TerminalOptions};

use super::serving::Notices;
use crate::catching_up::Behind;
use crate::commands::{clean, named};
use crate::host_command;
use crate::last_session::Times;
use crate::places::Places;
use crate::sessions::{Label, Labelled};
use crate::transcript_command::{Known, remembered};

/// An agent that runs in the host.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) client: Client,
    pub(super) notices: Notices,
    /// By which the host knows it.
    pub(super) program: u64,
    pub(super) agent: String,
    pub(super) workspace: String,
}

/// The way into its terminal.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) terminal: TerminalBuffer,
    pub(super) master: PtyTerminal,
    pub(super) source: HostSource,
    /// What is shown may be wrong until it is drawn anew.
    pub(super) is_partial: bool,
}

/// The agent is there, but not in the host.
#[derive(Debug, thiserror::Error)]
#[error(
    "the agent of {workspace} ends with its window, which runs without a host (--no-host); only an agent \
     that a host holds can be attached to"
)]
pub(crate) struct NotHosted {
    workspace: String,
}

/// What the host holds of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    program: u64,
    name: String,
    root: PathBuf,
    is_alive: bool,
}

impl Target {
    /// # Errors
    /// There is no such agent, or it does not run in the host; the line says so.
    pub(super) fn find(workspace: Option<&str>, places: &Places) -> Result<Self> {
        let (status, no_instance) = match control::Client::connect(&places.running_socket()) {
            Ok(mut client) => {
                let status = client.call(Call::Status).map_err(refused)?;
                (Some(serde_json::from_value(status)?), None)
            }
            Err(err @ ConnectError::NoInstance { .. }) => (None, Some(err)),
            Err(err) => return Err(err.into()),
        };
        let status: Option<StatusReply> = status;
        let notices = Arc::new(Mailbox::new()?);
        let told = Arc::clone(&notices);
        let client = Client::find(host_command::start(places), move |notice| told.post(notice));
        let client = client.map_err(denied)?;
        let held = client.as_ref().map_or(Ok(Vec::new()), Client::list)?;
        let held: Vec<Held> = held.iter().filter_map(Held::of).collect();
        let known = match &status {
            Some(status) => running(status),
            None => remembered(places)?,
        };
        let wanted = named(workspace.map(ToOwned::to_owned));
        let (root, workspace) = match choose(wanted.as_deref(), &known, &held, status.is_some()) {
            Ok(chosen) => chosen,
            Err(line) => match no_instance.filter(|_| client.is_none()) {
                // Nothing runs at all.
                Some(no_instance) => return Err(no_instance.into()),
                None => bail!(line),
            },
        };
        let here: Vec<&Held> = held.iter().filter(|it| it.root == root).collect();
        let alive = here.iter().filter(|it| it.is_alive).max_by_key(|it| it.program);
        let (Some(alive), Some(client)) = (alive, client) else {
            let lives = status.as_ref().and_then(|status| agent_lives(status, &root));
            let (lives, is_there) = (lives == Some(true), lives.is_some() || !here.is_empty());
            let workspace = clean(&workspace);
            return Err(match no_instance.filter(|_| here.is_empty()) {
                Some(no_instance) => no_instance.into(),
                None if lives => NotHosted { workspace }.into(),
                None if is_there => anyhow!(
                    "the agent of {workspace} does not run any more; start it again with `trackside agent \
                     restart -w {workspace}`"
                ),
                None => anyhow!(
                    "there is no agent in {workspace}; start one with `trackside agent start -w {workspace}`"
                ),
            });
        };
        if !client.has_views() {
            bail!(
                "the running host is of an older Trackside; it can be attached to once its agents have ended"
            );
        }
        let (program, agent) = (alive.program, alive.name.clone());
        Ok(Self { client, notices, program, agent, workspace })
    }

    /// What the host knows of the program, if it still does.
    ///
    /// # Errors
    /// The host has gone, or hangs.
    pub(super) fn status(&self) -> Result<Option<ProgramStatus>, ClientError> {
        Ok(self.client.list()?.into_iter().find(|status| status.program == self.program))
    }

    /// Reads what it has printed so far, and from where it goes on.
    ///
    /// # Errors
    /// It has just gone.
    pub(super) fn join(&self, now: Instant) -> Result<Joined> {
        let status = self.status()?.context("the agent has just gone")?;
        let (_, master) = self.client.attach(self.program)?;
        let master = PtyTerminal::adopt(master)?;
        let options = TerminalOptions { scrollback_lines: 0, ..TerminalOptions::default() };
        let terminal = TerminalBuffer::new(terminal::GridSize::default(), options);
        let behind = Behind { terminal, agent: None, as_of: now, ended: None };
        let folder = status.transcript.map(PathBuf::from);
        let transcript = folder.and_then(|folder| {
            Transcript::open(&folder).log_err("reading what the agent has printed")
        });
        let caught_up = match transcript {
            Some(transcript) => behind.catch_up(&transcript, Times::new(now)),
            None => behind.with_nothing(status.oldest),
        };
        let source = self.client.watch(self.program, caught_up.read)?;
        let terminal = caught_up.terminal;
        let is_full_screen = terminal.modes().contains(Modes::ALT_SCREEN);
        let is_partial = caught_up.is_partial || is_full_screen || source.start() != caught_up.read;
        Ok(Joined { terminal, master, source, is_partial })
    }
}

impl Held {
    fn of(status: &ProgramStatus) -> Option<Self> {
        let Label { root, kind, .. } = Label::from_json(&status.label)?;
        let Labelled::Agent { name, .. } = kind else { return None };
        Some(Self { program: status.program, name, root, is_alive: status.ended.is_none() })
    }
}

/// The folder of the workspace that is meant, and its name; else why not, in words.
fn choose(
    wanted: Option<&str>,
    known: &[Known],
    held: &[Held],
    is_running: bool,
) -> Result<(PathBuf, String), String> {
    let base =
        |root: &Path| root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
    let name_of = |root: &Path| {
        let named = known.iter().find(|it| it.root == *root);
        named.map_or_else(|| base(root), |it| it.name.clone())
    };
    let mut alive: Vec<&Path> = Vec::new();
    for it in held.iter().filter(|it| it.is_alive) {
        if !alive.contains(&it.root.as_path()) {
            alive.push(&it.root);
        }
    }
    let found = match wanted {
        None if is_running => known.iter().find(|it| it.is_active).map(|it| it.root.as_path()),
        None => {
            let active = known.iter().find(|it| it.is_active && alive.contains(&it.root.as_path()));
            match (active, &alive[..]) {
                (Some(active), _) => Some(active.root.as_path()),
                (None, [one]) => Some(*one),
                (None, []) => None,
                (None, several) => {
                    let names: Vec<String> = several.iter().map(|root| name_of(root)).collect();
                    return Err(format!(
                        "several agents run; name one with -w: {}",
                        names.join(", ")
                    ));
                }
            }
        }
        Some(wanted) => {
            let is_known =
                |it: &&Known| it.id == wanted || it.name == wanted || it.root.as_os_str() == wanted;
            let is_held = |root: &&Path| root.as_os_str() == wanted || base(root) == wanted;
            let known = known.iter().find(is_known).map(|it| it.root.as_path());
            known.or_else(|| alive.iter().copied().find(is_held))
        }
    };
    match (found, wanted) {
        (Some(root), _) => Ok((root.to_owned(), name_of(root))),
        (None, Some(wanted)) => Err(format!("no workspace is called `{}`", clean(wanted))),
        (None, None) if is_running => Err("no workspace is open".to_owned()),
        (None, None) => Err("no agent runs".to_owned()),
    }
}

fn running(status: &StatusReply) -> Vec<Known> {
    let known = status.workspaces.iter().map(|workspace| Known {
        id: workspace.id.to_string(),
        name: workspace.name.clone(),
        root: PathBuf::from(&workspace.path),
        is_active: workspace.active,
    });
    known.collect()
}

/// Whether the agent that the instance has there is alive.
fn agent_lives(status: &StatusReply, root: &Path) -> Option<bool> {
    let mut workspaces = status.workspaces.iter();
    let agent = workspaces.find(|it| Path::new(&it.path) == root).and_then(|it| it.agent.as_ref());
    Some(!matches!(agent?.state, StateWord::Exited | StateWord::Stopped))
}

/// A host that refuses whoever it has started says so in its own words, which say nothing of terminals.
fn denied(err: ClientError) -> anyhow::Error {
    match err {
        ClientError::Refused(error) if error.kind == HostErrorKind::Denied => {
            anyhow!("{}: attach from a terminal that is not one of Trackside's own", error.message)
        }
        err => err.into(),
    }
}

/// Nor does an instance that takes us for what an agent has started: a person may type this in a terminal of
/// another Trackside.
fn refused(err: CallError) -> anyhow::Error {
    match err {
        CallError::Refused(reply) if reply.kind == ErrorKind::Denied => anyhow!(
            "what an agent or another Trackside has started may not attach: attach from a terminal that is not \
             one of Trackside's own"
        ),
        err => err.into(),
    }
}

#[cfg(test)]
mod tests;
