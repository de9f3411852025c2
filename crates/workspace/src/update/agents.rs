//! Starting, stopping and restarting agents.

use std::path::PathBuf;
use std::time::Instant;

use agent::AgentHandle;
use terminal::{GridSize, TerminalBuffer};

use super::Outcome;
use super::launch::Program;
use crate::revival::Revival;
use crate::workspace::AgentSetup;
use crate::{
    ActionError, AgentAction, Effect, Launch, ProgramId, StartIn, State, TabContent, TabGroup,
    TabId, Workspace, WorkspaceId,
};

impl State {
    pub(super) fn update_agent(&mut self, action: AgentAction, now: Instant) -> Outcome {
        match action {
            AgentAction::Ask => self.ask_for_agent(),
            AgentAction::Start { workspace, launch } => self.start_agent(workspace, launch, now),
            AgentAction::TrustAndStart { workspace, fingerprint, launch } => {
                self.trust_and_start(workspace, fingerprint, launch)
            }
            AgentAction::Stop { workspace } => self.stop_agent(workspace),
            AgentAction::Restart { workspace } => {
                let id = self.workspace_or_active(workspace)?;
                let relaunch = self.same_again(id)?;
                self.relaunch_and_show(id, relaunch, now)
            }
            AgentAction::Resume { workspace } => {
                let id = self.workspace_or_active(workspace)?;
                let relaunch = self.resumed(id)?;
                self.relaunch_and_show(id, relaunch, now)
            }
            AgentAction::Send { workspace, bytes } => {
                let workspace = self.workspace_or_active(workspace)?;
                self.send_to_agent(workspace, bytes, now)
            }
            AgentAction::NextThatNeedsInput => self.go_to_next_that_needs_input(now),
            AgentAction::AskWhatIsWrong { workspace } => self.ask_what_is_wrong(workspace),
            AgentAction::SaveRecording { workspace, expected, path } => {
                self.save_recording(workspace, expected, path)
            }
            AgentAction::AskAboutLeftBehind => Ok(vec![Effect::LookForLeftBehind]),
            AgentAction::EndLeftBehind { records } => self.end_left_behind(records),
            AgentAction::LeaveLeftBehind => self.leave_left_behind(),
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
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let program = self.resolve(workspace, &launch)?;
        self.refuse_too_many()?;
        refuse_second_agent(workspace)?;

        let terminal = TerminalBuffer::new(self.agent_room(id), self.terminal_options());
        let Program { name, argv, env, timeouts, hooks, restart } = program;
        let rules = self.rules_in(workspace, &name, &argv);
        let by_name = matches!(launch, Launch::Named(_));
        let agent = self.agent_ids.mint();
        let handle =
            AgentHandle::new(agent, name, argv.clone(), terminal.clone(), timeouts, rules, now);

        let tab_ids = &mut self.tab_ids;
        let workspace = self.workspaces.iter_mut().find(|workspace| workspace.id == id);
        let workspace = workspace.ok_or(ActionError::NoWorkspace)?;
        let start_in = StartIn::root(workspace.root.clone());
        let forgotten = workspace.agent.replace(handle);
        workspace.agent_setup = Some(AgentSetup { env: env.clone(), hooks, restart });
        workspace.revival = Revival::begun(now);
        workspace.agent_by_name = by_name;
        workspace.show_agent_tab(|| TabId::mint(tab_ids));
        self.active = Some(id);

        let root = workspace.root.clone();
        let keep = self.keep_choice(root, launch);
        let forget = forgotten.map(|old| Effect::Forget { program: ProgramId::Agent(old.id()) });
        let program = ProgramId::Agent(agent);
        let spawn = Effect::Spawn { program, workspace: id, argv, env, start_in, terminal, hooks };
        Ok(forget
            .into_iter()
            .chain([spawn])
            .chain(keep)
            .chain(self.fit_visible_terminals(now))
            .collect())
    }

    /// The size of the pane that the agent's tab is in, or will be.
    pub(super) fn agent_room(&self, id: WorkspaceId) -> GridSize {
        let pane = self.workspace(id).and_then(|workspace| {
            let tab = workspace.tab_of(TabContent::Agent);
            let of_tab = tab.and_then(|tab| workspace.panes.group_of(tab));
            of_tab.or_else(|| workspace.panes.groups().into_iter().next()).map(TabGroup::id)
        });
        pane.map_or(self.rooms.whole, |pane| self.rooms.of(pane)).terminal
    }

    /// Remembers what was started there, unless that is known already.
    fn keep_choice(&mut self, root: PathBuf, launch: Launch) -> Option<Effect> {
        let before = self.choices.insert(root.clone(), launch.clone());
        (before.as_ref() != Some(&launch)).then_some(Effect::KeepChoice { root, launch })
    }

    fn stop_agent(&mut self, id: Option<WorkspaceId>) -> Outcome {
        let id = self.workspace_or_active(id)?;
        let grace = self.config.limits.stop_grace;
        if let Some(workspace) = self.workspace_mut(id) {
            workspace.revival.cancel();
        }
        let agent = self.agent_of(id)?;
        // An ended agent may have left processes behind; those are ended too.
        if agent.is_alive() {
            agent.request_stop();
        }
        Ok(vec![Effect::Stop { program: ProgramId::Agent(agent.id()), grace }])
    }

    pub(super) fn send_to_agent(
        &mut self,
        id: WorkspaceId,
        bytes: Vec<u8>,
        now: Instant,
    ) -> Outcome {
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        if !agent.is_alive() {
            return Err(ActionError::AgentEnded { workspace: name });
        }
        agent.on_input(&bytes, now);
        Ok(vec![Effect::WritePty { program: ProgramId::Agent(agent.id()), bytes }])
    }

    pub(super) fn agent_of(&mut self, id: WorkspaceId) -> Result<&mut AgentHandle, ActionError> {
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        let Workspace { agent, name, .. } = workspace;
        agent.as_mut().ok_or_else(|| ActionError::NoAgent { workspace: name.clone() })
    }
}

pub(super) fn refuse_second_agent(workspace: &Workspace) -> Result<(), ActionError> {
    if workspace.has_live_agent() {
        return Err(ActionError::AgentAlive { workspace: workspace.name.clone() });
    }
    Ok(())
}
