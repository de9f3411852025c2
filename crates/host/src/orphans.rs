//! What hosts have left behind that were killed: who runs on and is looked after by nobody.
//!
//! A record says what was started, and the kernel has the last word: nothing is signalled whose number,
//! start time and mark it does not confirm (see [`pty::Orphan`]). Of a host that runs, nothing is
//! touched, neither programs nor records.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use base::LogErr as _;
use pty::OrphanState;
use serde_json::Value;

use crate::aside;
use crate::records::{self, Record, Unread};

/// Ended side by side: each may take its time, and needs some descriptors for it.
const AT_ONCE: usize = 16;

/// A record that was found, and what has become of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Orphan {
    pub path: PathBuf,
    pub verdict: Verdict,
    /// What the app had said of it; null in a file that could not be read.
    pub label: Value,
    /// The folder of its transcripts.
    pub name: String,
    process: Option<pty::Orphan>,
    /// The number and start time of the host that wrote it down.
    host: Option<(i32, u64)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A host runs and looks after it.
    Hosted { pid: i32 },
    /// It runs, or something that it started does, and nobody looks after it.
    Alive { pid: i32 },
    /// Nothing of it runs: the record may go.
    Dead,
    /// Its number is another's, or the record is not true: never signalled.
    Another,
    /// The system does not let us read the file, which may be fine.
    Unreadable { why: String },
    /// The file is none of ours, or of another version.
    Bad { why: String },
}

/// What the hosts of that state directory have left behind, and what runs. Nothing is changed.
///
/// # Errors
/// The folder of the records cannot be read; that there is none is no error.
pub fn orphans(state_dir: &Path) -> io::Result<Vec<Orphan>> {
    Ok(records::paths(state_dir)?.into_iter().filter_map(Orphan::read).collect())
}

/// Ends those that are alive, with all that they started, and waits for it: see [`Orphan::end`].
/// Says of each whether nothing is left of it.
pub fn end_orphans(orphans: &[Orphan], grace: Duration) -> Vec<(&Orphan, io::Result<bool>)> {
    let is_alive = |orphan: &&Orphan| matches!(orphan.verdict, Verdict::Alive { .. });
    let alive: Vec<&Orphan> = orphans.iter().filter(is_alive).collect();
    let mut ended = Vec::new();
    for some in alive.chunks(AT_ONCE) {
        thread::scope(|scope| {
            let orphans = some.iter().copied();
            let threads: Vec<_> =
                orphans.map(|orphan| scope.spawn(move || orphan.end(grace))).collect();
            let results = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|_panic| Err(io::ErrorKind::Other.into()))
            });
            ended.extend(some.iter().copied().zip(results));
        });
    }
    ended
}

/// Removes the records of programs of which nothing runs, and puts aside what is no record; gives the
/// new names of those.
pub fn tidy(orphans: &[Orphan]) -> Vec<PathBuf> {
    let mut set_aside = Vec::new();
    for Orphan { path, verdict, .. } in orphans {
        match verdict {
            Verdict::Dead | Verdict::Another => records::remove(path),
            Verdict::Bad { .. } => {
                let moved = aside::set_aside(path);
                set_aside.extend(moved.log_err("putting aside what is no record of a program"));
            }
            Verdict::Hosted { .. } | Verdict::Alive { .. } | Verdict::Unreadable { .. } => {}
        }
    }
    set_aside
}

impl Orphan {
    /// `None` if it was removed just now.
    fn read(path: PathBuf) -> Option<Self> {
        let record = match records::read(&path) {
            Ok(record) => record,
            Err(unread) => {
                let verdict = match unread {
                    Unread::Gone => return None,
                    Unread::Unreadable(why) => Verdict::Unreadable { why },
                    Unread::Bad(why) => Verdict::Bad { why },
                };
                let (label, name) = (Value::Null, String::new());
                return Some(Self { path, verdict, label, name, process: None, host: None });
            }
        };
        let Record { pid, start_ticks, boot_id, mark, name, label, host } = record;
        // It looks after its records, too: one that seems outdated is about to go.
        let is_hosted = boot_id == pty::boot_id() && pty::is_running(host.0, host.1);
        let process = pty::Orphan { pid, start_ticks, boot_id, mark };
        let verdict = match is_hosted {
            true => Verdict::Hosted { pid },
            false => match process.state() {
                OrphanState::Dead => Verdict::Dead,
                OrphanState::Another => Verdict::Another,
                OrphanState::Alive => Verdict::Alive { pid },
            },
        };
        Some(Self { path, verdict, label, name, process: Some(process), host: Some(host) })
    }

    /// Ends it, with all that it started, and removes the record. Waits until nothing is left: a
    /// second longer than `grace` at most. Says whether that came true; what is not alive is left
    /// as it is.
    ///
    /// # Errors
    /// The system is out of descriptors, or it is another process by now.
    pub fn end(&self, grace: Duration) -> io::Result<bool> {
        let (Some(process), Verdict::Alive { .. }) = (&self.process, &self.verdict) else {
            return Ok(false);
        };
        let is_gone = process.end(grace)?;
        if is_gone {
            records::remove(&self.path);
        }
        Ok(is_gone)
    }

    /// Waits for the host to end that looks after it, and says whether it has: one that is killed hangs up
    /// a moment before it is gone.
    ///
    /// # Errors
    /// The system is out of descriptors.
    pub fn await_end_of_host(&self, patience: Duration) -> io::Result<bool> {
        match (self.host, &self.verdict) {
            (Some((pid, start_ticks)), Verdict::Hosted { .. }) => {
                pty::await_exit(pid, start_ticks, patience)
            }
            _ => Ok(true),
        }
    }

    /// Waits for it to end by itself, as most do that have lost their terminal, and says whether it
    /// did; then its record goes. Signals nobody.
    ///
    /// # Errors
    /// The system is out of descriptors.
    pub fn await_end(&self, patience: Duration) -> io::Result<bool> {
        let (Some(process), Verdict::Alive { .. }) = (&self.process, &self.verdict) else {
            return Ok(true);
        };
        let is_gone = process.await_end(patience)?;
        if is_gone {
            records::remove(&self.path);
        }
        Ok(is_gone)
    }
}

#[cfg(test)]
mod tests;
