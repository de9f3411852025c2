//! What is known of a file on disk, and why its bytes may not be text.

use std::time::SystemTime;

/// What a file was when it was last read or written: plain data, compared before a save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskStamp {
    pub len: u64,
    pub modified: Option<SystemTime>,
    pub inode: u64,
    /// Hash of the content; only ever compared with hashes made by the same program.
    pub hash: u64,
}

impl DiskStamp {
    /// Whether both stand for the same bytes, whatever the file system says about the files.
    pub fn same_content(&self, other: &Self) -> bool {
        self.len == other.len && self.hash == other.hash
    }
}

/// Why bytes are not opened as text. Offsets count from the start of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error("not a text file (NUL byte at offset {offset})")]
    Binary { offset: usize },
    #[error("not UTF-8 (first bad byte at offset {offset})")]
    NotUtf8 { offset: usize },
}
