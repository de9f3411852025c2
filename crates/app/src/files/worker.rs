//! The `files` thread: one job after the other, an event for each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use base::Worker;
use buffer::DiskStamp;
use crossbeam_channel::{Sender, bounded};
use terminal::TerminalBuffer;
use workspace::ProgramId;

use super::{LoadError, Loaded, SaveError, SaveRequest, load, save};

/// Jobs that may wait. Far more than a person can ask for while one is done.
const MAX_JOBS: usize = 64;

/// One saving of a terminal's output, in the order they were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct ExportId(u64);

impl ExportId {
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// What to do; the token comes back with the event.
#[derive(Debug)]
pub(crate) enum FileJob<T> {
    Load {
        token: T,
        path: PathBuf,
    },
    Save {
        token: T,
        revision: u64,
        request: SaveRequest,
    },
    /// Write all that a terminal has shown.
    Export {
        id: ExportId,
        program: ProgramId,
        path: PathBuf,
        terminal: TerminalBuffer,
        replace: bool,
    },
}

impl<T> FileJob<T> {
    pub(crate) fn token(&self) -> Option<&T> {
        match self {
            Self::Load { token, .. } | Self::Save { token, .. } => Some(token),
            Self::Export { .. } => None,
        }
    }
}

/// What became of a job.
#[derive(Debug)]
pub(crate) enum FileEvent<T> {
    Loaded { token: T, result: Result<Loaded, LoadError> },
    Saved { token: T, revision: u64, result: Result<DiskStamp, SaveError> },
    Exported { id: ExportId, program: ProgramId, path: PathBuf, result: Result<(), SaveError> },
}

/// The job is given back when as many as may wait are waiting.
#[derive(Debug, thiserror::Error)]
#[error("too many files are being read and written; try again in a moment")]
pub(crate) struct TooManyJobs<T>(pub FileJob<T>);

/// The thread and the way to it. Dropping it waits until every job given to it is done.
pub(crate) struct Files<T> {
    worker: Worker<Sender<FileJob<T>>>,
}

impl<T: Send + 'static> Files<T> {
    /// `backup_dir` takes copies of files that must be written in place; `on_event` runs on the
    /// thread.
    ///
    /// # Errors
    /// The operating system may refuse another thread.
    pub(crate) fn spawn(
        backup_dir: PathBuf,
        max_file_len: u64,
        on_event: impl Fn(FileEvent<T>) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, jobs) = bounded::<FileJob<T>>(MAX_JOBS);
        let worker = Worker::spawn("files", sender, move || {
            // Ends when the sender is gone and what it sent is done.
            for job in jobs {
                on_event(match job {
                    FileJob::Load { token, path } => {
                        let result = load(&path, max_file_len);
                        FileEvent::Loaded { token, result }
                    }
                    FileJob::Export { id, program, path, terminal, replace } => {
                        let result = export(&terminal, path.clone(), replace, &backup_dir);
                        FileEvent::Exported { id, program, path, result }
                    }
                    FileJob::Save { token, revision, request } => {
                        let result = save(&request, &backup_dir);
                        FileEvent::Saved { token, revision, result }
                    }
                });
            }
        })?;
        Ok(Self { worker })
    }

    /// Hands a job to the thread and never waits.
    ///
    /// # Errors
    /// Gives the job back when too many wait.
    pub(crate) fn submit(&self, job: FileJob<T>) -> Result<(), TooManyJobs<T>> {
        match self.worker.stop_handle() {
            Some(jobs) => jobs.try_send(job).map_err(|err| TooManyJobs(err.into_inner())),
            None => Err(TooManyJobs(job)),
        }
    }
}

fn export(
    terminal: &TerminalBuffer,
    path: PathBuf,
    replace: bool,
    backup_dir: &Path,
) -> Result<(), SaveError> {
    let mut bytes = Vec::new();
    let written = terminal.contents().write_to(&mut bytes);
    written.map_err(|cause| SaveError::Write { path: path.clone(), cause })?;
    let request = SaveRequest { path, bytes, expected: None, force: replace };
    save(&request, backup_dir).map(drop)
}

impl<T> fmt::Debug for Files<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Files").field(&self.worker).finish()
    }
}
