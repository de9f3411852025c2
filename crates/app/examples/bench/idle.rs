//! Nothing happens: then the program should do nothing either.

use std::time::Duration;

use anyhow::Result;
use control::AgentChoice;

use crate::display::Display;
use crate::instance::{Home, Instance, Surface, command};
use crate::process::Usage;
use crate::table::{Row, Unit, milliseconds};
use crate::{Effort, clock};

const N_AGENTS: usize = 20;
/// Asking is work too; it is done so often to find out how much.
const N_PROBES: usize = 9;
/// For the last of what the start has set off.
const SETTLING: Duration = Duration::from_secs(2);

/// What the program has done, up to a moment or between two.
#[derive(Debug, Clone, Copy)]
struct Done {
    frames: u64,
    wake_ups: u64,
    usage: Usage,
}

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let time = match effort {
        Effort::Quick => Duration::from_secs(5),
        Effort::Full => Duration::from_secs(20),
    };
    let mut rows = watch(Instance::headless()?, "headless", time)?;
    match Display::start() {
        Ok(display) => {
            let instance = Home::new()?.start(Surface::Window(&display.name))?;
            // A second window takes the focus from the first.
            let focused = Home::new()?.start(Surface::Window(&display.name))?;
            rows.extend(watch(instance, "unfocused window", time)?);
            focused.quit()?;
        }
        Err(missing) => rows.push(Row::note("idle, unfocused window", format!("{missing:#}"))),
    }
    Ok(rows)
}

fn watch(mut instance: Instance, what: &str, time: Duration) -> Result<Vec<Row>> {
    start_agents(&mut instance)?;
    clock::let_pass(SETTLING);
    let asking = cost_of_asking(&mut instance)?;
    let before = Done::until_now(&mut instance)?;
    clock::let_pass(time);
    let done = Done::until_now(&mut instance)?.since(before).since(asking);
    instance.quit()?;

    let seconds = time.as_secs();
    let name = |figure: &str| format!("idle, {what}: {figure} in {seconds} s");
    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    let count = |name: &str, n: u64| Row::at_most(name, n as f64, 0.0, Unit::Count);
    Ok(vec![
        count(&name("frames"), done.frames),
        count(&name("turns of the loop"), done.wake_ups),
        Row::note(&name("wake-ups of any thread"), done.usage.sleeps.to_string()),
        Row::note(&name("CPU"), format!("{:.2} ms", milliseconds(done.usage.cpu))),
    ])
}

/// Half of them have ended, half are stale; a stale one is on show.
fn start_agents(instance: &mut Instance) -> Result<()> {
    for index in 0..N_AGENTS {
        let folder = format!("agent-{index}");
        let (agent, state) = if index % 2 == 0 {
            (command(&["sh", "-c", "exit"]), "exited")
        } else {
            (AgentChoice::Name("quiet".to_owned()), "stale")
        };
        instance.start_agent(&folder, agent)?;
        instance.wait(&folder, state)?;
    }
    Ok(())
}

/// What one look costs: the middle one of several.
fn cost_of_asking(instance: &mut Instance) -> Result<Done> {
    let mut last = Done::until_now(instance)?;
    let mut costs = Vec::new();
    for _ in 0..N_PROBES {
        let next = Done::until_now(instance)?;
        costs.push(next.since(last));
        last = next;
    }
    Ok(Done {
        frames: middle(&costs, |cost| cost.frames),
        wake_ups: middle(&costs, |cost| cost.wake_ups),
        usage: Usage {
            cpu: middle(&costs, |cost| cost.usage.cpu),
            sleeps: middle(&costs, |cost| cost.usage.sleeps),
        },
    })
}

fn middle<T: Ord + Copy + Default>(costs: &[Done], figure: impl Fn(&Done) -> T) -> T {
    let mut figures: Vec<T> = costs.iter().map(figure).collect();
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

impl Done {
    fn until_now(instance: &mut Instance) -> Result<Self> {
        let stats = instance.stats()?;
        let usage = Usage::of(instance.pid())?;
        Ok(Self { frames: stats.frames, wake_ups: stats.wake_ups, usage })
    }

    fn since(self, earlier: Self) -> Self {
        Self {
            frames: self.frames.saturating_sub(earlier.frames),
            wake_ups: self.wake_ups.saturating_sub(earlier.wake_ups),
            usage: self.usage.since(earlier.usage),
        }
    }
}
