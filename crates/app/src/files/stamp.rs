//! What identifies a state of a file.

use std::fs::Metadata;
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

/// Equal for equal bytes in every run: journals of unsaved text hold it. Against accidents, not against
/// who wants two files with one.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    // Each step can be undone, so two contents that differ in one word never meet.
    let step = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash =
        words.iter().fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    step(step(hash, u64::from_le_bytes(last)), FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_keep_their_hash_from_run_to_run() {
        let hashes = [&b""[..], b"a", b"a\0", b"Dear reader", b"Dear Reader"].map(hash);
        let expected = [
            16_088_033_393_212_421_275,
            11_865_703_992_904_428_264,
            6_626_458_037_518_522_516,
            10_551_752_499_190_204_866,
            11_921_810_841_637_345_602,
        ];
        assert_eq!(hashes, expected, "journals of earlier versions hold them");
    }
}
