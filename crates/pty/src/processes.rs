//! What runs on this machine, as `/proc` tells it.
//!
//! A number alone names nobody: it is reused. A process is its number and its start time
//! ([`Identity`]), and whoever wants to act on one takes a pidfd first ([`Process::pin`]).

use std::fmt;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use nix::sys::signal::Signal;

use crate::sys::{self, Look};

/// One process for as long as the machine is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    pub(crate) pid: i32,
    /// In ticks since the machine started.
    pub(crate) start: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Process {
    pub(crate) id: Identity,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// Ended, but not reaped by its parent yet.
    pub(crate) is_zombie: bool,
}

/// A process that can no longer be mistaken for another.
#[derive(Debug)]
pub(crate) struct Pinned(OwnedFd);

/// Everything that runs now. Not one moment: what starts or ends meanwhile may be missing or gone.
pub(crate) fn scan() -> io::Result<Vec<Process>> {
    let numbers = fs::read_dir("/proc")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    Ok(numbers.filter_map(read).collect())
}

/// Our own process.
pub(crate) fn ourselves() -> Option<Process> {
    read(i32::try_from(std::process::id()).ok()?)
}

/// The process that has this number now.
pub(crate) fn find(pid: i32) -> Option<Process> {
    read(pid)
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.pid, self.start)
    }
}

impl Process {
    /// Takes hold of the process, if it is still the one that was scanned.
    pub(crate) fn pin(&self) -> io::Result<Pinned> {
        let pidfd = sys::pidfd_open(self.id.pid)?;
        // Read after opening: if the number had changed hands before, the start time shows it.
        match read(self.id.pid) {
            Some(now) if now.id == self.id => Ok(Pinned(pidfd)),
            _ => Err(io::Error::from_raw_os_error(nix::libc::ESRCH)),
        }
    }

    /// Whether it was started with this in its environment. Unreadable ones were not.
    pub(crate) fn has_in_environment(&self, entry: &str) -> bool {
        entries(&self.environ()).any(|it| it == entry.as_bytes())
    }

    /// What a variable was when it was started.
    pub(crate) fn environment(&self, variable: &str) -> Option<Vec<u8>> {
        let environ = self.environ();
        let value = |entry: &[u8]| {
            entry.strip_prefix(variable.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec)
        };
        entries(&environ).find_map(value)
    }

    /// Empty where it cannot be read.
    fn environ(&self) -> Vec<u8> {
        let folder = Path::new("/proc").join(self.id.pid.to_string());
        fs::read(folder.join("environ")).unwrap_or_default()
    }
}

impl Pinned {
    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        sys::pidfd_signal(self.0.as_fd(), signal as i32)
    }

    /// Lets go of an ended child of ours.
    pub(crate) fn reap(&self) -> io::Result<()> {
        sys::wait(self.0.as_fd(), Look::Reap).map(drop)
    }
}

/// Readable once the process has ended.
impl AsFd for Pinned {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn entries(environ: &[u8]) -> impl Iterator<Item = &[u8]> {
    environ.split(|&byte| byte == 0)
}

fn read(pid: i32) -> Option<Process> {
    // Bytes, as a program's name need not be UTF-8.
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// Reads a line of `/proc/PID/stat`, in which the name may hold spaces and parentheses.
fn parse(pid: i32, stat: &str) -> Option<Process> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<i32>().ok();
    // A process whose first thread has ended while others run looks like a zombie, too.
    let has_ended = matches!(*fields.first()?, "Z" | "X") && number(17)? <= 1;
    Some(Process {
        id: Identity { pid, start: fields.get(19)?.parse().ok()? },
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        is_zombie: has_ended,
    })
}

#[cfg(test)]
mod tests;
