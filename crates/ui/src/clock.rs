//! When a frame would look different although nothing happened.
//!
//! All agents that wait share one beat, so that twenty of them cost no more wake-ups than one: at
//! most two a second while something pulses, one a second while a time in seconds is on show. Times
//! in minutes wake nobody in a window without the focus.

use std::time::{Duration, Instant};

use agent::AgentState;
use workspace::State;

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
    let beat = match (pulse_start(state, activity), seconds_start(state, now)) {
        (Some(start), _) => Some(after(start, PULSE_STEP, now)),
        (None, Some(start)) => Some(after(start, LABEL_STEP, now)),
        (None, None) => None,
    };
    let minutes = ages(state)
        .filter(|age| age.unit == Unit::Seconds || activity.focused)
        .filter(|age| !in_seconds(age, now))
        .filter_map(|age| age.next_change(now));
    beat.into_iter().chain(minutes).min()
}

/// The step of the halo at this moment, for [`FrameInputs::pulse`](crate::FrameInputs::pulse).
pub fn pulse(state: &State, now: Instant, activity: Activity) -> u8 {
    let Some(start) = pulse_start(state, activity) else { return STEADY_PULSE };
    let steps = now.saturating_duration_since(start).as_millis() / PULSE_STEP.as_millis();
    u8::try_from(steps % PULSE_STEPS).unwrap_or(STEADY_PULSE)
}

/// Since when something on the rail has pulsed.
fn pulse_start(state: &State, activity: Activity) -> Option<Instant> {
    if activity.reduced_motion {
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

fn ages(state: &State) -> impl Iterator<Item = Age> {
    state.workspaces().iter().filter_map(Age::of)
}

/// The first moment after `now` that is a whole number of steps from `start`.
fn after(start: Instant, step: Duration, now: Instant) -> Instant {
    let passed = now.saturating_duration_since(start).as_millis();
    let steps = passed / step.as_millis() + 1;
    start + step.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))
}
