//! Following a link in a terminal.

use terminal::{CellPoint, LinkTarget};

use super::Outcome;
use crate::{ActionError, Destination, Effect, ProgramId, State};

impl State {
    /// Follows the link at a cell of what the focused terminal shows.
    pub(super) fn open_link(&mut self, at: CellPoint) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let link = view.buffer().link_at(at).ok_or(ActionError::NoLink)?;
        self.follow_link(view.program(), &link.target)
    }

    pub(super) fn follow_link(&self, program: ProgramId, target: &LinkTarget) -> Outcome {
        Ok(vec![match Destination::of(target, &self.host)? {
            Destination::Outside(address) => Effect::OpenOutside(address),
            Destination::File { path, at } => {
                let told = self.told_directory(program);
                let root = self.active_workspace().ok_or(ActionError::NoWorkspace)?.root.clone();
                Effect::OpenLinkedFile { path, at, program, told, root }
            }
        }])
    }

    /// Where a program says that it is.
    pub(super) fn told_directory(&self, program: ProgramId) -> Option<std::path::PathBuf> {
        match program {
            ProgramId::Agent(agent) => self.agent_directories.get(&agent).cloned(),
            ProgramId::Terminal(terminal) => self.terminals.get(&terminal)?.directory.clone(),
        }
    }
}
