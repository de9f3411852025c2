//! Who waits for the person, most urgent first, and the list in which they are answered.

use std::time::Instant;

use agent::{AgentHandle, AgentState, Dialog, Reason};

use crate::{Overlay, State, Workspace, WorkspaceId};

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
        match agent.reason()? {
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
}

/// What is shown of the selected one.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// What it asks, where that can be told.
    pub dialog: Option<Dialog>,
    /// Which answer Enter gives; behind the last one is going there.
    pub selected: usize,
    /// Since when it is on show.
    pub(crate) since: Instant,
    /// What its terminal had shown when the dialog was read.
    output: u64,
}

impl Card {
    fn read(agent: &AgentHandle, now: Instant) -> Self {
        let output = agent.terminal().output_revision();
        let dialog = agent.dialog();
        let mut answers = dialog.iter().flat_map(|dialog| &dialog.answers);
        // Enter means here what it means there.
        let selected = answers.position(|answer| answer.is_default).unwrap_or(0);
        Self { dialog, selected, since: now, output }
    }

    /// The answers that the program names, and going there, which always is one.
    pub(crate) fn n_choices(&self) -> usize {
        self.dialog.as_ref().map_or(0, |dialog| dialog.answers.len()) + 1
    }

    /// Which of the answers a key stands for.
    pub(crate) fn answer_to(&self, typed: &str) -> Option<usize> {
        let mut chars = typed.chars();
        let key = chars.next().filter(|_| chars.next().is_none())?;
        self.dialog.as_ref()?.answers.iter().position(|answer| answer.key == key)
    }

    /// Reads what is asked again if anything was written; a card that says the same stays as it is.
    fn refresh(&mut self, agent: &AgentHandle, now: Instant) {
        if self.output == agent.terminal().output_revision() {
            return;
        }
        let fresh = Self::read(agent, now);
        if fresh.dialog == self.dialog {
            self.output = fresh.output;
        } else {
            *self = fresh;
        }
    }
}

impl Queue {
    pub(crate) fn open(waiting: &[&Workspace], now: Instant) -> Option<Self> {
        let first = waiting.first()?;
        let card = Card::read(first.agent.as_ref()?, now);
        let order = waiting.iter().map(|workspace| workspace.id).collect();
        Some(Self { order, selected: Some((first.id, card)) })
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
        let waiting: Vec<WorkspaceId> = state.waiting().iter().map(|it| it.id).collect();
        self.order.retain(|id| waiting.contains(id));
        let new: Vec<_> = waiting.into_iter().filter(|id| !self.order.contains(id)).collect();
        self.order.extend(new);
        let agent = |id: WorkspaceId| state.workspace(id).and_then(|it| it.agent.as_ref());
        match &mut self.selected {
            Some((id, card)) if self.order.contains(id) => {
                agent(*id).into_iter().for_each(|agent| card.refresh(agent, now));
            }
            selected => {
                let next = self.order.get(place).or(self.order.first());
                *selected = next.and_then(|id| Some((*id, Card::read(agent(*id)?, now))));
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

    /// Keeps the open list to those that wait, and what it shows of one to what that asks.
    pub(crate) fn settle_queue(&mut self, now: Instant) {
        if let Some(Overlay::Queue(mut queue)) = self.overlay.take_if(|it| it.is_queue()) {
            queue.settle(self, now);
            self.overlay = Some(Overlay::Queue(queue));
        }
    }

    pub(crate) fn select_in_queue(&mut self, id: WorkspaceId, now: Instant) {
        let agent = self.workspace(id).and_then(|workspace| workspace.agent.as_ref());
        let Some(card) = agent.map(|agent| Card::read(agent, now)) else { return };
        if let Some(Overlay::Queue(queue)) = &mut self.overlay
            && queue.selected() != Some(id)
        {
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
