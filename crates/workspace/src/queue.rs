//! Who waits for the person, most urgent first, and the list in which they are answered.

mod draft;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentState, Answer, Dialog, Reason};

pub(crate) use self::draft::Wait;
pub use self::draft::{Draft, Reply};
use crate::{Overlay, State, TextInput, Workspace, WorkspaceId};

/// Opens the field for an answer in one's own words. It stands beside no other answer that has keys.
const WRITE_KEY: char = 'r';

/// A question that has been on show for less than this was not read; two clicks are not as far apart.
const READ_TIME: Duration = Duration::from_millis(600);
/// The same of one that came while the person was about to answer another.
const SURPRISE_TIME: Duration = Duration::from_secs(1);

/// How much an agent that waits matters now, most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// It cannot go on.
    Asks,
    /// It has done something that nobody has looked at.
    Done,
    /// That was looked at.
    Calm,
}

impl Urgency {
    fn of(agent: &AgentHandle) -> Option<Self> {
        // What has ended has nothing to be answered.
        match agent.reason().filter(|_| agent.is_alive())? {
            _ if agent.is_calm() => Some(Self::Calm),
            Reason::TurnDone | Reason::Silence => Some(Self::Done),
            Reason::Permission
            | Reason::Question
            | Reason::Confirmation
            | Reason::Password
            | Reason::FirstRun
            | Reason::Error
            | Reason::GaveUp => Some(Self::Asks),
        }
    }
}

/// The open list of those that wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// As they were when it was opened, so that nobody moves under the pointer; who came later is last.
    order: Vec<WorkspaceId>,
    /// Nobody where none waits any more. The list stays open then: the key that is just being pressed
    /// must not reach the terminal below it.
    selected: Option<(WorkspaceId, Card)>,
    /// What was written to them and not sent.
    drafts: BTreeMap<WorkspaceId, Draft>,
    /// Keys go into the draft for the selected one.
    is_writing: bool,
    /// Who was answered last: that it goes is no surprise.
    answered: Option<WorkspaceId>,
}

/// What is shown of the selected one.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// What it asks, where that can be told.
    pub dialog: Option<Dialog>,
    pub reply: Reply,
    /// Which answer Enter gives; behind the last one is writing one, where that is offered, and then
    /// going there.
    pub selected: usize,
    /// From when on it counts as read.
    read_at: Instant,
    /// What its terminal had shown when the dialog was read.
    output: u64,
}

/// What a choice on a card stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardChoice<'a> {
    Answer(&'a Answer),
    Write,
    Open,
}

impl Card {
    fn read(agent: &AgentHandle, read_at: Instant) -> Self {
        let output = agent.terminal().output_revision();
        let dialog = agent.dialog();
        let reply = reply_to(agent, dialog.as_ref());
        let mut answers = dialog.iter().flat_map(|dialog| &dialog.answers);
        // Enter means here what it means there. Where that is nothing, it must not mean yes.
        let selected = answers.position(|answer| answer.is_default);
        let confirms = dialog.as_ref().filter(|it| it.question.reason == Reason::Confirmation);
        let selected = selected.or(confirms.map(|it| it.answers.len())).unwrap_or(0);
        Self { dialog, reply, selected, read_at, output }
    }

    pub(crate) fn is_read(&self, now: Instant) -> bool {
        self.read_at <= now
    }

