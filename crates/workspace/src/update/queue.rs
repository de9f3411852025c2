//! Going to those that wait, and answering them from the list.

use std::time::{Duration, Instant};

use terminal::{Key, KeyKind, Modifiers, NamedKey};

use super::{NO_EFFECTS, Outcome};
use crate::{
    ActionError, Effect, KeyInput, Overlay, Queue, QueueAction, State, ToastKind, Workspace,
    WorkspaceId,
};

/// A question that has been on show for less than this was not read.
const READ_TIME: Duration = Duration::from_millis(400);

impl State {
    pub(super) fn update_queue(&mut self, action: QueueAction, now: Instant) -> Outcome {
        match action {
            QueueAction::Open => {
                let queue = Queue::open(&self.waiting(), now).ok_or(ActionError::NobodyNeedsYou)?;
                self.overlay = Some(Overlay::Queue(queue));
            }
            QueueAction::Select(workspace) => self.select_in_queue(workspace, now),
            QueueAction::Choose { workspace, choice } => {
                return self.choose_in_queue(workspace, choice, now);
            }
        }
        NO_EFFECTS
    }

    /// On from one that waits to the next in line.
    pub(super) fn go_to_next_that_needs_input(&mut self, now: Instant) -> Outcome {
        let waiting: Vec<WorkspaceId> = self.waiting().into_iter().map(Workspace::id).collect();
        let here = waiting.iter().position(|id| Some(*id) == self.active);
        let next = here.map_or(0, |index| (index + 1) % waiting.len());
        self.show_agent_of(*waiting.get(next).ok_or(ActionError::NobodyNeedsYou)?, now)
    }

    /// Goes to the workspace, and in it to its agent if it has one.
    pub(crate) fn show_agent_of(&mut self, id: WorkspaceId, now: Instant) -> Outcome {
        let tab = self.mint_tab();
        if let Some(workspace) = self.workspace_mut(id).filter(|it| it.agent.is_some()) {
            workspace.show_agent_tab(|| tab);
        }
        self.overlay = None;
        self.activate_workspace(id, now)
    }

    pub(super) fn press_in_queue(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let Some(Overlay::Queue(queue)) = &mut self.overlay else { return NO_EFFECTS };
        let is_new = input.press.kind == KeyKind::Press;
        let n_rows = queue.order().len();
        let Some((workspace, card)) = queue.selected_mut() else {
            // Whatever was meant, nobody is left to whom it could be said.
            self.overlay.take_if(|_| is_new);
            return NO_EFFECTS;
        };
        let is_ctrl = input.press.modifiers.contains(Modifiers::CTRL);
        let (n_choices, choice) = (card.n_choices(), card.selected);
        match &input.press.key {
            Key::Named(NamedKey::Escape) => self.overlay = None,
            Key::Named(NamedKey::ArrowUp) => self.step_in_queue(n_rows.saturating_sub(1), now),
            Key::Named(NamedKey::ArrowDown | NamedKey::Tab) => self.step_in_queue(1, now),
            Key::Named(NamedKey::ArrowLeft) => card.selected = (choice + n_choices - 1) % n_choices,
            Key::Named(NamedKey::ArrowRight) => card.selected = (choice + 1) % n_choices,
            // Held down, a key would answer whatever comes next.
            _ if !is_new => {}
            Key::Named(NamedKey::Enter) if is_ctrl => return self.show_agent_of(workspace, now),
            Key::Named(NamedKey::Enter) => return self.choose_in_queue(workspace, choice, now),
            Key::Character(_) if is_ctrl => match input.base {
                Some('j') => return self.go_to_next_that_needs_input(now),
                Some('l' | 'p') => self.overlay = None,
                _ => {}
            },
            Key::Character(typed) => {
                if let Some(choice) = card.answer_to(typed) {
                    return self.choose_in_queue(workspace, choice, now);
                }
            }
            Key::Named(_) => {}
        }
        NO_EFFECTS
    }

    fn step_in_queue(&mut self, forward: usize, now: Instant) {
        if let Some(Overlay::Queue(queue)) = &self.overlay
            && let Some(id) = queue.neighbour(forward)
        {
            self.select_in_queue(id, now);
        }
    }

    /// Answers what was on show, and nothing else: a program may ask something new at any moment.
    fn choose_in_queue(&mut self, id: WorkspaceId, choice: usize, now: Instant) -> Outcome {
        let Some(Overlay::Queue(queue)) = &self.overlay else { return NO_EFFECTS };
        let Some(card) = queue.card().filter(|_| queue.selected() == Some(id)) else {
            self.select_in_queue(id, now);
            return NO_EFFECTS;
        };
        let answers = card.dialog.as_ref().map_or(&[][..], |dialog| &dialog.answers);
        let Some(answer) = answers.get(choice).cloned() else { return self.show_agent_of(id, now) };
        if now < card.since + READ_TIME {
            return Err(ActionError::NotYetRead);
        }
        let shown = card.dialog.clone();
        let workspace = self.workspace(id).ok_or(ActionError::NoWorkspace)?;
        let asks = workspace.agent.as_ref().and_then(agent::AgentHandle::dialog);
        if asks != shown {
            return Err(ActionError::AsksSomethingElse { workspace: workspace.name.clone() });
        }
        let said = format!("{}: {}", workspace.name, answer.label);
        let sent: Vec<Effect> = self.send_to_agent(id, answer.sends.into_bytes(), now)?;
        self.show_toast(said, ToastKind::Notice, now);
        Ok(sent)
    }
}
