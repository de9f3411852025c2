//! The last minutes of one agent, kept in memory in case somebody says that its state is wrong.
//!
//! Blocks follow each other, each beginning with the screen as it was then, so that the oldest can be
//! dropped and what is left still plays. 2 MiB hold five minutes of every agent that was measured but
//! one, which redraws 46 KB a second while it thinks and is kept for three quarters of a minute. Counted
//! by callgrind, recording costs 0.4 to 1.3 % of the instructions that feeding a terminal takes.

mod memory;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use agent::ProcessSample;
use terminal::{GridSize, TerminalSignal};

use crate::{Event, Happening, Recording};
use memory::Memory;

/// What is older is dropped, a block at a time.
const KEPT: Duration = Duration::from_secs(5 * 60);
/// A block is ended after so long, or so much.
const BLOCK_LASTS: Duration = Duration::from_secs(60);
const BLOCK_BYTES: usize = 512 * 1024;
/// Of one agent, beside the block that is being written.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Of all agents, beside one block of each.
const MAX_ALL: usize = 16 * 1024 * 1024;
/// What is printed so soon after something else counts as one.
const AT_ONCE: Duration = Duration::from_millis(2);

/// What the recorders of all agents take together, in bytes.
#[derive(Debug, Clone, Default)]
pub struct FlightBudget(Arc<AtomicUsize>);

#[derive(Debug)]
pub struct FlightRecorder {
    budget: FlightBudget,
    blocks: VecDeque<Arc<Block>>,
    current: Block,
    memory: Memory,
    /// Output is left out until there is a screen to go on from.
    is_lost: bool,
}

/// What was recorded up to some moment; cheap to take.
#[derive(Debug, Clone)]
pub struct Take {
    blocks: Vec<Arc<Block>>,
}

#[derive(Debug, Clone)]
struct Block {
    began: Instant,
    size: GridSize,
    /// How it was at the beginning; nothing where that is the beginning of the program.
    opening: Vec<Happening>,
    /// What was printed before it is missing.
    follows_gap: bool,
    entries: Vec<(Instant, Entry)>,
    /// What was printed, one after the other.
    bytes: Vec<u8>,
    /// All of it, in bytes.
    weight: usize,
}

#[derive(Debug, Clone)]
enum Entry {
    Output { len: usize },
    Other(Happening),
}

impl FlightRecorder {
    /// A program begins.
    pub fn new(budget: FlightBudget, size: GridSize, now: Instant) -> Self {
        let current = Block::new(now, size, Vec::new());
        Self { budget, blocks: VecDeque::new(), current, memory: Memory::default(), is_lost: false }
    }

    /// Whether [`Self::begin_block`] is to be called before anything else is recorded.
    pub fn wants_screen(&self, now: Instant) -> bool {
        self.is_lost
            || self.current.weight >= BLOCK_BYTES
            || now.saturating_duration_since(self.current.began) >= BLOCK_LASTS
    }

    /// Goes on from a screen: its size, and what paints it. Without one, because the program is in the
    /// middle of something, the block goes on; but not for ever.
    pub fn begin_block(&mut self, screen: Option<(GridSize, Vec<u8>)>, now: Instant) {
        let Some((size, painted)) = screen else {
            self.is_lost |= self.current.weight >= 2 * BLOCK_BYTES;
            return;
        };
        let mut next = Block::new(now, size, self.memory.opening(painted));
        next.follows_gap = std::mem::take(&mut self.is_lost);
        self.budget.0.fetch_add(next.weight, Ordering::Relaxed);
        let ended = std::mem::replace(&mut self.current, next);
        self.blocks.push_back(Arc::new(ended));
        // In a flood, what is dropped has room for what comes.
        if let Some(dropped) = self.drop_old(now).and_then(Arc::into_inner) {
            self.current.bytes = dropped.bytes;
            self.current.bytes.clear();
        }
    }

    /// The program printed something.
    pub fn output(&mut self, bytes: &[u8], now: Instant) {
        if self.is_lost {
            return;
        }
        let block = &mut self.current;
        let last = block.entries.last_mut();
        let len = bytes.len();
        match last {
            Some((at, Entry::Output { len: before })) if now < *at + AT_ONCE => *before += len,
            _ => block.entries.push((now, Entry::Output { len })),
        }
        block.bytes.extend_from_slice(bytes);
        self.weigh(len + size_of::<(Instant, Entry)>());
    }

