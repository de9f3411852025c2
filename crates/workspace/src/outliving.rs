//! Programs that run on from an earlier run of ours: whose they are, and how they are taken in again.
//!
//! Where they belong is known at once, and what they did last; so tiles and tabs are there from the first
//! frame on. What they have printed is read aside ([`Effect::Rejoin`]), and comes as a fact.

use std::path::{Path, PathBuf};
use std::time::Instant;

use agent::{AgentHandle, AgentState, Earlier, Past, Reason, Timeouts};
use terminal::TerminalBuffer;

use crate::kept::{KeptAgent, KeptEnd};
use crate::{
    Effect, MAX_TERMINALS, PaneId, PlainKind, PlainTerminal, ProgramId, State, Tab, TabContent,
    TabId, TerminalId, Workspace, WorkspaceId,
};

/// A program of an earlier run that was found again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningProgram {
    /// By which those know it who found it.
    pub key: u64,
    /// By which the session knows it.
    pub mark: String,
    /// The folder of its workspace.
    pub root: PathBuf,
    pub pid: u32,
    pub started: Instant,
    pub what: RunningKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunningKind {
    Agent { name: String, command: Vec<String>, by_name: bool, launches: u32 },
    Terminal { command: Vec<String>, kind: PlainKind },
}

impl RunningProgram {
    pub fn is_agent(&self) -> bool {
        matches!(self.what, RunningKind::Agent { .. })
    }
}

/// A program that is served again, with all that it has printed.
#[derive(Debug)]
pub enum Rejoined {
    Agent(Box<AgentHandle>),
    Terminal { buffer: TerminalBuffer, directory: Option<PathBuf> },
}

/// Those that have no place yet.
#[derive(Debug, Default)]
pub(crate) struct Outliving {
    running: Vec<RunningProgram>,
    /// What those have to be asked for that have one.
    pub(crate) effects: Vec<Effect>,
    /// When the session knew what it says.
    as_of: Option<Instant>,
}

impl Outliving {
    pub(crate) fn new(running: Vec<RunningProgram>, as_of: Option<Instant>) -> Self {
        Self { running, effects: Vec::new(), as_of }
    }

    /// The agent of a workspace: the one that is remembered, or else the last that was started there.
    pub(crate) fn take_agent(&mut self, root: &Path, mark: Option<&str>) -> Option<RunningProgram> {
        let is_agent =
            |it: &RunningProgram| it.root == root && matches!(it.what, RunningKind::Agent { .. });
        let is_it = |it: &RunningProgram| is_agent(it) && Some(it.mark.as_str()) == mark;
        let place = self.running.iter().position(is_it);
        let place = place.or_else(|| self.running.iter().rposition(is_agent))?;
        Some(self.running.remove(place))
    }

    pub(crate) fn take_terminal(&mut self, mark: &str) -> Option<RunningProgram> {
        let is_it = |it: &RunningProgram| {
            it.mark == mark && matches!(it.what, RunningKind::Terminal { .. })
        };
        let place = self.running.iter().position(is_it)?;
        Some(self.running.remove(place))
    }

    fn take_any(&mut self) -> Option<RunningProgram> {
        (!self.running.is_empty()).then(|| self.running.remove(0))
    }
}

impl State {
    /// The agent that runs on, and what is remembered of it.
    pub(crate) fn rejoin_agent(
        &mut self,
        workspace: &mut Workspace,
        running: RunningProgram,
        kept: Option<KeptAgent>,
        outliving: &mut Outliving,
        now: Instant,
    ) {
        let RunningProgram { key, mark, pid, started, what, root: _ } = running;
        let RunningKind::Agent { name, command, by_name, launches } = what else { return };
        // What is remembered may be of another that ran here before.
        let kept = kept.filter(|kept| kept.mark.as_deref() == Some(&mark));
        let id = self.agent_ids.mint();
        self.outliving.insert(ProgramId::Agent(id));
        let timeouts = self.config.agent_command(&name).map_or_else(
            |_unknown| Timeouts::default(),
            |agent| Timeouts { needs_input: agent.needs_input_timeout, stale: agent.stale_timeout },
        );
        let session = kept.as_ref().and_then(|kept| kept.session.clone());
        let earlier = kept.as_ref();
        let earlier = earlier.and_then(|kept| earlier_of(kept, started, outliving.as_of?, now));
        let earlier = earlier.unwrap_or_else(|| unknown(started, now));
        let as_of = earlier.as_of;
        let rules = self.rules_in(workspace, &name, &command);
        let handle = || {
            let terminal = TerminalBuffer::new(self.rooms.whole.terminal, self.terminal_options());
            let (command, rules) = (command.clone(), std::sync::Arc::clone(&rules));
            let agent = AgentHandle::new(id, name.clone(), command, terminal, timeouts, rules, now);
            if let Some(past) = kept.as_ref().and_then(past) {
                return agent.remembering(past);
            }
            let mut agent = agent.going_on(earlier.clone(), launches, session.clone());
            agent.spawned(pid);
            agent
        };
        workspace.agent_by_name = by_name;
        workspace.agent = Some(handle());
        let agent = handle();
        let terminal = agent.terminal().clone();
        outliving.effects.push(Effect::Rejoin {
            program: ProgramId::Agent(id),
            key,
            terminal,
            agent: Some(Box::new(agent)),
            as_of,
        });
    }

