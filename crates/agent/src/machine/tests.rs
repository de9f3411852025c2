//! The rules by which states change, one line a case.

use super::*;

/// Plays a script such as `"0.0 output, 5.0 tick"` and writes the states it passes through.
///
/// Times are seconds since the start. Words: `output`, `type` (a key that submits nothing), `send`
/// (input that ends in a carriage return), `redraw`, `tick`, `exit CODE`, `signal N`, `restart`.
#[track_caller]
fn check(script: &str, expected: &str) {
    let start = epoch();
    let mut machine = AgentStateMachine::new(Timeouts::default(), start);
    let mut states = vec![describe(machine.state())];
    for step in script.split(", ") {
        let (time, event) = step.split_once(' ').expect("a time and an event");
        let now = start + Duration::from_secs_f64(time.parse().expect("seconds"));
        let before = machine.state();
        let transition = play(&mut machine, event, now);
        let changed = before != machine.state();
        if event != "restart" {
            assert_eq!(transition.is_some(), changed, "a transition iff the state changed: {step}");
        }
        if let Some(transition) = transition {
            assert_eq!(transition.to, machine.state(), "the transition says where to: {step}");
            assert_eq!(machine.since(), now, "the state was entered now: {step}");
        }
        if changed {
            states.push(describe(machine.state()));
        }
    }
    assert_eq!(states.join(" > "), expected, "states passed through by: {script}");
}

fn play(machine: &mut AgentStateMachine, event: &str, now: Instant) -> Option<Transition> {
    match event.split_once(' ').unwrap_or((event, "")) {
        ("output", _) => machine.on_output(now),
        ("type", _) => machine.on_input(b"y", now),
        ("send", _) => machine.on_input(b"yes\r", now),
        ("send-lf", _) => machine.on_input(b"\n", now),
        ("nothing", _) => machine.on_input(b"", now),
        ("redraw", _) => machine.on_redraw(now),
        ("tick", _) => machine.on_deadline(now),
        ("exit", code) => machine.on_exit(Exit::Code(code.parse().unwrap()), now),
        ("signal", signal) => machine.on_exit(Exit::Signal(signal.parse().unwrap()), now),
        ("restart", _) => {
            machine.restart(now);
            None
        }
        (other, _) => panic!("unknown event {other}"),
    }
}

fn describe(state: AgentState) -> String {
    match state {
        AgentState::Starting => "Starting".to_owned(),
        AgentState::Running => "Running".to_owned(),
        AgentState::NeedsInput { reason, .. } => format!("NeedsInput({})", reason.name()),
        AgentState::Stale { .. } => "Stale".to_owned(),
        AgentState::Exited { exit } => format!("Exited({exit})"),
        AgentState::Stopped => "Stopped".to_owned(),
    }
}

/// Some instant: the machine only ever compares and adds.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn epoch() -> Instant {
    Instant::now()
}

#[test]
fn silence_means_needs_input() {
    check("0.0 output, 4.9 tick, 5.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 3.0 output, 5.0 tick, 7.9 tick", "Starting > Running");
    check("0.0 output, 3.0 output, 8.0 tick", "Starting > Running > NeedsInput(silence)");
}

#[test]
fn a_program_that_prints_nothing_needs_input_too() {
    check("4.9 tick", "Starting");
    check("5.0 tick", "Starting > NeedsInput(silence)");
}

