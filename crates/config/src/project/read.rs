//! The bytes of a folder's settings, and of nothing else.
//!
//! No symbolic link is followed below the folder, so that a repository cannot have another file
//! read in place of its own; and nothing is waited for that is not a file.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use crate::{ConfigError, MAX_BYTES};

/// `None` where there is no such file.
pub(super) fn read(root: &Path, file: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let failed = |source: io::Error| ConfigError::Read { path: file.to_owned(), source };
    let root = File::open(root).map_err(failed)?;
    let Some(folder) = open_beside(&root.into(), ".trackside", OFlags::DIRECTORY, file)? else {
        return Ok(None);
    };
    // A FIFO would wait for somebody to write to it.
    let Some(opened) = open_beside(&folder, "config.toml", OFlags::NONBLOCK, file)? else {
        return Ok(None);
    };
    let stat = fstat(&opened).map_err(|err| failed(err.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(ConfigError::NotAFile { path: file.to_owned() });
    }
    let mut bytes = Vec::new();
    File::from(opened).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ConfigError::TooLarge { path: file.to_owned() });
    }
    Ok(Some(bytes))
}

fn open_beside(
    folder: &OwnedFd,
    name: &str,
    how: OFlags,
    file: &Path,
) -> Result<Option<OwnedFd>, ConfigError> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NOCTTY | how;
    let err = match openat(folder, name, flags, Mode::empty()) {
        Ok(opened) => return Ok(Some(opened)),
        Err(Errno::NOENT) => return Ok(None),
        Err(err) => err,
    };
    let link = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
    match err {
        _ if link => Err(ConfigError::Link { path: file.to_owned() }),
        // A file of that name has nothing to do with us.
        Errno::NOTDIR => Ok(None),
        // A socket, or a device that is not there.
        Errno::NXIO | Errno::NODEV => Err(ConfigError::NotAFile { path: file.to_owned() }),
        err => Err(ConfigError::Read { path: file.to_owned(), source: err.into() }),
    }
}
