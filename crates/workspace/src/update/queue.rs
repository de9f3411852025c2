//! Going to those that wait, and answering them from the list.

use std::time::Instant;

use agent::Given;
use terminal::{Key, KeyKind, Modifiers, NamedKey};

use super::{NO_EFFECTS, Outcome};
use crate::answering::{Answering, pressed};
use crate::{
    ActionError, CardChoice, KeyInput, Overlay, Queue, QueueAction, State, ToastKind, Workspace,
    WorkspaceId,
};

impl State {
    pub(super) fn update_queue(&mut self, action: QueueAction, now: Instant) -> Outcome {
        match action {
            QueueAction::Open => {
                let queue =
                    Queue::open(&self.unanswered(), now).ok_or(ActionError::NobodyNeedsYou)?;
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
        if queue.is_writing() {
            return self.press_in_draft(input, now);
        }
        let is_new = input.press.kind == KeyKind::Press;
        let n_rows = queue.order().len();
        let Some((workspace, card)) = queue.selected_mut() else {
            // Whatever was meant, nobody is left to whom it could be said.
            self.overlay.take_if(|_| is_new);
            return NO_EFFECTS;
        };
        let is_ctrl = input.press.modifiers.contains(Modifiers::CTRL);
        let (n_choices, choice) = (card.choices().count(), card.selected);
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
                if let Some(choice) = card.choice_of(typed) {
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
        let (shown, is_read) = (card.dialog.clone(), card.is_read(now));
        let choices: Vec<CardChoice<'_>> = card.choices().collect();
        let answer = match choices.get(choice) {
            Some(CardChoice::Answer(answer)) => (*answer).clone(),
            Some(CardChoice::Write) => return self.write_in_queue(id, now),
            Some(CardChoice::Open) | None => return self.show_agent_of(id, now),
        };
        if !is_read {
            return Err(ActionError::NotYetRead);
        }
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        let (agent_id, modes) = (agent.id(), agent.terminal().modes());
        let asked = agent.dialog().filter(|asked| Some(asked) == shown.as_ref());
        let Some(asked) = asked else {
            return Err(ActionError::AsksSomethingElse { workspace: name });
        };
        let said = format!("{name}: {}", answer.label);
        self.queue_mut().into_iter().for_each(|queue| queue.answered(id));
        match answer.given {
            Given::Typed(ref text) => {
                let mut sent = self.send_to_agent(id, text.clone().into_bytes(), now)?;
                self.show_toast(said, ToastKind::Notice, now);
                // What it means is to be typed there.
                if answer.wants_text() {
                    sent.extend(self.show_agent_of(id, now)?);
                }
                Ok(sent)
            }
            Given::Selected { presses: 0, .. } => {
                self.show_toast(said, ToastKind::Notice, now);
                Ok(self.press_enter(agent_id, now).into_iter().collect())
            }
            Given::Selected { arrow, presses } => {
                let sent = self.send_to_agent(id, pressed(arrow, presses, modes), now)?;
                let answering = Answering::selecting(asked, choice, said, now);
                self.answering.insert(agent_id, answering);
                Ok(sent)
            }
        }
    }
}
