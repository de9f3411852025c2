//! What a launch comes to: names looked up, tokens replaced, before anything is made for it.

use std::collections::BTreeMap;

use agent::Timeouts;
use config::{RestartPolicy, Token, TokenValues};

use crate::{ActionError, Launch, State, Workspace, WorkspaceId};

/// A launch that can be carried out, as far as memory can tell.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) argv: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) timeouts: Timeouts,
    /// Whether it is asked to report what it does.
    pub(super) hooks: bool,
    pub(super) restart: RestartPolicy,
}

impl State {
    /// The command that a launch would run there.
    ///
    /// # Errors
    /// It names no agent, one that must not run yet, or something that has no value.
    pub fn launch_command(
        &self,
        workspace: WorkspaceId,
        launch: &Launch,
    ) -> Result<Vec<String>, ActionError> {
        let workspace = self.workspace(workspace).ok_or(ActionError::NoWorkspace)?;
        Ok(self.resolve(workspace, launch)?.argv)
    }

    pub(super) fn resolve(
        &self,
        workspace: &Workspace,
        launch: &Launch,
    ) -> Result<Program, ActionError> {
        let values = self.token_values(workspace);
        let name = match launch {
            Launch::Named(name) => name.clone(),
            Launch::Command(argv) => {
                let program = argv.first().filter(|program| !program.is_empty());
                let name = program.ok_or(ActionError::EmptyCommand)?;
                let name = name.rsplit('/').next().unwrap_or(name).to_owned();
                let (env, timeouts) = (values.variables().collect(), Timeouts::default());
                let hooks = self.wants_hooks(workspace, &name);
                let (argv, restart) = (argv.clone(), RestartPolicy::Never);
                return Ok(Program { name, argv, env, timeouts, hooks, restart });
            }
        };
        let agent = self.agent_in(workspace, &name)?;
        let missing = |missing: config::MissingToken| ActionError::MissingValue {
            agent: name.clone(),
            variable: missing.0.variable(),
        };
        let argv = values.expand(&agent.argv).map_err(missing)?;
        // What the settings say has the last word.
        let env = values.variables().chain(agent.env).collect();
        let timeouts =
            Timeouts { needs_input: agent.needs_input_timeout, stale: agent.stale_timeout };
        let (hooks, restart) = (agent.hooks, agent.restart);
        Ok(Program { name, argv, env, timeouts, hooks, restart })
    }

    /// How the ended agent of a workspace goes on with the session it was in, and which that is.
    pub(super) fn resume(&self, workspace: &Workspace) -> Result<(Program, String), ActionError> {
        let name = || workspace.name().to_owned();
        let agent = workspace.agent().ok_or_else(|| ActionError::NoAgent { workspace: name() })?;
        if agent.is_alive() {
            return Err(ActionError::AgentAlive { workspace: name() });
        }
        let session =
            agent.session().ok_or_else(|| ActionError::NoSession { workspace: name() })?;
        let session = session.to_owned();
        let name = agent.name().to_owned();
        let cannot = || ActionError::CannotResume { agent: name.clone() };
        let known = match self.agent_in(workspace, &name) {
            Err(ActionError::UnknownAgent(_)) => return Err(cannot()),
            known => known?,
        };
        if known.resume.is_empty() {
            return Err(cannot());
        }
        let values = self.token_values(workspace).with(Token::SessionId, &session);
        let missing = |missing: config::MissingToken| ActionError::MissingValue {
            agent: name.clone(),
            variable: missing.0.variable(),
        };
        let argv = values.expand(&known.resume).map_err(missing)?;
        let env = values.variables().chain(known.env).collect();
        let timeouts =
            Timeouts { needs_input: known.needs_input_timeout, stale: known.stale_timeout };
        let (hooks, restart) = (known.hooks, known.restart);
        Ok((Program { name, argv, env, timeouts, hooks, restart }, session))
    }

    /// Whether it can, as far as is known.
    pub fn can_resume(&self, workspace: &Workspace) -> bool {
        self.resume(workspace).is_ok()
    }

    /// Whether a program that is called as an agent is may be asked to report. A folder that is not
    /// trusted has no say.
    fn wants_hooks(&self, workspace: &Workspace, name: &str) -> bool {
        let configured = self.agent_in(workspace, name).map(|agent| agent.hooks).ok();
        let users = || self.config.agents.get(name).is_none_or(|agent| agent.hooks);
        configured.unwrap_or_else(users)
    }

    /// What tokens stand for when a person starts an agent.
    fn token_values(&self, workspace: &Workspace) -> TokenValues {
        let values = TokenValues::default().with(Token::Workspace, workspace.name());
        let values = match &self.socket {
            Some(socket) => values.with(Token::Socket, socket),
            None => values,
        };
        // An argument is text; a folder whose name is not has no value here.
        match workspace.root().to_str() {
            Some(root) => values.with(Token::ProjectRoot, root).with(Token::Worktree, root),
            None => values,
        }
    }
}
