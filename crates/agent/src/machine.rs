//! What an agent is doing, decided from what is known of it, and when that was decided.
//!
//! Nothing here reads a clock, a file or a terminal: `now` is an argument, and so is every other
//! fact about the world.
//!
//! Invariants:
//! - [`AgentState::Exited`] is final: only [`AgentStateMachine::restart`] and
//!   [`AgentStateMachine::give_up`] leave it.
//! - [`AgentStateMachine::next_deadline`] is `None` when waiting longer cannot change the state.
//! - What is known is judged anew at every event and deadline; calling early or twice does no harm.

use std::time::{Duration, Instant};

use terminal::TerminalSignal;

use crate::clock::Clock;
use crate::decide;
use crate::evidence::Evidence;
use crate::question::Glimpse;
use crate::sampling::Sampling;
use crate::{
    AgentState, Claim, Earlier, Exit, Motion, ProcessSample, Question, Reading, Reason, Report,
    Rules, Says, Source, Transition,
};

/// A screen that is at rest for so long may be read.
const REST: Duration = Duration::from_millis(300);
/// How often a screen is read that is not at rest.
const GLIMPSE_EVERY: Duration = Duration::from_millis(500);

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
    state: AgentState,
    entered: Instant,
    evidence: Evidence,
    sampling: Sampling,
    /// What was believed when the state was last judged, if anything was.
    believed: Option<Claim>,
    /// When that judgement may become another.
    judged_until: Option<Instant>,
    /// When waiting becomes stale.
    stale_at: Option<Instant>,
    /// When the screen was last looked at for a question.
    question_read: Option<Instant>,
    /// When it was last read while something moved.
    glimpsed: Option<Instant>,
    /// The person has looked at what is waited for.
    is_seen: bool,
}

impl AgentStateMachine {
    pub fn new(timeouts: Timeouts, now: Instant) -> Self {
        let mut machine = Self {
            state: AgentState::Starting,
            entered: now,
            evidence: Evidence::new(timeouts, now),
            sampling: Sampling::new(now),
            believed: None,
            judged_until: None,
            stale_at: None,
            question_read: None,
            glimpsed: None,
            is_seen: false,
        };
        machine.judge(now);
        machine
    }

    /// What had ended before: nothing is to be decided, and nothing is news.
    pub fn ended(timeouts: Timeouts, state: AgentState, since: Instant) -> Self {
        let mut machine = Self::new(timeouts, since);
        (machine.state, machine.believed) = (state, None);
        (machine.judged_until, machine.stale_at) = (None, None);
        machine.is_seen = true;
        machine
    }

    /// Of a program that has run on since an earlier run of ours.
    pub fn going_on(timeouts: Timeouts, earlier: Earlier) -> Self {
        let mut machine = Self::new(timeouts, earlier.since);
        (machine.state, machine.entered) = (earlier.state, earlier.since);
        machine.is_seen = earlier.is_seen;
        machine.sampling = Sampling::new(earlier.found);
        if let AgentState::NeedsInput { since, .. } = earlier.state {
            machine.stale_at = since.checked_add(timeouts.stale);
        }
        let as_of = earlier.as_of;
        machine.evidence = Evidence::going_on(timeouts, earlier);
        machine.judge(as_of);
        if machine.is_calm() {
            machine.stale_at = None;
        }
        machine
    }

    pub fn state(&self) -> AgentState {
        self.state
    }

    /// They count from the next start on.
    pub(crate) fn set_timeouts(&mut self, timeouts: Timeouts) {
        self.evidence.timeouts = timeouts;
    }

    pub fn timeouts(&self) -> Timeouts {
        self.evidence.timeouts
    }

    /// When the present state was entered.
    pub fn since(&self) -> Instant {
        self.entered
    }

    /// What the program has said before anybody looked at it again.
    pub(crate) fn recall(&mut self, signal: &TerminalSignal, rules: &Rules, at: Instant) {
        self.evidence.on_signal(signal, rules, at);
    }