    /// The answers that the program names, writing one, and going there, which always is one.
    pub fn choices(&self) -> impl Iterator<Item = CardChoice<'_>> {
        let answers = self.dialog.iter().flat_map(|dialog| &dialog.answers);
        let write = (self.reply == Reply::Offered).then_some(CardChoice::Write);
        answers.map(CardChoice::Answer).chain(write).chain([CardChoice::Open])
    }

    /// Which of the choices a key stands for.
    pub(crate) fn choice_of(&self, typed: &str) -> Option<usize> {
        let mut chars = typed.chars();
        let key = chars.next().filter(|_| chars.next().is_none())?;
        self.choices().position(|choice| choice.key() == Some(key))
    }

    /// Reads what is asked again if anything was written; a card that says the same stays as it is.
    fn refresh(&mut self, agent: &AgentHandle, now: Instant) {
        if self.output != agent.terminal().output_revision() {
            let fresh = Self::read(agent, now + SURPRISE_TIME);
            if fresh.dialog == self.dialog {
                self.output = fresh.output;
            } else {
                *self = fresh;
            }
        }
        self.reply = reply_to(agent, self.dialog.as_ref());
        self.selected = self.selected.min(self.choices().count() - 1);
    }
}

impl CardChoice<'_> {
    /// The key that makes it, where Enter and the arrows are not the only way.
    pub fn key(&self) -> Option<char> {
        match self {
            Self::Answer(answer) => Some(answer.key),
            Self::Write => Some(WRITE_KEY),
            Self::Open => None,
        }
    }
}

fn reply_to(agent: &AgentHandle, dialog: Option<&Dialog>) -> Reply {
    agent.reason().map_or(Reply::Needless, |reason| Reply::to(reason, dialog))
}

impl Queue {
    pub(crate) fn open(waiting: &[&Workspace], now: Instant) -> Option<Self> {
        let first = waiting.first()?;
        let card = Card::read(first.agent.as_ref()?, now + READ_TIME);
        let order = waiting.iter().map(|workspace| workspace.id).collect();
        Some(Self {
            order,
            selected: Some((first.id, card)),
            drafts: BTreeMap::new(),
            is_writing: false,
            answered: None,
        })
    }

    pub fn order(&self) -> &[WorkspaceId] {
        &self.order
    }

    pub fn selected(&self) -> Option<WorkspaceId> {
        self.selected.as_ref().map(|(id, _)| *id)
    }

    pub fn card(&self) -> Option<&Card> {
        self.selected.as_ref().map(|(_, card)| card)
    }

    pub(crate) fn selected_mut(&mut self) -> Option<(WorkspaceId, &mut Card)> {
        self.selected.as_mut().map(|(id, card)| (*id, card))
    }

    /// What was written to the selected one and not sent.
    pub fn draft(&self) -> Option<&Draft> {
        self.drafts.get(&self.selected()?)
    }

    /// Whether keys go into that.
    pub fn is_writing(&self) -> bool {
        self.is_writing
    }

    /// The draft that keys go into.
    pub(crate) fn draft_mut(&mut self) -> Option<(WorkspaceId, &mut Draft)> {
        let selected = self.selected().filter(|_| self.is_writing)?;
        Some((selected, self.drafts.get_mut(&selected)?))
    }

    pub(crate) fn input_mut(&mut self) -> Option<&mut TextInput> {
        self.draft_mut().map(|(_, draft)| &mut draft.input)
    }

    /// From now on keys go into a draft for the selected one: that which there is, or a new one.
    pub(crate) fn write(&mut self, wait: Wait, now: Instant) {
        let Some(selected) = self.selected() else { return };
        match self.drafts.get_mut(&selected) {
            Some(draft) if draft.wait == wait => {}
            // What it is asked now is on show beside what was written before.
            Some(draft) => (draft.wait, draft.read_at, draft.note) = (wait, now + READ_TIME, None),
            None => drop(self.drafts.insert(selected, Draft::new(wait, now))),
        }
        self.is_writing = true;
    }

    /// Keys go to the list again; what was written stays.
    pub(crate) fn stop_writing(&mut self) {
        self.is_writing = false;
        self.drafts.retain(|_, draft| !draft.input.text().is_empty());
    }

    /// An answer is on its way.
    pub(crate) fn answered(&mut self, workspace: WorkspaceId) {
        self.answered = Some(workspace);
        self.drafts.remove(&workspace);
        self.is_writing = false;
    }

