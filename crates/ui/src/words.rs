//! What the window says about agents, in words and times.

use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentState, Exit, Reason};
use workspace::{MAX_REVIVALS, PlainTerminal, State, Workspace, WorkspaceStatus};

use crate::marks::Mark;

/// What was alive when we ended, or the machine did.
const STOPPED: &str = "stopped at restart";

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The rail's first line, in parts: who asks, and the rest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) asking: usize,
    pub(crate) rest: String,
}

impl Summary {
    pub(crate) fn of(state: &State) -> Self {
        let count = |wanted: fn(Mark) -> bool| {
            state.workspaces().iter().map(Mark::of).filter(|mark| wanted(*mark)).count()
        };
        let asking = count(Mark::asks);
        let n_turns = count(|mark| matches!(mark, Mark::YourTurn | Mark::Overdue | Mark::Calm));
        let has_failed = |it: &&Workspace| {
            Mark::of(it) == Mark::Errored && it.agent().is_some_and(AgentHandle::is_unread)
        };
        // As long as nobody has looked; there is not much room.
        let n_failed = state.workspaces().iter().filter(has_failed).count();
        let n_running = count(|mark| matches!(mark, Mark::Running | Mark::Starting));
        let counts = [(n_turns, "your turn"), (n_failed, "failed"), (n_running, "running")];
        let parts: Vec<String> = counts
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{n} {what}"))
            .collect();
        let rest = match (parts.is_empty(), asking, state.workspaces().is_empty()) {
            (_, _, true) => "No workspaces yet".to_owned(),
            (true, 0, false) => "All quiet".to_owned(),
            (true, _, false) => String::new(),
            (false, ..) => parts.join(" · "),
        };
        Self { asking, rest }
    }

    /// "2 ask", or nothing where nobody does.
    pub(crate) fn asking_text(&self) -> String {
        match self.asking {
            0 => String::new(),
            1 => "1 asks".to_owned(),
            n => format!("{n} ask"),
        }
    }
}

/// The second line of a tile: what the agent asks or does.
pub(crate) fn activity(workspace: &Workspace) -> String {
    let Some(agent) = workspace.agent() else { return "no agent".to_owned() };
    match agent.state() {
        AgentState::Starting => format!("starting {}", agent.name()),
        AgentState::Running => format!("running {}", agent.name()),
        AgentState::NeedsInput { reason, .. } => question(agent, reason.words()),
        AgentState::Stale { .. } if is_done(agent) => Reason::TurnDone.words().to_owned(),
        AgentState::Stale { .. } => question(agent, "still waiting"),
        AgentState::Exited { exit } => match workspace.next_revival() {
            Some(time) => {
                format!("{} · restart {time} of {MAX_REVIVALS}", ending(agent, exit))
            }
            None => ending(agent, exit),
        },
        AgentState::Stopped => stopped(agent),
    }
}

/// Why nothing of it runs.
fn stopped(agent: &AgentHandle) -> String {
    match agent.gave_up() {
        Some(exit) => format!("gave up · {}", ending(agent, exit)),
        None => STOPPED.to_owned(),
    }
}

/// Whether it waits only because it has finished, seen or not.
fn is_done(agent: &AgentHandle) -> bool {
    agent.is_calm() || agent.reason() == Some(Reason::TurnDone)
}

/// What it asks in its own words and about what, if it asks; else what it does in ours.
fn question(agent: &AgentHandle, otherwise: &str) -> String {
    let asks = !matches!(agent.reason(), None | Some(Reason::TurnDone | Reason::Silence));
    agent.asked_about().filter(|_| asks).unwrap_or_else(|| otherwise.to_owned())
}

/// What is waited for, in a word or two.
pub(crate) fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Permission => "permission",
        Reason::Question => "question",
        Reason::Confirmation => "confirmation",
        Reason::Password => "password",
        Reason::FirstRun => "first start",
        Reason::Error => "error",
        Reason::TurnDone => "your turn",
        Reason::Silence => "waiting",
        Reason::GaveUp => "gave up",
    }
}

/// How an agent ended, or why it never began.
pub(crate) fn ending(agent: &AgentHandle, exit: Exit) -> String {
    if let Some(failure) = agent.failure() {
        return failure.to_owned();
    }
    if agent.was_stopped() {
        return "stopped".to_owned();
    }
    match exit {
        Exit::Code(0) => "completed".to_owned(),
        Exit::Code(_) | Exit::Signal(_) => exit_words(exit),
    }
}

fn exit_words(exit: Exit) -> String {
    match (exit, exit.signal_name()) {
        (Exit::Code(code), _) => format!("exited {code}"),
        (Exit::Signal(_), Some(name)) => format!("killed by {name}"),
        (Exit::Signal(signal), None) => format!("killed by signal {signal}"),
    }
}

/// How an agent ended, and what can be done about one of an earlier run.
pub(crate) fn agent_ending(agent: &AgentHandle) -> String {
    let end = agent.state().exit().map_or_else(|| stopped(agent), |exit| ending(agent, exit));
    if agent.is_remembered() { format!("{end} · Enter restarts") } else { end }
}

