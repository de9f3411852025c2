//! What identifies a state of a file.

use std::fs::Metadata;
use std::hash::Hasher;
use std::os::unix::fs::MetadataExt;

use buffer::DiskStamp;

/// The stamp of a file whose content is `bytes`.
pub(super) fn stamp(metadata: &Metadata, bytes: &[u8]) -> DiskStamp {
    DiskStamp {
        len: bytes.len() as u64,
        modified: metadata.modified().ok(),
        inode: metadata.ino(),
        hash: hash(bytes),
    }
}

/// Whether nothing touched a file between two looks at it. A change of content, even one that sets
/// the times back, changes the time of the last status change.
pub(super) fn is_untouched(before: &Metadata, now: &Metadata) -> bool {
    let facts = |of: &Metadata| {
        (of.dev(), of.ino(), of.len(), of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec())
    };
    facts(before) == facts(now)
}

/// Equal for equal bytes while the program runs; not for storing.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
