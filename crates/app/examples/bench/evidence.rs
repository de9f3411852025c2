//! What it costs to find out what an agent does, beside what it costs to parse what it prints.
//!
//! Time is that of the recordings, or of a flood, and not the machine's, so that the same is done in
//! every run and a profiler can count it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::{AgentHandle, AgentIds, Rules, Timeouts};
use anyhow::{Result, bail};
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use crate::agents::N_AGENTS;
use crate::engine::instructions_of;
use crate::recordings::{self, Track};
use crate::table::{Row, Unit};
use crate::{Effort, clock, process};

/// First argument of a copy that feeds all recordings to a terminal.
pub(crate) const FEED: &str = "--inner-feed";

const GOAL: f64 = 0.95;
const SIZE: GridSize = GridSize { columns: 168, rows: 42 };
/// Output is looked at so often, as the loop does it.
const SLOT: Duration = Duration::from_millis(16);
/// As much as is read at once, and how long a terminal takes for it in a flood.
const CHUNK: usize = 64 * 1024;
const CHUNK_TIME: Duration = Duration::from_millis(1);
const N_FLOODS: usize = 4;

/// Who else looks at the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watched {
    No,
    Yes,
}

/// How fast it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    AsRecorded,
    Flood,
}

pub(crate) fn measure(effort: Effort) -> Result<Vec<Row>> {
    let n_rounds = match effort {
        Effort::Quick => 3,
        Effort::Full => 9,
    };
    let dir = tempfile::tempdir()?;
    let tracks = recordings::write_all(dir.path())?;
    let (alone, watched) = compare(&tracks, Pace::Flood, n_rounds)?;
    let ratio = alone.as_secs_f64() / watched.as_secs_f64();
    let (slow_alone, slow_watched) = compare(&tracks, Pace::AsRecorded, n_rounds)?;
    let recorded: Duration = tracks.iter().map(Track::duration).sum();
    #[expect(clippy::cast_precision_loss, reason = "a hundred")]
    let share = |cpu: Duration| {
        format!("{:.2} %", 100.0 * N_AGENTS as f64 * cpu.as_secs_f64() / recorded.as_secs_f64())
    };
    Ok(vec![
        Row::at_least("evidence, flood: parse throughput with / without", ratio, GOAL, Unit::Times),
        Row::note("evidence, 100 agents as recorded: parsing", share(slow_alone)),
        Row::note(
            "evidence, 100 agents as recorded: evidence",
            share(slow_watched.saturating_sub(slow_alone)),
        ),
    ])
}

/// Instructions, which no other program on the machine can change.
pub(crate) fn count_instructions() -> Result<Vec<Row>> {
    let this = std::env::current_exe()?;
    let count = |watched: &str, pace: &str| instructions_of(&this, &[FEED, watched, pace]);
    let nothing = count("nobody", "nothing")?;
    let mut rows = Vec::new();
    for (pace, name) in [("flood", "flood"), ("recorded", "as recorded")] {
        let alone = count("nobody", pace)? - nothing;
        let watched = count("watched", pace)? - nothing;
        #[expect(clippy::cast_precision_loss, reason = "far below where `f64` loses ones")]
        let ratio = alone as f64 / watched as f64;
        let (alone, evidence) = (alone / 1_000_000, (watched - alone) / 1_000_000);
        let name = format!("evidence, {name}: {alone} + {evidence} million instructions");
        rows.push(match pace {
            "flood" => Row::at_least(&name, ratio, GOAL, Unit::Times),
            _ => Row::note(&name, format!("{ratio:.2} x")),
        });
    }
    Ok(rows)
}

/// For a profiler, which counts whatever the process does.
pub(crate) fn feed(watched: &str, pace: &str) -> Result<()> {
    let watched = match watched {
        "nobody" => Watched::No,
        "watched" => Watched::Yes,
        _ => bail!("`{watched}` is neither `nobody` nor `watched`"),
    };
    let dir = tempfile::tempdir()?;
    let tracks = recordings::write_all(dir.path())?;
    let rules = Arc::new(config::Config::default().rules("any", "any"));
    match pace {
        "nothing" => {}
        "flood" => tracks.iter().for_each(|track| flood(track, watched, &rules)),
        "recorded" => tracks.iter().for_each(|track| play(track, watched, &rules)),
        _ => bail!("`{pace}` is no pace"),
    }
    Ok(())
}

/// The middle CPU times without and with evidence.
fn compare(tracks: &[Track], pace: Pace, n_rounds: usize) -> Result<(Duration, Duration)> {
    let rules = Arc::new(config::Config::default().rules("any", "any"));
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=n_rounds {
        for (who, times) in [(Watched::No, &mut alone), (Watched::Yes, &mut watched)] {
            let before = process::own_thread()?;
            for track in tracks {
                match pace {
                    Pace::AsRecorded => play(track, who, &rules),
                    Pace::Flood => flood(track, who, &rules),
                }
            }
            let time = process::own_thread()?.saturating_sub(before);
            times.extend((round > 0).then_some(time));
        }
    }
    Ok((clock::percentile(&mut alone, 50), clock::percentile(&mut watched, 50)))
}

/// As it came.
fn play(track: &Track, watched: Watched, rules: &Arc<Rules>) {
    let mut terminal = Watching::new(watched, rules);
    for (at, bytes) in &track.pieces {
        terminal.feed(bytes, *at);
    }
}

/// Several times over, as fast as it can be read.
fn flood(track: &Track, watched: Watched, rules: &Arc<Rules>) {
    let bytes: Vec<u8> = track.pieces.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    let mut terminal = Watching::new(watched, rules);
    let mut at = Duration::ZERO;
    for _ in 0..N_FLOODS {
        for chunk in bytes.chunks(CHUNK) {
            terminal.feed(chunk, at);
            at += CHUNK_TIME;
        }
    }
}

/// A terminal, and an agent that is looked at as the loop looks at it.
struct Watching {
    terminal: TerminalBuffer,
    agent: Option<AgentHandle>,
    start: Instant,
    slot: Instant,
    /// Something was printed that no slot has been given to.
    has_output: bool,
}

impl Watching {
    fn new(watched: Watched, rules: &Arc<Rules>) -> Self {
        let terminal = TerminalBuffer::new(SIZE, TerminalOptions::default());
        let start = clock::now();
        let agent = (watched == Watched::Yes).then(|| {
            let (id, rules) = (AgentIds::default().mint(), Arc::clone(rules));
            let (command, timeouts) = (Vec::new(), Timeouts::default());
            AgentHandle::new(id, "it", command, terminal.clone(), timeouts, rules, start)
        });
        Self { terminal, agent, start, slot: start, has_output: false }
    }

    fn feed(&mut self, bytes: &[u8], at: Duration) {
        let now = self.start + at;
        self.pass(now);
        let fed = self.terminal.feed(bytes);
        let Some(agent) = &mut self.agent else { return };
        for signal in &fed.signals {
            agent.on_signal(signal, now);
        }
        if !std::mem::replace(&mut self.has_output, true) {
            self.slot = self.slot.max(now);
        }
        self.pass(now);
    }

    /// Serves what is due until then.
    fn pass(&mut self, now: Instant) {
        let Some(agent) = &mut self.agent else { return };
        loop {
            let slot = self.has_output.then_some(self.slot);
            let due = slot.into_iter().chain(agent.next_deadline()).min();
            let Some(due) = due.filter(|due| *due <= now) else { return };
            if slot.is_some_and(|slot| slot <= due) {
                self.has_output = false;
                self.slot = due + SLOT;
                agent.on_output(due);
            }
            agent.on_deadline(due);
        }
    }
}
