//! What a program says of itself (OSC 7501), and of its parts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use terminal::{ProgramState, ProgramStatus};

use crate::clock::Clock;

/// Programs flicker between states when they start.
const HOLDS: Duration = Duration::from_millis(60);
/// Parts whose status is remembered.
const MAX_PARTS: usize = 64;

#[derive(Debug, Clone, Default)]
pub(crate) struct Status {
    last: Option<Told>,
    /// What it had said before that, which counts until that has held for a moment.
    before: Option<Told>,
    parts: BTreeMap<String, ProgramState>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) state: ProgramState,
    pub(crate) text: Option<String>,
    pub(crate) at: Instant,
}

impl Status {
    pub(super) fn take(&mut self, status: &ProgramStatus, now: Instant) {
        match &status.id {
            None if status.state == ProgramState::Cleared => *self = Self::default(),
            None => {
                let text = status.message.clone().or_else(|| status.title.clone());
                if self.last.as_ref().is_some_and(|told| now >= told.at + HOLDS) {
                    self.before = self.last.take();
                }
                // What is said again, be it after a flicker, has been so all the time.
                let known = self.last.iter().chain(&self.before);
                let since =
                    known.filter(|told| told.state == status.state).map(|told| told.at).min();
                let at = since.unwrap_or(now);
                self.last = Some(Told { state: status.state, text, at });
            }
            Some(id) if status.state == ProgramState::Cleared => {
                let below = format!("{id}/");
                self.parts.retain(|known, _| known != id && !known.starts_with(&below));
            }
            Some(id) if self.parts.len() < MAX_PARTS || self.parts.contains_key(id) => {
                self.parts.insert(id.clone(), status.state);
            }
            Some(_) => {}
        }
    }

    /// The person has handed something in: what it was blocked on is answered, as far as one can tell.
    pub(super) fn answered(&mut self) {
        let is_block = |told: &mut Told| matches!(told.state, ProgramState::Blocked(_));
        self.last.take_if(is_block);
        self.before.take_if(is_block);
    }

    /// What it says, once that has held.
    pub(crate) fn told(&self, clock: &mut Clock) -> Option<&Told> {
        let last = self.last.as_ref()?;
        if clock.passed(last.at, HOLDS) { Some(last) } else { self.before.as_ref() }
    }

    /// Whether a part of the program says that it works, where the whole says nothing.
    pub(crate) fn only_a_part_works(&self) -> bool {
        self.last.is_none() && self.n_parts_working() > 0
    }

    pub(crate) fn n_parts_working(&self) -> usize {
        self.parts.values().filter(|state| **state == ProgramState::Working).count()
    }
}
