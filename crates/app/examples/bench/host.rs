//! The process that holds the terminals: what the detour through it costs, what it needs itself, and how
//! soon a new window shows again what it holds.

mod detour;

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};
use control::Call;

use crate::instance::{Home, Instance, Surface, command};
use crate::process::Usage;
use crate::table::{Row, Unit, mebibytes, milliseconds};
use crate::{Effort, clock};

const N_IDLE: usize = 100;
const RESIDENT: f64 = 8.0;
const RESIDENT_EACH: f64 = 1.0 / 16.0;
const SETTLING: Duration = Duration::from_secs(1);

const N_BEHIND: usize = 50;
/// Lines of a transcript of 1 MiB.
const LINES: usize = 13_000;
const REATTACHED: f64 = 1_000.0;
const PAUSE: Duration = Duration::from_millis(2);

const CONFIG: &str = "[limits]\nmax_agents = 200\n";

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let mut rows = detour::measure(effort)?;
    rows.extend(idle(effort)?);
    rows.extend(reattach()?);
    Ok(rows)
}

/// A hundred agents that do nothing.
fn idle(effort: Effort) -> Result<Vec<Row>> {
    let time = match effort {
        Effort::Quick => Duration::from_secs(5),
        Effort::Full => Duration::from_secs(20),
    };
    let mut instance = Home::with_config(CONFIG)?.start(Surface::Headless)?;
    for agent in 0..N_IDLE {
        instance.start_agent(&format!("agent-{agent}"), command(&["cat"]))?;
    }
    clock::let_pass(SETTLING);
    let host = instance.host_pid()?;
    let before = Usage::of(host)?;
    clock::let_pass(time);
    let used = Usage::of(host)?.since(before);
    let resident = mebibytes(resident(host)?);
    instance.quit()?;

    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    let (n, sleeps) = (N_IDLE as f64, used.sleeps as f64);
    let seconds = time.as_secs();
    let resident_goal = RESIDENT + n * RESIDENT_EACH;
    Ok(vec![
        Row::at_most("host: resident with 100 agents", resident, resident_goal, Unit::Mebibytes),
        Row::at_most(&format!("host: wake-ups in {seconds} idle s"), sleeps, 0.0, Unit::Count),
        Row::at_most(
            &format!("host: CPU in {seconds} idle s"),
            milliseconds(used.cpu),
            0.0,
            Unit::Milliseconds,
        ),
    ])
}

/// From the start of a new program to the last screen of those that the one before has left.
fn reattach() -> Result<Vec<Row>> {
    let mut instance = Home::with_config(CONFIG)?.start(Surface::Headless)?;
    let script = format!(
        "i=0; while [ $i -lt {LINES} ]; do i=$((i+1)); echo \"line $i of what an agent has \
         printed, to be read by whoever looks at it again\"; done; echo the last; exec cat"
    );
    for agent in 0..N_BEHIND {
        instance.start_agent(&format!("agent-{agent}"), command(&["sh", "-c", &script]))?;
    }
    for agent in 0..N_BEHIND {
        clock::wait_for("the last line", PAUSE * 10, || {
            Ok(shows_last(&mut instance, agent)?.then_some(()))
        })?;
    }
    // Where programs are and what they do is written down.
    clock::let_pass(SETTLING * 2);
    let home = instance.kill()?;
    let start = clock::now();
    let mut again = home.start(Surface::Headless)?;
    let answered = clock::now() - start;
    for agent in 0..N_BEHIND {
        clock::wait_for("a screen", PAUSE, || Ok(shows_last(&mut again, agent)?.then_some(())))?;
    }
    let shown = clock::now() - start;
    again.quit()?;
    let name = "host: 50 agents with 1 MiB each are on their screens again after";
    Ok(vec![
        Row::note("host: the first answer of a new window", format!("{answered:.0?}")),
        Row::at_most(name, milliseconds(shown), REATTACHED, Unit::Milliseconds),
    ])
}

/// Whether the screen is right: what was printed last, and the line before.
fn shows_last(instance: &mut Instance, agent: usize) -> Result<bool> {
    let workspace = Some(format!("agent-{agent}"));
    let reply = instance.call(Call::Screen { workspace, tab: None })?.to_string();
    Ok(reply.contains("the last") && reply.contains(&format!("line {LINES} of")))
}

fn resident(pid: u32) -> Result<u64> {
    let status =
        fs::read_to_string(format!("/proc/{pid}/status")).context("looking at the host")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kibibytes.context("the system does not tell")? * 1024)
}
