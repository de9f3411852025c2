//! Writing to one of those that wait, without going there.

use std::time::Instant;

use terminal::{Key, KeyKind, Modifiers, NamedKey, Paste};

use super::{NO_EFFECTS, Outcome};
use crate::answering::Answering;
use crate::queue::Wait;
use crate::text_input::Pressed;
use crate::{
    ActionError, Effect, KeyInput, Overlay, ProgramId, Queue, Reply, State, Workspace, WorkspaceId,
};

/// Characters of a text that are told when it is sent.
const MAX_TOLD: usize = 40;

impl State {
    pub(super) fn queue_mut(&mut self) -> Option<&mut Queue> {
        if let Some(Overlay::Queue(queue)) = &mut self.overlay { Some(queue) } else { None }
    }

    /// Opens the field for an answer in one's own words.
    pub(super) fn write_in_queue(&mut self, id: WorkspaceId, now: Instant) -> Outcome {
        let wait = self.wait_of(id).filter(|wait| wait.reply() == Reply::Offered);
        if let (Some(queue), Some(wait)) = (self.queue_mut(), wait) {
            queue.write(wait, now);
        }
        NO_EFFECTS
    }

    /// Keys go to the list again, if they went to a text; whether they did.
    pub(super) fn stop_writing(&mut self) -> bool {
        let Some(queue) = self.queue_mut().filter(|queue| queue.is_writing()) else { return false };
        queue.stop_writing();
        true
    }

    fn wait_of(&self, id: WorkspaceId) -> Option<Wait> {
        self.workspace(id).and_then(Workspace::agent).and_then(Wait::of)
    }

    pub(super) fn press_in_draft(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let Some((id, draft)) = self.queue_mut().and_then(Queue::draft_mut) else {
            return NO_EFFECTS;
        };
        let modifiers = input.press.modifiers.held();
        match (&input.press.key, input.base) {
            (Key::Character(_), Some('v')) if modifiers == Modifiers::CTRL => {
                return Ok(vec![Effect::Paste]);
            }
            (Key::Named(NamedKey::Escape), _) => drop(self.stop_writing()),
            // With Shift it would be a line end to programs that take more than one.
            (Key::Named(NamedKey::Enter), _) if modifiers.is_empty() => {
                // Held down it would answer whatever comes next.
                if input.press.kind == KeyKind::Press {
                    return self.send_draft(id, now);
                }
            }
            _ => {
                if draft.input.press(input) == Pressed::Changed {
                    draft.note = None;
                }
            }
        }
        NO_EFFECTS
    }

    /// Sends what was written to who still waits for it; otherwise says what has changed.
    fn send_draft(&mut self, id: WorkspaceId, now: Instant) -> Outcome {
        let shown = self.wait_of(id);
        let Some((_, draft)) = self.queue_mut().and_then(Queue::draft_mut) else {
            return NO_EFFECTS;
        };
        if draft.input.text().trim().is_empty() {
            draft.note = Some("Nothing is written yet. Esc goes back.".to_owned());
            return NO_EFFECTS;
        }
        if now < draft.read_at {
            return Err(ActionError::NotYetRead);
        }
        let wait = match shown {
            Some(wait) if wait == draft.wait => wait,
            other => {
                draft.meet(other, now);
                return NO_EFFECTS;
            }
        };
        let text = draft.input.text().to_owned();
        let name = self.workspace(id).map_or_else(String::new, |found| found.name.clone());
        let agent = self.agent_of(id)?;
        let program = ProgramId::Agent(agent.id());
        let paste = Paste::new(text.clone(), agent.terminal().modes());
        // Nothing is handed in yet.
        agent.on_input(b" ", now);
        let (agent, said) = (agent.id(), format!("{name}: {}", told(&text)));
        self.answering.insert(agent, Answering::handing_in(wait, said, now));
        self.queue_mut().into_iter().for_each(|queue| queue.answered(id));
        Ok(vec![Effect::PastePty { program, paste }])
    }
}

fn told(text: &str) -> String {
    let start: String = text.chars().take(MAX_TOLD).collect();
    let more = if text.chars().nth(MAX_TOLD).is_some() { "…" } else { "" };
    format!("“{start}{more}”")
}
