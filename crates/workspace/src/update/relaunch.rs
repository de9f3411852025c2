//! Starting an agent once more: because the person wishes it, or because it has crashed.

use std::time::Instant;

use agent::{AgentId, Exit, Timeouts};
use config::RestartPolicy;

use super::Outcome;
use super::launch::Program;
use crate::revival::{Revival, Verdict, is_crash};
use crate::workspace::AgentSetup;
use crate::{
    ActionError, Effect, Launch, ProgramId, StartIn, State, TabContent, ToastKind, Workspace,
    WorkspaceId,
};

/// One more launch of an agent that has ended.
pub(super) struct Relaunch {
    argv: Vec<String>,
    setup: AgentSetup,
    timeouts: Timeouts,
    /// The one it goes on with.
    session: Option<String>,
}

impl State {
    /// The same command once more. What else it takes is looked up for one of an earlier run, of which
    /// only the command was kept; otherwise it is what it was.
    pub(super) fn same_again(&self, id: WorkspaceId) -> Result<Relaunch, ActionError> {
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let agent = workspace.agent.as_ref();
        let agent =
            agent.ok_or_else(|| ActionError::NoAgent { workspace: workspace.name.clone() })?;
        let argv = agent.command().to_vec();
        let session = None;
        if let Some(setup) = workspace.agent_setup.clone() {
            return Ok(Relaunch { argv, setup, timeouts: agent.timeouts(), session });
        }
        let launch = if workspace.agent_by_name {
            Launch::Named(agent.name().to_owned())
        } else {
            Launch::Command(argv.clone())
        };
        let Program { env, timeouts, hooks, restart, .. } = self.resolve(workspace, &launch)?;
        Ok(Relaunch { argv, setup: AgentSetup { env, hooks, restart }, timeouts, session })
    }

    pub(super) fn resumed(&self, id: WorkspaceId) -> Result<Relaunch, ActionError> {
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let (program, session) = self.resume(workspace)?;
        let Program { argv, env, timeouts, hooks, restart, .. } = program;
        let session = Some(session);
        Ok(Relaunch { argv, setup: AgentSetup { env, hooks, restart }, timeouts, session })
    }

    /// The person wishes it.
    pub(super) fn relaunch_and_show(
        &mut self,
        id: WorkspaceId,
        relaunch: Relaunch,
        now: Instant,
    ) -> Outcome {
        let effects = self.relaunch_agent(id, relaunch, now)?;
        if let Some(workspace) = self.workspace_mut(id) {
            workspace.revival = Revival::begun(now);
            if let Some(tab) = workspace.tab_of(TabContent::Agent) {
                workspace.panes.show(tab);
            }
        }
        Ok(effects)
    }

    fn relaunch_agent(&mut self, id: WorkspaceId, relaunch: Relaunch, now: Instant) -> Outcome {
        self.refuse_too_many()?;
        let pane = self.agent_room(id);
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        if agent.is_alive() {
            return Err(ActionError::AgentAlive { workspace: name });
        }
        let Relaunch { argv, setup, timeouts, session } = relaunch;
        agent.set_timeouts(timeouts);
        agent.restart(now).map_err(|_alive| ActionError::AgentAlive { workspace: name })?;
        if let Some(session) = session {
            agent.set_session(session);
        }
        let (agent, terminal) = (agent.id(), agent.terminal().clone());
        let is_resized = terminal.want_size(pane);
        let tab = self.mint_tab();
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        workspace.ensure_agent_tab(|| tab);
        workspace.agent_setup = Some(setup.clone());
        let root = workspace.root.clone();
        let AgentSetup { env, hooks, restart: _ } = setup;
        let (program, start_in) = (ProgramId::Agent(agent), StartIn::root(root));
        let resize = Effect::Resize { program, terminal: terminal.clone() };
        let spawn = Effect::Spawn { program, workspace: id, argv, env, start_in, terminal, hooks };
        Ok(is_resized.then_some(resize).into_iter().chain([spawn]).collect())
    }

    /// The one place where it is decided that there are enough.
    pub(super) fn refuse_too_many(&self) -> Result<(), ActionError> {
        let limit = self.config.limits.max_agents;
        if self.live_agents() >= limit { Err(ActionError::TooManyAgents { limit }) } else { Ok(()) }
    }

    /// Sees to an agent that has just ended: it may have to be started again, or to be given up.
    pub(crate) fn settle_end(&mut self, agent: AgentId, exit: Exit, now: Instant) {
        let of_agent = |it: &Workspace| it.agent.as_ref().is_some_and(|it| it.id() == agent);
        let Some(place) = self.workspaces.iter().position(of_agent) else { return };
        let policy = self.restart_policy(&self.workspaces[place]);
        let Workspace { agent: Some(agent), revival, .. } = &mut self.workspaces[place] else {
            return;
        };
        let is_to_live = policy == RestartPolicy::OnCrash && !self.quitting;
        if !is_to_live || agent.was_stopped() || !is_crash(exit) {
            revival.cancel();
        } else if revival.crashed(now) == Verdict::GiveUp {
            agent.give_up(now);
        }
    }

    /// What was wished for at the launch; of an agent that has outlived that window, what its name stands
    /// for now.
    fn restart_policy(&self, workspace: &Workspace) -> RestartPolicy {
        if let Some(setup) = &workspace.agent_setup {
            return setup.restart;
        }
        let agent = workspace.agent.as_ref().filter(|_| workspace.agent_by_name);
        let command = agent.and_then(|agent| self.config.agent_command(agent.name()).ok());
        command.map_or(RestartPolicy::Never, |command| command.restart)
    }

    /// When the next agent is to be started again.
    pub(crate) fn revival_due(&self) -> Option<Instant> {
        self.workspaces.iter().filter_map(|workspace| workspace.revival.due()).min()
    }

    /// Starts those agents again that have waited for it long enough, with what they had before them
    /// where they can go on with that.
    pub(crate) fn revive_due(&mut self, now: Instant) -> Vec<Effect> {
        let is_due = |it: &&Workspace| it.revival.due().is_some_and(|due| due <= now);
        let due: Vec<WorkspaceId> = self.workspaces.iter().filter(is_due).map(|it| it.id).collect();
        let mut effects = Vec::new();
        for id in due {
            let relaunched = self
                .resumed(id)
                .or_else(|_cannot| self.same_again(id))
                .and_then(|relaunch| self.relaunch_agent(id, relaunch, now));
            let Some(workspace) = self.workspace_mut(id) else { continue };
            match relaunched {
                Ok(started) => {
                    workspace.revival.launched(now);
                    effects.extend(started);
                }
                Err(why) => {
                    workspace.revival.cancel();
                    let text = format!("{} was not started again: {why}", workspace.name);
                    self.show_toast(text, ToastKind::Error, now);
                }
            }
        }
        effects
    }
}
