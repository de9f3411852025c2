//! Unsaved text is on the disk soon after it was typed, whatever becomes of us.
//!
//! The main thread only looks which texts have changed, and hands over what they are now; a thread of its
//! own compares and writes, as neither a slow disk nor a file that is being read may hold it up. It writes
//! at most half a second after the first change that is not written yet: a deadline, which typing on does
//! not move.
//!
//! A journal is removed only when its text is on the disk under its own name, or given up by the person.

mod writer;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{LogErr as _, Worker};
use buffer::{DiskStamp, Position};
use crossbeam_channel::{Sender, unbounded};
use store::journal::{Base, Place, Subject};
use workspace::{BufferId, LoadState, OpenFile, State};

use self::writer::{Job, Text, Writer};
use crate::news::NewsSender;

/// Leaves a tenth of a second to those who do it.
const WRITE_AFTER: Duration = Duration::from_millis(400);
/// What could not be written is tried again then.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// What is known of a text that was handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Handed {
    revision: u64,
    stamp: Option<DiskStamp>,
}

/// Watches the texts, and the way to the thread. What was handed over is written before it ends.
#[derive(Debug)]
pub(crate) struct Unsaved {
    worker: Worker<Sender<Job>>,
    /// By buffer; `None` for what is to be handed over again.
    handed: BTreeMap<BufferId, Option<Handed>>,
    /// Journals of an earlier run whose texts are open again and not written anew yet.
    found: BTreeMap<PathBuf, PathBuf>,
    due: Option<Instant>,
    /// Trying earlier would be of no use.
    not_before: Option<Instant>,
    is_given_up: bool,
}

impl Unsaved {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start(folder: PathBuf, news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("journal", sender, move || {
            let mut writer = Writer::new(folder, news);
            while let Ok(first) = jobs.recv() {
                writer.serve(std::iter::once(first).chain(jobs.try_iter()).collect());
            }
        })?;
        Ok(Self {
            worker,
            handed: BTreeMap::new(),
            found: BTreeMap::new(),
            due: None,
            not_before: None,
            is_given_up: false,
        })
    }

    /// The texts of these files were found in those journals, and are open again.
    pub(crate) fn found(&mut self, journals: impl IntoIterator<Item = (PathBuf, PathBuf)>) {
        self.found.extend(journals);
    }

    /// Notes what has changed, and hands it over when it is time.
    pub(crate) fn look(&mut self, state: &State, now: Instant) {
        if self.is_given_up {
            return;
        }
        let mut has_changed = false;
        for (buffer, file) in state.files() {
            if *file.load_state() != LoadState::Loaded {
                continue;
            }
            if !file.is_modified() {
                self.done_with(buffer, file.path());
            } else if self.handed.get(&buffer) != Some(&Some(Handed::of(file))) {
                has_changed = true;
            }
        }
        self.drop_closed(state);
        if !has_changed {
            self.due = None;
            return;
        }
        let due = (now + WRITE_AFTER).max(self.not_before.unwrap_or(now));
        if *self.due.get_or_insert(due) <= now {
            self.write(state);
        }
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.due
    }

    /// Hands over whatever has changed, due or not.
    pub(crate) fn write(&mut self, state: &State) {
        self.due = None;
        if self.is_given_up {
            return;
        }
        for (buffer, file) in state.files() {
            let is_loaded = *file.load_state() == LoadState::Loaded;
            let handed = Some(Handed::of(file));
            if !is_loaded || !file.is_modified() || self.handed.get(&buffer) == Some(&handed) {
                continue;
            }
            self.handed.insert(buffer, handed);
            let document = file.document();
            let text = Text {
                buffer,
                journal: self.found.remove(file.path()),
                subject: Subject { path: Some(file.path().to_owned()), base: base(file.stamp()) },
                snapshot: document.snapshot(),
                place: Place { anchor: pair(document.anchor()), head: pair(document.cursor()) },
            };
            self.send(Job::Write(text));
        }
    }

    /// The same; a fact tells when all of it is on the disk.
    pub(crate) fn keep_all(&mut self, state: &State) {
        self.write(state);
        self.send(Job::Tell);
    }

    /// The person does not want it any more: nothing of it comes back.
    pub(crate) fn give_up(&mut self) {
        self.is_given_up = true;
        self.due = None;
        for buffer in std::mem::take(&mut self.handed).into_keys() {
            self.send(Job::Done(buffer));
        }
        for journal in std::mem::take(&mut self.found).into_values() {
            self.send(Job::Remove(journal));
        }
    }

    /// Something could not be written: all is handed over again after a while.
    pub(crate) fn failed(&mut self, now: Instant) {
        self.handed.values_mut().for_each(|handed| *handed = None);
        self.not_before = Some(now + RETRY_AFTER);
        self.due = None;
    }

    /// What is on the disk under its own name needs no journal.
    fn done_with(&mut self, buffer: BufferId, path: &Path) {
        if self.handed.remove(&buffer).is_some() {
            self.send(Job::Done(buffer));
        }
        if let Some(journal) = self.found.remove(path) {
            self.send(Job::Remove(journal));
        }
    }

    /// What was closed was saved before, or given up in answer to a question.
    fn drop_closed(&mut self, state: &State) {
        let closed: Vec<BufferId> =
            self.handed.keys().copied().filter(|buffer| state.file(*buffer).is_none()).collect();
        for buffer in closed {
            self.handed.remove(&buffer);
            self.send(Job::Done(buffer));
        }
        if self.found.is_empty() {
            return;
        }
        let is_open = |path: &PathBuf| state.files().any(|(_, file)| file.path() == path);
        let closed: Vec<PathBuf> =
            self.found.keys().filter(|path| !is_open(path)).cloned().collect();
        for path in closed {
            if let Some(journal) = self.found.remove(&path) {
                self.send(Job::Remove(journal));
            }
        }
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send(job).log_err("keeping unsaved text");
        }
    }
}

impl Handed {
    fn of(file: &OpenFile) -> Self {
        Self { revision: file.document().revision(), stamp: file.stamp() }
    }
}

fn base(stamp: Option<DiskStamp>) -> Option<Base> {
    stamp.map(|stamp| Base { len: stamp.len, hash: stamp.hash })
}

fn pair(position: Position) -> (u64, u64) {
    (position.line as u64, position.column as u64)
}

#[cfg(test)]
mod tests;
