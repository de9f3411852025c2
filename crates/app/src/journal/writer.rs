//! The `journal` thread: texts in, files out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::LogErr as _;
use buffer::{Splice, TextSnapshot};
use store::StoreError;
use store::journal::{self, Change, Journal, Place, Subject};
use workspace::{BufferId, Fact};

use crate::news::{News, NewsSender};

#[derive(Debug)]
pub(super) enum Job {
    Write(Text),
    /// The text is saved or given up.
    Done(BufferId),
    /// A journal of an earlier run is of no use any more.
    Remove(PathBuf),
    /// Say when all that came before is on the disk.
    Tell,
}

/// An unsaved text as it is now.
#[derive(Debug)]
pub(super) struct Text {
    pub buffer: BufferId,
    /// The one it was found in, which is to be replaced.
    pub journal: Option<PathBuf>,
    pub subject: Subject,
    pub snapshot: TextSnapshot,
    pub place: Place,
}

#[derive(Debug)]
pub(super) struct Writer {
    folder: PathBuf,
    news: NewsSender,
    written: BTreeMap<BufferId, Written>,
    is_failing: bool,
}

#[derive(Debug)]
struct Written {
    path: PathBuf,
    /// `None` where it could not be written.
    journal: Option<(Journal, TextSnapshot)>,
}

impl Writer {
    pub(super) fn new(folder: PathBuf, news: NewsSender) -> Self {
        Self { folder, news, written: BTreeMap::new(), is_failing: false }
    }

    /// Does what has piled up. Of several states of a text only the last is written.
    pub(super) fn serve(&mut self, jobs: Vec<Job>) {
        let mut last = BTreeMap::new();
        for (place, job) in jobs.iter().enumerate() {
            if let Job::Write(Text { buffer, .. }) | Job::Done(buffer) = job {
                last.insert(*buffer, place);
            }
        }
        let mut outcome = None;
        let mut tells = false;
        for (place, job) in jobs.into_iter().enumerate() {
            match job {
                Job::Write(text) if last.get(&text.buffer) == Some(&place) => {
                    let result = self.write(text);
                    outcome = Some(outcome.unwrap_or(Ok(())).and(result));
                }
                // Outdated; but the journal it came from must not be forgotten.
                Job::Write(Text { buffer, journal: Some(path), .. }) => {
                    self.written.entry(buffer).or_insert(Written { path, journal: None });
                }
                Job::Write(_) => {}
                Job::Done(buffer) => {
                    if let Some(Written { path, .. }) = self.written.remove(&buffer) {
                        journal::remove(&path).log_err("removing a journal");
                    }
                }
                Job::Remove(path) => {
                    journal::remove(&path).log_err("removing a journal");
                }
                Job::Tell => tells = true,
            }
        }
        if let Some(result) = outcome {
            self.note(result);
        }
        if tells {
            let all = self.written.values().all(|written| written.journal.is_some());
            let why = || format!("unsaved text cannot be kept in {}", self.folder.display());
            self.news.fact(Fact::UnsavedKept(if all { Ok(()) } else { Err(why()) }));
        }
    }

    fn note(&mut self, result: Result<(), StoreError>) {
        let was_failing = std::mem::replace(&mut self.is_failing, result.is_err());
        match result {
            Ok(()) if !was_failing => {}
            Ok(()) => self.news.send(News::JournalWritten(Ok(()))),
            Err(err) => {
                let why = format!("unsaved text cannot be kept: {err}");
                self.news.send(News::JournalWritten(Err(why)));
            }
        }
    }

    /// What was typed is on the disk when this returns.
    fn write(&mut self, text: Text) -> Result<(), StoreError> {
        let Text { buffer, journal: found, subject, snapshot, place } = text;
        let written = self.written.entry(buffer).or_insert_with(|| {
            let path = found.unwrap_or_else(|| journal::free_name(&self.folder));
            Written { path, journal: None }
        });
        if let Some((journal, _)) = &written.journal
            && !journal.is_in_place()
        {
            let folder = self.folder.display();
            let lost = format!("{folder} was deleted while Trackside runs; it is made anew");
            self.news.fact(Fact::Notice(lost));
        }
        let before = written.journal.take();
        let goes_on = before.filter(|(journal, _)| {
            *journal.subject() == subject && !journal.wants_a_new_beginning()
        });
        let journal = match goes_on {
            Some((mut journal, before)) => {
                let Splice { start, removed, inserted } = snapshot.change_since(&before);
                let (start, removed) = (start as u64, removed as u64);
                journal.add(&Change::Splice { start, removed, inserted: &inserted }, place)?;
                journal.sync()?;
                journal
            }
            None => Journal::begin(&written.path, subject, &snapshot.to_bytes(), place)?,
        };
        written.journal = Some((journal, snapshot));
        Ok(())
    }
}
