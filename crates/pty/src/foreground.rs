//! What runs in a terminal at this moment, as the kernel and `/proc` tell it.
//!
//! All of it is only true when asked: programs come and go. Names are what programs call
//! themselves, with nothing in them that a screen would obey.

use std::fs;
use std::os::fd::AsFd;
use std::path::PathBuf;

use nix::sys::signal::{Signal, killpg};

use crate::processes;
use crate::terminal::Master;

/// The program that the keys typed into a terminal go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreground {
    pub name: String,
    /// It is the program that was started, such as a shell at its prompt.
    pub is_leader: bool,
    /// Where it is, unless that cannot be looked at.
    pub directory: Option<PathBuf>,
}

/// Who has the terminal; `None` where nobody does.
pub(crate) fn of(master: &Master, leader: i32) -> Option<Foreground> {
    let group = nix::unistd::tcgetpgrp(master.file.as_fd()).ok()?.as_raw();
    // The first of a pipeline leads its group and may have ended before the others.
    let pid = if is_running(group) { group } else { member_of(group)? };
    let directory = fs::read_link(format!("/proc/{pid}/cwd")).ok();
    Some(Foreground { name: name(pid)?, is_leader: group == leader, directory })
}

/// Sends a signal to whoever has the terminal.
pub(crate) fn signal(master: &Master, signal: Signal) -> nix::Result<()> {
    let group = nix::unistd::tcgetpgrp(master.file.as_fd())?;
    match group.as_raw() {
        // None that could be meant.
        ..=1 => Ok(()),
        _ => killpg(group, signal),
    }
}

/// The names of what each of these leaders, with their marks, has started and what still runs, the
/// leaders themselves left out. All of it comes from one look at the processes there are.
pub(crate) fn others(leaders: &[(i32, &str)]) -> Vec<Vec<String>> {
    let processes = processes::scan().unwrap_or_default();
    let ourselves = i32::try_from(std::process::id()).ok();
    let start = |pid: i32| processes.iter().find(|it| it.id.pid == pid).map_or(0, |it| it.id.start);
    let leaders: Vec<(i32, &str, u64)> =
        leaders.iter().map(|(pid, mark)| (*pid, *mark, start(*pid))).collect();
    let mut found = vec![Vec::new(); leaders.len()];
    for process in &processes {
        if process.is_zombie || Some(process.id.pid) == ourselves {
            continue;
        }
        // Reading an environment is what costs most, and whoever has a leader's mark is younger than
        // the leader: most processes of a machine are older.
        let is_young = leaders.iter().any(|(.., start)| process.id.start >= *start);
        let mark = is_young.then(|| process.environment(crate::SESSION_VARIABLE)).flatten();
        for ((leader, known, _), names) in leaders.iter().zip(&mut found) {
            let belongs = process.session == *leader
                || process.parent == *leader
                || mark.as_deref() == Some(known.as_bytes());
            if belongs && process.id.pid != *leader {
                names.extend(name(process.id.pid));
            }
        }
    }
    found
}

fn is_running(pid: i32) -> bool {
    processes::find(pid).is_some_and(|process| !process.is_zombie)
}

fn member_of(group: i32) -> Option<i32> {
    let processes = processes::scan().ok()?;
    let member = processes.iter().find(|process| process.group == group && !process.is_zombie)?;
    Some(member.id.pid)
}

fn name(pid: i32) -> Option<String> {
    let comm = fs::read(format!("/proc/{pid}/comm")).ok()?;
    let name = String::from_utf8_lossy(&comm);
    Some(name.trim_end().chars().map(|c| if c.is_control() { '?' } else { c }).collect())
}
