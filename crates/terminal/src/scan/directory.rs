//! Directories that a program says it is in.
//!
//! Only whole paths of this machine count. Nobody checks whether the directory exists.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::percent_decoded;

/// Longest path the system has.
const MAX_PATH: usize = 4096;

/// Reads `file://host/path`, as shells send it.
pub(super) fn from_uri(uri: &[u8], host: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix(b"file://")?;
    let slash = rest.iter().position(|byte| *byte == b'/')?;
    let (named, path) = rest.split_at(slash);
    let is_here = named.is_empty()
        || named.eq_ignore_ascii_case(b"localhost")
        || named.eq_ignore_ascii_case(host.as_bytes());
    if !is_here {
        return None;
    }
    from_path(&percent_decoded(path)?)
}

pub(super) fn from_path(path: &[u8]) -> Option<PathBuf> {
    let is_sound = path.first() == Some(&b'/')
        && path.len() <= MAX_PATH
        && !path.iter().any(u8::is_ascii_control);
    is_sound.then(|| PathBuf::from(OsStr::from_bytes(path)))
}
