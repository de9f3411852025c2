//! Looking at processes from outside, as `ps` and `top` would.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Instance, wait_at_most, wait_for};

/// Processes a script wrote down. What is left of them is killed when the test ends, also by
/// failing, so that a fault in the program does not stay on the machine.
pub(crate) struct Known(Vec<(String, i32)>);

impl Known {
    /// Waits for `n` files in the folder, each named after a process and holding its number.
    pub(crate) fn in_folder(folder: &Path, n: usize) -> Self {
        let read = || {
            fs::read_dir(folder).unwrap().filter_map(|entry| {
                let entry = entry.ok().filter(|it| it.path().extension().is_none())?;
                let pid = fs::read_to_string(entry.path()).ok()?.trim().parse().ok()?;
                Some((entry.file_name().into_string().unwrap(), pid))
            })
        };
        let found = wait_for(|| (read().count() == n).then(|| read().collect()));
        let found: Vec<_> = found.unwrap_or_else(|| read().collect());
        assert_eq!(found.len(), n, "all have started: {found:?}");
        Self(found)
    }

    pub(crate) fn one(name: &str, pid: i32) -> Self {
        Self(vec![(name.to_owned(), pid)])
    }

    /// The names of those that live.
    pub(crate) fn alive(&self) -> Vec<&str> {
        let alive = self.0.iter().filter(|(_, pid)| is_alive(*pid));
        alive.map(|(name, _)| name.as_str()).collect()
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        for (_, pid) in self.0.iter().filter(|(_, pid)| is_alive(*pid)) {
            // It may have ended since we looked, and then there is nothing to do.
            kill(Pid::from_raw(*pid), Signal::SIGKILL).unwrap_or_default();
        }
    }
}

/// Whether a process of that number exists and is not a zombie.
pub(crate) fn is_alive(pid: i32) -> bool {
    state_of(pid).is_some_and(|state| state != 'Z')
}

/// `R`, `S`, `T` and so on; `None` if there is no such process.
fn state_of(pid: i32) -> Option<char> {
    fields_after_name(pid)?.first()?.chars().next()
}

/// User and system time of a process so far, all threads together, in hundredths of a second.
pub(crate) fn cpu_ticks(pid: i32) -> u64 {
    let fields = fields_after_name(pid).expect("it lives");
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// What `/proc/PID/stat` says from the state on; the name before it may hold anything.
fn fields_after_name(pid: i32) -> Option<Vec<String>> {
    let mut stat = String::new();
    fs::File::open(format!("/proc/{pid}/stat")).ok()?.read_to_string(&mut stat).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    Some(rest.split_ascii_whitespace().map(ToOwned::to_owned).collect())
}

/// What the threads of a process are called.
pub(crate) fn thread_names(pid: i32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    // One may have ended since.
    let names = threads.filter_map(|it| fs::read_to_string(it.ok()?.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).collect()
}

/// Lets the time pass in which nothing must happen.
pub(crate) fn let_pass(time: Duration) {
    wait_at_most(time, || None::<()>);
}

impl Instance {
    /// The process that holds the terminals, if it runs.
    pub(crate) fn host_pid(&self) -> Option<i32> {
        let record = fs::read_to_string(self.path("state/trackside/host.lock")).ok()?;
        let pid = record.lines().next()?.parse().ok().filter(|pid| is_alive(*pid))?;
        // The number may be another's by now.
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let state = self.path("state/trackside");
        let is_host = String::from_utf8_lossy(&command).contains(state.to_str()?);
        is_host.then_some(pid)
    }

    /// Ends it in order, with all that it holds; by force if that does not help.
    pub(crate) fn end_host(&self) {
        for signal in [Signal::SIGTERM, Signal::SIGKILL] {
            let Some(pid) = self.host_pid() else { return };
            // It may be ending already.
            kill(Pid::from_raw(pid), signal).unwrap_or_default();
            wait_for(|| (!is_alive(pid)).then_some(()));
        }
    }

    /// As when the machine goes down: nobody has time for anything, and nothing is left.
    pub(crate) fn kill_all(&mut self) {
        let host = self.host_pid();
        self.crash();
        if let Some(host) = host {
            kill(Pid::from_raw(host), Signal::SIGKILL).unwrap_or_default();
            wait_for(|| (!is_alive(host)).then_some(())).expect("the host is killed");
        }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid()), signal).unwrap();
    }

    /// The process of a workspace's agent.
    pub(crate) fn agent_pid(&self, workspace: &str) -> i32 {
        let pid = self.workspace(workspace)["agent"]["pid"].as_i64().expect("it runs");
        i32::try_from(pid).unwrap()
    }
}
