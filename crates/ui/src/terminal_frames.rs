//! The frames of all terminals on show, kept from one look to the next.

use std::collections::BTreeMap;

use workspace::{ProgramId, State};

use crate::{CursorLook, TerminalFrame};

#[derive(Debug, Default)]
pub struct TerminalFrames(BTreeMap<ProgramId, Kept>);

#[derive(Debug, Default)]
struct Kept {
    frame: TerminalFrame,
    /// Of the terminal when the frame was last refreshed.
    revision: u64,
}

impl TerminalFrames {
    /// Takes over what changed in the terminals on show, and forgets those that are gone.
    pub fn refresh(&mut self, state: &State) {
        self.0.retain(|program, _| state.terminal(*program).is_some());
        let focused = state.focused_terminal().map(|terminal| terminal.program());
        let finds = state.find().filter(|find| find.has_keys()).map(workspace::Find::program);
        let focused = focused.filter(|focused| finds != Some(*focused));
        for terminal in state.visible_terminals() {
            let program = terminal.program();
            let has_focus = state.is_focused() && focused == Some(program);
            let look = match (terminal.is_alive(), has_focus) {
                (false, _) => CursorLook::Hidden,
                (true, true) => CursorLook::Solid,
                (true, false) => CursorLook::Hollow,
            };
            let kept = self.0.entry(program).or_default();
            // Read before the rows are copied: what changes meanwhile is seen the next time.
            kept.revision = terminal.buffer().revision();
            kept.frame.set_minimum_contrast(state.config().terminal.minimum_contrast);
            kept.frame.refresh(terminal.buffer(), state.theme(), look);
        }
    }

    /// Whether a terminal on show has moved on since the last refresh.
    pub fn are_outdated(&self, state: &State) -> bool {
        state.visible_terminals().iter().any(|terminal| {
            let kept = self.0.get(&terminal.program());
            kept.is_none_or(|kept| kept.revision != terminal.buffer().revision())
        })
    }

    pub fn get(&self, program: ProgramId) -> Option<&TerminalFrame> {
        self.0.get(&program).map(|kept| &kept.frame)
    }
}
