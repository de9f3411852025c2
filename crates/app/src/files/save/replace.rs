//! Saving by renaming a complete new file over the old one.
//!
//! At no moment is there anything but the whole old or the whole new content under the name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, fchown};
use std::sync::atomic::{AtomicU32, Ordering};

use base::LogErr;
use buffer::DiskStamp;
use nix::errno::Errno;
use nix::fcntl::{OFlag, RenameFlags, openat, renameat, renameat2};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::super::stamp::stamp;
use super::{DiskChange, SaveError, Target};

pub(super) enum Replaced {
    Done(DiskStamp),
    /// The folder does not let us; writing in place may still work.
    Refused(io::Error),
}

pub(super) fn replace(target: &Target<'_>) -> Result<Replaced, SaveError> {
    let failed = |cause| target.failed(cause);
    let prepared = File::open(target.folder()).and_then(|folder| Temporary::create(folder, target));
    let mut temporary = match prepared {
        Ok(temporary) => temporary,
        Err(cause) => return Ok(Replaced::Refused(cause)),
    };
    temporary.file.write_all_at(target.bytes(), 0).map_err(failed)?;
    if let Err(cause) = temporary.take_over_owner(target) {
        return Ok(Replaced::Refused(cause));
    }
    temporary.file.sync_all().map_err(failed)?;
    target.check_again()?;
    match temporary.rename_to(target) {
        Ok(()) => {}
        Err(Errno::EEXIST) => return Err(target.changed(DiskChange::Created)),
        // A mount point, a sticky folder, a folder on which somebody put a quota or a lock.
        Err(errno @ (Errno::EBUSY | Errno::EXDEV | Errno::EPERM | Errno::EACCES)) => {
            return Ok(Replaced::Refused(errno.into()));
        }
        Err(errno) => return Err(failed(errno.into())),
    }
    // The new content is in place. Should the power fail now, the old one may come back: whole.
    temporary.folder.sync_all().log_err("flushing the folder of a saved file");
    let metadata = temporary.file.metadata().map_err(failed)?;
    Ok(Replaced::Done(stamp(&metadata, target.bytes())))
}

/// A file of ours beside the target, gone when dropped unless it was renamed.
struct Temporary {
    folder: File,
    name: OsString,
    file: File,
    is_renamed: bool,
}

impl Temporary {
    fn create(folder: File, target: &Target<'_>) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // A new file gets what the user's umask leaves; one that replaces another is ours alone
        // until it is given the other's permissions.
        let mode = if target.current.is_some() { 0o600 } else { 0o666 };
        let flags =
            OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".trackside-{}-{number}.tmp", std::process::id()));
            match openat(&folder, name.as_os_str(), flags, Mode::from_bits_truncate(mode)) {
                Ok(file) => return Ok(Self { folder, name, file: file.into(), is_renamed: false }),
                Err(Errno::EEXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Gives the file the group and the permissions of the one it replaces.
    fn take_over_owner(&self, target: &Target<'_>) -> io::Result<()> {
        let Some(current) = &target.current else {
            return Ok(());
        };
        if self.file.metadata()?.gid() != current.metadata.gid() {
            fchown(&self.file, None, Some(current.metadata.gid()))?;
        }
        self.file.set_permissions(current.permissions())
    }

    fn rename_to(&mut self, target: &Target<'_>) -> Result<(), Errno> {
        let name = target.path.file_name().unwrap_or(OsStr::new("."));
        let (folder, temporary) = (&self.folder, self.name.as_os_str());
        let plain = || renameat(folder, temporary, folder, name);
        let renamed = if target.current.is_some() || target.request.force {
            plain()
        } else {
            match renameat2(folder, temporary, folder, name, RenameFlags::RENAME_NOREPLACE) {
                // Not every file system can do that.
                Err(Errno::EINVAL | Errno::ENOSYS) => plain(),
                renamed => renamed,
            }
        };
        self.is_renamed = renamed.is_ok();
        renamed
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            unlinkat(&self.folder, self.name.as_os_str(), UnlinkatFlags::NoRemoveDir)
                .log_err("removing a temporary file");
        }
    }
}
