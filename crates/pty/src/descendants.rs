//! The last resort of a process that ends with all that it has started: whoever descends from it.
//!
//! A session knows its processes by their sessions, groups and mark. One that has left its session, lost
//! its parents and cleared its environment shows none of these; but an orphan's parent is the subreaper.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use base::LogErr as _;
use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::Signal;

use crate::processes::{self, Process};
use crate::sys;

/// What is killed may just have started something else.
const ROUNDS: usize = 20;
/// How long one that was killed is waited for.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// Kills whatever descends from this process and waits for its end, for some seconds at most; says how
/// many that were. For a subreaper at its own end, all of whose children are programs.
///
/// # Errors
/// The processes of this machine cannot be listed, or there is no end of them.
pub fn kill_descendants() -> io::Result<usize> {
    let mut n_killed = 0;
    for _ in 0..ROUNDS {
        let left = descendants(&processes::scan()?);
        if left.is_empty() {
            return Ok(n_killed);
        }
        for process in left {
            n_killed += usize::from(kill(&process));
        }
    }
    Err(io::Error::other("processes go on starting others"))
}

fn kill(process: &Process) -> bool {
    // Gone meanwhile.
    let Ok(pinned) = process.pin() else { return false };
    if pinned.signal(Signal::SIGKILL).is_err() {
        return false;
    }
    let mut fds = [PollFd::new(std::os::fd::AsFd::as_fd(&pinned), PollFlags::POLLIN)];
    sys::poll(&mut fds, Some(LAST_WAIT)).log_err("waiting for a process that was killed");
    // Another's child is that one's to reap, or becomes ours.
    let _is_ours = pinned.reap().is_ok();
    true
}

/// Those that have not ended.
fn descendants(all: &[Process]) -> Vec<Process> {
    let Some(ourselves) = processes::ourselves() else { return Vec::new() };
    let mut family = BTreeSet::from([ourselves.id.pid]);
    // Numbers say nothing about who came first.
    while all.iter().any(|it| family.contains(&it.parent) && family.insert(it.id.pid)) {}
    let is_left =
        |it: &&Process| it.id != ourselves.id && !it.is_zombie && family.contains(&it.id.pid);
    all.iter().filter(is_left).copied().collect()
}
