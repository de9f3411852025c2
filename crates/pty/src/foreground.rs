//! What runs in a terminal at this moment, as the kernel and `/proc` tell it.
//!
//! All of it is only true when asked: programs come and go. Names are what programs call
//! themselves, with nothing in them that a screen would obey.

use std::fs;
use std::os::fd::AsFd;
use std::path::PathBuf;

use crate::processes::{self, Process};
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

/// The names of what the leader has started and what still runs, the leader itself left out.
pub(crate) fn others(leader: i32, mark: &str) -> Vec<String> {
    let entry = format!("{}={mark}", crate::SESSION_VARIABLE);
    let ourselves = i32::try_from(std::process::id()).ok();
    let belongs = |process: &Process| {
        process.id.pid != leader
            && Some(process.id.pid) != ourselves
            && !process.is_zombie
            && (process.session == leader
                || process.parent == leader
                || process.has_in_environment(&entry))
    };
    let processes = processes::scan().unwrap_or_default();
    processes.iter().filter(|it| belongs(it)).filter_map(|it| name(it.id.pid)).collect()
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
