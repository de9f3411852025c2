//! A hundred agents wait for the person: who wakes up meanwhile?

use std::time::Duration;

use anyhow::Result;
use control::AgentChoice;

use crate::agents::N_AGENTS;
use crate::display::Display;
use crate::instance::{Home, Surface};
use crate::process::{self, Usage};
use crate::table::{Row, Unit};
use crate::{Effort, clock};

/// A pulse of at most four steps a second, and a time in seconds.
const GOAL: f64 = 5.0;
/// The time alone.
const REDUCED_GOAL: f64 = 1.0;
const SETTLING: Duration = Duration::from_secs(3);

/// They are seen to wait at once, and do not get stale.
const CONFIG: &str = "\
limits.max_agents = 100
[agents.waiting]
start = [\"cat\"]
needs_input_timeout = \"1s\"
stale_timeout = \"1h\"
";

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let time = match effort {
        Effort::Quick => Duration::from_secs(5),
        Effort::Full => Duration::from_secs(20),
    };
    let display = Display::start()?;
    let mut rows = Vec::new();
    for (motion, what, goal) in
        [("false", "moving", GOAL), ("true", "reduced motion", REDUCED_GOAL)]
    {
        let home = Home::with_config(&format!("reduced_motion = {motion}\n{CONFIG}"))?;
        rows.extend(watch(home, &display, what, goal, time)?);
    }
    Ok(rows)
}

#[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
fn watch(home: Home, display: &Display, what: &str, goal: f64, time: Duration) -> Result<Vec<Row>> {
    let mut instance = home.start(Surface::Window(&display.name))?;
    for index in 0..N_AGENTS {
        instance.start_agent(&format!("agent-{index}"), AgentChoice::Name("waiting".to_owned()))?;
    }
    for index in 0..N_AGENTS {
        instance.wait(&format!("agent-{index}"), "needs_input")?;
    }
    clock::let_pass(SETTLING);
    let before = (instance.stats()?, Usage::of(instance.pid())?);
    let cpu = process::own_cpu(instance.pid())?;
    clock::let_pass(time);
    let cpu = process::own_cpu(instance.pid())?.saturating_sub(cpu);
    let sleeps = Usage::of(instance.pid())?.since(before.1).sleeps;
    let (before, after) = (before.0, instance.stats()?);
    instance.quit()?;
    let a_second = |n: u64| n as f64 / time.as_secs_f64();
    let name = |figure: &str| format!("agents, 100 waiting, {what}: {figure}");
    let cpu = 100.0 * cpu.as_secs_f64() / time.as_secs_f64();
    // Asking is a turn, too.
    let turns = (after.wake_ups - before.wake_ups).saturating_sub(1);
    let frames = after.frames - before.frames;
    let woken = after.timer_wake_ups - before.timer_wake_ups;
    Ok(vec![
        Row::at_most(&name("wake-ups by the clock"), a_second(woken), goal, Unit::EachSecond),
        Row::note(
            &name("frames, turns, sleeps of any thread"),
            format!("{:.1}, {:.1}, {:.1} /s", a_second(frames), a_second(turns), a_second(sleeps)),
        ),
        Row::note(&name("CPU"), format!("{cpu:.2} %")),
    ])
}
