//! What holds for any order of events and times.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const WORDS: [&str; 58] = [
    "output",
    "text",
    "text full",
    "cell",
    "frame",
    "frame",
    "count",
    "blink",
    "scroll",
    "blank",
    "type",
    "press 1",
    "send",
    "end",
    "nothing",
    "seen",
    "redraw",
    "tick",
    "ask nothing",
    "ask permission",
    "ask confirmation",
    "ask error",
    "sample cooked",
    "sample cooked reading",
    "sample cooked hidden reading",
    "sample raw",
    "sample raw reading",
    "sample raw cpu=90",
    "sample raw child=7",
    "sample raw front=7 child=7",
    "unsampled",
    "status working",
    "status idle",
    "status done",
    "status error",
    "status permission",
    "status clear",
    "part a working",
    "part a/b done",
    "part a clear",
    "report running",
    "report permission",
    "report completed",
    "report errored",
    "title ⠋ x",
    "title ✳ x",
    "title ✋ x",
    "title x",
    "progress on",
    "progress off",
    "notify come",
    "bell",
    "paste on",
    "paste off",
    "exit 0",
    "signal 9",
    "restart",
    "frame",
];

/// Deadlines that may be due at one moment: judging, and going stale.
const MOST_AT_ONCE: usize = 3;

fn events() -> impl Strategy<Value = Vec<(&'static str, u64)>> {
    let pause = prop_oneof![
        4 => 0_u64..200,
        3 => 0_u64..2_000,
        2 => 0_u64..20_000,
        1 => Just(0_u64),
        1 => Just(1_000_000_000_000_u64),
    ];
    vec((select(&WORDS[..]), pause), 1..60)
}

fn timeouts() -> impl Strategy<Value = Timeouts> {
    let spans = [
        Duration::ZERO,
        Duration::from_millis(1),
        Duration::from_secs(5),
        Duration::from_secs(60),
        Duration::from_secs(u64::MAX / 4),
        Duration::MAX,
    ];
    let span = || select(spans.to_vec());
    let any = (span(), span()).prop_map(|(needs_input, stale)| Timeouts { needs_input, stale });
    prop_oneof![Just(Timeouts::default()), any]
}

/// Serves what is due up to a moment; fails if one moment has no end.
fn pass(machine: &mut AgentStateMachine, until: Instant) -> Result<(), TestCaseError> {
    let (mut last, mut at_once) = (None, 0);
    for _ in 0..1000 {
        let Some(due) = machine.next_deadline().filter(|due| *due <= until) else { return Ok(()) };
        at_once = if last == Some(due) { at_once + 1 } else { 0 };
        prop_assert!(at_once < MOST_AT_ONCE, "a deadline that never passes");
        prop_assert!(last.is_none_or(|last| last <= due), "deadlines come in order");
        machine.on_deadline(due);
        last = Some(due);
    }
    Err(TestCaseError::fail("a thousand deadlines and no end"))
}

fn is_exited(state: AgentState) -> bool {
    matches!(state, AgentState::Exited { .. })
}

/// Plays events, each after a pause in milliseconds, and returns the states after each.
fn states(
    events: &[(&'static str, u64)],
    timeouts: Timeouts,
) -> Result<Vec<String>, TestCaseError> {
    let mut stage = Stage::new(timeouts);
    let mut at = Duration::ZERO;
    let mut has_exited = false;
    let mut states = Vec::new();
    for (event, pause) in events {
        at += Duration::from_millis(*pause);
        pass(&mut stage.machine, stage.start + at)?;
        stage.play(event, at);
        match event.split(' ').next() {
            Some("exit" | "signal") => has_exited = true,
            Some("restart") => has_exited = false,
            _ => {}
        }
        let state = stage.machine.state();
        prop_assert_eq!(is_exited(state), has_exited, "exited iff its process is gone: {}", event);
        if has_exited {
            prop_assert_eq!(stage.machine.next_deadline(), None, "nothing to wait for");
            prop_assert_eq!(stage.machine.sample_at(), None, "nothing to look at");
            prop_assert_eq!(stage.machine.question_at(), None, "nothing to read");
        }
        states.push(describe(state));
    }
    Ok(states)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn only_a_process_that_is_gone_has_exited(events in events(), timeouts in timeouts()) {
        states(&events, timeouts)?;
    }

    #[test]
    fn the_same_events_give_the_same_states(events in events(), timeouts in timeouts()) {
        prop_assert_eq!(states(&events, timeouts)?, states(&events, timeouts)?, "twice the same");
    }

    #[test]
    fn a_deadline_served_twice_changes_nothing(events in events(), timeouts in timeouts()) {
        let mut stage = Stage::new(timeouts);
        let mut at = Duration::ZERO;
        for (event, pause) in events {
            at += Duration::from_millis(pause);
            pass(&mut stage.machine, stage.start + at)?;
            stage.play(event, at);
            let now = stage.start + at;
            stage.machine.on_deadline(now);
            let (state, due) = (stage.machine.state(), stage.machine.next_deadline());
            prop_assert_eq!(stage.machine.on_deadline(now), None, "again after {}", event);
            prop_assert_eq!(stage.machine.state(), state, "again after {}", event);
            prop_assert_eq!(stage.machine.next_deadline(), due, "again after {}", event);
            prop_assert!(due.is_none_or(|due| due > now), "what is due has passed: {}", event);
        }
    }

    #[test]
    fn serving_deadlines_late_ends_in_the_same_kind_of_state(events in events()) {
        // Whoever slept through it finds the program as somebody who was awake does.
        let mut stage = Stage::new(Timeouts::default());
        let mut at = Duration::ZERO;
        for (event, pause) in events {
            at += Duration::from_millis(pause);
            stage.play(event, at);
            let is_live = stage.machine.state().is_alive();
            prop_assert!(is_live || is_exited(stage.machine.state()), "after {}", event);
        }
        pass(&mut stage.machine, stage.start + at + Duration::from_secs(3600))?;
    }
}
