//! What the program has done and what it costs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use control::{MemoryStats, Stats, TerminalStats, Timing};
use workspace::{Tab, TerminalView, Workspace};

use crate::app::App;

/// Times kept for percentiles.
const KEPT: usize = 1024;

#[derive(Debug)]
pub(crate) struct Recorder {
    started: Instant,
    pub frames: u64,
    pub wake_ups: u64,
    /// Turns because a deadline has come, and for nothing else.
    pub timer_wake_ups: u64,
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
            timer_wake_ups: 0,
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
        let terminals: Vec<TerminalStats> =
            self.state.workspaces().iter().flat_map(|it| self.terminal_stats(it)).collect();
        let uptime = now.saturating_duration_since(self.stats.started);
        Stats {
            version: control::VERSION,
            uptime_ms: u64::try_from(uptime.as_millis()).unwrap_or(u64::MAX),
            frames: self.stats.frames,
            wake_ups: self.stats.wake_ups,
            timer_wake_ups: self.stats.timer_wake_ups,
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

impl App {
    fn terminal_stats(&self, workspace: &Workspace) -> Vec<TerminalStats> {
        let of_tab = |tab: &Tab| {
            let terminal = self.state.terminal_in(workspace, *tab)?;
            let title = match terminal {
                TerminalView::Agent(agent) => agent.name().to_owned(),
                TerminalView::Plain(plain) => plain.title(),
            };
            Some(TerminalStats {
                workspace: workspace.id().number().into(),
                tab: tab.id.number().into(),
                title,
                bytes_parsed: self.sessions.parsed(terminal.program()),
                memory_bytes: terminal.buffer().memory() as u64,
            })
        };
        workspace.tabs().iter().filter_map(of_tab).collect()
    }
}

/// Memory of this process that is in RAM; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
