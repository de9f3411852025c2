//! Which file a path leads to in the end, and what kind of thing that is.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// As many links in a row as Linux follows.
const MAX_LINKS: usize = 40;

/// The path at the end of a chain of links; the file itself need not exist.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..=MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&path)?;
                path = folder(&path).join(target);
            }
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
            Ok(_) | Err(_) => return Ok(path),
        }
    }
    Err(io::Error::from_raw_os_error(nix::libc::ELOOP))
}

/// The folder a file is in, `.` for a bare name.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

/// What a path is that is not a regular file, as a word for the user.
pub(super) fn kind_name(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "not a regular file"
    }
}

/// The reason in the words of a sentence: no capital, no error number.
pub(super) fn reason(err: &io::Error) -> String {
    let text = match err.raw_os_error() {
        Some(code) => nix::errno::Errno::from_raw(code).desc().to_owned(),
        None => err.to_string(),
    };
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
