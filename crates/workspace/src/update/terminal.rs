//! Keys, mouse, selection and scrolling of the terminal on show.

use std::time::Instant;

use config::ShiftEnter;
use terminal::{
    CellPoint, GridSize, Key, KeyKind, KeyOptions, KeyPress, Modes, Modifiers, MouseInput,
    NamedKey, Scroll, encode_composed, encode_key, encode_mouse,
};

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, AgentAction, Effect, KeyInput, PaneId, ProgramId, State, TerminalAction,
    TerminalView,
};

/// As many rows as the wheel is taken to turn at once.
const MAX_ARROWS: usize = 200;

pub(super) fn do_in_terminal(view: TerminalView<'_>, action: TerminalAction) -> Outcome {
    let terminal = view.buffer();
    match action {
        TerminalAction::Scroll(scroll) => terminal.scroll(scroll),
        TerminalAction::Select { kind, at, side } => terminal.select(kind, at, side),
        TerminalAction::ExtendSelection { at, side } => terminal.extend_selection(at, side),
        TerminalAction::ClearSelection => terminal.clear_selection(),
        // A report is no answer to the program, and leaves view and selection alone.
        TerminalAction::Mouse(input) if view.is_alive() => {
            // A pane may be larger than the screen in it: others show it, too.
            let GridSize { columns, rows } = terminal.screen_size();
            let CellPoint { row, column } = input.at;
            let at = CellPoint { row: row.min(rows - 1), column: column.min(columns - 1) };
            let bytes = encode_mouse(&MouseInput { at, ..input }, terminal.modes());
            let program = view.program();
            let write = bytes.map(|bytes| Effect::WritePty { program, bytes });
            return Ok(write.into_iter().collect());
        }
        TerminalAction::Arrows(rows) if view.is_alive() => {
            let arrow = if rows < 0 { NamedKey::ArrowUp } else { NamedKey::ArrowDown };
            let press = KeyPress::new(Key::Named(arrow), Modifiers::empty());
            let one = encode_key(&press, terminal.modes(), KeyOptions::default());
            let count = usize::try_from(rows.unsigned_abs()).unwrap_or(MAX_ARROWS);
            let bytes = one.unwrap_or_default().repeat(count.min(MAX_ARROWS));
            return Ok(vec![Effect::WritePty { program: view.program(), bytes }]);
        }
        TerminalAction::Mouse(_) | TerminalAction::Arrows(_) => {}
        TerminalAction::PreviousPrompt if terminal.go_to_prompt(true) => {}
        TerminalAction::NextPrompt if terminal.go_to_prompt(false) => {}
        TerminalAction::PreviousPrompt | TerminalAction::NextPrompt => {
            return Err(ActionError::NoPrompt);
        }
        TerminalAction::Clear => terminal.clear(),
        TerminalAction::Reset => terminal.reset(),
        // Needs more than the terminal, and was seen to before.
        TerminalAction::OpenLink(_) => {}
    }
    NO_EFFECTS
}

/// Whether a key is pressed to stop something: Ctrl+C, Ctrl+Z, Ctrl+\ or Escape, on any layout and
/// however the program has keys encoded.
fn stops_pastes(press: &KeyPress) -> bool {
    let byte = encode_key(press, Modes::empty(), KeyOptions::default());
    matches!(byte.as_deref(), Some([0x03 | 0x1a | 0x1b | 0x1c]))
}

