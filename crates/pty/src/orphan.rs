//! A program that another process of ours started, and whom nobody watches any more.
//!
//! All that is known of it was written down by somebody else, and perhaps by a stranger. So it is
//! only believed as far as the kernel says the same: a process counts as the program while number,
//! start time and mark agree, and nothing else is ever signalled.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use base::LogErr;
use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::Signal;

use crate::family::{Family, MARK, Mark};
use crate::processes::{self, Identity, Pinned};
use crate::sys::{self, Timer};

/// As for programs of our own.
const HANG_UP_AFTER: Duration = Duration::from_millis(500);

/// How long what was killed is waited for.
const KILL_PATIENCE: Duration = Duration::from_secs(1);

/// Members waited for at a time.
const MAX_WATCHED: usize = 16;

/// When to look again for members that could not be watched: they were just ending.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A program as it was written down when it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    pub pid: i32,
    /// In ticks since the machine was started.
    pub start_ticks: u64,
    /// Which start of the machine that was.
    pub boot_id: String,
    pub mark: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrphanState {
    /// Nothing of it runs.
    Dead,
    /// It runs, or something that it started does.
    Alive,
    /// The number is that of another process now, or always was.
    Another,
}

/// What tells this start of the machine from all others.
pub fn boot_id() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map_or_else(|_| String::new(), |id| id.trim().to_owned())
}

/// The number and the start time of this process.
pub fn own_identity() -> (i32, u64) {
    processes::ourselves().map_or((0, 0), |process| (process.id.pid, process.id.start))
}

/// Whether the process with that number and start time runs.
pub fn is_running(pid: i32, start_ticks: u64) -> bool {
    let is_it = |process: &processes::Process| process.id.start == start_ticks;
    processes::find(pid).filter(is_it).is_some_and(|process| !process.is_zombie)
}

/// Waits for the process with that number and start time to end, for so long at most, and says whether it
/// has. It may have hung up on everybody a moment before.
///
/// # Errors
/// The system is out of descriptors.
pub fn await_exit(pid: i32, start_ticks: u64, patience: Duration) -> io::Result<bool> {
    let is_it = |process: &processes::Process| process.id.start == start_ticks;
    let Some(process) = processes::find(pid).filter(is_it) else { return Ok(true) };
    // It ended before we could look closer.
    let Ok(pinned) = process.pin() else { return Ok(!is_running(pid, start_ticks)) };
    let timer = Timer::new()?;
    timer.set(patience)?;
    let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
    sys::poll(&mut [input(timer.as_fd()), input(pinned.as_fd())], None)?;
    Ok(!is_running(pid, start_ticks))
}

impl Orphan {
    /// What has become of it. Costs a look at every process there is, if the record may be true.
    pub fn state(&self) -> OrphanState {
        match self.family() {
            Err(state) => state,
            Ok((mut family, is_leader_alive)) => {
                if is_leader_alive || !family.members().is_empty() {
                    OrphanState::Alive
                } else {
                    OrphanState::Dead
                }
            }
        }
    }

