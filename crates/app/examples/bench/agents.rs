//! A hundred agents at once: what it costs to watch them beside what it costs to parse them.
//!
//! They play recordings of real agents at their own pace. Parsing is measured apart, as the same bytes
//! through the terminal alone; what is left is reading, evidence, the loop and the rail. The threads of
//! a software renderer do not count, since a real machine has none.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use control::{Call, Stats};
use serde_json::Value;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use crate::display::Display;
use crate::instance::{Home, Instance, Surface, command};
use crate::peers::text;
use crate::process::{self, Usage};
use crate::recordings::{self, PLAY, Track};
use crate::table::{Row, Unit};
use crate::{Effort, clock, evidence, waiting};

pub(crate) const N_AGENTS: usize = 100;
const BEYOND_PARSING: f64 = 10.0;
const RAIL: f64 = 1.0;
/// For what the start of so many, or another layout, has set off.
const STARTING: Duration = Duration::from_secs(5);
const SETTLING: Duration = Duration::from_secs(1);
/// About as large as the pane of the window that they are shown in.
const SIZE: GridSize = GridSize { columns: 168, rows: 42 };
/// Each recording is parsed this often to know what it costs.
const N_PARSED: u32 = 20;

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let mut rows = streaming(effort)?;
    rows.extend(waiting::measure(effort)?);
    rows.extend(evidence::measure(effort)?);
    Ok(rows)
}

/// What the program did in some time.
#[derive(Debug)]
struct Done {
    time: Duration,
    /// CPU time by kind of thread.
    threads: BTreeMap<String, Duration>,
    turns: u64,
    frames: u64,
    /// Of each agent's output, in the order in which they were started.
    parsed: Vec<u64>,
}

fn streaming(effort: Effort) -> Result<Vec<Row>> {
    let (n_rounds, time) = match effort {
        Effort::Quick => (3, Duration::from_secs(4)),
        Effort::Full => (7, Duration::from_secs(10)),
    };
    let dir = tempfile::tempdir()?;
    let tracks = recordings::write_all(dir.path())?;
    let costs = parse_costs(&tracks)?;
    let display = Display::start()?;
    let home = Home::with_config(&format!("limits.max_agents = {N_AGENTS}\n"))?;
    let mut instance = home.start(Surface::Window(&display.name))?;
    start(&mut instance, &tracks)?;
    let mut rows = Vec::new();
    for (what, folder) in [("none on show", "nobody"), ("one on show", "agent-0")] {
        let path = instance.folder().join(folder);
        std::fs::create_dir_all(&path)?;
        instance.call(Call::Open { path, line: None, column: None, wait: false })?;
        let (mut visible, mut hidden) = (Vec::new(), Vec::new());
        // In turns, so that what else the machine does meets both alike.
        for _ in 0..n_rounds {
            visible.push(watch(&mut instance, time)?);
            toggle_rail(&mut instance)?;
            hidden.push(watch(&mut instance, time)?);
            toggle_rail(&mut instance)?;
        }
        rows.extend(report(what, &visible, &hidden, &costs));
    }
    instance.quit()?;
    Ok(rows)
}

fn start(instance: &mut Instance, tracks: &[Track]) -> Result<()> {
    let this = text(&std::env::current_exe()?)?;
    for (index, track) in (0..N_AGENTS).zip(tracks.iter().cycle()) {
        // No two of them are at the same place.
        let start = (index * 997 % usize::try_from(track.duration().as_millis())?).to_string();
        let player = command(&[&this, PLAY, &text(&track.path)?, &start]);
        instance.start_agent(&format!("agent-{index}"), player)?;
    }
    clock::let_pass(STARTING);
    Ok(())
}

fn toggle_rail(instance: &mut Instance) -> Result<()> {
    instance.call(Call::Do { action: "view.hide_rail".to_owned(), args: Value::Null })?;
    Ok(())
}

