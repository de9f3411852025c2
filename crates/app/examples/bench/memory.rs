//! What one more idle agent costs, and what long output does.

use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::Result;
use control::Stats;

use crate::instance::{Instance, command};
use crate::table::{Row, Unit, mebibytes};
use crate::{Effort, clock, scrollback};

const GOAL: f64 = 3.0;
const N_MORE: u32 = 20;
/// For what the last of them has set off.
const SETTLING: Duration = Duration::from_secs(1);

pub(crate) fn measure(_effort: Effort) -> Result<Vec<Row>> {
    let mut instance = Instance::headless()?;
    start(&mut instance, 0..=0)?;
    let one = instance.stats()?;
    start(&mut instance, 1..=N_MORE)?;
    let many = instance.stats()?;
    instance.quit()?;

    let per_agent = |figure: fn(&Stats) -> u64| {
        (mebibytes(figure(&many)) - mebibytes(figure(&one))) / f64::from(N_MORE)
    };
    let resident = per_agent(|stats| stats.memory.resident_bytes);
    let terminal = per_agent(|stats| stats.memory.terminals_bytes);
    let name = "memory: one idle agent without its terminal";
    let mut rows = vec![
        Row::note(
            "memory: resident with 1 and with 21 idle agents",
            format!(
                "{:.1} and {:.1} MiB",
                mebibytes(one.memory.resident_bytes),
                mebibytes(many.memory.resident_bytes)
            ),
        ),
        Row::note("memory: one idle agent's terminal", format!("{terminal:.2} MiB")),
        Row::at_most(name, resident - terminal, GOAL, Unit::Mebibytes),
    ];
    rows.extend(scrollback::measure()?);
    Ok(rows)
}

/// Starts agents and waits until they are idle.
fn start(instance: &mut Instance, agents: RangeInclusive<u32>) -> Result<()> {
    for index in agents.clone() {
        instance.start_agent(&format!("agent-{index}"), command(&["cat"]))?;
    }
    for index in agents {
        instance.wait(&format!("agent-{index}"), "needs_input")?;
    }
    clock::let_pass(SETTLING);
    Ok(())
}
