//! Where what is typed goes, and who is told when that changes.
//!
//! A program that asked for it hears when it gains and loses the focus, whether the window, the pane,
//! the tab, the workspace or an overlay took it. It is looked at after every action and every fact, so no
//! change is missed, and as only changes are told, none is told twice.

use std::time::Instant;

use agent::AgentId;
use terminal::Modes;

use crate::{Effect, LoadState, Overlay, ProgramId, State, TabId, TerminalView, WorkspaceId};

/// The place that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FocusPlace {
    in_window: bool,
    /// Or in the find bar.
    in_overlay: bool,
    /// Whom a text is being written to from the list of those that wait.
    writes_to: Option<WorkspaceId>,
    tab: Option<TabId>,
    program: Option<ProgramId>,
}

impl FocusPlace {
    /// The program that the keys go to.
    fn receiver(self) -> Option<ProgramId> {
        self.program.filter(|_| self.in_window && !self.in_overlay)
    }
}

impl State {
    /// Whether text that is typed or composed now has somewhere to go.
    pub fn takes_text(&self) -> bool {
        if let Some(overlay) = &self.overlay {
            return overlay.has_input();
        }
        if self.find_has_keys() {
            return true;
        }
        if let Some(terminal) = self.focused_terminal() {
            return terminal.is_alive();
        }
        self.active_file().is_some_and(|(_, file)| *file.load_state() == LoadState::Loaded)
    }

    /// The agent that the person is looking at.
    pub fn watched_agent(&self) -> Option<AgentId> {
        match self.focus.receiver() {
            Some(ProgramId::Agent(agent)) => Some(agent),
            Some(ProgramId::Terminal(_)) | None => None,
        }
    }

    fn writes_to(&self) -> Option<WorkspaceId> {
        let Some(Overlay::Queue(queue)) = &self.overlay else { return None };
        queue.selected().filter(|_| queue.is_writing())
    }

    /// Takes note of where the focus is now.
    pub(crate) fn settle_focus(&mut self, now: Instant) -> Vec<Effect> {
        let place = FocusPlace {
            in_window: self.focused,
            in_overlay: self.overlay.is_some() || self.find_has_keys(),
            writes_to: self.writes_to(),
            tab: self.active_tab().map(|tab| tab.id),
            program: self.focused_terminal().as_ref().map(TerminalView::program),
        };
        if let Some(ProgramId::Agent(id)) = place.receiver()
            && self.is_watched()
            && let Some(agent) = self.agent_mut(id)
        {
            agent.seen();
        }
        let before = std::mem::replace(&mut self.focus, place);
        if place == before {
            return Vec::new();
        }
        // What was begun in one place is not finished in another.
        self.preedit = None;
        self.held_keys.clear();
        let (left, entered) = (before.receiver(), place.receiver());
        if left == entered {
            return Vec::new();
        }
        let left = left.and_then(|program| self.report_focus(program, b"\x1b[O", now));
        let entered = entered.and_then(|program| self.report_focus(program, b"\x1b[I", now));
        left.into_iter().chain(entered).collect()
    }

    fn report_focus(&mut self, program: ProgramId, report: &[u8], now: Instant) -> Option<Effect> {
        let view = self.terminal(program)?;
        if !view.is_alive() || !view.buffer().modes().contains(Modes::FOCUS) {
            return None;
        }
        self.expect_redraw(program, now);
        Some(Effect::WritePty { program, bytes: report.to_vec() })
    }
}
