//! Writing a document's bytes to its file, or leaving the file as it was.
//!
//! The usual way is a temporary file beside the target that is renamed over it (`replace`). Where
//! that would lose something (other names of the file, its owner, its attributes) the file is
//! written where it is, after a copy of it was put aside (`in_place`).

mod attributes;
mod in_place;
mod replace;

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use buffer::DiskStamp;
use nix::libc;
use nix::unistd::{AccessFlags, eaccess, geteuid};

use self::replace::Replaced;
use super::load::open_for_reading;
use super::resolve::{folder, follow_links, kind_name, reason};
use super::stamp::{is_untouched, stamp};

/// What to write where.
#[derive(Debug, Clone)]
pub(crate) struct SaveRequest {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// What the disk held when it was last read or written; `None`: there was no such file.
    pub expected: Option<DiskStamp>,
    /// Overwrites what changed on disk meanwhile; the user has been asked.
    pub force: bool,
}

/// How the disk no longer is what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskChange {
    Changed,
    Created,
    Deleted,
}

/// Why a document was not saved, in one line for the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SaveError {
    #[error("{}", changed(path, *change))]
    ChangedOnDisk { path: PathBuf, change: DiskChange },
    #[error("cannot save {}: it is {kind}; move it away", path.display())]
    NotRegular { path: PathBuf, kind: &'static str },
    #[error("cannot save {}: there is no folder {}; create it first", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot save {}: {reason}; make it writable and save again", path.display())]
    ReadOnly { path: PathBuf, reason: String },
    #[error("cannot save {}: {}; the file is unchanged, {}", path.display(), reason(cause), advice(cause))]
    Write { path: PathBuf, cause: io::Error },
    #[error("cannot save {}: {}; what it held is kept in {}", path.display(), reason(cause), backup.display())]
    Damaged { path: PathBuf, backup: PathBuf, cause: io::Error },
}

/// Saves, following links to the file they lead to, and gives the stamp of what is there now.
///
/// Text and metadata are on the disk when this returns. `backup_dir` is only used, and made, when
/// the file has to be written in place.
///
/// # Errors
/// In every case but [`SaveError::Damaged`] the file is what it was before.
pub(crate) fn save(request: &SaveRequest, backup_dir: &Path) -> Result<DiskStamp, SaveError> {
    let target = Target::find(request)?;
    target.check_expected()?;
    target.check_writable()?;
    if !target.loses_by_replacing() {
        match replace::replace(&target)? {
            Replaced::Done(stamp) => return Ok(stamp),
            Replaced::Refused(cause) if target.current.is_none() => {
                return Err(target.failed(cause));
            }
            Replaced::Refused(_) => {}
        }
    }
    in_place::write(&target, backup_dir)
}

/// The file at the end of the links and what it was when the save began.
struct Target<'a> {
    request: &'a SaveRequest,
    path: PathBuf,
    current: Option<Current>,
}

struct Current {
    file: File,
    metadata: Metadata,
}

impl<'a> Target<'a> {
    fn find(request: &'a SaveRequest) -> Result<Self, SaveError> {
        let failed = |cause| SaveError::Write { path: request.path.clone(), cause };
        let path = follow_links(&request.path).map_err(failed)?;
        let folder = folder(&path);
        if !folder.is_dir() {
            let folder = folder.to_owned();
            return Err(SaveError::NoFolder { path: request.path.clone(), folder });
        }
        let current = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                let file = open_for_reading(&path).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                Some(Current { file, metadata })
            }
            Ok(metadata) => {
                let kind = kind_name(metadata.file_type());
                return Err(SaveError::NotRegular { path: request.path.clone(), kind });
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(failed(err)),
        };
        Ok(Self { request, path, current })
    }

    fn bytes(&self) -> &[u8] {
        &self.request.bytes
    }

    fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Compares content, not times: those can be set back, and a file that was only touched is no
    /// conflict.
    fn check_expected(&self) -> Result<(), SaveError> {
        let change = match (&self.current, &self.request.expected) {
            _ if self.request.force => return Ok(()),
            (None, None) => return Ok(()),
            (Some(_), None) => DiskChange::Created,
            (None, Some(_)) => DiskChange::Deleted,
            (Some(current), Some(expected)) => {
                if current.holds(expected).map_err(|cause| self.failed(cause))? {
                    return Ok(());
                }
                DiskChange::Changed
            }
        };
        Err(self.changed(change))
    }

    /// The last look before the file is touched. Only what happened since the first one matters.
    fn check_again(&self) -> Result<(), SaveError> {
        if self.request.force {
            return Ok(());
        }
        let now = match fs::symlink_metadata(&self.path) {
            Ok(metadata) => Some(metadata),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(self.failed(err)),
        };
        match (&self.current, now) {
            (None, None) => Ok(()),
            (Some(current), Some(now)) if is_untouched(&current.metadata, &now) => Ok(()),
            (Some(_), Some(_)) => Target::find(self.request)?.check_expected(),
            (None, Some(_)) => Err(self.changed(DiskChange::Created)),
            (Some(_), None) => Err(self.changed(DiskChange::Deleted)),
        }
    }

    fn check_writable(&self) -> Result<(), SaveError> {
        let read_only =
            |reason: String| SaveError::ReadOnly { path: self.request.path.clone(), reason };
        let Some(current) = &self.current else {
            return eaccess(self.folder(), AccessFlags::W_OK | AccessFlags::X_OK).map_err(
                |errno| {
                    read_only(format!("its folder cannot be written, {}", reason(&errno.into())))
                },
            );
        };
        // Renaming would replace it all the same, and root may write anything: a file without any
        // permission to write is meant to stay as it is.
        if current.metadata.permissions().readonly() {
            return Err(read_only("the file is read-only".to_owned()));
        }
        eaccess(&self.path, AccessFlags::W_OK).map_err(|errno| read_only(reason(&errno.into())))
    }

    /// Whether a new file in its place would lack something that the old one has.
    fn loses_by_replacing(&self) -> bool {
        let Some(Current { file, metadata }) = &self.current else {
            return false;
        };
        metadata.nlink() > 1
            || metadata.uid() != geteuid().as_raw()
            || eaccess(self.folder(), AccessFlags::W_OK | AccessFlags::X_OK).is_err()
            || attributes::has_any(file)
    }

    fn failed(&self, cause: io::Error) -> SaveError {
        SaveError::Write { path: self.request.path.clone(), cause }
    }

    fn changed(&self, change: DiskChange) -> SaveError {
        SaveError::ChangedOnDisk { path: self.request.path.clone(), change }
    }
}

impl Current {
    /// Whether the content is the expected one, by length and then by hash.
    fn holds(&self, expected: &DiskStamp) -> io::Result<bool> {
        if self.metadata.len() != expected.len {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        (&self.file).take(expected.len.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(stamp(&self.metadata, &bytes).same_content(expected))
    }

    fn permissions(&self) -> Permissions {
        Permissions::from_mode(self.metadata.mode() & 0o7777)
    }
}

fn changed(path: &Path, change: DiskChange) -> String {
    let path = path.display();
    match change {
        DiskChange::Changed => {
            format!("{path} was changed on disk since it was read; reload it, or overwrite it")
        }
        DiskChange::Created => {
            format!("{path} was created by somebody else meanwhile; open it, or overwrite it")
        }
        DiskChange::Deleted => {
            format!("{path} was deleted from disk; save again to create it anew")
        }
    }
}

fn advice(cause: &io::Error) -> &'static str {
    match cause.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => "free some space and save again",
        _ => "save again",
    }
}