impl State {
    /// Typing goes to the program; it also brings the newest output back into view.
    pub(super) fn press_in_terminal(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let press = &input.press;
        let key = press.clone().off_keypad().key;
        if !view.is_alive() {
            return match (view, key) {
                (TerminalView::Plain(plain), Key::Named(NamedKey::Enter)) => {
                    let id = plain.id();
                    self.restart_terminal(id)
                }
                // Nobody types into what ended in an earlier run.
                (TerminalView::Agent(agent), Key::Named(NamedKey::Enter))
                    if agent.is_remembered() =>
                {
                    let restart = AgentAction::Restart { workspace: self.active };
                    Ok(vec![Effect::Act(Box::new(Action::Agent(restart)))])
                }
                _ => NO_EFFECTS,
            };
        }
        let options = KeyOptions {
            shift_enter_newline: self.config.terminal.shift_enter == ShiftEnter::Newline,
        };
        let Some(bytes) = encode_key(press, view.buffer().modes(), options) else {
            return NO_EFFECTS;
        };
        let program = view.program();
        let stops = stops_pastes(press).then_some(Effect::StopPastes { program });
        self.held_keys.press(press);
        // However it is encoded, Enter hands in what was typed, and with Shift it does not.
        let means: &[u8] = match key {
            Key::Named(NamedKey::Enter) if press.modifiers.contains(Modifiers::SHIFT) => b" ",
            Key::Named(NamedKey::Enter) => b"\r",
            Key::Named(_) | Key::Character(_) => &bytes.clone(),
        };
        let write =
            self.write_to_focused(means, now, |program| Effect::WritePty { program, bytes })?;
        Ok(stops.into_iter().chain(write).collect())
    }

    /// Releases, and modifiers alone: reports that neither answer the program nor move the view.
    pub(super) fn tell_of_key(&mut self, press: &KeyPress) -> Outcome {
        let is_release = press.kind == KeyKind::Release;
        if is_release && !self.held_keys.release(press) {
            return NO_EFFECTS;
        }
        let living = self.focused_terminal().filter(TerminalView::is_alive);
        let is_elsewhere = self.overlay.is_some() || self.find_has_keys();
        let Some(view) = living.filter(|_| !is_elsewhere) else { return NO_EFFECTS };
        let bytes = encode_key(press, view.buffer().modes(), KeyOptions::default());
        let program = view.program();
        if bytes.is_some() && !is_release {
            self.held_keys.press(press);
        }
        Ok(bytes.map(|bytes| Effect::WritePty { program, bytes }).into_iter().collect())
    }

    /// Text that came as a whole, from an input method or a script.
    pub(super) fn compose_in_terminal(&mut self, text: String, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let bytes = if text.contains(char::is_control) {
            text.into_bytes()
        } else {
            encode_composed(&text, view.buffer().modes())
        };
        let means = bytes.clone();
        self.write_to_focused(&means, now, |program| Effect::WritePty { program, bytes })
    }

    /// What is for a program that has ended is dropped: there is nobody to read it. `means` is what
    /// an agent's state is told of it: whether something was handed in.
    pub(super) fn write_to_focused(
        &mut self,
        means: &[u8],
        now: Instant,
        write: impl FnOnce(ProgramId) -> Effect,
    ) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        if !view.is_alive() {
            return NO_EFFECTS;
        }
        view.buffer().clear_selection();
        view.buffer().scroll(Scroll::Bottom);
        let program = view.program();
        if let ProgramId::Agent(id) = program
            && let Some(agent) = self.agent_mut(id)
        {
            agent.on_input(means, now);
        }
        if let ProgramId::Terminal(id) = program {
            self.with_terminal(id, |plain| plain.is_used = true);
        }
        Ok(vec![write(program)])
    }

    /// What is selected with the mouse can be pasted with its middle button; the clipboard is left
    /// alone unless the person wants it otherwise.
    pub(super) fn selection_made(&self) -> Vec<Effect> {
        let text = self.focused_terminal().and_then(|view| view.buffer().selection_text());
        let Some(text) = text else { return Vec::new() };
        let also = self.config.terminal.copy_on_select.then(|| Effect::SetClipboard(text.clone()));
        also.into_iter().chain([Effect::SetPrimary(text)]).collect()
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
        if !view.buffer().want_size(size) {
            return None;
        }
        let (program, terminal) = (view.program(), view.buffer().clone());
        self.expect_redraw(program, now);
        Some(Effect::Resize { program, terminal })
    }

    /// What an agent prints next is our doing, and no sign of work.
    pub(crate) fn expect_redraw(&mut self, program: ProgramId, now: Instant) {
        if let ProgramId::Agent(id) = program
            && let Some(agent) = self.agent_mut(id)
        {
            agent.on_redraw(now);
        }
    }
}
