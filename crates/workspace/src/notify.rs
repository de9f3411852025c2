//! Telling the person that agents wait, or have failed, while they look elsewhere: when, and of which.
//!
//! It goes by the agents' states alone, so what their sub-agents print or ring for says nothing. An
//! agent is told of once for each time that it begins to wait. There is one notification, about all
//! that were told of and still wait; it goes when they are answered or the window is looked at.

mod notice;
mod policy;

use std::path::PathBuf;
use std::time::Instant;

use agent::{AgentHandle, AgentId, AgentState, Reason};

pub use self::notice::Notice;
pub(crate) use self::policy::Notifier;
use self::policy::{Manner, Said};
use crate::{Effect, State, ToastKind, Workspace, WorkspaceId, WorkspaceStatus};

/// What is done outside about agents that wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotifyEffect {
    /// Show it in place of the one before.
    Show(Notice),
    /// Some were answered: this is what is left to say, if the one before is still there to be seen.
    Correct(Notice),
    /// Nobody waits any more, or the person has come.
    Withdraw,
    /// Run the user's program.
    Run { command: Vec<String>, about: Waiting },
}

/// An agent that waits, as others are told. Nothing in its texts can hide or break a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub workspace: WorkspaceId,
    /// The workspace's name.
    pub name: String,
    pub root: PathBuf,
    pub agent: String,
    pub status: WorkspaceStatus,
    pub reason: Reason,
    /// What it asks, in its own words, and about what.
    pub text: Option<String>,
}

impl State {
    /// How many agents need the person. One that has finished and was seen does not.
    pub fn n_waiting(&self) -> usize {
        self.workspaces.iter().filter(|workspace| waiting_agent(workspace).is_some()).count()
    }

    /// Whether the person does not want to be disturbed.
    pub fn is_dnd(&self) -> bool {
        self.dnd_override.unwrap_or(self.config.notify.dnd)
    }

    pub(crate) fn toggle_dnd(&mut self, now: Instant) {
        let dnd = !self.is_dnd();
        self.dnd_override = Some(dnd);
        let words = if dnd { "No notifications from now on" } else { "Notifications are on again" };
        self.show_toast(words, ToastKind::Notice, now);
    }

    /// Whether somebody may be looking at what is shown.
    pub(crate) fn is_watched(&self) -> bool {
        self.focused && (self.has_window || !self.config.notify.headless)
    }

    /// Whether the desktop is told what goes on when the window closes.
    pub fn tells_of_leaving(&self) -> bool {
        self.has_window && self.config.notify.desktop && !self.is_dnd()
    }

    /// The person has clicked on a notification.
    pub(crate) fn notice_opened(&mut self, workspace: WorkspaceId, now: Instant) -> Vec<Effect> {
        // It may have been closed meanwhile; the window is wanted all the same.
        let shown = self.show_agent_of(workspace, now).unwrap_or_default();
        shown.into_iter().chain([Effect::FocusWindow]).collect()
    }

    /// Tells of those that have begun to wait, and takes back what is no longer so.
    pub(crate) fn settle_notices(&mut self, now: Instant) -> Vec<Effect> {
        let waiting: Vec<(AgentId, Reason)> = self
            .workspaces
            .iter()
            .filter_map(|workspace| waiting_agent(workspace).or_else(|| failed_agent(workspace)))
            .filter_map(|agent| Some((agent.id(), reason_of(agent)?)))
            .collect();
        let holds_back = self.is_watched() || self.is_dnd() || self.quitting;
        let manner = if holds_back { Manner::HoldBack } else { Manner::Tell };
        match self.notifier.look(&waiting, manner, &self.config.notify, now) {
            Said::Nothing => Vec::new(),
            Said::News { fresh } => self.tell(&fresh),
            Said::Fewer => {
                self.notice().map(NotifyEffect::Correct).map(Effect::Notify).into_iter().collect()
            }
            Said::Withdrawn => {
                let calm = (!self.is_flagged()).then_some(Effect::NoAttention);
                [Effect::Notify(NotifyEffect::Withdraw)].into_iter().chain(calm).collect()
            }
        }
    }

    /// When somebody has waited long enough to be told of.
    pub(crate) fn notice_due(&self) -> Option<Instant> {
        self.notifier.next_deadline(&self.config.notify)
    }

    fn tell(&self, fresh: &[AgentId]) -> Vec<Effect> {
        let config = &self.config.notify;
        let show = self.notice().filter(|_| config.desktop).map(NotifyEffect::Show);
        let command = Some(&config.command).filter(|command| !command.is_empty());
        let run = command.into_iter().flat_map(|command| {
            let about = fresh.iter().filter_map(|id| self.notice_of(*id));
            about.map(|about| NotifyEffect::Run { command: command.clone(), about })
        });
        let told = show.into_iter().chain(run).map(Effect::Notify);
        [Effect::Attention].into_iter().chain(told).collect()
    }

    /// About all that were told of and still wait.
    fn notice(&self) -> Option<Notice> {
        let told: Vec<Waiting> =
            self.notifier.shown().iter().filter_map(|id| self.notice_of(*id)).collect();
        Notice::about(&told, &self.config.notify.sound)
    }

    fn notice_of(&self, id: AgentId) -> Option<Waiting> {
        let of_agent = |workspace: &&Workspace| workspace.agent().is_some_and(|it| it.id() == id);
        let workspace = self.workspaces.iter().find(of_agent)?;
        let agent = workspace.agent()?;
        Some(Waiting {
            workspace: workspace.id,
            name: notice::plain(&workspace.name),
            root: workspace.root.clone(),
            agent: notice::plain(agent.name()),
            status: workspace.status(),
            reason: reason_of(agent)?,
            text: said(agent).map(|text| notice::plain(&text)).filter(|text| !text.is_empty()),
        })
    }
}

fn waiting_agent(workspace: &Workspace) -> Option<&AgentHandle> {
    let agent = workspace.agent()?;
    let gave_up = agent.gave_up().is_some() && agent.is_unread();
    let waits = workspace.status().needs_the_user() && !agent.is_calm();
    (waits || gave_up).then_some(agent)
}

/// One that has ended with an error which nobody has seen.
fn failed_agent(workspace: &Workspace) -> Option<&AgentHandle> {
    let agent = workspace.agent()?;
    (workspace.status() == WorkspaceStatus::Errored && agent.is_unread()).then_some(agent)
}

/// What it waits for, or that it failed.
fn reason_of(agent: &AgentHandle) -> Option<Reason> {
    let has_failed = matches!(agent.state(), AgentState::Exited { exit } if !exit.is_success());
    agent.reason().or(has_failed.then_some(Reason::Error))
}

/// What it asks and about what, or how it ended.
fn said(agent: &AgentHandle) -> Option<String> {
    match (agent.state(), agent.failure()) {
        (AgentState::Exited { exit }, None) => Some(exit.to_string()),
        (AgentState::Exited { .. }, Some(failure)) => Some(failure.to_owned()),
        _ => agent.asked_about(),
    }
}
