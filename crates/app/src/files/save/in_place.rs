//! Saving by writing over a file where it is, for files that must stay the same file.
//!
//! While it is written the file holds neither the old nor the new text, so a flushed copy of the old
//! one lies in the backup folder from before the first write until after the last.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use base::LogErr;
use buffer::DiskStamp;
use nix::errno::Errno;
use nix::fcntl::{FallocateFlags, fallocate};
use nix::libc;

use super::super::load::open_for_reading;
use super::super::resolve::{kind_name, reason};
use super::super::stamp::stamp;
use super::{SaveError, Target};

/// Of a path, as much of its end as a file name can take.
const MAX_NAME: usize = 200;

pub(super) fn write(target: &Target<'_>, backup_dir: &Path) -> Result<DiskStamp, SaveError> {
    let failed = |cause| target.failed(cause);
    let file = open(target)?;
    let old_len = file.metadata().map_err(failed)?.len();
    let backup = Backup::make(&target.path, backup_dir).map_err(failed)?;
    reserve(&file, old_len, target.bytes().len()).map_err(failed)?;
    target.check_again()?;
    if let Err(cause) = overwrite(&file, target.bytes()) {
        return Err(match backup.restore(&file, old_len) {
            Ok(()) => failed(cause),
            Err(_) => {
                let path = target.request.path.clone();
                SaveError::Damaged { path, backup: backup.keep(), cause }
            }
        });
    }
    let metadata = file.metadata().map_err(failed)?;
    Ok(stamp(&metadata, target.bytes()))
}

fn open(target: &Target<'_>) -> Result<File, SaveError> {
    let path = target.request.path.clone();
    let file = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(&target.path)
        .map_err(|err| match err.raw_os_error() {
            Some(libc::EACCES | libc::EPERM | libc::EROFS | libc::ETXTBSY) => {
                SaveError::ReadOnly { path: path.clone(), reason: reason(&err) }
            }
            _ => target.failed(err),
        })?;
    let metadata = file.metadata().map_err(|cause| target.failed(cause))?;
    if metadata.is_file() {
        Ok(file)
    } else {
        Err(SaveError::NotRegular { path, kind: kind_name(metadata.file_type()) })
    }
}

/// Finds out that the disk is full while the old text is still there.
fn reserve(file: &File, old_len: u64, new_len: usize) -> io::Result<()> {
    let Ok(len) = libc::off_t::try_from(new_len) else {
        return Err(Errno::EFBIG.into());
    };
    if new_len as u64 <= old_len {
        return Ok(());
    }
    match fallocate(file, FallocateFlags::FALLOC_FL_KEEP_SIZE, 0, len) {
        Err(errno @ (Errno::ENOSPC | Errno::EDQUOT | Errno::EFBIG | Errno::EIO)) => {
            Err(errno.into())
        }
        // Not every file system can do that.
        Ok(()) | Err(_) => Ok(()),
    }
}

fn overwrite(file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, 0)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// A copy of a file, gone when dropped unless it is still needed.
struct Backup {
    path: PathBuf,
    is_kept: bool,
}

impl Backup {
    fn make(original: &Path, backup_dir: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(backup_dir)?;
        let path = free_path(original, backup_dir);
        let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let backup = Self { path, is_kept: false };
        io::copy(&mut open_for_reading(original)?, &mut copy)?;
        copy.sync_all()?;
        File::open(backup_dir)?.sync_all()?;
        Ok(backup)
    }

    /// Puts the old text back after a write that failed half way.
    fn restore(&self, file: &File, old_len: u64) -> io::Result<()> {
        let mut copy = File::open(&self.path)?;
        let mut file = file;
        io::Seek::rewind(&mut file)?;
        io::copy(&mut copy, &mut file)?;
        file.set_len(old_len)?;
        file.sync_all()
    }

    fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.path.clone()
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !self.is_kept {
            fs::remove_file(&self.path).log_err("removing a backup");
        }
    }
}

/// Named after the whole path, so that a person can tell what was saved from a crash.
fn free_path(original: &Path, backup_dir: &Path) -> PathBuf {
    let flat = original.to_string_lossy().replace('/', "%");
    let cut = flat.ceil_char_boundary(flat.len().saturating_sub(MAX_NAME));
    let free = (0..u32::MAX)
        .map(|number| backup_dir.join(format!("{}.{number}.bak", &flat[cut..])))
        .find(|path| !path.exists());
    free.unwrap_or_else(|| backup_dir.join("trackside.bak"))
}
