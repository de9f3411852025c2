//! What an agent is doing, worked out from what it wrote, what was written to it, and time.
//!
//! Nothing here reads a clock, a file or a terminal: `now` is an argument, and so is every other
//! fact about the world.
//!
//! Invariants:
//! - [`AgentState::Exited`] is final: only [`AgentStateMachine::restart`] leaves it.
//! - [`AgentStateMachine::next_deadline`] is `None` when waiting longer cannot change the state.

use std::time::{Duration, Instant};

use crate::{AgentState, Exit, Reason, Transition};

/// Output this soon after a key that submitted nothing is the echo of that key.
const ECHO: Duration = Duration::from_millis(300);

/// Output this soon after we resized the program or told it about focus is its redraw.
const REDRAW: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Silence for this long means that the program waits for the user.
    pub needs_input: Duration,
    /// Waiting for this long without a sign of the user is stale.
    pub stale: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { needs_input: Duration::from_secs(5), stale: Duration::from_secs(60) }
    }
}

#[derive(Debug, Clone)]
pub struct AgentStateMachine {
    timeouts: Timeouts,
    state: AgentState,
    entered: Instant,
    /// When time alone changes the state: silence while working, staleness while waiting.
    deadline: Option<Instant>,
    /// What the user was last waited for; a stale agent that is typed at waits for it again.
    reason: Reason,
    echo_until: Option<Instant>,
    redraw_until: Option<Instant>,
}

impl AgentStateMachine {
    pub fn new(timeouts: Timeouts, now: Instant) -> Self {
        Self {
            timeouts,
            state: AgentState::Starting,
            entered: now,
            deadline: now.checked_add(timeouts.needs_input),
            reason: Reason::Silence,
            echo_until: None,
            redraw_until: None,
        }
    }

    pub fn state(&self) -> AgentState {
        self.state
    }

    /// When the present state was entered.
    pub fn since(&self) -> Instant {
        self.entered
    }

    /// The program wrote something.
    pub fn on_output(&mut self, now: Instant) -> Option<Transition> {
        if !self.state.is_alive() || self.is_echo(now) || self.is_redraw(now) {
            return None;
        }
        self.work(now)
    }

    /// The user, or someone in their name, wrote `bytes` to the program.
    pub fn on_input(&mut self, bytes: &[u8], now: Instant) -> Option<Transition> {
        if bytes.is_empty() || !self.state.is_alive() {
            return None;
        }
        if submits(bytes) { self.on_submit(now) } else { self.on_typing(now) }
    }

    /// We resized the program or reported focus to it: what it writes next is not news.
    pub fn on_redraw(&mut self, now: Instant) -> Option<Transition> {
        self.redraw_until = now.checked_add(REDRAW);
        // While we disturb a working program its silence proves nothing: dragging a window for
        // seconds must not make it look idle.
        if matches!(self.state, AgentState::Starting | AgentState::Running) {
            self.deadline = self.deadline.max(self.redraw_until);
        }
        None
    }

    /// The process is gone.
    pub fn on_exit(&mut self, exit: Exit, now: Instant) -> Option<Transition> {
        match self.state {
            AgentState::Exited { .. } => None,
            AgentState::Starting
            | AgentState::Running
            | AgentState::NeedsInput { .. }
            | AgentState::Stale { .. }
            | AgentState::Stopped => self.enter(AgentState::Exited { exit }, None, now),
        }
    }

    /// Applies the passing of time. Calling it early, late or twice does no harm.
    pub fn on_deadline(&mut self, now: Instant) -> Option<Transition> {
        self.deadline.take_if(|at| *at <= now)?;
        match self.state {
            AgentState::Starting | AgentState::Running => {
                self.reason = Reason::Silence;
                self.wait(now, now)
            }
            AgentState::NeedsInput { since, .. } => {
                self.enter(AgentState::Stale { since }, None, now)
            }
            AgentState::Stale { .. } | AgentState::Exited { .. } | AgentState::Stopped => None,
        }
    }

    /// The same as [`Self::on_deadline`], by the name it has in a loop that ticks.
    pub fn tick(&mut self, now: Instant) -> Option<Transition> {
        self.on_deadline(now)
    }

    /// When to call [`Self::on_deadline`]; `None` when time cannot change anything.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// A new process takes the place of the old one.
    pub fn restart(&mut self, now: Instant) {
        *self = Self::new(self.timeouts, now);
    }

    fn is_echo(&self, now: Instant) -> bool {
        self.echo_until.is_some_and(|until| now < until)
    }

    /// A program that has shown nothing yet has nothing to redraw, so its first output counts.
    fn is_redraw(&self, now: Instant) -> bool {
        self.state != AgentState::Starting && self.redraw_until.is_some_and(|until| now < until)
    }

    /// The person answered: what comes next is work, even if the program is slow to show it.
    fn on_submit(&mut self, now: Instant) -> Option<Transition> {
        self.echo_until = None;
        match self.state {
            AgentState::NeedsInput { .. } | AgentState::Stale { .. } => self.work(now),
            AgentState::Starting | AgentState::Running => {
                self.deadline = now.checked_add(self.timeouts.needs_input);
                None
            }
            AgentState::Exited { .. } | AgentState::Stopped => None,
        }
    }

    /// The person is there but has not answered yet.
    fn on_typing(&mut self, now: Instant) -> Option<Transition> {
        self.echo_until = now.checked_add(ECHO);
        match self.state {
            AgentState::NeedsInput { since, .. } | AgentState::Stale { since } => {
                self.wait(since, now)
            }
            AgentState::Starting
            | AgentState::Running
            | AgentState::Exited { .. }
            | AgentState::Stopped => None,
        }
    }

    fn work(&mut self, now: Instant) -> Option<Transition> {
        self.enter(AgentState::Running, now.checked_add(self.timeouts.needs_input), now)
    }

    fn wait(&mut self, since: Instant, now: Instant) -> Option<Transition> {
        let state = AgentState::NeedsInput { since, reason: self.reason };
        self.enter(state, now.checked_add(self.timeouts.stale), now)
    }

    fn enter(
        &mut self,
        to: AgentState,
        deadline: Option<Instant>,
        now: Instant,
    ) -> Option<Transition> {
        self.deadline = deadline;
        if to == self.state {
            return None;
        }
        let from = std::mem::replace(&mut self.state, to);
        self.entered = now;
        Some(Transition { from, to })
    }
}

fn submits(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'\r' | b'\n'))
}

#[cfg(test)]
mod tests;
