//! What goes on in a workspace beside what its agent says as a whole.

use crate::{PlainTerminal, State, Workspace, WorkspaceStatus};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Background {
    /// Parts of an agent, such as sub-agents, that work although the agent waits.
    pub n_parts: usize,
    /// What runs in terminals without an agent.
    pub programs: Vec<String>,
}

impl Background {
    pub fn is_empty(&self) -> bool {
        self.n_parts == 0 && self.programs.is_empty()
    }
}

impl State {
    pub fn background(&self, workspace: &Workspace) -> Background {
        let waits = workspace.status() != WorkspaceStatus::Running;
        let agent = workspace.agent().filter(|_| waits);
        let here = self.terminals.values().filter(|plain| plain.workspace() == workspace.id);
        Background {
            n_parts: agent.map_or(0, agent::AgentHandle::n_parts_working),
            programs: here.filter_map(PlainTerminal::running).map(ToOwned::to_owned).collect(),
        }
    }
}
