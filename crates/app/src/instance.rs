//! One instance for each state directory, held by a lock that dies with the process.
//!
//! The lock is the kernel's (`flock`), not the file: a file that is left behind holds nobody up.
//! What is written in it, process id and socket, only tells others whom they met.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process;

use base::LogErr;
use control::path::{LOCK_FILE, is_private};
use nix::fcntl::OFlag;

/// Holds the state directory until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct InstanceLock {
    file: File,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("an instance already runs on the state directory {}{}", path.display(), by_process(*pid))]
    AlreadyRunning { path: PathBuf, pid: Option<i32> },
    #[error("the state directory {} is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("the state directory {} belongs to another user", path.display())]
    NotOurs { path: PathBuf },
    #[error("others can write to the state directory {0}; run chmod go-w {0}", path.display())]
    NotPrivate { path: PathBuf },
    #[error("cannot create the state directory {}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("cannot write in the state directory {}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("{} is not a regular file; move it away", path.display())]
    NotAFile { path: PathBuf },
}

impl InstanceLock {
    /// Takes the state directory, which is made, for this user alone, if there is none.
    ///
    /// # Errors
    /// Another instance has it, or it is not a place to keep a user's state in. Each error is a
    /// line for that user.
    pub(crate) fn acquire(state_dir: &Path) -> Result<Self, LockError> {
        make_state_dir(state_dir)?;
        let path = state_dir.join(LOCK_FILE);
        let failed = |source| LockError::Unwritable { path: state_dir.to_owned(), source };
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC).bits())
            .open(&path);
        let file = match opened {
            Ok(file) => file,
            Err(_) if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) => {
                return Err(LockError::NotAFile { path });
            }
            Err(source) => return Err(failed(source)),
        };
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(LockError::NotAFile { path });
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let (path, pid) = (state_dir.to_owned(), recorded_pid(&file));
                return Err(LockError::AlreadyRunning { path, pid });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let lock = Self { file };
        lock.record(None).map_err(failed)?;
        Ok(lock)
    }

    /// Writes down where the control socket is, for clients whose environment differs from ours.
    ///
    /// # Errors
    /// The disk may be full.
    pub(crate) fn record_socket(&self, socket: &Path) -> io::Result<()> {
        self.record(Some(socket))
    }

    fn record(&self, socket: Option<&Path>) -> io::Result<()> {
        let mut record = format!("{}\n", process::id()).into_bytes();
        if let Some(socket) = socket {
            record.extend_from_slice(socket.as_os_str().as_bytes());
            record.push(b'\n');
        }
        self.file.set_len(0)?;
        self.file.write_all_at(&record, 0)
    }
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        // Closing is not enough while a child that was just forked holds a copy of the descriptor.
        self.file.unlock().log_err("releasing the state directory");
    }
}

fn make_state_dir(path: &Path) -> Result<(), LockError> {
    let path = path.to_owned();
    match fs::metadata(&path) {
        Ok(metadata) if !metadata.is_dir() => return Err(LockError::NotAFolder { path }),
        Ok(_) => {}
        Err(_) => {
            if let Err(source) = DirBuilder::new().recursive(true).mode(0o700).create(&path) {
                return Err(LockError::Folder { path, source });
            }
        }
    }
    let ours = nix::unistd::geteuid().as_raw();
    // A link to the folder is the user's own choice; what it leads to is looked at.
    let place = fs::canonicalize(&path)
        .map_err(|source| LockError::Folder { path: path.clone(), source })?;
    if fs::metadata(&place).is_ok_and(|metadata| metadata.uid() != ours) {
        return Err(LockError::NotOurs { path });
    }
    if !is_private(&place, ours) {
        return Err(LockError::NotPrivate { path });
    }
    Ok(())
}

fn recorded_pid(file: &File) -> Option<i32> {
    let mut record = Vec::new();
    file.take(32).read_to_end(&mut record).ok()?;
    str::from_utf8(&record).ok()?.lines().next()?.parse().ok()
}

fn by_process(pid: Option<i32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" (process {pid})"))
}

#[cfg(test)]
mod tests;
