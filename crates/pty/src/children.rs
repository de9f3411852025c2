//! The processes whose parent we are: the programs we start, and orphans we inherit.
//!
//! Children belong to the whole process, not to one session; what is shared between sessions is
//! the list of leaders, under one lock: it says which ended children are waited for by somebody.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ChildStdout, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base::LogErr;
use nix::poll::{PollFd, PollFlags};
use nix::sys::prctl;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::processes::{self, Process};
use crate::sys::{self, Look};

/// Started by us and not reaped yet. Held over each start, so that a program that ends at once is
/// listed before anybody looks.
static LEADERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

static IS_SUBREAPER: AtomicBool = AtomicBool::new(false);

/// How long a leader that nobody stopped in time is waited for.
const LAST_WAIT: Duration = Duration::from_millis(200);

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Code(i32),
    Signal(i32),
}

/// Makes orphans among the descendants of this process its children, instead of init's.
///
/// To be called once, at the start of the program. From then on sessions reap the orphans that
/// have ended. They take any ended child for one that lives in another session than this process
/// and was not started by [`PtySession`](crate::PtySession): start your own children without
/// `setsid`.
///
/// # Errors
/// The kernel may not know how.
pub fn become_subreaper() -> io::Result<()> {
    prctl::set_child_subreaper(true)?;
    IS_SUBREAPER.store(true, Ordering::Release);
    Ok(())
}

/// A program we started, the leader of its session and of a process group.
///
/// Until it is reaped its number, which is also that of its group and session, cannot be reused.
/// Dropped before that, it is killed.
#[derive(Debug)]
pub(crate) struct Leader {
    pid: i32,
    pidfd: OwnedFd,
    is_reaped: bool,
}

/// Starts the command, which must make itself the leader of a session.
pub(crate) fn start(command: &mut Command) -> io::Result<Leader> {
    Ok(start_child(command)?.0)
}

/// The same for a command whose output goes into a pipe.
pub(crate) fn start_piped(command: &mut Command) -> io::Result<(Leader, ChildStdout)> {
    let (leader, mut child) = start_child(command)?;
    let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((leader, stdout))
}

fn start_child(command: &mut Command) -> io::Result<(Leader, Child)> {
    sys::keep_exit_codes()?;
    let mut leaders = LEADERS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    match sys::pidfd_open(pid) {
        Ok(pidfd) => {
            leaders.insert(pid);
            Ok((Leader { pid, pidfd, is_reaped: false }, child))
        }
        Err(err) => {
            child.kill().log_err("killing a program that cannot be watched");
            child.wait().log_err("reaping a program that cannot be watched");
            Err(err)
        }
    }
}

/// Reaps the orphans among `processes` that we inherited and that have ended.
pub(crate) fn reap_orphans(processes: &[Process]) {
    let Some(ourselves) = processes::ourselves().filter(|_| IS_SUBREAPER.load(Ordering::Acquire))
    else {
        return;
    };
    let leaders = LEADERS.lock().unwrap_or_else(PoisonError::into_inner);
    let is_orphan = |process: &&Process| {
        process.is_zombie
            && process.parent == ourselves.id.pid
            && process.session != ourselves.session
            && !leaders.contains(&process.id.pid)
    };
    for orphan in processes.iter().filter(is_orphan) {
        // Gone already when another session looked at the same time.
        if let Ok(pinned) = orphan.pin() {
            pinned.reap().log_err("reaping an orphan");
        }
    }
}

impl Leader {
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// How it ended, if it has; it stays unreaped.
    pub(crate) fn ended(&mut self) -> Option<Ended> {
        sys::wait(self.pidfd.as_fd(), Look::Peek).unwrap_or_else(|err| {
            // Somebody else has reaped it: its number is no longer safe to use, and that it ended
            // is all that is left to know.
            tracing::error!("the exit code of process {} is lost: {err}", self.pid);
            self.forget();
            Some(Ended::Code(255))
        })
    }

    /// Signals its process group, which lasts until it is reaped.
    pub(crate) fn signal_group(&self, signal: Signal) {
        if !self.is_reaped
            && let Err(err) = killpg(Pid::from_raw(self.pid), signal)
        {
            tracing::debug!("{signal} to group {}: {err}", self.pid);
        }
    }

    pub(crate) fn reap(&mut self) {
        if self.is_reaped {
            return;
        }
        sys::wait(self.pidfd.as_fd(), Look::Reap).log_err("reaping a program");
        self.forget();
    }

    fn forget(&mut self) {
        LEADERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.pid);
        self.is_reaped = true;
    }
}

/// Readable once the leader has ended.
impl AsFd for Leader {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if self.is_reaped {
            return;
        }
        self.signal_group(Signal::SIGKILL);
        let mut fds = [PollFd::new(self.pidfd.as_fd(), PollFlags::POLLIN)];
        sys::poll(&mut fds, Some(LAST_WAIT)).log_err("waiting for a killed program");
        self.reap();
    }
}
