//! A recording, played.

mod matches;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::{
    AgentHandle, AgentIds, AgentState, ProcessSample, Reason, Report, Rules, Source, Timeouts,
};
use terminal::{Fed, GridSize, TerminalBuffer, TerminalOptions};

pub use self::matches::Match;
use self::matches::Matches;
use crate::{Event, Happening, Recording};

/// A process whose look is wished for was looked at no longer ago than this.
const FRESH: Duration = Duration::from_millis(300);

/// Of recordings that do not say.
pub const USUAL_SIZE: GridSize = GridSize { columns: 120, rows: 40 };

/// A state that was entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Since the beginning.
    pub at: Duration,
    /// The state's word, as in JSON.
    pub state: &'static str,
    pub reason: Option<Reason>,
    /// Who said so.
    pub source: Option<Source>,
    /// What the program asks, in its own words.
    pub text: Option<String>,
}

/// Plays recordings into a terminal and the handle of an agent.
#[derive(Debug)]
pub struct Player {
    agent: AgentHandle,
    /// The beginning.
    epoch: Instant,
    /// How far it has been played.
    now: Duration,
    /// The last look at its processes, which is what one would have seen since.
    sample: Option<(ProcessSample, Duration)>,
    /// The person looks at it.
    is_watched: bool,
    changes: Vec<Change>,
    /// Where they are asked for.
    matches: Option<Matches>,
}

impl Player {
    pub fn new(size: GridSize, rules: Arc<Rules>, epoch: Instant) -> Self {
        Self::with_timeouts(size, rules, Timeouts::default(), epoch)
    }

    /// As the recorded agent was set up, as far as the recording says.
    pub fn of(recording: &Recording, rules: Arc<Rules>, epoch: Instant) -> Self {
        let size = recording.about.size.unwrap_or(USUAL_SIZE);
        let timeouts = recording.about.timeouts.unwrap_or_default();
        Self::with_timeouts(size, rules, timeouts, epoch)
    }

    fn with_timeouts(
        size: GridSize,
        rules: Arc<Rules>,
        timeouts: Timeouts,
        epoch: Instant,
    ) -> Self {
        let terminal = TerminalBuffer::new(size, TerminalOptions::default());
        let id = AgentIds::default().mint();
        let mut agent =
            AgentHandle::new(id, "recorded", Vec::new(), terminal, timeouts, rules, epoch);
        // Of the recorded program nothing is known but that there was one.
        agent.spawned(1);
        let mut player = Self {
            agent,
            epoch,
            now: Duration::ZERO,
            sample: None,
            is_watched: false,
            changes: Vec::new(),
            matches: None,
        };
        player.note(Duration::ZERO);
        player
    }

    /// Plays it from beginning to end, and `after` it as long as time alone changes something.
    pub fn play(mut self, recording: &Recording, after: Duration) -> Vec<Change> {
        self.run(recording, after);
        self.changes
    }

    /// Plays it up to a moment, and gives the agent as it was then.
    pub fn play_to(mut self, recording: &Recording, moment: Duration) -> AgentHandle {
        let count = recording.events.partition_point(|event| event.at <= moment);
        self.play_events(&recording.events[..count]);
        self.pass(moment);
        self.agent
    }

    fn run(&mut self, recording: &Recording, after: Duration) {
        self.play_events(&recording.events);
        self.pass(recording.duration() + after);
    }

    fn play_events(&mut self, events: &[Event]) {
        for event in events {
            self.pass(event.at);
            self.now = event.at;
            self.happen(event);
            self.note(event.at);
        }
    }

    fn happen(&mut self, event: &Event) {
        let now = self.epoch + event.at;
        match &event.what {
            Happening::Output(bytes) => {
                let fed = self.agent.terminal().feed(bytes);
                self.take(&fed, now);
            }
            Happening::Input(bytes) => {
                self.agent.on_input(bytes, now);
            }
            Happening::Focus => {
                self.agent.on_redraw(now);
            }
            Happening::Resize(size) => {
                self.agent.terminal().resize(*size);
                self.agent.on_redraw(now);
            }
            Happening::Sample(sample) => self.sample = Some((sample.clone(), event.at)),
            Happening::Watched(is_watched) => self.is_watched = *is_watched,
            Happening::Told(sample) => {
                self.agent.on_sample(Some(sample.clone()), now);
            }
            Happening::Report { says, by, text } => {
                let report = Report { says: *says, by: *by, text: text.clone(), at: now };
                self.agent.on_report(report, None, now);
            }
            Happening::Exit(exit) => {
                self.agent.exited(*exit, now);
            }
        }
    }

    fn take(&mut self, fed: &Fed, now: Instant) {
        for signal in &fed.signals {
            self.agent.on_signal(signal, now);
        }
        self.agent.on_output(now);
    }

    /// Lets time pass up to a moment, serving what is due on the way.
    fn pass(&mut self, until: Duration) {
        // Every deadline lies after the one before, or the machine is wrong.
        for _ in 0..1_000_000 {
            let held = self.agent.terminal().sync_deadline(self.epoch + self.now);
            let dues = [self.agent.next_deadline(), self.sample_due(), held];
            let due = dues.into_iter().flatten().min();
            let Some(due) = due.filter(|due| *due <= self.epoch + until) else { return };
            if self.sample_due().is_some_and(|at| at <= due)
                && let Some((sample, _)) = self.sample.clone()
            {
                self.agent.on_sample(Some(sample), due);
            }
            self.now = due.saturating_duration_since(self.epoch);
            if held.is_some_and(|at| at <= due) {
                let fed = self.agent.terminal().end_sync();
                self.take(&fed, due);
            }
            self.agent.on_deadline(due);
            self.note(self.now);
        }
    }

    /// When its processes would have been looked at, if it is known how they were then.
    fn sample_due(&self) -> Option<Instant> {
        // What was not known in time is seen as soon as it is.
        let at = self.agent.sample_at()?.max(self.epoch + self.now);
        let (_, taken) = self.sample.as_ref()?;
        let is_known = at.saturating_duration_since(self.epoch) <= *taken + FRESH;
        is_known.then_some(at)
    }

    fn note(&mut self, at: Duration) {
        if let Some(matches) = &mut self.matches {
            matches.note(&self.agent, self.epoch, at);
        }
        if self.is_watched {
            self.agent.seen();
        }
        let state = self.agent.state();
        let reason = match state {
            AgentState::NeedsInput { reason, .. } => Some(reason),
            _ => None,
        };
        let source = self.agent.believed().map(|claim| claim.source);
        let (state, text) = (state.name(), self.agent.asked().map(str::to_owned));
        let is_same = |last: &Change| last.state == state && last.reason == reason;
        if !self.changes.last().is_some_and(is_same) {
            self.changes.push(Change { at, state, reason, source, text });
        }
    }
}

#[cfg(test)]
mod tests;
