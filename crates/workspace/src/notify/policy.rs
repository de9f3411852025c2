//! Who is told of, and when: a function of who waits and of time.
//!
//! Nothing is told at once. What is answered within a moment, or flickers, is not worth a word; and
//! those that begin to wait together are told of together.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agent::{AgentId, Reason};
use config::NotifyConfig;

/// How long an agent has to wait before it is told of.
const HOLD: Duration = Duration::from_secs(1);
/// The least time between two notifications, whoever they are about.
const EVERY: Duration = Duration::from_secs(5);
/// The longest that a configuration can ask for between two about the same agent.
const MAX_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// What the person is to be told for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Tell,
    /// Who begins to wait now is not told of later either.
    HoldBack,
}

/// What came of a look.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// These are new among those to tell of.
    News {
        fresh: Vec<AgentId>,
    },
    /// Some of those told of wait no longer.
    Fewer,
    /// There is nothing to tell of any more.
    Withdrawn,
}

/// Who waits, and who of them was told of.
#[derive(Debug, Default)]
pub(crate) struct Notifier {
    waits: BTreeMap<AgentId, Wait>,
    /// When each was told of last.
    told_at: BTreeMap<AgentId, Instant>,
    last: Option<Instant>,
    /// Whom the notification is about, those that were told of first being first.
    shown: Vec<AgentId>,
}

#[derive(Debug)]
struct Wait {
    /// Since when it waits for this.
    since: Instant,
    reason: Reason,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nobody knows of it yet.
    New,
    Told,
    /// The person could see it, or did not want to be told.
    HeldBack,
}

impl Notifier {
    pub(super) fn shown(&self) -> &[AgentId] {
        &self.shown
    }

    /// Takes in who waits, and for what. Looking again changes nothing.
    pub(super) fn look(
        &mut self,
        waiting: &[(AgentId, Reason)],
        manner: Manner,
        config: &NotifyConfig,
        now: Instant,
    ) -> Said {
        self.take_in(waiting, now);
        let fresh = match manner {
            Manner::Tell => self.due(config, now),
            Manner::HoldBack => {
                self.waits.values_mut().for_each(|wait| wait.stage = Stage::HeldBack);
                Vec::new()
            }
        };
        for id in &fresh {
            self.told(*id, now);
        }
        let n_shown = self.shown.len();
        let waits = &self.waits;
        self.shown.retain(|id| waits.get(id).is_some_and(|wait| wait.stage == Stage::Told));
        let n_left = self.shown.len();
        self.shown.extend(&fresh);
        match (fresh.is_empty(), n_left) {
            (false, _) => Said::News { fresh },
            (true, n) if n == n_shown => Said::Nothing,
            (true, 0) => Said::Withdrawn,
            (true, _) => Said::Fewer,
        }
    }

    /// When somebody is to be told of, if nothing changes until then.
    pub(super) fn next_deadline(&self, config: &NotifyConfig) -> Option<Instant> {
        self.waits.iter().filter_map(|(id, wait)| self.due_at(*id, wait, config)).min()
    }

    fn take_in(&mut self, waiting: &[(AgentId, Reason)], now: Instant) {
        let is_there = |id: &AgentId| waiting.iter().any(|(there, _)| there == id);
        self.waits.retain(|id, _| is_there(id));
        // One that was told of long ago may be told of at any time.
        let long_ago = |at: Instant| now.saturating_duration_since(at) > MAX_INTERVAL;
        self.told_at.retain(|_, at| !long_ago(*at));
        for (id, reason) in waiting.iter().copied() {
            let new = Wait { since: now, reason, stage: Stage::New };
            let wait = self.waits.entry(id).or_insert(new);
            if wait.reason != reason {
                wait.reason = reason;
                wait.since = now;
            }
        }
    }

    fn due(&self, config: &NotifyConfig, now: Instant) -> Vec<AgentId> {
        let is_due = |(id, wait): &(&AgentId, &Wait)| {
            self.due_at(**id, wait, config).is_some_and(|at| at <= now)
        };
        let mut due: Vec<(Instant, AgentId)> =
            self.waits.iter().filter(is_due).map(|(id, wait)| (wait.since, *id)).collect();
        due.sort_unstable();
        due.into_iter().map(|(_, id)| id).collect()
    }

    fn due_at(&self, id: AgentId, wait: &Wait, config: &NotifyConfig) -> Option<Instant> {
        if wait.stage != Stage::New || !config.reasons.contains(wait.reason.name()) {
            return None;
        }
        let again = self.told_at.get(&id).map(|at| *at + config.min_interval);
        let any = self.last.map(|last| last + EVERY);
        [Some(wait.since + HOLD), again, any].into_iter().flatten().max()
    }

    fn told(&mut self, id: AgentId, now: Instant) {
        if let Some(wait) = self.waits.get_mut(&id) {
            wait.stage = Stage::Told;
        }
        self.told_at.insert(id, now);
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests;