    pub(crate) fn rejoin_terminal(
        &mut self,
        workspace: WorkspaceId,
        running: RunningProgram,
        outliving: &mut Outliving,
    ) -> Option<TerminalId> {
        let RunningProgram { key, pid, started, what, root, mark: _ } = running;
        let RunningKind::Terminal { command, kind } = what else { return None };
        if self.terminals.len() >= MAX_TERMINALS {
            return None;
        }
        let id = TerminalId::mint(&mut self.terminal_ids);
        let buffer = || TerminalBuffer::new(self.rooms.whole.terminal, self.terminal_options());
        let mut plain = PlainTerminal::new(id, workspace, (command, kind), buffer());
        plain.spawned(pid, root);
        // Whoever leaves it has used it.
        plain.is_used = true;
        let program = ProgramId::Terminal(id);
        let terminal = buffer();
        self.outliving.insert(program);
        self.terminals.insert(id, plain);
        outliving.effects.push(Effect::Rejoin {
            program,
            key,
            terminal,
            agent: None,
            as_of: started,
        });
        Some(id)
    }

    /// Gives a place to programs of which the session knows nothing: it was lost, or older.
    pub(crate) fn place_the_rest(&mut self, outliving: &mut Outliving, now: Instant) {
        while let Some(running) = outliving.take_any() {
            let known = self.workspaces.iter().find(|it| it.root == running.root).map(|it| it.id);
            let id = known.unwrap_or_else(|| self.workspace_for(&running.root, outliving));
            let Some(place) = self.workspaces.iter().position(|it| it.id == id) else { continue };
            match running.what {
                RunningKind::Agent { .. } => {
                    if self.workspaces[place].agent.as_ref().is_some_and(AgentHandle::is_alive) {
                        // One that nobody can reach would run for ever.
                        tracing::warn!(
                            "a second agent of {} is left alone",
                            running.root.display()
                        );
                        continue;
                    }
                    let mut workspace = self.workspaces.remove(place);
                    self.rejoin_agent(&mut workspace, running, None, outliving, now);
                    let tab_ids = &mut self.tab_ids;
                    workspace.ensure_agent_tab(|| TabId::mint(tab_ids));
                    self.workspaces.insert(place, workspace);
                }
                RunningKind::Terminal { .. } => {
                    let Some(terminal) = self.rejoin_terminal(id, running, outliving) else {
                        continue;
                    };
                    let id = TabId::mint(&mut self.tab_ids);
                    let tab = Tab { id, content: TabContent::Terminal(terminal) };
                    self.workspaces[place].panes.push_behind(tab);
                }
            }
        }
    }

    fn workspace_for(&mut self, root: &Path, outliving: &mut Outliving) -> WorkspaceId {
        let id = WorkspaceId::mint(&mut self.workspace_ids);
        let pane = PaneId::mint(&mut self.pane_ids);
        let name = self.free_name(root);
        self.workspaces.push(Workspace::new(id, root.to_owned(), name, pane));
        outliving.effects.push(Effect::ReadBranch { workspace: id, root: root.to_owned() });
        id
    }

    /// A program is served again. What was asked of it meanwhile is done now.
    pub(crate) fn rejoined(
        &mut self,
        program: ProgramId,
        rejoined: Rejoined,
        now: Instant,
    ) -> Vec<Effect> {
        let grace = self.config.limits.stop_grace;
        let mut effects = Vec::new();
        match (program, rejoined) {
            (ProgramId::Agent(id), Rejoined::Agent(mut agent)) => {
                let Some(place) = self.agent_mut(id) else {
                    return vec![Effect::Forget { program }];
                };
                if place.stop_requested() {
                    agent.request_stop();
                    effects.push(Effect::Stop { program, grace });
                }
                *place = *agent;
            }
            (ProgramId::Terminal(id), Rejoined::Terminal { buffer, directory }) => {
                let Some(plain) = self.terminals.get_mut(&id) else {
                    return vec![Effect::Forget { program }];
                };
                plain.rejoined(buffer, directory);
            }
            (ProgramId::Agent(_) | ProgramId::Terminal(_), _) => {}
        }
        self.renew_rules();
        effects.extend(self.fit_visible_terminals(now));
        effects
    }
}

/// What the session says of an agent whose end was seen before we ended, and which nobody has closed.
fn past(kept: &KeptAgent) -> Option<Past> {
    let KeptEnd::Exited { was_asked, .. } = kept.end else { return None };
    let (since, launches, session) = (kept.since, kept.launches, kept.session.clone());
    Some(Past { state: kept.end.becomes(), since, launches, was_asked, session })
}

/// What the session says of an agent that lives on.
fn earlier_of(kept: &KeptAgent, started: Instant, as_of: Instant, now: Instant) -> Option<Earlier> {
    let doing = kept.doing.as_ref()?;
    // Since when is written by a clock that may have been set; nothing is older than its program.
    let state = match doing.state {
        AgentState::NeedsInput { since, reason } => {
            AgentState::NeedsInput { since: since.max(started), reason }
        }
        AgentState::Stale { since } => AgentState::Stale { since: since.max(started) },
        AgentState::Starting
        | AgentState::Running
        | AgentState::Exited { .. }
        | AgentState::Stopped => doing.state,
    };
    Some(Earlier {
        state,
        since: kept.since.max(started),
        reason: doing.reason.unwrap_or(Reason::Silence),
        text: doing.text.clone(),
        is_seen: doing.is_seen,
        as_of,
        found: now,
    })
}

/// Of one that nobody remembers: it works until something else is known.
fn unknown(started: Instant, now: Instant) -> Earlier {
    Earlier {
        state: AgentState::Running,
        since: started,
        reason: Reason::Silence,
        text: None,
        is_seen: false,
        as_of: started,
        found: now,
    }
}
