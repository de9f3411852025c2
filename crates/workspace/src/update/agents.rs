//! Starting, stopping and restarting agents, and going to the one that waits.

use std::collections::BTreeMap;
use std::time::Instant;

use agent::{AgentHandle, Timeouts};
use terminal::{GridSize, TerminalBuffer};

use super::{NO_EFFECTS, Outcome};
use crate::{
    ActionError, AgentAction, Effect, Launch, Overlay, PickerKind, ProgramId, StartIn, State,
    TabContent, TabGroup, TabId, Workspace, WorkspaceId,
};

/// What a launch comes to once names are looked up.
struct Program {
    name: String,
    argv: Vec<String>,
    env: BTreeMap<String, String>,
    timeouts: Timeouts,
}

impl State {
    pub(super) fn update_agent(&mut self, action: AgentAction, now: Instant) -> Outcome {
        match action {
            AgentAction::Ask => {
                let workspace = self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                refuse_second_agent(workspace)?;
                self.overlay = Some(Overlay::picker(PickerKind::Agents));
                NO_EFFECTS
            }
            AgentAction::Start { workspace, launch } => self.start_agent(workspace, launch, now),
            AgentAction::Stop { workspace } => self.stop_agent(workspace),
            AgentAction::Restart { workspace } => self.restart_agent(workspace, now),
            AgentAction::Send { workspace, bytes } => {
                let workspace = self.workspace_or_active(workspace)?;
                self.send_to_agent(workspace, bytes, now)
            }
            AgentAction::NextThatNeedsInput => self.go_to_next_that_needs_input(now),
        }
    }

    pub(super) fn workspace_or_active(
        &self,
        id: Option<WorkspaceId>,
    ) -> Result<WorkspaceId, ActionError> {
        match id {
            None => self.active.ok_or(ActionError::NoWorkspace),
            Some(id) if self.workspace(id).is_some() => Ok(id),
            Some(id) => Err(ActionError::UnknownWorkspace(id.to_string())),
        }
    }

    fn start_agent(&mut self, id: Option<WorkspaceId>, launch: Launch, now: Instant) -> Outcome {
        let id = self.workspace_or_active(id)?;
        let program = self.resolve(launch)?;
        if self.live_agents() >= self.config.limits.max_agents {
            return Err(ActionError::TooManyAgents { limit: self.config.limits.max_agents });
        }
        refuse_second_agent(self.workspace(id).ok_or(ActionError::NoWorkspace)?)?;

        let terminal = TerminalBuffer::new(self.agent_room(id), self.terminal_options());
        let Program { name, argv, env, timeouts } = program;
        let agent = self.agent_ids.mint();
        let handle = AgentHandle::new(agent, name, argv.clone(), terminal.clone(), timeouts, now);

        let tab_ids = &mut self.tab_ids;
        let workspace = self.workspaces.iter_mut().find(|workspace| workspace.id == id);
        let workspace = workspace.ok_or(ActionError::NoWorkspace)?;
        let start_in = StartIn::root(workspace.root.clone());
        let forgotten = workspace.agent.replace(handle);
        workspace.agent_env.clone_from(&env);
        workspace.show_agent_tab(|| TabId::mint(tab_ids));
        self.active = Some(id);

        let forget = forgotten.map(|old| Effect::Forget { program: ProgramId::Agent(old.id()) });
        let program = ProgramId::Agent(agent);
        let spawn = Effect::Spawn { program, workspace: id, argv, env, start_in, terminal };
        Ok(forget.into_iter().chain([spawn]).chain(self.fit_visible_terminals(now)).collect())
    }

    /// The size of the pane that the agent's tab is in, or will be.
    fn agent_room(&self, id: WorkspaceId) -> GridSize {
        let pane = self.workspace(id).and_then(|workspace| {
            let tab = workspace.tab_of(TabContent::Agent);
            let of_tab = tab.and_then(|tab| workspace.panes.group_of(tab));
            of_tab.or_else(|| workspace.panes.groups().into_iter().next()).map(TabGroup::id)
        });
        pane.map_or(self.rooms.whole, |pane| self.rooms.of(pane)).terminal
    }

