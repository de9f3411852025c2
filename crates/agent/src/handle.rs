//! One agent of a workspace: its terminal, its state, and what it was started with.
//!
//! The process itself is elsewhere; a handle that is fed bytes and told what happened is all that a
//! test needs.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terminal::{ScreenLook, TerminalBuffer, TerminalSignal};

use crate::evidence::LastReport;
use crate::motion::MotionWatch;
use crate::{
    AgentId, AgentState, AgentStateMachine, Claim, Dialog, Earlier, Exit, ProcessSample, Question,
    Reason, Report, Rules, Timeouts, Transition, dialog, question,
};

/// A screen is looked at no sooner than this after the last time.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct AgentHandle {
    id: AgentId,
    name: String,
    command: Vec<String>,
    terminal: TerminalBuffer,
    machine: AgentStateMachine,
    rules: Arc<Rules>,
    watch: MotionWatch,
    looked_at: Option<Instant>,
    /// When output that has come since is looked at.
    look_due: Option<Instant>,
    /// Somebody looks at its processes.
    is_sampled: bool,
    last_report: LastReport,
    pid: Option<u32>,
    launches: u32,
    stop_requested: bool,
    failure: Option<String>,
    /// How it ended the last time it was started again by itself.
    gave_up: Option<Exit>,
    /// What it calls its own session.
    session: Option<String>,
    /// Nothing of it has run yet: it is what an earlier run left.
    is_remembered: bool,
    /// How much of the terminal's output the machine has been told about.
    seen_output: u64,
}

/// How an agent of an earlier run was left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// One in which nothing lives.
    pub state: AgentState,
    pub since: Instant,
    pub launches: u32,
    /// It ended because the user had asked for it.
    pub was_asked: bool,
    pub session: Option<String>,
}

/// A restart was asked for while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StillAlive;

impl AgentHandle {
    /// A first launch begins now.
    pub fn new(
        id: AgentId,
        name: impl Into<String>,
        command: Vec<String>,
        terminal: TerminalBuffer,
        timeouts: Timeouts,
        rules: Arc<Rules>,
        now: Instant,
    ) -> Self {
        Self {
            id,
            name: name.into(),
            command,
            seen_output: terminal.output_revision(),
            terminal,
            machine: AgentStateMachine::new(timeouts, now),
            rules,
            watch: MotionWatch::default(),
            looked_at: None,
            look_due: None,
            is_sampled: false,
            last_report: LastReport::default(),
            pid: None,
            launches: 1,
            stop_requested: false,
            failure: None,
            gave_up: None,
            session: None,
            is_remembered: false,
        }
    }

    /// The same agent in a later run of ours. Nothing is started.
    #[must_use]
    pub fn remembering(self, past: Past) -> Self {
        let Past { state, since, launches, was_asked, session } = past;
        let machine = AgentStateMachine::ended(self.machine.timeouts(), state, since);
        let stop_requested = was_asked;
        Self { machine, launches, stop_requested, session, is_remembered: true, ..self }
    }

    /// The same agent in a later run of ours, which it has outlived the earlier one for.
    #[must_use]
    pub fn going_on(self, earlier: Earlier, launches: u32, session: Option<String>) -> Self {
        let machine = AgentStateMachine::going_on(self.machine.timeouts(), earlier);
        Self { machine, launches, session, ..self }
    }

    /// The program has said that before anybody looked at it again: known, and no news.
    pub fn recall(&mut self, signal: &TerminalSignal, at: Instant) {
        self.machine.recall(signal, &self.rules, at);
    }

    /// The program has printed by then what nobody has looked at.
    pub fn missed(&mut self, at: Instant) -> Option<Transition> {
        self.machine.on_output(at)
    }

    /// What its terminal shows was printed by then; what comes later is news.
    pub fn catch_up(&mut self, at: Instant) {
        self.seen_output = self.terminal.output_revision();
        (self.looked_at, self.look_due) = (Some(at), None);
        // What is there is not compared with anything.
        let _motion = self.watch.look(&self.terminal, at);
        self.machine.caught_up(at);
    }

    pub fn id(&self) -> AgentId {
        self.id
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn command(&self) -> &[String] {
        &self.command
    }

    pub fn terminal(&self) -> &TerminalBuffer {
        &self.terminal
    }

    pub fn state(&self) -> AgentState {
        self.machine.state()
    }

    pub fn timeouts(&self) -> Timeouts {
        self.machine.timeouts()
    }

    /// By which it is judged from its next start on.
    pub fn set_timeouts(&mut self, timeouts: Timeouts) {
        self.machine.set_timeouts(timeouts);
    }

    /// What it calls its own session, by which it may go on with that.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    pub fn set_session(&mut self, session: String) {
        self.session = Some(session);
    }

    /// Whether it is what an earlier run of ours left, and was not started since.
    pub fn is_remembered(&self) -> bool {
        self.is_remembered
    }

    /// When the present state was entered.
    pub fn since(&self) -> Instant {
        self.machine.since()
    }

