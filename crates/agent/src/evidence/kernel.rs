//! What the kernel has told of a program's terminal and processes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::ProcessSample;

/// What the last looks at the processes gave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kernel {
    pub(crate) sample: Option<(ProcessSample, Instant)>,
    /// In hundredths of a core, between the last two samples.
    pub(crate) cpu_percent: u64,
    /// Whoever lived when something was last submitted.
    base: Option<BTreeSet<i32>>,
    foreground_at_submit: Option<i32>,
    /// Who read the terminal when something was last handed in, if that was looked up before.
    reader_before: Option<i32>,
    /// Since when somebody reads the terminal.
    pub(crate) reads_since: Option<Instant>,
    needs_base: bool,
    /// A turn has begun: something was submitted, or else the program has begun to show that it works.
    is_turn: bool,
}

impl Kernel {
    pub(super) fn on_submit(&mut self) {
        self.reads_since = None;
        (self.needs_base, self.is_turn) = (true, true);
        if let Some((sample, _)) = &self.sample {
            self.base = Some(sample.processes.iter().map(|process| process.pid).collect());
            self.foreground_at_submit = Some(sample.foreground);
            self.reader_before = Some(sample.foreground);
        }
    }

    /// The program has begun to show that it works, be it for something that was submitted long ago.
    pub(super) fn on_turn(&mut self) {
        if !self.is_turn {
            (self.needs_base, self.is_turn) = (true, true);
        }
    }

    /// Whether a look at the processes is needed to tell those that are started from now on.
    pub(crate) fn needs_base(&self) -> bool {
        self.needs_base
    }

    pub(super) fn on_sample(&mut self, sample: ProcessSample, now: Instant) {
        const LEAST: Duration = Duration::from_millis(250);
        if let Some((before, at)) = &self.sample {
            let ticks = sample.cpu_ticks().saturating_sub(before.cpu_ticks());
            let time = now.saturating_duration_since(*at).max(LEAST);
            self.cpu_percent = ticks.saturating_mul(1000)
                / u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        }
        if std::mem::take(&mut self.needs_base) || self.base.is_none() {
            self.base = Some(sample.processes.iter().map(|process| process.pid).collect());
            self.foreground_at_submit = Some(sample.foreground);
        }
        self.reads_since = sample.reads_terminal().then(|| self.reads_since.unwrap_or(now));
        self.sample = Some((sample, now));
    }

    /// Whether something that was started since the last submit still runs, as a tool of the program.
    pub(crate) fn has_new_children(&self) -> bool {
        let (Some(base), Some((sample, _))) = (&self.base, &self.sample) else { return false };
        self.foreground_at_submit == Some(sample.foreground)
            && sample.processes.iter().any(|process| !base.contains(&process.pid))
    }

    /// Whether a process lives that was started in this turn.
    pub(crate) fn has_tool(&self) -> bool {
        self.is_turn && self.has_new_children()
    }

    /// Whether who took what was last handed in still reads the terminal: it has started nobody here who
    /// would do so in its place.
    pub(crate) fn has_same_reader(&self) -> bool {
        let now = self.sample.as_ref().map(|(sample, _)| sample.foreground);
        now.is_some() && now == self.reader_before
    }

    pub(crate) fn is_canonical(&self) -> bool {
        self.sample.as_ref().is_some_and(|(sample, _)| sample.is_canonical)
    }
}
