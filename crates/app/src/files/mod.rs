//! Reading and writing files, off the main thread, without ever losing one.
//!
//! A job goes in ([`FileJob`]), an event comes out ([`FileEvent`]). Nothing here knows about tabs or
//! watches folders; what a document is, `buffer` knows.
//!
//! Invariants:
//! - Only regular files are opened, so no read can hang on a pipe or a device.
//! - A save that fails leaves the file as it was, or says where its content is kept.
//! - A save never overwrites what it has not seen, unless forced.

mod load;
mod resolve;
mod save;
mod stamp;
mod worker;

pub(crate) use load::{LoadError, Loaded, load};
pub(crate) use save::{DiskChange, SaveError, SaveRequest, save};
pub(crate) use worker::{ExportId, FileEvent, FileJob, Files, TooManyJobs};

/// Longest file that is opened.
pub(crate) const MAX_FILE_LEN: u64 = 256 * 1024 * 1024;

#[cfg(test)]
mod tests;