    /// What stands on the program's screen was printed by then; it may be read.
    pub(crate) fn caught_up(&mut self, at: Instant) {
        self.evidence.last_output = Some(at);
        self.question_read = None;
    }

    /// The program wrote something that nobody has looked at; taken for text.
    pub fn on_output(&mut self, now: Instant) -> Option<Transition> {
        self.learn(now, |evidence| evidence.on_output(now))
    }

    /// The program's screen was looked at after it had written something.
    pub fn on_motion(&mut self, motion: Motion, now: Instant) -> Option<Transition> {
        let needed_base = self.evidence.kernel.needs_base();
        let transition = self.learn(now, |evidence| evidence.on_motion(motion, now));
        if self.evidence.kernel.needs_base() && !needed_base {
            self.sampling.want(now);
        }
        transition
    }

    /// The program said something beside what it draws.
    pub fn on_signal(
        &mut self,
        signal: &TerminalSignal,
        rules: &Rules,
        now: Instant,
    ) -> Option<Transition> {
        self.learn(now, |evidence| evidence.on_signal(signal, rules, now))
    }

    /// Its processes were looked at, as wished for by [`Self::sample_at`].
    pub fn on_sample(&mut self, sample: ProcessSample, now: Instant) -> Option<Transition> {
        self.sampling.sampled(now);
        self.learn(now, |evidence| evidence.on_sample(sample, now))
    }

    /// Its processes could not be looked at.
    pub fn sample_failed(&mut self, now: Instant) {
        self.sampling.sampled(now);
    }

    /// Somebody who knows says what the program does.
    pub fn on_report(&mut self, report: Report, now: Instant) -> Option<Transition> {
        self.learn(now, |evidence| evidence.on_report(report))
    }

