//! When a frame would look different although nothing happened.
//!
//! All agents that wait share one beat, so that a hundred of them cost no more wake-ups than one: at
//! most two a second while something pulses, one a second while a time is on show. Times in minutes
//! wake nobody in a window without the focus, and a rail that is hidden wakes nobody at all.

use std::time::{Duration, Instant};

use agent::AgentState;
use workspace::{State, Workspace, WorkspaceId};

use crate::marks::{Mark, STEADY_PULSE};
use crate::words::{Age, Unit};

/// What is known of the window's being looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    /// Not minimised, covered or headless.
    pub visible: bool,
    pub focused: bool,
    pub reduced_motion: bool,
}

const PULSE_STEP: Duration = Duration::from_millis(500);
const PULSE_STEPS: u128 = 4;
const LABEL_STEP: Duration = Duration::from_secs(1);
/// Waiting times are in seconds up to here.
const SECONDS_END: Duration = Duration::from_secs(60);

/// When labels or the pulse next change with nothing else happening; `None`: not by time alone.
pub fn next_change(state: &State, now: Instant, activity: Activity) -> Option<Instant> {
    if !activity.visible {
        return None;
    }
    let beat = beat(state, now, activity);
    let minutes = ages(state)
        .filter(|age| age.unit == Unit::Seconds || activity.focused)
        .filter(|age| !in_seconds(age, now))
        .filter_map(|age| age.next_change(now))
        .min();
    // A label that turns between two beats waits for the second, or where there is none, with all
    // that turn within the same second.
    let shared = beat.or_else(|| {
        let first = ages(state).map(|age| age.since).min()?;
        Some((first, LABEL_STEP))
    });
    let minutes = minutes.zip(shared).map(|(at, (start, step))| from(start, step, at));
    beat.map(|(start, step)| after(start, step, now)).into_iter().chain(minutes).min()
}

/// What changes without end, as its start and its step.
fn beat(state: &State, now: Instant, activity: Activity) -> Option<(Instant, Duration)> {
    let pulse = pulse_start(state, activity).map(|start| (start, PULSE_STEP));
    pulse.or_else(|| Some((seconds_start(state, now)?, LABEL_STEP)))
}

/// When a card says something else about its workspace: once a second while it is open.
pub fn card_change(
    state: &State,
    card: Option<WorkspaceId>,
    now: Instant,
    activity: Activity,
) -> Option<Instant> {
    let agent = state.workspace(card?)?.agent()?;
    activity.visible.then(|| after(agent.since(), LABEL_STEP, now))
}

/// The step of the halo at this moment, for [`FrameInputs::pulse`](crate::FrameInputs::pulse).
pub fn pulse(state: &State, now: Instant, activity: Activity) -> u8 {
    let Some(start) = pulse_start(state, activity) else { return STEADY_PULSE };
    let steps = now.saturating_duration_since(start).as_millis() / PULSE_STEP.as_millis();
    u8::try_from(steps % PULSE_STEPS).unwrap_or(STEADY_PULSE)
}

/// Since when something on the rail has pulsed.
fn pulse_start(state: &State, activity: Activity) -> Option<Instant> {
    if activity.reduced_motion || state.hides_rail() {
        return None;
    }
    let pulsing = state.workspaces().iter().filter(|workspace| Mark::of(workspace).pulses());
    let since = |state: AgentState| match state {
        AgentState::NeedsInput { since, .. } => Some(since),
        AgentState::Starting
        | AgentState::Running
        | AgentState::Stale { .. }
        | AgentState::Exited { .. }
        | AgentState::Stopped => None,
    };
    pulsing.filter_map(|workspace| since(workspace.agent()?.state())).min()
}

/// Since when some agent has waited that is shown with seconds.
fn seconds_start(state: &State, now: Instant) -> Option<Instant> {
    ages(state).filter(|age| in_seconds(age, now)).map(|age| age.since).min()
}

fn in_seconds(age: &Age, now: Instant) -> bool {
    age.unit == Unit::Seconds && now.saturating_duration_since(age.since) < SECONDS_END
}

/// Of the tiles on the rail, or where that is hidden, of the agent that the status bar speaks of.
fn ages(state: &State) -> impl Iterator<Item = Age> {
    let spoken_of = state.active_workspace().filter(|it| it.status().needs_the_user());
    let spoken_of = spoken_of.map(Workspace::id);
    let on_show = move |it: &&Workspace| !state.hides_rail() || Some(it.id()) == spoken_of;
    state.workspaces().iter().filter(on_show).filter_map(Age::of)
}

/// The first moment after `now` that is a whole number of steps from `start`.
fn after(start: Instant, step: Duration, now: Instant) -> Instant {
    from(start, step, now + Duration::from_nanos(1))
}

/// The first such moment that is not before `at`.
fn from(start: Instant, step: Duration, at: Instant) -> Instant {
    let passed = at.saturating_duration_since(start).as_nanos();
    let steps = passed.div_ceil(step.as_nanos());
    start + step.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))
}
