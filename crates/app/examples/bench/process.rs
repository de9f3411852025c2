//! What the system says about a process.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// What all threads of a process have used up so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    /// How often any thread has gone to sleep, and so has woken up.
    pub(crate) sleeps: u64,
}

impl Usage {
    pub(crate) fn of(pid: u32) -> Result<Self> {
        let mut usage = Self::default();
        for task in fs::read_dir(format!("/proc/{pid}/task")).context("listing threads")? {
            // A thread may end while we look.
            if let Some(thread) = of_thread(&task?.path()) {
                usage.cpu += thread.cpu;
                usage.sleeps += thread.sleeps;
            }
        }
        Ok(usage)
    }

    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            sleeps: self.sleeps.saturating_sub(earlier.sleeps),
        }
    }
}

/// The threads that draw in software where there is no GPU; nobody has them on a real machine.
const SOFTWARE_RENDERER: &str = "llvmpipe";

/// CPU time of a process so far, without the threads of the software renderer.
pub(crate) fn own_cpu(pid: u32) -> Result<Duration> {
    Ok(by_thread(pid)?.values().map(|usage| usage.cpu).sum())
}

/// What its threads have used up so far, by the first word of their names, without those of the
/// software renderer.
pub(crate) fn by_thread(pid: u32) -> Result<BTreeMap<String, Usage>> {
    let mut threads: BTreeMap<String, Usage> = BTreeMap::new();
    for task in fs::read_dir(format!("/proc/{pid}/task")).context("listing threads")? {
        let task = task?.path();
        let name = fs::read_to_string(task.join("comm")).unwrap_or_default();
        if name.starts_with(SOFTWARE_RENDERER) {
            continue;
        }
        // A thread may end while we look.
        let usage = of_thread(&task).unwrap_or_default();
        let kind = name.trim_end().split(':').next().unwrap_or_default();
        let sum = threads.entry(kind.to_owned()).or_default();
        sum.cpu += usage.cpu;
        sum.sleeps += usage.sleeps;
    }
    Ok(threads)
}

/// CPU time of the calling thread so far.
pub(crate) fn own_thread() -> Result<Duration> {
    let usage = of_thread(Path::new("/proc/thread-self"));
    Ok(usage.context("the system does not tell a thread's CPU time")?.cpu)
}

fn of_thread(task: &Path) -> Option<Usage> {
    let schedule = fs::read_to_string(task.join("schedstat")).ok()?;
    let nanoseconds = schedule.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string(task.join("status")).ok()?;
    let sleeps = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    Some(Usage { cpu: Duration::from_nanos(nanoseconds), sleeps: sleeps.trim().parse().ok()? })
}