    /// The user, or someone in their name, wrote `bytes` to the program.
    pub fn on_input(&mut self, bytes: &[u8], now: Instant) -> Option<Transition> {
        if bytes.is_empty() || !self.state.is_alive() {
            return None;
        }
        if self.submits(bytes) {
            self.sampling.want(now);
            return self.learn(now, |evidence| evidence.on_submit(now));
        }
        self.evidence.on_key(now);
        // The person is there, so nobody has forgotten it.
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

    /// We resized the program or reported focus to it: what it writes next is not news.
    pub fn on_redraw(&mut self, now: Instant) -> Option<Transition> {
        self.learn(now, |evidence| evidence.on_redraw(now))
    }

    /// What the screen was found to say; see [`Self::question_at`].
    pub fn on_reading(&mut self, reading: Reading, now: Instant) -> Option<Transition> {
        self.question_read = Some(now);
        self.learn(now, |evidence| evidence.on_reading(reading, now))
    }

    /// What was read off the screen is to be read again; see [`Self::question_at`].
    pub(crate) fn read_anew(&mut self) {
        self.question_read = None;
    }

    /// Whether to read off a screen what it asks, though it is not at rest: now and then, or at every look
    /// if something stands there that was answered or may be gone.
    pub(crate) fn wants_glimpse(&self, now: Instant) -> bool {
        let is_due = self.glimpsed.is_none_or(|at| now >= at + GLIMPSE_EVERY);
        self.state.is_alive() && (is_due || self.evidence.watches_question())
    }

    /// What a screen asks that is not at rest, where [`Self::wants_glimpse`].
    pub(crate) fn on_glimpse(&mut self, glimpse: Glimpse, now: Instant) {
        self.glimpsed = Some(now);
        self.evidence.on_glimpse(glimpse, now);
    }

    /// When to look what the screen asks: once it has come to rest, if it has changed.
    pub fn question_at(&self) -> Option<Instant> {
        let changed = self.evidence.last_output.filter(|_| self.state.is_alive())?;
        let at = self.evidence.last_sign().max(changed).checked_add(REST)?;
        self.question_read.is_none_or(|read| read < at).then_some(at)
    }

    /// The person looks at it. What was merely done is then no longer news.
    pub fn seen(&mut self) {
        self.is_seen = true;
        if self.is_calm() {
            self.stale_at = None;
        }
    }

    /// The person has looked at what is waited for.
    pub fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// It has finished something, and the person has seen that.
    pub fn is_calm(&self) -> bool {
        self.is_seen && self.has_done_its_turn()
    }

    /// It has finished something or has ended, and the person has not seen that.
    pub fn is_unread(&self) -> bool {
        !self.is_seen && (!self.state.is_alive() || self.has_done_its_turn())
    }

    /// It waits, and asks nothing.
    fn has_done_its_turn(&self) -> bool {
        let reason = match self.state {
            AgentState::NeedsInput { reason, .. } => reason,
            AgentState::Stale { .. } => self.reason(),
            AgentState::Starting
            | AgentState::Running
            | AgentState::Exited { .. }
            | AgentState::Stopped => return false,
        };
        reason == Reason::TurnDone
    }

    /// Parts of the program that say that they work.
    pub fn n_parts_working(&self) -> usize {
        if self.state.is_alive() { self.evidence.status.n_parts_working() } else { 0 }
    }

    /// The process is gone.
    pub fn on_exit(&mut self, exit: Exit, now: Instant) -> Option<Transition> {
        match self.state {
            AgentState::Exited { .. } => None,
            AgentState::Starting
            | AgentState::Running
            | AgentState::NeedsInput { .. }
            | AgentState::Stale { .. }
            | AgentState::Stopped => {
                (self.judged_until, self.stale_at) = (None, None);
                self.is_seen = false;
                self.enter(AgentState::Exited { exit }, now)
            }
        }
    }

    /// What has ended is not started again by itself any more.
    pub fn give_up(&mut self, now: Instant) -> Option<Transition> {
        let has_exited = matches!(self.state, AgentState::Exited { .. });
        has_exited.then(|| self.enter(AgentState::Stopped, now)).flatten()
    }

    /// Applies the passing of time. Calling it early, late or twice does no harm.
    pub fn on_deadline(&mut self, now: Instant) -> Option<Transition> {
        let judged = self.judge(now);
        let Some(stale_at) = self.stale_at.filter(|at| *at <= now) else { return judged };
        let AgentState::NeedsInput { since, .. } = self.state else { return judged };
        // Time has passed that nobody told us of: it began to wait long ago.
        self.stale_at = None;
        self.enter(AgentState::Stale { since }, stale_at.max(now))
    }

    /// The same as [`Self::on_deadline`], by the name it has in a loop that ticks.
    pub fn tick(&mut self, now: Instant) -> Option<Transition> {
        self.on_deadline(now)
    }

    /// When to call [`Self::on_deadline`]; `None` when time cannot change anything.
    pub fn next_deadline(&self) -> Option<Instant> {
        [self.judged_until, self.stale_at].into_iter().flatten().min()
    }

    /// When its processes should be looked at; `None` while that would tell nothing new.
    pub fn sample_at(&self) -> Option<Instant> {
        let is_open = match self.state {
            AgentState::Starting | AgentState::Running => true,
            AgentState::NeedsInput { .. } | AgentState::Stale { .. } => false,
            AgentState::Exited { .. } | AgentState::Stopped => return None,
        };
        let is_told = self.believed.as_ref().is_some_and(|claim| claim.source <= Source::Title);
        if is_open && !is_told {
            self.sampling.at(self.evidence.last_sign())
        } else {
            self.sampling.wanted()
        }
    }

    /// Who was believed when the state was last judged.
    pub fn believed(&self) -> Option<&Claim> {
        self.believed.as_ref()
    }

    /// What is believed, and what else there is to say, the strongest first.
    pub fn claims(&self, now: Instant) -> Vec<Claim> {
        decide::all(&self.evidence, &mut Clock::new(now))
    }

    /// What the program asks or says while it waits.
    pub fn question(&self) -> Option<&Question> {
        let asked = self.evidence.screen.as_ref().filter(|asked| !asked.is_old);
        asked.map(|asked| &asked.question).filter(|_| self.evidence.waits_since.is_some())
    }

    /// In the words of whoever is believed, or of the screen.
    pub fn text(&self) -> Option<&str> {
        let told = self.believed.as_ref().and_then(|claim| claim.text.as_deref());
        told.or_else(|| self.question().map(|question| question.text.as_str()))
    }

    /// A new process takes the place of the old one.
    pub fn restart(&mut self, now: Instant) {
        *self = Self::new(self.evidence.timeouts, now);
    }

    fn learn(&mut self, now: Instant, learn: impl FnOnce(&mut Evidence)) -> Option<Transition> {
        if !self.state.is_alive() {
            return None;
        }
        learn(&mut self.evidence);
        self.judge(now)
    }

    /// Decides anew what the program does.
    fn judge(&mut self, now: Instant) -> Option<Transition> {
        if !self.state.is_alive() {
            return None;
        }
        let mut clock = Clock::new(now);
        let believed = decide::decide(&self.evidence, &mut clock);
        self.judged_until = clock.next();
        let told = believed.as_ref().map(|claim| (claim.says, claim.source));
        self.believed = believed;
        match told {
            None => None,
            Some((Says::Working, _)) => self.work(now),
            Some((Says::Waiting(reason), source)) => {
                self.evidence.on_wait(source, reason, now);
                match self.state {
                    // That it waits was seen, but not what for.
                    AgentState::NeedsInput { since, reason } if reason != self.reason() => {
                        self.is_seen = false;
                        self.wait(since, now)
                    }
                    // It calls anew.
                    AgentState::Stale { since } if self.is_said_since(self.entered) => {
                        self.is_seen = false;
                        self.wait(since, now)
                    }
                    AgentState::NeedsInput { .. } | AgentState::Stale { .. } => None,
                    AgentState::Starting
                    | AgentState::Running
                    | AgentState::Exited { .. }
                    | AgentState::Stopped => {
                        self.is_seen = false;
                        self.wait(now, now)
                    }
                }
            }
        }
    }

    /// Whether what is believed was said after that, and is more than that nothing happens.
    fn is_said_since(&self, then: Instant) -> bool {
        let is_news = |claim: &Claim| claim.source != Source::Silence && claim.since > then;
        self.believed.as_ref().is_some_and(is_news)
    }

    /// What is waited for: the better of what is said and what is seen.
    pub fn reason(&self) -> Reason {
        let said = self.believed.as_ref().map_or(Reason::Silence, |claim| match claim.says {
            Says::Waiting(reason) => reason,
            Says::Working => Reason::Silence,
        });
        let is_vague = matches!(said, Reason::TurnDone | Reason::Silence);
        match self.question() {
            // That it stands before the cursor says no more than that nothing better is known.
            Some(question) if said == Reason::TurnDone && question.is_label() => said,
            Some(question) if is_vague => question.reason,
            _ => said,
        }
    }

    fn work(&mut self, now: Instant) -> Option<Transition> {
        self.stale_at = None;
        self.evidence.on_work();
        if self.state == AgentState::Starting && !self.evidence.is_up {
            return None;
        }
        self.enter(AgentState::Running, now)
    }

    fn wait(&mut self, since: Instant, now: Instant) -> Option<Transition> {
        let state = AgentState::NeedsInput { since, reason: self.reason() };
        self.stale_at = now.checked_add(self.evidence.timeouts.stale);
        let entered = self.enter(state, now);
        if self.is_calm() {
            self.stale_at = None;
        }
        entered
    }

    /// Whether input hands something in: a line, the end of input, or a single key where one is asked.
    fn submits(&self, bytes: &[u8]) -> bool {
        const END_OF_INPUT: u8 = 0x04;
        let is_choice = self.question().is_some_and(|question| question.is_menu)
            && bytes.len() == 1
            && bytes[0].is_ascii_alphanumeric();
        is_choice
            || bytes == [END_OF_INPUT]
            || bytes.iter().any(|byte| matches!(byte, b'\r' | b'\n'))
    }

    fn enter(&mut self, to: AgentState, now: Instant) -> Option<Transition> {
        if to == self.state {
            return None;
        }
        let from = std::mem::replace(&mut self.state, to);
        self.entered = now;
        Some(Transition { from, to })
    }
}

#[cfg(test)]
mod tests;
