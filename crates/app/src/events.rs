//! The stream of events: what has changed, told to everybody who listens.

use agent::AgentId;
use control::Event;
use workspace::{State, Workspace, WorkspaceId};

use crate::app::App;
use crate::socket::ReplySender;
use crate::status;

/// Somebody who hears of every change, and what they were last told.
#[derive(Debug)]
pub(crate) struct Listener {
    reply: ReplySender,
    told: Vec<Told>,
}

#[derive(Debug, Clone, PartialEq)]
struct Told {
    id: WorkspaceId,
    name: String,
    path: String,
    agent: Option<(AgentId, u32, control::StateWord, control::StatusWord)>,
}

impl Listener {
    /// Told nothing yet, so the first thing it hears is what is there.
    pub(crate) fn new(reply: ReplySender) -> Self {
        Self { reply, told: Vec::new() }
    }
}

impl App {
    /// Tells listeners what has changed since they were last told.
    pub(crate) fn publish_events(&mut self) {
        if self.requests.listeners.is_empty() {
            return;
        }
        let present: Vec<Told> = self.state.workspaces().iter().map(told).collect();
        let state = &self.state;
        self.requests.listeners.retain_mut(|listener| {
            if !listener.reply.is_open() {
                return false;
            }
            let before = std::mem::replace(&mut listener.told, present.clone());
            let events = changes(&before, &present, state);
            events.iter().all(|event| listener.reply.send_event(event.to_value()))
        });
    }
}

fn told(workspace: &Workspace) -> Told {
    Told {
        id: workspace.id(),
        name: workspace.name().to_owned(),
        path: workspace.root().to_string_lossy().into_owned(),
        agent: workspace.agent().map(|agent| {
            let status = status::status_word(workspace.status());
            (agent.id(), agent.launches(), status::state_word(agent.state()), status)
        }),
    }
}

fn changes(before: &[Told], now: &[Told], state: &State) -> Vec<Event> {
    let mut events = Vec::new();
    for old in before.iter().filter(|old| now.iter().all(|new| new.id != old.id)) {
        let (workspace, name) = (old.id.number().into(), old.name.clone());
        events.push(Event::WorkspaceClosed { workspace, name });
    }
    for new in now {
        let old = before.iter().find(|old| old.id == new.id);
        if old.is_none() {
            events.push(Event::WorkspaceOpened {
                workspace: new.id.number().into(),
                name: new.name.clone(),
                path: new.path.clone(),
            });
        }
        let old_agent = old.and_then(|old| old.agent);
        let agent = state.workspace(new.id).and_then(Workspace::agent);
        if let (Some((id, launch, to, status)), Some(agent)) = (new.agent, agent)
            && old_agent != new.agent
        {
            let same = old_agent.filter(|old| (old.0, old.1) == (id, launch));
            let described = status::agent_status(agent, agent.since());
            events.push(Event::AgentState {
                workspace: new.id.number().into(),
                name: new.name.clone(),
                agent: agent.name().to_owned(),
                from: same.map(|old| old.2),
                to,
                status,
                reason: described.reason,
                exit_code: described.exit_code,
                signal: described.signal,
            });
        }
    }
    events
}