/// What the program does in that time.
fn watch(instance: &mut Instance, time: Duration) -> Result<Done> {
    clock::let_pass(SETTLING);
    let (stats, threads) = (instance.stats()?, process::by_thread(instance.pid())?);
    let start = clock::now();
    clock::let_pass(time);
    let later = process::by_thread(instance.pid())?;
    let time = clock::now() - start;
    let since = |(kind, usage): (String, Usage)| {
        let before = threads.get(&kind).copied().unwrap_or_default();
        (kind, usage.since(before).cpu)
    };
    let after = instance.stats()?;
    Ok(Done {
        time,
        threads: later.into_iter().map(since).collect(),
        turns: after.wake_ups - stats.wake_ups,
        frames: after.frames - stats.frames,
        parsed: parsed(&after).zip(parsed(&stats)).map(|(after, before)| after - before).collect(),
    })
}

/// In the order of the rail, which is that in which they were started.
fn parsed(stats: &Stats) -> impl Iterator<Item = u64> {
    stats.terminals.iter().map(|terminal| terminal.bytes_parsed)
}

/// What a byte of each recording costs to parse, in seconds.
fn parse_costs(tracks: &[Track]) -> Result<Vec<f64>> {
    tracks.iter().map(parse_cost).collect()
}

#[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
fn parse_cost(track: &Track) -> Result<f64> {
    let terminal = TerminalBuffer::new(SIZE, TerminalOptions::default());
    let before = process::own_thread()?;
    for _ in 0..N_PARSED {
        for (_, bytes) in &track.pieces {
            terminal.feed(bytes);
        }
    }
    let time = process::own_thread()?.saturating_sub(before);
    Ok(time.as_secs_f64() / f64::from(N_PARSED) / track.n_bytes() as f64)
}

/// The middle of what the rounds gave; of the rail, of the differences between two that followed each
/// other.
fn report(what: &str, visible: &[Done], hidden: &[Done], costs: &[f64]) -> Vec<Row> {
    let name = |figure: &str| format!("agents, 100 streaming, {what}: {figure}");
    let parsing = |done: &Done| done.parsing(costs);
    let beyond = |done: &Done| done.cpu() - done.parsing(costs);
    let rail = visible.iter().zip(hidden).map(|(with, without)| beyond(with) - beyond(without));
    let kinds = visible.first().map(|done| done.threads.keys()).into_iter().flatten();
    let shares = kinds.map(|kind| (kind, middle(visible, |done| done.share_of(kind))));
    let shares = shares.filter(|(_, share)| *share >= 0.05);
    let shares: Vec<String> = shares.map(|(kind, share)| format!("{kind} {share:.2} %")).collect();
    let pace = |rounds: &[Done]| {
        let turns = middle(rounds, |done| done.a_second(done.turns));
        format!("{turns:.0} and {:.1} /s", middle(rounds, |done| done.a_second(done.frames)))
    };
    let output = middle(visible, |done| done.a_second(done.parsed.iter().sum())) / 1e3;
    let (all, parsing) = (middle(visible, Done::cpu), middle(visible, parsing));
    vec![
        Row::note(&name("output"), format!("{output:.0} kB/s")),
        Row::note(&name("CPU of threads"), shares.join(", ")),
        Row::note(&name("CPU, all and parsing alone"), format!("{all:.2} % and {parsing:.2} %")),
        Row::note(&name("turns and frames"), pace(visible)),
        Row::note(&name("turns and frames without rail"), pace(hidden)),
        Row::at_most(
            &name("CPU beyond parsing"),
            middle(visible, beyond),
            BEYOND_PARSING,
            Unit::Percent,
        ),
        Row::at_most(&name("CPU of the rail"), middle_of(rail.collect()), RAIL, Unit::Percent),
    ]
}

impl Done {
    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    fn a_second(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64()
    }

    /// Percent of one core.
    fn share(&self, seconds: f64) -> f64 {
        100.0 * seconds / self.time.as_secs_f64()
    }

    fn share_of(&self, kind: &str) -> f64 {
        self.share(self.threads.get(kind).copied().unwrap_or_default().as_secs_f64())
    }

    fn cpu(&self) -> f64 {
        self.share(self.threads.values().sum::<Duration>().as_secs_f64())
    }

    /// What the same bytes cost alone.
    #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
    fn parsing(&self, costs: &[f64]) -> f64 {
        let each = self.parsed.iter().zip(costs.iter().cycle());
        self.share(each.map(|(n_bytes, cost)| *n_bytes as f64 * cost).sum())
    }
}

fn middle(rounds: &[Done], figure: impl Fn(&Done) -> f64) -> f64 {
    middle_of(rounds.iter().map(figure).collect())
}

fn middle_of(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
