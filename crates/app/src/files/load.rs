//! Reading a file into a document.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use buffer::{DecodeError, DiskStamp, Document};
use nix::libc;
use nix::sys::statfs;

use super::resolve::{folder, follow_links, kind_name, reason};
use super::stamp::stamp;

/// File systems whose files are made up as they are read: endless, blocking, or acting on it.
const SYNTHETIC: [statfs::FsType; 6] = [
    statfs::PROC_SUPER_MAGIC,
    statfs::SYSFS_MAGIC,
    statfs::DEBUGFS_MAGIC,
    statfs::TRACEFS_MAGIC,
    statfs::CGROUP_SUPER_MAGIC,
    statfs::CGROUP2_SUPER_MAGIC,
];

/// A document as it was read.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub document: Document,
    /// `None`: there is no such file yet, and the document is empty.
    pub stamp: Option<DiskStamp>,
}

/// Why a file is not opened, in one line for the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("cannot open {}: it is {kind}, not a text file", path.display())]
    NotRegular { path: PathBuf, kind: &'static str },
    #[error("cannot open {}: the system makes it up as it is read; copy it first", path.display())]
    Synthetic { path: PathBuf },
    #[error("cannot open {}: it is {} MiB long, the limit is {} MiB", path.display(), len.div_ceil(1 << 20), limit >> 20)]
    TooLarge { path: PathBuf, len: u64, limit: u64 },
    #[error("cannot open {}: {reason}", path.display())]
    NotText { path: PathBuf, reason: DecodeError },
    #[error("cannot open {}: there is no folder {}; create it first", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot read {}: {}", path.display(), reason(cause))]
    Read { path: PathBuf, cause: io::Error },
}

/// Reads a text file of at most `limit` bytes. A file that does not exist, in a folder that does, is
/// a new document.
///
/// # Errors
/// Everything but a readable regular file of UTF-8 text is refused; nothing is waited for.
pub(crate) fn load(path: &Path, limit: u64) -> Result<Loaded, LoadError> {
    let failed = |cause| LoadError::Read { path: path.to_owned(), cause };
    let target = follow_links(path).map_err(failed)?;
    let metadata = match fs::metadata(&target) {
        Ok(metadata) => metadata,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return new_document(path, &target),
        Err(err) => return Err(failed(err)),
    };
    // Opening a device can already act on it, so look first; and look again at what was opened.
    check_regular(path, &metadata)?;
    if statfs::statfs(&target).is_ok_and(|fs| SYNTHETIC.contains(&fs.filesystem_type())) {
        return Err(LoadError::Synthetic { path: path.to_owned() });
    }
    let file = open_for_reading(&target).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    check_regular(path, &metadata)?;
    let too_large = |len| LoadError::TooLarge { path: path.to_owned(), len, limit };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let bytes = read_at_most(&file, limit).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    let stamp = stamp(&metadata, &bytes);
    let document = Document::from_bytes(bytes)
        .map_err(|reason| LoadError::NotText { path: path.to_owned(), reason })?;
    Ok(Loaded { document, stamp: Some(stamp) })
}

/// Opens without waiting, whatever the path may have become since it was looked at.
pub(super) fn open_for_reading(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

/// One byte more than `limit` says that there is more.
fn read_at_most(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn check_regular(path: &Path, metadata: &fs::Metadata) -> Result<(), LoadError> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = kind_name(metadata.file_type());
    Err(LoadError::NotRegular { path: path.to_owned(), kind })
}

fn new_document(path: &Path, target: &Path) -> Result<Loaded, LoadError> {
    let folder = folder(target);
    if !folder.is_dir() {
        return Err(LoadError::NoFolder { path: path.to_owned(), folder: folder.to_owned() });
    }
    Ok(Loaded { document: Document::empty(), stamp: None })
}
