//! Many agents at once: what nobody looks at costs neither turns of the loop nor frames.
//!
//! Counts, not times, so that a busy machine can only make them smaller.

use std::fs;
use std::time::Duration;

use crate::harness::{Instance, Setup};
use crate::system::let_pass;

const N_WAITING: usize = 30;
const N_PRINTING: usize = 10;
const TIME: Duration = Duration::from_secs(5);
const SECONDS: u64 = TIME.as_secs();

/// Seen to wait at once, and never stale.
const WAITING: &str = "\
[agents.waiting]
start = [\"cat\"]
needs_input_timeout = \"1s\"
stale_timeout = \"1h\"
";

/// Text and titles some thirty times a second, without starting anything for it.
const PRINTING: &str =
    r#"while :; do printf "\033]0;$RANDOM\007$RANDOM working\r\n"; read -rt 0.03; done"#;

/// Turns of the loop and frames that no question of ours has caused.
#[derive(Debug, Clone, Copy)]
struct Counts {
    turns: u64,
    /// Turns that only a deadline has caused.
    by_the_clock: u64,
    frames: u64,
}

impl Instance {
    fn start_many(&self, n_agents: usize, start: &[&str], state: &str) {
        let names: Vec<String> = (0..n_agents).map(|index| format!("many-{index}")).collect();
        for name in &names {
            fs::create_dir(self.path(name)).unwrap();
            self.open(name);
            self.ok(["agent", "start", "-w", name].iter().chain(start));
        }
        for name in &names {
            self.wait(name, state);
        }
        // None of them is on show.
        self.open("one");
        let_pass(Duration::from_secs(2));
    }

    fn counts_in_time(&self) -> Counts {
        let numbers = || {
            let stats = self.stats();
            ["wake_ups", "timer_wake_ups", "frames"].map(|name| stats[name].as_u64().unwrap())
        };
        let (first, before) = (numbers(), numbers());
        let asking = before[0] - first[0];
        let_pass(TIME);
        let after = numbers();
        Counts {
            turns: (after[0] - before[0]).saturating_sub(asking),
            by_the_clock: after[1] - before[1],
            frames: after[2] - before[2],
        }
    }
}

#[test]
fn waiting_agents_wake_nobody_without_a_window() {
    let instance = Setup::headless().config(WAITING).start();
    instance.start_many(N_WAITING, &["waiting"], "needs_input");
    let counts = instance.counts_in_time();
    assert!(counts.turns <= 1 && counts.frames == 0, "{counts:?} in {SECONDS} s");
}

#[test]
fn waiting_agents_share_one_pulse() {
    let instance = Setup::windowed().config(WAITING).start();
    instance.start_many(N_WAITING, &["waiting"], "needs_input");
    let counts = instance.counts_in_time();
    assert!(counts.frames > 0, "it pulses");
    // A frame is asked for in one turn and drawn in the next.
    assert!(counts.frames <= 4 * SECONDS && counts.turns <= 8 * SECONDS, "{counts:?}");
    assert!(counts.by_the_clock <= 5 * SECONDS, "pulse and seconds: {counts:?}");
}

#[test]
fn with_reduced_motion_waiting_agents_only_count_seconds() {
    let config = format!("reduced_motion = true\n{WAITING}");
    let instance = Setup::windowed().config(&config).start();
    instance.start_many(N_WAITING, &["waiting"], "needs_input");
    let counts = instance.counts_in_time();
    assert!(counts.frames <= SECONDS + 1 && counts.turns <= 3 * SECONDS, "{counts:?}");
    assert!(counts.by_the_clock <= SECONDS + 1, "seconds: {counts:?}");
}

#[test]
fn what_hidden_agents_print_and_say_is_looked_at_together() {
    let instance = Setup::windowed().start();
    instance.start_many(N_PRINTING, &["--", "bash", "-c", PRINTING], "running");
    let counts = instance.counts_in_time();
    assert_eq!(counts.frames, 0, "nothing on show has changed");
    // One look in 16 ms, and a little for what else there is.
    assert!(counts.turns <= 75 * SECONDS, "{counts:?} in {SECONDS} s");
}
