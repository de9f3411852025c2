//! What a folder's own settings mean for the agents started in it.
//!
//! They are a stranger's until the user says otherwise. What an agent runs is then not the user's
//! own definition of the same name either, as that is not what the folder asks for: the launch is
//! refused, and the refusal says why.

use std::borrow::Cow;
use std::collections::BTreeMap;

use config::{Config, Project, ProjectError, ResolvedAgent};

use crate::{ActionError, State, Workspace};

/// A folder's own settings, as last read.
#[derive(Debug, Default)]
pub enum ProjectSettings {
    #[default]
    None,
    Read {
        project: Box<Project>,
        /// Stands for what was read of it that decides what runs.
        fingerprint: String,
        trust: TrustLevel,
    },
    Broken(ProjectError),
}

/// Whether the user lets a folder's settings decide what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustLevel {
    /// Never asked, or refused.
    None,
    /// For other commands than those that are there now.
    Outdated,
    Full,
}

/// Whether an agent's program can be run, as last looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    Found,
    /// Why not.
    Missing(String),
}

/// An agent that could be started in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAgent {
    pub agent: ResolvedAgent,
    /// Absent until it was looked up.
    pub availability: Option<Availability>,
    /// The folder's settings decide what it runs, and the user has not allowed that.
    pub needs_trust: bool,
}

impl ProjectSettings {
    /// Whether the user must be asked before an agent of that name runs.
    pub fn needs_trust(&self, agent: &str) -> bool {
        match self {
            Self::None | Self::Broken(_) => false,
            Self::Read { project, trust, .. } => {
                *trust != TrustLevel::Full && project.commands(agent)
            }
        }
    }

    /// The user's settings with the folder's over them, trusted or not.
    pub fn over<'a>(&self, user: &'a Config) -> Cow<'a, Config> {
        match self {
            Self::None | Self::Broken(_) => Cow::Borrowed(user),
            Self::Read { project, .. } => Cow::Owned(project.over(user)),
        }
    }

    /// The settings that hold in the folder now: its own only once the user trusts it.
    pub fn held_over<'a>(&self, user: &'a Config) -> Cow<'a, Config> {
        match self {
            Self::Read { project, trust: TrustLevel::Full, .. } => Cow::Owned(project.over(user)),
            Self::Read { .. } | Self::None | Self::Broken(_) => Cow::Borrowed(user),
        }
    }

    /// Why they cannot be used, or which of their rules cannot.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Self::Broken(err) => Some(err.to_string()),
            Self::Read { project, .. } => project.rule_complaint(),
            Self::None => None,
        }
    }
}

impl State {
    /// How an agent of that name is started in a folder.
    pub(crate) fn agent_in(
        &self,
        workspace: &Workspace,
        name: &str,
    ) -> Result<ResolvedAgent, ActionError> {
        match &workspace.project {
            ProjectSettings::Broken(err) if err.may_concern(name) => {
                return Err(ActionError::ProjectBroken {
                    agent: name.to_owned(),
                    why: err.to_string(),
                });
            }
            project if project.needs_trust(name) => {
                return Err(ActionError::Untrusted {
                    agent: name.to_owned(),
                    folder: workspace.root.clone(),
                });
            }
            _ => {}
        }
        Ok(workspace.project.over(&self.config).agent_command(name)?)
    }

    /// All agents that could be started in a folder, by name.
    pub fn known_agents(&self, workspace: &Workspace) -> Vec<KnownAgent> {
        let config = workspace.project.over(&self.config);
        let known = |name: &String| {
            let agent = config.agent_command(name).ok()?;
            let availability = workspace.availability.get(name).or(self.installed.get(name));
            let availability = match &workspace.project {
                ProjectSettings::Broken(err) if err.may_concern(name) => {
                    Some(Availability::Missing("the folder's settings have a mistake".to_owned()))
                }
                ProjectSettings::Broken(_)
                | ProjectSettings::Read { .. }
                | ProjectSettings::None => availability.cloned(),
            };
            let needs_trust = workspace.project.needs_trust(name);
            Some(KnownAgent { agent, availability, needs_trust })
        };
        config.agents.keys().filter_map(known).collect()
    }

    /// Takes in a folder's settings; a mistake in them is said once.
    pub(crate) fn take_project(
        &mut self,
        id: crate::WorkspaceId,
        project: ProjectSettings,
        availability: BTreeMap<String, Availability>,
        now: std::time::Instant,
    ) {
        let Some(workspace) = self.workspace_mut(id) else { return };
        let complaint = project.complaint();
        let is_new = complaint != workspace.project.complaint();
        workspace.project = project;
        workspace.availability = availability;
        self.renew_rules();
        if let Some(complaint) = complaint.filter(|_| is_new) {
            self.show_toast(complaint, crate::ToastKind::Error, now);
        }
    }
}
