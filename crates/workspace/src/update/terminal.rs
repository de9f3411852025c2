//! Keys, mouse, selection and scrolling of the terminal on show.

use std::time::Instant;

use agent::{AgentHandle, AgentId};
use terminal::{Modes, Scroll, encode_key, encode_mouse, encode_paste};

use super::{NO_EFFECTS, Outcome};
use crate::{ActionError, Effect, KeyInput, State, TerminalAction};

impl State {
    pub(super) fn update_terminal(&mut self, action: TerminalAction) -> Outcome {
        let agent = self.visible_agent().ok_or(ActionError::NoTerminal)?;
        let terminal = agent.terminal();
        match action {
            TerminalAction::Scroll(scroll) => terminal.scroll(scroll),
            TerminalAction::Select { kind, at, side } => terminal.select(kind, at, side),
            TerminalAction::ExtendSelection { at, side } => terminal.extend_selection(at, side),
            TerminalAction::ClearSelection => terminal.clear_selection(),
            // A report is no answer to the program, and leaves view and selection alone.
            TerminalAction::Mouse(input) if agent.is_alive() => {
                let bytes = encode_mouse(&input, terminal.modes());
                let agent = agent.id();
                let write = bytes.map(|bytes| Effect::WritePty { agent, bytes });
                return Ok(write.into_iter().collect());
            }
            TerminalAction::Mouse(_) => {}
        }
        NO_EFFECTS
    }

    /// Typing goes to the program; it also brings the newest output back into view.
    pub(super) fn press_in_terminal(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let agent = self.visible_agent().ok_or(ActionError::NoTerminal)?;
        let Some(bytes) = encode_key(&input.press, agent.terminal().modes()) else {
            return NO_EFFECTS;
        };
        self.send_to_visible_agent(bytes, now)
    }

    /// Keys for an agent that has ended are dropped: there is nobody to read them.
    pub(super) fn send_to_visible_agent(&mut self, bytes: Vec<u8>, now: Instant) -> Outcome {
        let agent = self.visible_agent().ok_or(ActionError::NoTerminal)?;
        if !agent.is_alive() {
            return NO_EFFECTS;
        }
        agent.terminal().clear_selection();
        agent.terminal().scroll(Scroll::Bottom);
        let workspace = self.active.ok_or(ActionError::NoWorkspace)?;
        self.send_to_agent(workspace, bytes, now)
    }

    pub(super) fn paste_into_terminal(&mut self, text: &str, now: Instant) -> Outcome {
        let agent = self.visible_agent().ok_or(ActionError::NoTerminal)?;
        let bytes = encode_paste(text, agent.terminal().modes());
        self.send_to_visible_agent(bytes, now)
    }

    pub(super) fn copy_from_terminal(&self) -> Outcome {
        let text = self.visible_agent().and_then(|agent| agent.terminal().selection_text());
        Ok(text.map(Effect::SetClipboard).into_iter().collect())
    }

    /// Gives the terminal that came into view the pane's size. A hidden one keeps its last size,
    /// so that switching between workspaces does not make programs redraw.
    pub(crate) fn fit_visible_terminal(&mut self, now: Instant) -> Vec<Effect> {
        let size = self.pane.terminal;
        let Some(id) = self.visible_agent().map(AgentHandle::id) else { return Vec::new() };
        let Some(agent) = self.agent_mut(id) else { return Vec::new() };
        if agent.terminal().size() == size {
            return Vec::new();
        }
        agent.terminal().resize(size);
        if !agent.is_alive() {
            return Vec::new();
        }
        agent.on_redraw(now);
        vec![Effect::ResizePty { agent: id, size }]
    }

    /// Tells a program that it gained or lost the focus, where it asked to be told.
    pub(crate) fn report_focus(
        &mut self,
        id: AgentId,
        focused: bool,
        now: Instant,
    ) -> Option<Effect> {
        let agent = self.agent_mut(id)?;
        if !agent.is_alive() || !agent.terminal().modes().contains(Modes::FOCUS) {
            return None;
        }
        agent.on_redraw(now);
        let bytes = if focused { b"\x1b[I".to_vec() } else { b"\x1b[O".to_vec() };
        Some(Effect::WritePty { agent: id, bytes })
    }
}
