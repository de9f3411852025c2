//! Everything a program has started, wherever it has run to since.
//!
//! Members are found by session, by descent and by a mark in their environment. The mark finds
//! daemons: they leave the session, and their parents die on purpose. What wipes its environment,
//! leaves the session and is orphaned before anybody looked is not found.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use base::LogErr;

use crate::children;
use crate::processes::{self, Identity, Process};

/// The environment variable that marks a program and what it starts.
pub const MARK: &str = "TRACKSIDE_SESSION";

/// What marks one session: unlike any other of this machine since it was started.
#[derive(Debug, Clone)]
pub(crate) struct Mark(String);

#[derive(Debug)]
pub(crate) struct Family {
    leader: i32,
    mark: Mark,
    /// Members seen so far: one stays a member when its parent dies.
    known: BTreeSet<Identity>,
    /// Members that are not ours to end, such as what runs as another user.
    given_up: BTreeSet<Identity>,
}

impl Mark {
    pub(crate) fn mint() -> Self {
        static PROCESS: OnceLock<String> = OnceLock::new();
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let process = PROCESS.get_or_init(|| {
            processes::ourselves().map_or_else(String::new, |process| process.id.to_string())
        });
        Self(format!("{process}-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// One that was minted by another process.
    pub(crate) fn from_value(value: &str) -> Self {
        Self(value.to_owned())
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }
}

impl Family {
    pub(crate) fn new(leader: i32, mark: Mark) -> Self {
        Self { leader, mark, known: BTreeSet::new(), given_up: BTreeSet::new() }
    }

    /// Those whom the mark alone names: their leader is gone, and its number may be another's.
    pub(crate) fn marked(mark: Mark) -> Self {
        // No process has this number, nor a session, nor a parent.
        Self::new(-1, mark)
    }

    /// The living members but for the leader, whose number must not be reaped yet.
    ///
    /// "None" is only believed when seen twice: a process in the middle of `exec` shows no
    /// environment, and one that is forked while we look may be missed.
    pub(crate) fn members(&mut self) -> Vec<Process> {
        let members = self.look();
        if members.is_empty() { self.look() } else { members }
    }

    pub(crate) fn give_up(&mut self, member: Identity) {
        self.given_up.insert(member);
    }

    fn look(&mut self) -> Vec<Process> {
        let processes = processes::scan().log_err("listing processes").unwrap_or_default();
        children::reap_orphans(&processes);
        let members = self.pick(&processes);
        self.known.extend(members.iter().map(|member| member.id));
        members
    }

    fn pick(&self, processes: &[Process]) -> Vec<Process> {
        let entry = format!("{MARK}={}", self.mark.0);
        let ourselves = i32::try_from(std::process::id()).ok();
        let (mut members, mut others): (Vec<Process>, Vec<Process>) = processes
            .iter()
            .filter(|process| Some(process.id.pid) != ourselves && process.id.pid != self.leader)
            .partition(|process| {
                process.session == self.leader
                    || process.parent == self.leader
                    || self.known.contains(&process.id)
                    || process.has_in_environment(&entry)
            });
        // Descendants of members, generation by generation.
        let mut next = 0;
        while let Some(parent) = members.get(next).map(|member| member.id.pid) {
            members.extend(others.extract_if(.., |process| process.parent == parent));
            next += 1;
        }
        members.retain(|member| !member.is_zombie && !self.given_up.contains(&member.id));
        members
    }
}
