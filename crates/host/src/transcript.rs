//! What a program printed, byte for byte, on disk.
//!
//! A launch has a folder of its own, `transcripts/NAME/LAUNCH`. In it are segments: `OFFSET.raw` holds
//! bytes without a gap, from the offset of its name (16 hexadecimal digits) on, and `OFFSET.index`
//! says when they came, one JSON object a line:
//!
//! ```text
//! {"at":4096,"ms":1792345678123,"columns":80,"rows":24,"lost":512}
//! {"at":9000,"ms":1792345679456,"exit":{"code":0}}
//! ```
//!
//! A gap is between segments: the later begins where bytes are there again. So an index can be lost
//! or cut short without harm to the bytes, and old segments can be removed without touching others.

mod read;
mod write;

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

pub use read::{Exit, Moment, Transcript, launches};
pub(crate) use write::{Recorder, Stamp, remove_old_launches};

/// Bytes kept of each launch, if nobody says otherwise.
pub const DEFAULT_LIMIT: u64 = 64 * 1024 * 1024;
/// Fewer are never kept: whoever is attached may be a part of this behind.
pub const MIN_LIMIT: u64 = 256 * 1024;

/// How many launches of a name are kept, beside those that still run.
pub const KEPT_LAUNCHES: usize = 5;

/// In the state directory.
pub const FOLDER: &str = "transcripts";

/// Where a segment's bytes are.
fn raw_path(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:016x}.raw"))
}

fn index_path(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("{start:016x}.index"))
}

/// The offset that a segment's name says.
fn start_of(path: &Path) -> Option<u64> {
    let is_raw = path.extension()? == "raw";
    let stem = path.file_stem()?.to_str().filter(|stem| is_raw && stem.len() == 16)?;
    u64::from_str_radix(stem, 16).ok()
}

/// Never through a link, never waiting, and for the user alone.
fn options() -> OpenOptions {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let mut options = OpenOptions::new();
    options.read(true).mode(0o600).custom_flags(flags.bits());
    options
}

/// A name that is one plain part of a path, and shows.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_odd = |c: char| c == '/' || c == '\0' || c.is_control();
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && !name.contains(is_odd)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.to_owned())
}

#[cfg(test)]
mod tests;