    /// And said something beside that.
    pub fn signal(&mut self, signal: &TerminalSignal) {
        self.memory.signal(signal);
    }

    /// Anything else happened.
    pub fn note(&mut self, what: Happening, now: Instant) {
        self.memory.note(&what);
        let weight = size_of::<(Instant, Entry)>() + weight(&what);
        self.current.entries.push((now, Entry::Other(what)));
        self.weigh(weight);
    }

    pub fn take(&self) -> Take {
        let current = Arc::new(self.current.clone());
        Take { blocks: self.blocks.iter().cloned().chain([current]).collect() }
    }

    fn weigh(&mut self, weight: usize) {
        self.current.weight += weight;
        self.budget.0.fetch_add(weight, Ordering::Relaxed);
    }

    /// Gives the last block that was dropped.
    fn drop_old(&mut self, now: Instant) -> Option<Arc<Block>> {
        let mut dropped = None;
        let mut kept: usize = self.blocks.iter().map(|block| block.weight).sum();
        while let Some(oldest) = self.blocks.front() {
            let ended = self.blocks.get(1).map_or(self.current.began, |next| next.began);
            let is_old = now.saturating_duration_since(ended) >= KEPT;
            let is_too_much = kept > MAX_BYTES || self.budget.0.load(Ordering::Relaxed) > MAX_ALL;
            if !is_old && !is_too_much {
                break;
            }
            kept -= oldest.weight;
            self.budget.0.fetch_sub(oldest.weight, Ordering::Relaxed);
            dropped = self.blocks.pop_front();
        }
        dropped
    }
}

impl Drop for FlightRecorder {
    fn drop(&mut self) {
        let kept: usize = self.blocks.iter().map(|block| block.weight).sum();
        self.budget.0.fetch_sub(kept + self.current.weight, Ordering::Relaxed);
    }
}

impl Block {
    fn new(began: Instant, size: GridSize, opening: Vec<Happening>) -> Self {
        let weight = opening.iter().map(weight).sum();
        let (entries, bytes) = (Vec::new(), Vec::new());
        Self { began, size, opening, follows_gap: false, entries, bytes, weight }
    }

    fn events(&self, epoch: Instant, is_first: bool) -> Vec<Event> {
        let since = |at: Instant| at.saturating_duration_since(epoch);
        let at = since(self.began);
        let mut events = Vec::new();
        if is_first || self.follows_gap {
            if !is_first {
                // Whatever is there belongs to a time before the gap.
                events.push(Event { at, what: Happening::Output(b"\x1bc".to_vec()) });
                events.push(Event { at, what: Happening::Resize(self.size) });
            }
            events.extend(self.opening.iter().cloned().map(|what| Event { at, what }));
        }
        let mut from = 0;
        for (at, entry) in &self.entries {
            let what = match entry {
                Entry::Other(what) => what.clone(),
                Entry::Output { len } => {
                    let bytes = self.bytes.get(from..from + len).unwrap_or_default();
                    from += len;
                    Happening::Output(bytes.to_vec())
                }
            };
            events.push(Event { at: since(*at), what });
        }
        events
    }
}

impl Take {
    /// Whether anything has happened at all.
    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(|block| block.entries.is_empty() && block.opening.is_empty())
    }

    /// From the beginning of what was kept until `now`.
    pub fn into_recording(self, now: Instant) -> Recording {
        let mut recording = Recording::default();
        let Some(first) = self.blocks.first() else { return recording };
        let epoch = first.began;
        recording.about.size = Some(first.size);
        recording.about.saved_at = Some(now.saturating_duration_since(epoch));
        for (index, block) in self.blocks.iter().enumerate() {
            recording.events.extend(block.events(epoch, index == 0));
        }
        // Threads that note things may overtake each other by a hair.
        recording.events.sort_by_key(|event| event.at);
        recording
    }
}

fn weight(what: &Happening) -> usize {
    match what {
        Happening::Output(bytes) | Happening::Input(bytes) => bytes.len(),
        Happening::Sample(ProcessSample { processes, .. })
        | Happening::Told(ProcessSample { processes, .. }) => {
            processes.len() * size_of::<agent::Process>()
        }
        Happening::Report { text, .. } => text.as_ref().map_or(0, String::len),
        Happening::Focus | Happening::Watched(_) | Happening::Resize(_) | Happening::Exit(_) => 0,
    }
}

#[cfg(test)]
mod tests;
