//! Which process is the host, without talking to it: it may speak another language, or be busy.
//!
//! It has written its number into its lock, where anybody may write. So that number counts only while the process
//! holds the lock, as far as one can see.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use control::path::HOST_LOCK_FILE;
use nix::fcntl::OFlag;

/// No number is longer.
const MAX_NUMBER: u64 = 32;

/// The host of that state directory, if it is among these processes.
///
/// It takes reading a small file; only if one of the processes is named there, their descriptors are looked at.
/// Where these cannot be seen the process is taken for the host: use it to withhold trust.
pub fn host_among(state_dir: &Path, pids: &[i32]) -> Option<i32> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let lock = state_dir.join(HOST_LOCK_FILE);
    let lock = File::options().read(true).custom_flags(flags.bits()).open(lock).ok()?;
    let file = lock.metadata().ok().filter(fs::Metadata::is_file)?;
    let mut record = Vec::new();
    lock.take(MAX_NUMBER).read_to_end(&mut record).ok()?;
    let number = str::from_utf8(record.split(|byte| *byte == b'\n').next()?).ok()?;
    let pid = number.parse().ok().filter(|pid| pids.contains(pid))?;
    holds_lock(pid, (file.dev(), file.ino())).unwrap_or(true).then_some(pid)
}

/// Whether one of its descriptors has that file locked.
fn holds_lock(pid: i32, file: (u64, u64)) -> io::Result<bool> {
    for entry in fs::read_dir(format!("/proc/{pid}/fd"))? {
        let entry = entry?;
        // One that was closed meanwhile is none.
        let Ok(open) = fs::metadata(entry.path()) else { continue };
        if (open.dev(), open.ino()) != file {
            continue;
        }
        let number = entry.file_name();
        let details = fs::read_to_string(Path::new(&format!("/proc/{pid}/fdinfo")).join(number))?;
        if details.lines().any(|line| line.starts_with("lock:")) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
