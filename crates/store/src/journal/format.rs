//! The bytes of a journal, there and back. All numbers are little-endian.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use crate::crc::crc32c;

/// What a file begins with; the last byte is the version of all that follows.
pub(super) const MAGIC: [u8; 8] = *b"tsjrnl\0\x01";
/// Before each record: the length of its content, and the checksum of length and content.
pub(super) const FRAME: usize = 8;

const WHOLE: u8 = 1;
const SPLICE: u8 = 2;

/// What a text belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Where it would be saved; `None` for a text that has no name yet.
    pub path: Option<PathBuf>,
    /// The content it was made from; `None` where there was no file.
    pub base: Option<Base>,
}

/// Stands for a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base {
    pub len: u64,
    pub hash: u64,
}

/// The selection: line and column of its fixed end, then of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    pub anchor: (u64, u64),
    pub head: (u64, u64),
}

/// How a text differs from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    Whole(&'a [u8]),
    /// So many bytes from `start` on are replaced.
    Splice {
        start: u64,
        removed: u64,
        inserted: &'a [u8],
    },
}

/// A file up to and including its first text.
pub(super) fn beginning(subject: &Subject, text: &[u8], place: Place) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(record(&header(subject)));
    bytes.extend(record(&change(&Change::Whole(text), place)));
    bytes
}

pub(super) fn record(content: &[u8]) -> Vec<u8> {
    let len = u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = Vec::with_capacity(FRAME + content.len());
    bytes.extend(len);
    bytes.extend(checksum(len, content).to_le_bytes());
    bytes.extend(content);
    bytes
}

/// The length counts, so that zeros are no record.
pub(super) fn checksum(len: [u8; 4], content: &[u8]) -> u32 {
    crc32c(&len) ^ crc32c(content)
}

fn header(subject: &Subject) -> Vec<u8> {
    let mut bytes = Vec::new();
    match subject.base {
        Some(Base { len, hash }) => {
            bytes.push(1);
            bytes.extend([len, hash].map(u64::to_le_bytes).concat());
        }
        None => bytes.push(0),
    }
    match &subject.path {
        Some(path) => {
            bytes.push(1);
            bytes.extend(path.as_os_str().as_bytes());
        }
        None => bytes.push(0),
    }
    bytes
}

pub(super) fn change(change: &Change<'_>, place: Place) -> Vec<u8> {
    let numbers = [place.anchor.0, place.anchor.1, place.head.0, place.head.1];
    let place = numbers.map(u64::to_le_bytes).concat();
    match change {
        Change::Whole(text) => [&[WHOLE], &place[..], text].concat(),
        Change::Splice { start, removed, inserted } => {
            let range = [*start, *removed].map(u64::to_le_bytes).concat();
            [&[SPLICE], &place[..], &range, inserted].concat()
        }
    }
}

pub(super) fn read_header(mut bytes: &[u8]) -> Option<Subject> {
    let base = match take::<1>(&mut bytes)? {
        [0] => None,
        [1] => Some(Base { len: number(&mut bytes)?, hash: number(&mut bytes)? }),
        _ => return None,
    };
    let path = match take::<1>(&mut bytes)? {
        [0] if bytes.is_empty() => None,
        [1] => Some(PathBuf::from(OsString::from_vec(bytes.to_vec()))),
        _ => return None,
    };
    let is_sane = path.as_ref().is_none_or(|path| path.is_absolute());
    is_sane.then_some(Subject { path, base })
}

/// Makes the change to a text; `None`, and nothing is changed, where it does not fit.
pub(super) fn apply(mut bytes: &[u8], text: &mut Vec<u8>) -> Option<Place> {
    let kind = take::<1>(&mut bytes)?;
    let anchor = (number(&mut bytes)?, number(&mut bytes)?);
    let place = Place { anchor, head: (number(&mut bytes)?, number(&mut bytes)?) };
    match kind {
        [WHOLE] => *text = bytes.to_vec(),
        [SPLICE] => {
            let start = usize::try_from(number(&mut bytes)?).ok()?;
            let removed = usize::try_from(number(&mut bytes)?).ok()?;
            let end = start.checked_add(removed).filter(|end| *end <= text.len())?;
            text.splice(start..end, bytes.iter().copied());
        }
        _ => return None,
    }
    Some(place)
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes).map(u64::from_le_bytes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*taken)
}
