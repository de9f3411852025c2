//! Keys, mouse, selection and scrolling of the terminal on show.

use std::time::Instant;

use terminal::{Key, Modes, NamedKey, Scroll, encode_key, encode_mouse, encode_paste};

use super::{NO_EFFECTS, Outcome};
use crate::{
    ActionError, Effect, KeyInput, PaneId, ProgramId, State, TerminalAction, TerminalView,
};

pub(super) fn do_in_terminal(view: TerminalView<'_>, action: TerminalAction) -> Outcome {
    let terminal = view.buffer();
    match action {
        TerminalAction::Scroll(scroll) => terminal.scroll(scroll),
        TerminalAction::Select { kind, at, side } => terminal.select(kind, at, side),
        TerminalAction::ExtendSelection { at, side } => terminal.extend_selection(at, side),
        TerminalAction::ClearSelection => terminal.clear_selection(),
        // A report is no answer to the program, and leaves view and selection alone.
        TerminalAction::Mouse(input) if view.is_alive() => {
            let bytes = encode_mouse(&input, terminal.modes());
            let program = view.program();
            let write = bytes.map(|bytes| Effect::WritePty { program, bytes });
            return Ok(write.into_iter().collect());
        }
        TerminalAction::Mouse(_) => {}
    }
    NO_EFFECTS
}

impl State {
    /// Typing goes to the program; it also brings the newest output back into view.
    pub(super) fn press_in_terminal(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        if let (TerminalView::Plain(plain), Key::Named(NamedKey::Enter)) = (view, &input.press.key)
            && !plain.is_alive()
        {
            let id = plain.id();
            return self.restart_terminal(id);
        }
        let Some(bytes) = encode_key(&input.press, view.buffer().modes()) else {
            return NO_EFFECTS;
        };
        self.send_to_focused(bytes, now)
    }

    /// Keys for a program that has ended are dropped: there is nobody to read them.
    pub(super) fn send_to_focused(&mut self, bytes: Vec<u8>, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        if !view.is_alive() {
            return NO_EFFECTS;
        }
        view.buffer().clear_selection();
        view.buffer().scroll(Scroll::Bottom);
        match view.program() {
            ProgramId::Agent(_) => {
                let workspace = self.active.ok_or(ActionError::NoWorkspace)?;
                self.send_to_agent(workspace, bytes, now)
            }
            program @ ProgramId::Terminal(_) => Ok(vec![Effect::WritePty { program, bytes }]),
        }
    }

    pub(super) fn paste_into_terminal(&mut self, text: &str, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let bytes = encode_paste(text, view.buffer().modes());
        self.send_to_focused(bytes, now)
    }

    pub(super) fn copy_from_terminal(&self) -> Outcome {
        let text = self.focused_terminal().and_then(|view| view.buffer().selection_text());
        Ok(text.map(Effect::SetClipboard).into_iter().collect())
    }

    /// Gives the terminals that came into view the sizes of their panes. A hidden one keeps its
    /// last size, so that switching between workspaces does not make programs redraw.
    pub(crate) fn fit_visible_terminals(&mut self, now: Instant) -> Vec<Effect> {
        let Some(workspace) = self.active_workspace() else { return Vec::new() };
        let panes: Vec<PaneId> = workspace.panes.groups().iter().map(|group| group.id()).collect();
        panes.into_iter().filter_map(|pane| self.fit_terminal_of(pane, now)).collect()
    }

    fn fit_terminal_of(&mut self, pane: PaneId, now: Instant) -> Option<Effect> {
        let size = self.rooms.of(pane).terminal;
        let view = self.terminal_of(pane)?;
        if view.buffer().size() == size {
            return None;
        }
        view.buffer().resize(size);
        if !view.is_alive() {
            return None;
        }
        let program = view.program();
        self.expect_redraw(program, now);
        Some(Effect::ResizePty { program, size })
    }

    /// What an agent prints next is our doing, and no sign of work.
    fn expect_redraw(&mut self, program: ProgramId, now: Instant) {
        if let ProgramId::Agent(id) = program
            && let Some(agent) = self.agent_mut(id)
        {
            agent.on_redraw(now);
        }
    }

    /// Tells a program that it gained or lost the focus, where it asked to be told.
    pub(crate) fn report_focus(
        &mut self,
        program: ProgramId,
        focused: bool,
        now: Instant,
    ) -> Option<Effect> {
        let view = self.terminal(program)?;
        if !view.is_alive() || !view.buffer().modes().contains(Modes::FOCUS) {
            return None;
        }
        self.expect_redraw(program, now);
        let bytes = if focused { b"\x1b[I".to_vec() } else { b"\x1b[O".to_vec() };
        Some(Effect::WritePty { program, bytes })
    }
}