/// How a plain terminal's program ended, what of it is left, and what can be done now.
pub(crate) fn plain_ending(state: &State, plain: &PlainTerminal) -> String {
    let end = plain.failure().map(ToOwned::to_owned).or_else(|| plain.exit().map(exit_words));
    let left = plain.running().map(|name| format!(" · {name} still runs in the background"));
    // Bound in terminals and outside of them; here a terminal has the focus.
    let keys = state.keymap().keys_in_terminals("tab.close");
    let close = keys.map(|keys| format!(", {keys} closes"));
    let parts = [end, left, Some(" · Enter restarts".to_owned()), close];
    parts.into_iter().flatten().collect()
}

/// The status bar's words about the agent on show: "claude waits", with the time apart.
pub(crate) fn sentence(agent: &AgentHandle) -> String {
    let asks = !matches!(agent.reason(), None | Some(Reason::TurnDone | Reason::Silence));
    let text = agent.asked_about().filter(|_| asks);
    let text = text.map_or_else(String::new, |text| format!(": {text}"));
    format!("{} {}{text}", agent.name(), state_words(agent))
}

/// What comes behind the agent's name.
pub(crate) fn state_words(agent: &AgentHandle) -> String {
    match agent.state() {
        AgentState::Starting => "is starting".to_owned(),
        AgentState::Running => "is running".to_owned(),
        AgentState::NeedsInput { reason: Reason::Silence, .. } => "waits".to_owned(),
        AgentState::NeedsInput { reason: Reason::TurnDone, .. } => "is done, your turn".to_owned(),
        AgentState::NeedsInput { reason, .. } => reason.words().to_owned(),
        AgentState::Stale { .. } if is_done(agent) => "is done, your turn".to_owned(),
        AgentState::Stale { .. } => "still waits".to_owned(),
        AgentState::Exited { .. } if agent.failure().is_some() => "did not start".to_owned(),
        AgentState::Exited { exit } => ending(agent, exit),
        AgentState::Stopped => stopped(agent),
    }
}

/// Since when the time beside a workspace counts, and how fine it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Age {
    pub(crate) since: Instant,
    pub(crate) unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// "12 s", from a minute on in minutes.
    Seconds,
    /// Never finer than a minute.
    Minutes,
}

impl Age {
    /// `None` where time says nothing: an agent that works, or none.
    pub(crate) fn of(workspace: &Workspace) -> Option<Self> {
        let agent = workspace.agent()?;
        match (agent.state(), workspace.status()) {
            // What was seen to be done is no matter of seconds.
            (AgentState::NeedsInput { since, .. }, _) if agent.is_calm() => {
                Some(Self { since, unit: Unit::Minutes })
            }
            (AgentState::NeedsInput { since, .. }, _) => Some(Self { since, unit: Unit::Seconds }),
            (AgentState::Stale { since }, _) => Some(Self { since, unit: Unit::Minutes }),
            (_, WorkspaceStatus::Completed | WorkspaceStatus::Errored) => {
                Some(Self { since: agent.since(), unit: Unit::Minutes })
            }
            (
                AgentState::Starting
                | AgentState::Running
                | AgentState::Exited { .. }
                | AgentState::Stopped,
                _,
            ) => None,
        }
    }

    pub(crate) fn label(self, now: Instant) -> String {
        let seconds = now.saturating_duration_since(self.since).as_secs();
        match (seconds, self.unit) {
            (0..MINUTE, Unit::Seconds) => format!("{seconds} s"),
            (0..MINUTE, Unit::Minutes) => "now".to_owned(),
            (MINUTE..HOUR, _) => format!("{} min", seconds / MINUTE),
            (HOUR..DAY, _) => format!("{} h", seconds / HOUR),
            (DAY.., _) => format!("{} d", seconds / DAY),
        }
    }

    /// When the label next says something else.
    pub(crate) fn next_change(self, now: Instant) -> Option<Instant> {
        let seconds = now.saturating_duration_since(self.since).as_secs();
        let step = match (seconds, self.unit) {
            (0..MINUTE, Unit::Seconds) => 1,
            (0..HOUR, _) => MINUTE,
            (HOUR..DAY, _) => HOUR,
            (DAY.., _) => DAY,
        };
        let next = (seconds / step).checked_add(1)?.checked_mul(step)?;
        self.since.checked_add(Duration::from_secs(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An age in seconds, the label for either unit, and how long that label lasts.
    #[track_caller]
    fn check(age: u64, waiting: &str, ended: &str) {
        let since = crate::tests::start();
        let now = since + Duration::from_secs(age);
        let said = |unit| {
            let age = Age { since, unit };
            let lasts = age.next_change(now).expect("labels change") - now;
            format!("{} for {} s", age.label(now), lasts.as_secs())
        };
        assert_eq!(said(Unit::Seconds), waiting, "waiting for {age} s");
        assert_eq!(said(Unit::Minutes), ended, "ended {age} s ago");
    }

    #[test]
    fn times_get_coarser_as_they_grow() {
        check(0, "0 s for 1 s", "now for 60 s");
        check(59, "59 s for 1 s", "now for 1 s");
        check(60, "1 min for 60 s", "1 min for 60 s");
        check(3599, "59 min for 1 s", "59 min for 1 s");
        check(3600, "1 h for 3600 s", "1 h for 3600 s");
        check(90_000, "1 d for 82800 s", "1 d for 82800 s");
    }

    #[test]
    fn a_clock_that_went_back_is_no_trouble() {
        let since = crate::tests::start();
        let age = Age { since, unit: Unit::Seconds };
        let before = since - Duration::from_secs(5);
        assert_eq!(age.label(before), "0 s", "an age below nothing");
    }
}