    fn resolve(&self, launch: Launch) -> Result<Program, ActionError> {
        let name = match launch {
            Launch::Named(name) => name,
            Launch::Command(argv) => {
                let program = argv.first().filter(|program| !program.is_empty());
                let name = program.ok_or(ActionError::EmptyCommand)?;
                let name = name.rsplit('/').next().unwrap_or(name).to_owned();
                let (env, timeouts) = (BTreeMap::new(), Timeouts::default());
                return Ok(Program { name, argv, env, timeouts });
            }
        };
        let agent = self.config.agent_command(&name)?;
        let timeouts =
            Timeouts { needs_input: agent.needs_input_timeout, stale: agent.stale_timeout };
        Ok(Program { name, argv: agent.argv, env: agent.env, timeouts })
    }

    fn stop_agent(&mut self, id: Option<WorkspaceId>) -> Outcome {
        let id = self.workspace_or_active(id)?;
        let grace = self.config.limits.stop_grace;
        let agent = self.agent_of(id)?;
        // An ended agent may have left processes behind; those are ended too.
        if agent.is_alive() {
            agent.request_stop();
        }
        Ok(vec![Effect::Stop { program: ProgramId::Agent(agent.id()), grace }])
    }

    fn restart_agent(&mut self, id: Option<WorkspaceId>, now: Instant) -> Outcome {
        let id = self.workspace_or_active(id)?;
        if self.live_agents() >= self.config.limits.max_agents {
            return Err(ActionError::TooManyAgents { limit: self.config.limits.max_agents });
        }
        let pane = self.agent_room(id);
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        agent.restart(now).map_err(|_alive| ActionError::AgentAlive { workspace: name })?;
        agent.terminal().resize(pane);
        let (agent, argv, terminal) =
            (agent.id(), agent.command().to_vec(), agent.terminal().clone());
        let tab = self.mint_tab();
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        workspace.show_agent_tab(|| tab);
        let (root, env) = (workspace.root.clone(), workspace.agent_env.clone());
        let (program, start_in) = (ProgramId::Agent(agent), StartIn::root(root));
        Ok(vec![Effect::Spawn { program, workspace: id, argv, env, start_in, terminal }])
    }

    fn send_to_agent(&mut self, id: WorkspaceId, bytes: Vec<u8>, now: Instant) -> Outcome {
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        if !agent.is_alive() {
            return Err(ActionError::AgentEnded { workspace: name });
        }
        agent.on_input(&bytes, now);
        Ok(vec![Effect::WritePty { program: ProgramId::Agent(agent.id()), bytes }])
    }

    fn agent_of(&mut self, id: WorkspaceId) -> Result<&mut AgentHandle, ActionError> {
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        let Workspace { agent, name, .. } = workspace;
        agent.as_mut().ok_or_else(|| ActionError::NoAgent { workspace: name.clone() })
    }

    /// The longest waiting first; from one that waits, on to the next in line.
    fn go_to_next_that_needs_input(&mut self, now: Instant) -> Outcome {
        let mut waiting: Vec<&Workspace> = self
            .workspaces
            .iter()
            .filter(|workspace| workspace.status().needs_the_user())
            .collect();
        waiting.sort_by_key(|workspace| {
            (workspace.status(), workspace.agent.as_ref().map(AgentHandle::since))
        });
        let here = waiting.iter().position(|workspace| Some(workspace.id) == self.active);
        let next = here.map_or(0, |index| (index + 1) % waiting.len());
        let id = waiting.get(next).ok_or(ActionError::NobodyNeedsYou)?.id;
        let tab = self.mint_tab();
        if let Some(workspace) = self.workspace_mut(id) {
            workspace.show_agent_tab(|| tab);
        }
        self.overlay = None;
        self.activate_workspace(id, now)
    }
}

fn refuse_second_agent(workspace: &Workspace) -> Result<(), ActionError> {
    if workspace.has_live_agent() {
        return Err(ActionError::AgentAlive { workspace: workspace.name.clone() });
    }
    Ok(())
}
