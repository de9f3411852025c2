//! What a program and all it started do at this moment, as the kernel tells it.

use std::fs;
use std::io;
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::Arc;

use nix::sys::termios::{LocalFlags, tcgetattr};

use crate::terminal::Master;

/// Processes looked at; a program with more of them is busy in any case.
const MAX_PROCESSES: usize = 64;

/// The number of `read` in `/proc/PID/syscall`.
#[cfg(target_arch = "x86_64")]
const READ: &str = "0";
#[cfg(not(target_arch = "x86_64"))]
const READ: &str = "63";

/// Looks at one program's terminal and processes.
#[derive(Clone)]
pub struct PtySampler {
    master: Arc<Master>,
    leader: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtySample {
    /// The kernel collects whole lines.
    pub is_canonical: bool,
    /// The kernel shows what is typed.
    pub echoes: bool,
    /// The group that reads the terminal; 0 where there is none.
    pub foreground: i32,
    /// The program and what descends from it.
    pub processes: Vec<SampledProcess>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledProcess {
    pub pid: i32,
    /// Used so far, in hundredths of a second.
    pub cpu_ticks: u64,
    /// It is held up by a `read` of the terminal.
    pub reads_terminal: bool,
}

impl PtySampler {
    pub(crate) fn new(master: Arc<Master>, leader: i32) -> Self {
        Self { master, leader }
    }

    /// Costs a few reads in `/proc` for each process.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn sample(&self) -> io::Result<PtySample> {
        let flags = tcgetattr(&*self.master.file)?.local_flags;
        let foreground = nix::unistd::tcgetpgrp(self.master.file.as_fd());
        Ok(PtySample {
            is_canonical: flags.contains(LocalFlags::ICANON),
            echoes: flags.contains(LocalFlags::ECHO),
            foreground: foreground.map_or(0, nix::unistd::Pid::as_raw),
            processes: self.processes(),
        })
    }

    /// The program first, then its children, then theirs.
    fn processes(&self) -> Vec<SampledProcess> {
        let mut pids = vec![self.leader];
        let mut sampled = Vec::new();
        let mut index = 0;
        while let Some(pid) = pids.get(index).copied() {
            index += 1;
            let Some(cpu_ticks) = cpu_ticks(pid) else { continue };
            let reads_terminal = reads(pid, &self.master.tty_path);
            sampled.push(SampledProcess { pid, cpu_ticks, reads_terminal });
            let room = MAX_PROCESSES.saturating_sub(pids.len());
            pids.extend(children(pid).into_iter().take(room));
        }
        sampled
    }
}

impl std::fmt::Debug for PtySampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PtySampler").field("leader", &self.leader).finish_non_exhaustive()
    }
}

/// `None` for a process that is gone or has ended.
fn cpu_ticks(pid: i32) -> Option<u64> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    if matches!(*fields.first()?, "Z" | "X") {
        return None;
    }
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(number(11)? + number(12)?)
}

fn children(pid: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split(' ').filter_map(|it| it.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Whether the process is held up by a `read` of the terminal.
fn reads(pid: i32, tty: &Path) -> bool {
    let Ok(call) = fs::read_to_string(format!("/proc/{pid}/syscall")) else { return false };
    let mut words = call.split(' ');
    let (number, descriptor) = (words.next(), words.next());
    let descriptor = descriptor.and_then(|it| u32::from_str_radix(it.strip_prefix("0x")?, 16).ok());
    let Some(descriptor) = descriptor.filter(|_| number == Some(READ)) else { return false };
    let target = fs::read_link(format!("/proc/{pid}/fd/{descriptor}"));
    target.is_ok_and(|path| path == tty || path == Path::new("/dev/tty"))
}
