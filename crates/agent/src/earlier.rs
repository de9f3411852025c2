//! What an earlier run of ours knew of a program that has run on without it.
//!
//! What is seen of the program from then on counts for more; where nothing is, it still does what it
//! did.

use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::{AgentState, Claim, Reason, Says, Source};

/// For so long a silent program is believed to work on: by then its processes were looked at.
const WORKS_ON: Duration = Duration::from_secs(3);

/// How an agent was when it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// One in which it lives.
    pub state: AgentState,
    /// When that was entered.
    pub since: Instant,
    /// What it waited for, if it did, in its own words where it had any.
    pub reason: Reason,
    pub text: Option<String>,
    /// The person had looked at it.
    pub is_seen: bool,
    /// When all this was known to be so.
    pub as_of: Instant,
    /// When somebody began to look at it again.
    pub found: Instant,
}

impl Earlier {
    /// Since when it waits, if it does.
    pub(crate) fn waits_since(&self) -> Option<Instant> {
        match self.state {
            AgentState::NeedsInput { since, .. } | AgentState::Stale { since } => Some(since),
            AgentState::Starting
            | AgentState::Running
            | AgentState::Exited { .. }
            | AgentState::Stopped => None,
        }
    }

    /// What it says of a program of which nothing was seen since.
    pub(crate) fn claim(&self, last_sign: Instant, clock: &mut Clock) -> Option<Claim> {
        if last_sign > self.as_of {
            return None;
        }
        let says = match self.state {
            AgentState::NeedsInput { .. } | AgentState::Stale { .. } => Says::Waiting(self.reason),
            AgentState::Running if clock.within(self.found, WORKS_ON) => Says::Working,
            AgentState::Running
            | AgentState::Starting
            | AgentState::Exited { .. }
            | AgentState::Stopped => return None,
        };
        Some(Claim::new(Source::Earlier, says, self.since).saying(self.text.as_deref()))
    }
}