    /// Ends it with everything it started: SIGTERM, SIGHUP after half a second, SIGKILL after
    /// `grace`. Waits until nothing is left, and says whether that came true; a second longer than
    /// `grace` at most.
    ///
    /// # Errors
    /// The system is out of descriptors, or it is not our program: see [`Orphan::state`].
    pub fn end(&self, grace: Duration) -> io::Result<bool> {
        let (mut family, _) = match self.family() {
            Ok(family) => family,
            Err(OrphanState::Dead) => return Ok(true),
            Err(OrphanState::Another | OrphanState::Alive) => {
                return Err(io::ErrorKind::NotFound.into());
            }
        };
        let hang_up = HANG_UP_AFTER.min(grace);
        let stages: [(&[Signal], Duration); 3] = [
            (&[Signal::SIGTERM, Signal::SIGCONT], hang_up),
            (&[Signal::SIGHUP, Signal::SIGCONT], grace - hang_up),
            (&[Signal::SIGKILL], KILL_PATIENCE),
        ];
        for (signals, patience) in stages {
            let timer = Timer::new()?;
            timer.set(patience)?;
            if self.end_with(&mut family, signals, &timer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until nothing of it is left, for so long at most, and says whether that came true. Signals
    /// nobody.
    ///
    /// # Errors
    /// The system is out of descriptors.
    pub fn await_end(&self, patience: Duration) -> io::Result<bool> {
        let Ok((mut family, _)) = self.family() else { return Ok(true) };
        let timer = Timer::new()?;
        timer.set(patience)?;
        self.end_with(&mut family, &[], &timer)
    }

    /// Signals everybody once, and waits until nobody is left or the timer fires.
    fn end_with(&self, family: &mut Family, signals: &[Signal], timer: &Timer) -> io::Result<bool> {
        let mut signalled = BTreeSet::new();
        loop {
            let members = self.living(family);
            if members.is_empty() {
                return Ok(true);
            }
            let mut watched = Vec::new();
            for (identity, pinned) in members {
                if signalled.insert(identity) {
                    for &signal in signals {
                        // It may have ended just now, or be another user's.
                        pinned.signal(signal).log_err("ending a program that was left behind");
                    }
                }
                watched.push(pinned);
            }
            watched.truncate(MAX_WATCHED);
            let input = |fd| PollFd::new(fd, PollFlags::POLLIN);
            let mut fds = vec![input(timer.as_fd())];
            fds.extend(watched.iter().map(|pinned| input(pinned.as_fd())));
            let look_again = watched.is_empty().then_some(LOOK_AGAIN);
            sys::poll(&mut fds, look_again)?;
            if fds[0].any().unwrap_or(true) {
                return Ok(self.living(family).is_empty());
            }
        }
    }

    fn living(&self, family: &mut Family) -> Vec<(Identity, Pinned)> {
        let leader = processes::find(self.pid)
            .filter(|leader| leader.id == self.identity() && !leader.is_zombie);
        let members = family.members().into_iter().chain(leader);
        members.filter_map(|member| Some((member.id, member.pin().ok()?))).collect()
    }

    fn identity(&self) -> Identity {
        Identity { pid: self.pid, start: self.start_ticks }
    }

    /// Whom it has to do with, and whether the program itself runs; an error says why there is
    /// nobody.
    fn family(&self) -> Result<(Family, bool), OrphanState> {
        let ourselves = processes::ourselves().map(|process| process.id.pid);
        if self.pid <= 1 || Some(self.pid) == ourselves || !is_mark(&self.mark) {
            return Err(OrphanState::Another);
        }
        if self.boot_id != boot_id() {
            return Err(OrphanState::Dead);
        }
        let mark = Mark::from_value(&self.mark);
        let entry = format!("{MARK}={}", self.mark);
        match processes::find(self.pid) {
            Some(leader) if leader.id == self.identity() => {
                // A zombie shows no environment, and is not signalled.
                // Nor does one in the middle of `exec`: looked at twice.
                let is_ours = leader.is_zombie
                    || leader.has_in_environment(&entry)
                    || leader.has_in_environment(&entry);
                let family = is_ours.then(|| Family::new(self.pid, mark));
                family.map(|family| (family, !leader.is_zombie)).ok_or(OrphanState::Another)
            }
            // Only the mark tells now who belongs to it: the session's number may be another's.
            Some(_) | None => {
                let mut family = Family::marked(mark);
                let is_another = processes::find(self.pid).is_some();
                match family.members().is_empty() {
                    true if is_another => Err(OrphanState::Another),
                    true => Err(OrphanState::Dead),
                    false => Ok((family, false)),
                }
            }
        }
    }
}

/// Whether it has the form of [`Mark`]: an empty one, say, would be found with strangers.
fn is_mark(mark: &str) -> bool {
    let parts: Vec<&str> = mark.split('-').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}