    pub fn is_alive(&self) -> bool {
        self.state().is_alive()
    }

    /// How often it was started, this time included.
    pub fn launches(&self) -> u32 {
        self.launches
    }

    /// The living process, once it is spawned.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    pub fn spawned(&mut self, pid: u32) {
        self.pid = Some(pid);
    }

    /// The program could not be started; `code` is what a shell would have ended with: 127 not
    /// found, 126 not executable.
    pub fn failed(
        &mut self,
        code: i32,
        message: impl Into<String>,
        now: Instant,
    ) -> Option<Transition> {
        self.failure = Some(message.into());
        self.exited(Exit::Code(code), now)
    }

    /// Why it could not be started, for the user.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Looks at the screen if the program has written something since the last call, now or a little
    /// later. Selecting, scrolling and resizing its terminal do not count.
    pub fn on_output(&mut self, now: Instant) -> Option<Transition> {
        let output = self.terminal.output_revision();
        if output == self.seen_output || !self.is_alive() {
            return None;
        }
        match self.looked_at.map(|at| at + LOOK_EVERY).filter(|due| now < *due) {
            Some(due) => {
                self.look_due = Some(due);
                None
            }
            None => self.look(output, now),
        }
    }

    fn look(&mut self, output: u64, now: Instant) -> Option<Transition> {
        (self.looked_at, self.look_due) = (Some(now), None);
        let Some(motion) = self.watch.look(&self.terminal, now) else {
            // In the middle of an update; the rest of it will come.
            self.look_due = Some(now + LOOK_EVERY);
            return None;
        };
        self.seen_output = output;
        if self.machine.wants_glimpse(now) {
            let glimpse = question::glimpse(self.watch.screen(), &self.rules);
            self.machine.on_glimpse(glimpse, now);
        }
        self.machine.on_motion(motion, now)
    }

    /// A screen at rest may ask something.
    fn read_question(&mut self, now: Instant) -> Option<Transition> {
        self.machine.question_at().filter(|at| *at <= now)?;
        let reading = question::read(self.watch.screen(), &self.rules);
        self.machine.on_reading(reading, now)
    }

    /// The program said something beside what it draws.
    pub fn on_signal(&mut self, signal: &TerminalSignal, now: Instant) -> Option<Transition> {
        self.machine.on_signal(signal, &self.rules, now)
    }

    /// By which it is judged.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// From now on it is judged by other rules. Nothing is forgotten; a screen at rest is read anew.
    pub fn set_rules(&mut self, rules: Arc<Rules>) {
        if self.rules != rules {
            self.rules = rules;
            self.machine.read_anew();
        }
    }

    /// Its processes were looked at, as wished for by [`Self::sample_at`].
    pub fn on_sample(&mut self, sample: Option<ProcessSample>, now: Instant) -> Option<Transition> {
        self.is_sampled = false;
        match sample {
            Some(sample) => self.machine.on_sample(sample, now),
            None => {
                self.machine.sample_failed(now);
                None
            }
        }
    }

    /// Somebody who knows says what it does. Of two reports the one with the higher number counts,
    /// since they may overtake each other.
    pub fn on_report(
        &mut self,
        report: Report,
        sequence: Option<u64>,
        now: Instant,
    ) -> Option<Transition> {
        let is_new = self.last_report.take(report.by, sequence);
        is_new.then(|| self.machine.on_report(report, now)).flatten()
    }

    /// What it waits for, if it does, or what keeps it from being started again.
    pub fn reason(&self) -> Option<Reason> {
        match self.state() {
            AgentState::NeedsInput { reason, .. } => Some(reason),
            AgentState::Stale { .. } => Some(self.machine.reason()),
            AgentState::Stopped => self.gave_up.map(|_| Reason::GaveUp),
            AgentState::Starting | AgentState::Running | AgentState::Exited { .. } => None,
        }
    }

    /// When its processes should be looked at; `None` while that would tell nothing new, and while
    /// they are being looked at.
    pub fn sample_at(&self) -> Option<Instant> {
        self.machine.sample_at().filter(|_| !self.is_sampled && self.pid.is_some())
    }

    /// Whether to look at its processes now. The answer goes to [`Self::on_sample`].
    #[must_use]
    pub fn take_sample_wish(&mut self, now: Instant) -> bool {
        let is_due = self.sample_at().is_some_and(|at| at <= now);
        self.is_sampled |= is_due;
        is_due
    }

    /// Who was believed when its state was last judged.
    pub fn believed(&self) -> Option<&Claim> {
        self.machine.believed()
    }

    /// What is believed of it, and what else there is to say, the strongest first.
    pub fn claims(&self, now: Instant) -> Vec<Claim> {
        self.machine.claims(now)
    }

    /// What it asks, as far as its screen tells.
    pub fn question(&self) -> Option<&Question> {
        self.machine.question()
    }

    /// What its screen asks this very moment, if it waits: read anew, since an answer must not reach
    /// another question than the one that was seen.
    pub fn dialog(&self) -> Option<Dialog> {
        self.reason().filter(|_| self.is_alive())?;
        let mut screen = ScreenLook::default();
        self.terminal.look(&mut screen).then(|| dialog::read(&screen, &self.rules))?
    }

    /// What it waits for, in its own words.
    pub fn asked(&self) -> Option<&str> {
        self.machine.text()
    }

    /// What it waits for and what that is about, on one line. Many questions read the same.
    pub fn asked_about(&self) -> Option<String> {
        let asked = self.asked();
        self.question().map_or_else(|| asked.map(str::to_owned), |it| Some(it.line(asked)))
    }

    /// The person looks at it.
    pub fn seen(&mut self) {
        self.machine.seen();
    }

    /// The person has looked at what it waits for.
    pub fn is_seen(&self) -> bool {
        self.machine.is_seen()
    }

    /// It has finished something, and the person has seen that.
    pub fn is_calm(&self) -> bool {
        self.machine.is_calm()
    }

    /// It has finished something or ended by itself, and the person has not seen that.
    pub fn is_unread(&self) -> bool {
        self.machine.is_unread() && !self.was_stopped()
    }

    /// Parts of it, such as sub-agents, that say that they work.
    pub fn n_parts_working(&self) -> usize {
        self.machine.n_parts_working()
    }

    /// `bytes` were written to the program in the user's name.
    pub fn on_input(&mut self, bytes: &[u8], now: Instant) -> Option<Transition> {
        // What was printed before an answer is not what comes of it.
        let output = self.terminal.output_revision();
        let is_behind = output != self.seen_output && self.is_alive();
        let looked = is_behind.then(|| self.look(output, now)).flatten();
        joined(looked, self.machine.on_input(bytes, now))
    }

    /// We resized the program or reported focus to it.
    pub fn on_redraw(&mut self, now: Instant) -> Option<Transition> {
        self.machine.on_redraw(now)
    }

    pub fn on_deadline(&mut self, now: Instant) -> Option<Transition> {
        let looked = match self.look_due {
            Some(due) if due <= now => self.look(self.terminal.output_revision(), now),
            _ => None,
        };
        let asked = self.read_question(now);
        joined(joined(looked, asked), self.machine.on_deadline(now))
    }

    pub fn next_deadline(&self) -> Option<Instant> {
        self.decides_at().into_iter().chain(self.look_at()).min()
    }

    /// When time alone may change what is known of it.
    pub fn decides_at(&self) -> Option<Instant> {
        let deadlines = [self.machine.next_deadline(), self.machine.question_at()];
        deadlines.into_iter().flatten().min()
    }

    /// When its screen is to be looked at, as there was output too soon after the last look.
    pub fn look_at(&self) -> Option<Instant> {
        self.look_due.filter(|_| self.is_alive())
    }

    /// The process is gone.
    pub fn exited(&mut self, exit: Exit, now: Instant) -> Option<Transition> {
        self.pid = None;
        self.machine.on_exit(exit, now)
    }

    /// It has crashed too often to be started once more.
    pub fn give_up(&mut self, now: Instant) -> Option<Transition> {
        self.gave_up = self.state().exit();
        self.machine.give_up(now)
    }

    /// How it ended in the end, once it was given up.
    pub fn gave_up(&self) -> Option<Exit> {
        self.gave_up
    }

    /// Notes that the user wants it to end; ending it is somebody else's job.
    pub fn request_stop(&mut self) {
        self.stop_requested = true;
    }

    pub fn stop_requested(&self) -> bool {
        self.stop_requested
    }

    /// Whether it ended because the user asked.
    pub fn was_stopped(&self) -> bool {
        self.stop_requested && !self.is_alive()
    }

    /// Begins another launch in the same terminal, below a separator. All text is kept.
    ///
    /// # Errors
    /// [`StillAlive`] while there is a process; nothing is changed then.
    pub fn restart(&mut self, now: Instant) -> Result<(), StillAlive> {
        if self.is_alive() {
            return Err(StillAlive);
        }
        self.launches += 1;
        self.pid = None;
        self.stop_requested = false;
        (self.failure, self.gave_up) = (None, None);
        (self.session, self.is_remembered) = (None, false);
        self.terminal.start_session(&format!("── restarted · launch {} ──", self.launches));
        self.seen_output = self.terminal.output_revision();
        self.watch = MotionWatch::default();
        (self.looked_at, self.look_due) = (None, None);
        (self.is_sampled, self.last_report) = (false, LastReport::default());
        self.machine.restart(now);
        Ok(())
    }
}

/// Two changes of state, one after the other, as one.
fn joined(first: Option<Transition>, second: Option<Transition>) -> Option<Transition> {
    match (first, second) {
        (Some(first), Some(second)) => Some(Transition { from: first.from, to: second.to }),
        (first, second) => first.or(second),
    }
}

impl fmt::Display for StillAlive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the agent is still running; stop it first")
    }
}

impl Error for StillAlive {}

#[cfg(test)]
mod tests;
