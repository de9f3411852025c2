//! Answers that take more than one write: keys that select, or a text, and then Enter.
//!
//! Enter is what cannot be taken back. So it is pressed only once the screen shows that the right
//! option is selected, or while the agent still waits as it did when the text was sent; and if that does
//! not come about in time, not at all.

use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentId, Dialog};
use terminal::{Key, KeyOptions, KeyPress, Modes, Modifiers, NamedKey, encode_key};

use crate::queue::Wait;
use crate::{Effect, ProgramId, State, ToastKind, Workspace};

/// How long a program may take to show what it has selected.
const SELECTS: Duration = Duration::from_secs(2);
/// What was handed in takes a moment to be seen in what the program says of itself.
const SETTLES: Duration = Duration::from_secs(1);
/// Programs that take pastes hold Enter for a part of one when it comes right behind it.
const PASTED: Duration = Duration::from_millis(150);

#[derive(Debug)]
pub(crate) struct Answering {
    step: Step,
    /// What the person is told once it is done.
    said: String,
}

#[derive(Debug)]
enum Step {
    /// Enter waits until the option is the selected one in the dialog that was on show.
    Select { asked: Dialog, answer: usize, until: Instant },
    /// Enter waits until the text has arrived.
    HandIn { wait: Wait, at: Instant },
    /// Enter was pressed.
    Done { until: Instant },
}

enum Next {
    Wait,
    Enter,
    Forget,
    /// In words for the person, who had better look.
    GiveUp(&'static str),
}

impl Answering {
    /// Arrows were sent that lead to an answer.
    pub(crate) fn selecting(asked: Dialog, answer: usize, said: String, now: Instant) -> Self {
        Self { step: Step::Select { asked, answer, until: now + SELECTS }, said }
    }

    /// A text was sent.
    pub(crate) fn handing_in(wait: Wait, said: String, now: Instant) -> Self {
        Self { step: Step::HandIn { wait, at: now + PASTED }, said }
    }

    fn due(&self) -> Instant {
        match &self.step {
            Step::Select { until, .. } | Step::Done { until } => *until,
            Step::HandIn { at, .. } => *at,
        }
    }

    fn next(&self, agent: &AgentHandle, now: Instant) -> Next {
        match &self.step {
            Step::Select { asked, answer, until } => match agent.dialog() {
                Some(shown) if asked.has_selected(*answer, &shown) => Next::Enter,
                Some(shown) if shown.question != asked.question => {
                    Next::GiveUp("asks something else now; nothing was chosen")
                }
                _ if now < *until => Next::Wait,
                _ => Next::GiveUp("did not select that; nothing was chosen"),
            },
            Step::HandIn { at, .. } if now < *at => Next::Wait,
            Step::HandIn { wait, .. } => match Wait::of(agent) {
                Some(shown) if wait.still_takes(&shown) => Next::Enter,
                _ => Next::GiveUp("went on meanwhile; your text is there, and was not handed in"),
            },
            Step::Done { until } if now < *until => Next::Wait,
            Step::Done { .. } => Next::Forget,
        }
    }
}

/// What a key sends to a program with these modes, pressed so often.
pub(crate) fn pressed(key: NamedKey, presses: usize, modes: Modes) -> Vec<u8> {
    let press = KeyPress::new(Key::Named(key), Modifiers::empty());
    encode_key(&press, modes, KeyOptions::default()).unwrap_or_default().repeat(presses)
}

impl State {
    /// When time alone ends waiting for an answer to get there.
    pub(crate) fn answer_due(&self) -> Option<Instant> {
        self.answering.values().map(Answering::due).min()
    }

    /// Presses Enter for those answers that have got there.
    pub(crate) fn settle_answers(&mut self, now: Instant) -> Vec<Effect> {
        let agents: Vec<AgentId> = self.answering.keys().copied().collect();
        agents.into_iter().filter_map(|id| self.settle_answer(id, now)).collect()
    }

    fn settle_answer(&mut self, id: AgentId, now: Instant) -> Option<Effect> {
        let agent = self.agent(id).filter(|agent| agent.is_alive());
        let step = agent.zip(self.answering.get(&id));
        let next = step.map_or(Next::Forget, |(agent, answering)| answering.next(agent, now));
        match next {
            Next::Wait => None,
            Next::Forget => {
                self.answering.remove(&id);
                None
            }
            Next::Enter => {
                let answering = self.answering.get_mut(&id)?;
                answering.step = Step::Done { until: now + SETTLES };
                let said = std::mem::take(&mut answering.said);
                self.show_toast(said, ToastKind::Notice, now);
                self.press_enter(id, now)
            }
            Next::GiveUp(why) => {
                self.answering.remove(&id);
                let is_its = |it: &&Workspace| it.agent.as_ref().is_some_and(|it| it.id() == id);
                let workspace = self.workspaces.iter().find(is_its);
                let name = workspace.map_or_else(String::new, |it| it.name.clone());
                self.show_toast(format!("{name} {why}"), ToastKind::Error, now);
                None
            }
        }
    }

    /// Enter as that program wants it to be sent; to its state it is always that something is handed in.
    pub(crate) fn press_enter(&mut self, id: AgentId, now: Instant) -> Option<Effect> {
        let agent = self.agent_mut(id)?;
        let bytes = pressed(NamedKey::Enter, 1, agent.terminal().modes());
        agent.on_input(b"\r", now);
        Some(Effect::WritePty { program: ProgramId::Agent(id), bytes })
    }
}