#[test]
fn waiting_for_long_is_stale() {
    check("5.0 tick, 64.9 tick", "Starting > NeedsInput(silence)");
    check("5.0 tick, 65.0 tick", "Starting > NeedsInput(silence) > Stale");
    check("5.0 tick, 65.0 tick, 999.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn output_ends_the_waiting() {
    check("5.0 tick, 6.0 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 70.0 output", "Starting > NeedsInput(silence) > Stale > Running");
    check(
        "5.0 tick, 6.0 output, 10.9 tick, 11.0 tick",
        "Starting > NeedsInput(silence) > Running > NeedsInput(silence)",
    );
}

#[test]
fn an_answer_ends_the_waiting_before_any_output() {
    check("5.0 tick, 6.0 send", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 6.0 send-lf", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 66.0 send", "Starting > NeedsInput(silence) > Stale > Running");
}

#[test]
fn an_answer_gives_the_program_its_full_time() {
    check("5.0 tick, 6.0 send, 10.9 tick", "Starting > NeedsInput(silence) > Running");
    check(
        "5.0 tick, 6.0 send, 11.0 tick",
        "Starting > NeedsInput(silence) > Running > NeedsInput(silence)",
    );
    check("0.0 output, 4.9 send, 5.0 tick, 9.8 tick", "Starting > Running");
    check("4.9 send, 5.0 tick, 9.8 tick", "Starting");
}

#[test]
fn the_echo_of_typing_is_not_output() {
    check("5.0 tick, 6.0 type, 6.01 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 type, 6.29 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 type, 6.3 output", "Starting > NeedsInput(silence) > Running");
    check("1.0 type, 1.1 output", "Starting");
}

#[test]
fn echo_does_not_postpone_the_silence() {
    check("0.0 output, 4.8 type, 4.9 output, 5.0 tick", "Starting > Running > NeedsInput(silence)");
}

#[test]
fn output_after_an_answer_is_never_echo() {
    check("5.0 tick, 6.0 type, 6.1 send, 6.15 output, 11.1 tick", {
        "Starting > NeedsInput(silence) > Running"
    });
}

#[test]
fn our_own_redraw_is_not_output() {
    check("5.0 tick, 6.0 redraw, 6.49 output", "Starting > NeedsInput(silence)");
    check("5.0 tick, 6.0 redraw, 6.5 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 65.0 tick, 66.0 redraw, 66.1 output", {
        "Starting > NeedsInput(silence) > Stale"
    });
    check("0.0 output, 4.6 redraw, 4.9 output, 5.0 tick", "Starting > Running");
    check("0.0 output, 4.6 redraw, 4.9 output, 5.1 tick", {
        "Starting > Running > NeedsInput(silence)"
    });
    check("0.0 output, 4.8 redraw, 5.1 redraw, 5.2 tick, 5.7 output, 6.0 tick", {
        "Starting > Running"
    });
}

#[test]
fn the_first_output_counts_even_right_after_a_resize() {
    check("0.0 redraw, 0.1 output", "Starting > Running");
    check("0.0 redraw, 0.1 output, 0.2 output, 5.1 tick", {
        "Starting > Running > NeedsInput(silence)"
    });
}

#[test]
fn typing_restarts_the_stale_clock() {
    check("5.0 tick, 60.0 type, 65.0 tick, 119.9 tick", "Starting > NeedsInput(silence)");
    check("5.0 tick, 60.0 type, 120.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn typing_at_a_stale_agent_makes_it_wait_again() {
    check("5.0 tick, 65.0 tick, 70.0 type, 129.9 tick", {
        "Starting > NeedsInput(silence) > Stale > NeedsInput(silence)"
    });
    check("5.0 tick, 65.0 tick, 70.0 type, 130.0 tick", {
        "Starting > NeedsInput(silence) > Stale > NeedsInput(silence) > Stale"
    });
}

#[test]
fn typing_ahead_changes_nothing_while_it_works() {
    check("0.0 output, 2.0 type, 5.0 tick", "Starting > Running > NeedsInput(silence)");
    check("2.0 type, 4.9 tick, 5.0 tick", "Starting > NeedsInput(silence)");
}

#[test]
fn input_of_nothing_is_no_input() {
    check("5.0 tick, 6.0 nothing, 6.1 output", "Starting > NeedsInput(silence) > Running");
    check("5.0 tick, 60.0 nothing, 65.0 tick", "Starting > NeedsInput(silence) > Stale");
}

#[test]
fn exits_end_every_state() {
    check("0.1 exit 127", "Starting > Exited(exit 127)");
    check("0.0 output, 1.0 exit 0", "Starting > Running > Exited(exit 0)");
    check("5.0 tick, 6.0 exit 3", "Starting > NeedsInput(silence) > Exited(exit 3)");
    check("5.0 tick, 65.0 tick, 66.0 signal 15", {
        "Starting > NeedsInput(silence) > Stale > Exited(SIGTERM)"
    });
    check("0.0 output, 1.0 signal 9", "Starting > Running > Exited(SIGKILL)");
}

#[test]
fn nothing_but_a_restart_leaves_exited() {
    check(
        "0.0 exit 1, 0.1 output, 0.2 send, 0.3 type, 0.4 redraw, 99.0 tick, 100.0 exit 0",
        "Starting > Exited(exit 1)",
    );
    check("0.0 exit 1, 9.0 restart, 9.1 output", "Starting > Exited(exit 1) > Starting > Running");
}

#[test]
fn a_restart_forgets_what_was_before() {
    check("0.0 output, 0.1 type, 0.2 exit 0, 0.3 restart, 0.35 output", {
        "Starting > Running > Exited(exit 0) > Starting > Running"
    });
    check("1.0 exit 0, 9.0 restart, 13.9 tick, 14.0 tick", {
        "Starting > Exited(exit 0) > Starting > NeedsInput(silence)"
    });
}

#[test]
fn late_and_double_ticks_do_no_harm() {
    check("0.0 output, 500.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 500.0 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 559.9 tick", "Starting > Running > NeedsInput(silence)");
    check("0.0 output, 500.0 tick, 560.0 tick", "Starting > Running > NeedsInput(silence) > Stale");
    check("0.0 tick, 0.0 tick", "Starting");
}

#[test]
fn the_time_waited_goes_on_counting_when_it_goes_stale() {
    let start = epoch();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut machine = AgentStateMachine::new(Timeouts::default(), start);
    machine.on_deadline(at(5));
    machine.on_deadline(at(65));
    assert_eq!(machine.state(), AgentState::Stale { since: at(5) }, "waiting since 5");
    assert_eq!(machine.since(), at(65), "stale since 65");
    machine.on_input(b"x", at(70));
    let waiting = AgentState::NeedsInput { since: at(5), reason: Reason::Silence };
    assert_eq!(machine.state(), waiting, "still waiting since 5");
}

#[test]
fn the_next_deadline_is_when_the_state_can_change() {
    let start = epoch();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut machine = AgentStateMachine::new(Timeouts::default(), start);
    assert_eq!(machine.next_deadline(), Some(at(5)), "starting: silence");
    machine.on_output(at(2));
    assert_eq!(machine.next_deadline(), Some(at(7)), "running: silence");
    machine.on_deadline(at(7));
    assert_eq!(machine.next_deadline(), Some(at(67)), "waiting: stale");
    machine.on_deadline(at(67));
    assert_eq!(machine.next_deadline(), None, "stale: nothing to wait for");
    machine.on_exit(Exit::Code(0), at(68));
    assert_eq!(machine.next_deadline(), None, "exited: nothing to wait for");
}

#[test]
fn an_endless_timeout_is_no_deadline() {
    let timeouts = Timeouts { needs_input: Duration::MAX, stale: Duration::MAX };
    let machine = AgentStateMachine::new(timeouts, epoch());
    assert_eq!(machine.next_deadline(), None, "beyond what an instant can hold");
}

/// A small generator (xorshift), so that the cases are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[test]
fn deadlines_never_lie_in_the_past_once_applied() {
    let words =
        ["output", "type", "send", "redraw", "tick", "exit 1", "signal 9", "restart", "nothing"];
    for seed in 1..500 {
        let mut dice = Dice(seed * 0x9E37_79B9);
        let mut now = epoch();
        let mut machine = AgentStateMachine::new(Timeouts::default(), now);
        for step in 0..60 {
            now += Duration::from_millis(dice.roll(20_000));
            let word = words[usize::try_from(dice.roll(words.len() as u64)).unwrap()];
            play(&mut machine, word, now);
            machine.on_deadline(now);
            let deadline = machine.next_deadline();
            assert!(deadline.is_none_or(|at| at >= now), "seed {seed}, step {step}, {word}");
            if !machine.state().is_alive() {
                assert_eq!(deadline, None, "seed {seed}, step {step}: ended, yet a deadline");
            }
        }
    }
}
