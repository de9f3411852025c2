//! What the program has done and what it costs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use control::{MemoryStats, Stats, TerminalStats, Timing};

use crate::app::App;

/// Times kept for percentiles.
const KEPT: usize = 1024;

#[derive(Debug)]
pub(crate) struct Recorder {
    started: Instant,
    pub frames: u64,
    pub wake_ups: u64,
    pub frame_build: Times,
    pub key_to_present: Times,
    /// When the first key that no frame has shown yet was pressed.
    pub unseen_key: Option<Instant>,
}

/// The latest durations of one kind.
#[derive(Debug, Default)]
pub(crate) struct Times {
    count: u64,
    latest: VecDeque<u64>,
}

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        if self.latest.len() == KEPT {
            self.latest.pop_front();
        }
        self.latest.push_back(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        self.count += 1;
    }

    fn timing(&self) -> Timing {
        let mut samples: Vec<u64> = self.latest.iter().copied().collect();
        Timing::from_samples(self.count, &mut samples)
    }
}

impl Recorder {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            started: now,
            frames: 0,
            wake_ups: 0,
            frame_build: Times::default(),
            key_to_present: Times::default(),
            unseen_key: None,
        }
    }

    pub(crate) fn presented(&mut self, now: Instant) {
        self.frames += 1;
        if let Some(pressed) = self.unseen_key.take() {
            self.key_to_present.add(now.saturating_duration_since(pressed));
        }
    }
}

impl App {
    pub(crate) fn stats(&self, now: Instant) -> Stats {
        let terminals: Vec<TerminalStats> = self
            .state
            .workspaces()
            .iter()
            .filter_map(|workspace| {
                let agent = workspace.agent()?;
                let parsed = self.sessions.parsed().find(|(id, _)| *id == agent.id());
                Some(TerminalStats {
                    workspace: workspace.id().number().into(),
                    tab: workspace.tabs().first().map_or(0, |tab| tab.id.number().into()),
                    title: agent.name().to_owned(),
                    bytes_parsed: parsed.map_or(0, |(_, bytes)| bytes),
                    memory_bytes: agent.terminal().memory() as u64,
                })
            })
            .collect();
        let uptime = now.saturating_duration_since(self.stats.started);
        Stats {
            version: control::VERSION,
            uptime_ms: u64::try_from(uptime.as_millis()).unwrap_or(u64::MAX),
            frames: self.stats.frames,
            wake_ups: self.stats.wake_ups,
            frame_build: self.stats.frame_build.timing(),
            key_to_present: self.stats.key_to_present.timing(),
            memory: MemoryStats {
                resident_bytes: resident_bytes(),
                terminals_bytes: terminals.iter().map(|terminal| terminal.memory_bytes).sum(),
            },
            terminals,
        }
    }
}

/// Memory of this process that is in RAM; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