    fn place(&self) -> usize {
        self.order.iter().position(|id| Some(*id) == self.selected()).unwrap_or(0)
    }

    /// The one so many places further, from the last on to the first.
    pub(crate) fn neighbour(&self, forward: usize) -> Option<WorkspaceId> {
        self.order.get((self.place() + forward) % self.order.len().max(1)).copied()
    }

    /// Keeps it to those that wait; who comes after one that is gone takes its place.
    fn settle(&mut self, state: &State, now: Instant) {
        let place = self.place();
        let waiting: Vec<WorkspaceId> = state.unanswered().iter().map(|it| it.id).collect();
        let exists = |id: WorkspaceId| state.workspace(id).is_some_and(|it| it.agent.is_some());
        // What is being typed must not go to whoever comes next.
        let written_to = self.selected().filter(|id| self.is_writing && exists(*id));
        self.is_writing = written_to.is_some();
        self.order.retain(|id| waiting.contains(id) || Some(*id) == written_to);
        let new: Vec<_> = waiting.into_iter().filter(|id| !self.order.contains(id)).collect();
        self.order.extend(new);
        let agent = |id: WorkspaceId| state.workspace(id).and_then(|it| it.agent.as_ref());
        match &mut self.selected {
            Some((id, card)) if self.order.contains(id) => {
                agent(*id).into_iter().for_each(|agent| card.refresh(agent, now));
            }
            selected => {
                let is_expected = selected.as_ref().map(|(id, _)| *id) == self.answered;
                let read_at = now + if is_expected { READ_TIME } else { SURPRISE_TIME };
                let next = self.order.get(place).or(self.order.first());
                *selected = next.and_then(|id| Some((*id, Card::read(agent(*id)?, read_at))));
            }
        }
    }
}

impl State {
    /// The workspaces whose agents wait, most urgent first: who asks before who is done, and of those
    /// the one that has waited longest.
    pub fn waiting(&self) -> Vec<&Workspace> {
        let mut waiting: Vec<_> = self
            .workspaces
            .iter()
            .filter_map(|workspace| {
                let agent = workspace.agent.as_ref()?;
                Some(((Urgency::of(agent)?, waits_since(agent)), workspace))
            })
            .collect();
        waiting.sort_by_key(|(urgency, _)| *urgency);
        waiting.into_iter().map(|(_, workspace)| workspace).collect()
    }

    /// Those of them to whom no answer is on its way.
    pub(crate) fn unanswered(&self) -> Vec<&Workspace> {
        let is_answered = |it: &&Workspace| {
            it.agent.as_ref().is_some_and(|agent| self.answering.contains_key(&agent.id()))
        };
        self.waiting().into_iter().filter(|it| !is_answered(it)).collect()
    }

    /// Keeps the open list to those that wait, and what it shows of one to what that asks.
    pub(crate) fn settle_queue(&mut self, now: Instant) {
        if let Some(Overlay::Queue(mut queue)) = self.overlay.take_if(|it| it.is_queue()) {
            queue.settle(self, now);
            self.overlay = Some(Overlay::Queue(queue));
        }
    }

    pub(crate) fn select_in_queue(&mut self, id: WorkspaceId, now: Instant) {
        let agent = self.workspace(id).and_then(|workspace| workspace.agent.as_ref());
        let card = agent.map(|agent| Card::read(agent, now + READ_TIME));
        let Some(card) = card else { return };
        if let Some(Overlay::Queue(queue)) = &mut self.overlay
            && queue.selected() != Some(id)
        {
            queue.stop_writing();
            queue.selected = Some((id, card));
        }
    }
}

fn waits_since(agent: &AgentHandle) -> Instant {
    match agent.state() {
        AgentState::NeedsInput { since, .. } | AgentState::Stale { since } => since,
        AgentState::Starting
        | AgentState::Running
        | AgentState::Exited { .. }
        | AgentState::Stopped => agent.since(),
    }
}
