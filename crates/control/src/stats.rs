//! The answer to `stats`: what the instance has done and what it costs.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Stats {
    /// [`VERSION`](crate::VERSION).
    pub version: u32,
    pub uptime_ms: u64,
    pub frames: u64,
    /// Turns of the loop, whoever caused them.
    pub wake_ups: u64,
    /// Those of them that only a deadline of ours has caused.
    #[serde(default)]
    pub timer_wake_ups: u64,
    /// From state to finished scene.
    pub frame_build: Timing,
    /// From a key's arrival to the frame that shows what it did.
    pub key_to_present: Timing,
    pub terminals: Vec<TerminalStats>,
    pub memory: MemoryStats,
}

/// How long something took, in microseconds, over the last few hundred times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Timing {
    /// Times it happened since the start.
    pub count: u64,
    pub last_us: u64,
    pub p50_us: u64,
    pub p99_us: u64,
    pub max_us: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalStats {
    pub workspace: u64,
    pub tab: u64,
    pub title: String,
    pub bytes_parsed: u64,
    /// Screen and scrollback.
    pub memory_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct MemoryStats {
    /// Resident memory of the process; 0 where the system does not tell.
    pub resident_bytes: u64,
    /// All terminals together.
    pub terminals_bytes: u64,
}

impl Timing {
    /// Sums up samples in microseconds, the latest last; sorts them in place.
    pub fn from_samples(count: u64, samples: &mut [u64]) -> Self {
        let Some(last_us) = samples.last().copied() else { return Self::default() };
        samples.sort_unstable();
        let at = |percent: usize| samples[(samples.len() * percent / 100).min(samples.len() - 1)];
        Self { count, last_us, p50_us: at(50), p99_us: at(99), max_us: at(100) }
    }
}
