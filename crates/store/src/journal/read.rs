//! What a folder of journals still tells after whatever has happened to it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::format::{self, FRAME, MAGIC, Place, Subject};
use super::{EXTENSION, remove};
use crate::file::{StoreError, options, set_aside};

/// A journal longer than this is not ours: the longest text, twice, and its changes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// More journals than this are not looked at.
const MAX_JOURNALS: usize = 1000;

/// A text that was unsaved when it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its journal.
    pub journal: PathBuf,
    pub subject: Subject,
    pub text: Vec<u8>,
    pub place: Place,
    /// More followed, which cannot be read: the last changes may be missing.
    pub is_cut: bool,
}

/// All that a folder of journals holds.
#[derive(Debug, Default)]
pub struct Journals {
    /// At most one for each path, in the order of their names.
    pub found: Vec<Found>,
    /// Where journals went, or copies of them, that could not be understood or not to their end.
    pub set_aside: Vec<PathBuf>,
    /// Journals that could not even be looked at; they are where they were.
    pub failed: Vec<StoreError>,
}

/// Reads all journals of a folder. One that makes no sense is set aside, one that is damaged further
/// on is kept as a copy beside it; nothing is lost.
pub fn read_all(folder: &Path) -> Journals {
    let mut journals = Journals::default();
    match names(folder) {
        Ok(paths) => paths.iter().for_each(|path| journals.take_in(path)),
        Err(err) if err.kind() == io::ErrorKind::NotFound => {}
        Err(source) => {
            let failed = StoreError::Read { path: folder.to_owned(), source };
            journals.failed.push(failed);
        }
    }
    journals.settle_twins();
    journals
}

fn names(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::symlink_metadata(folder)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)?.take(10 * MAX_JOURNALS) {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.truncate(MAX_JOURNALS);
    Ok(paths)
}

/// How a journal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// In the middle of a record, as after a crash.
    Cut,
    /// With something that is no record.
    Damaged,
}

impl Journals {
    fn take_in(&mut self, path: &Path) {
        match read(path) {
            Ok(Some((found, end))) => {
                if end == End::Damaged {
                    self.keep_copy(path);
                }
                self.found.push(found);
            }
            Ok(None) => match set_aside(path) {
                Ok(bad) => self.set_aside.push(bad),
                Err(err) => self.failed.push(err),
            },
            Err(source) => {
                self.failed.push(StoreError::Read { path: path.to_owned(), source });
            }
        }
    }

    /// What is read of it will be written anew in its place; somebody may make more of the rest.
    fn keep_copy(&mut self, path: &Path) {
        match crate::file::link_aside(path) {
            Ok(copy) => self.set_aside.push(copy),
            Err(err) => self.failed.push(err),
        }
    }

    /// Of two journals for one file the newer one counts; the other is set aside unless it says the same.
    fn settle_twins(&mut self) {
        let written = |found: &Found| {
            let metadata = fs::metadata(&found.journal);
            metadata.and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
        };
        let mut kept: Vec<Found> = Vec::new();
        for found in std::mem::take(&mut self.found) {
            let twin = kept
                .iter_mut()
                .find(|it| found.subject.path.is_some() && it.subject.path == found.subject.path);
            let Some(twin) = twin else {
                kept.push(found);
                continue;
            };
            let older = if written(&found) > written(twin) {
                std::mem::replace(twin, found)
            } else {
                found
            };
            if older.text == twin.text {
                self.failed.extend(remove(&older.journal).err());
            } else {
                match set_aside(&older.journal) {
                    Ok(bad) => self.set_aside.push(bad),
                    Err(err) => self.failed.push(err),
                }
            }
        }
        self.found = kept;
    }
}

/// `None` for what is no journal, or holds no text.
fn read(path: &Path) -> io::Result<Option<(Found, End)>> {
    let file = match options().read(true).open(path) {
        Ok(file) => file,
        // A link in its place.
        Err(err) if err.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            return Ok(None);
        }
        Err(err) => return Err(err),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Ok(None);
    }
    let mut records = Records { file: BufReader::new(file), left: metadata.len() };
    if records.take(MAGIC.len())?.as_deref() != Some(&MAGIC) {
        return Ok(None);
    }
    let Ok(header) = records.next()? else { return Ok(None) };
    let Some(subject) = format::read_header(&header) else { return Ok(None) };
    let mut text = Vec::new();
    let Ok(first) = records.next()? else { return Ok(None) };
    let Some(mut place) = format::apply(&first, &mut text) else { return Ok(None) };
    let end = loop {
        match records.next()? {
            Ok(change) => match format::apply(&change, &mut text) {
                Some(after) => place = after,
                None => break End::Damaged,
            },
            Err(end) => break end,
        }
    };
    let (journal, is_cut) = (path.to_owned(), end != End::Whole);
    Ok(Some((Found { journal, subject, text, place, is_cut }, end)))
}

struct Records {
    file: BufReader<File>,
    left: u64,
}

impl Records {
    /// The content of the next record, or how the file ends.
    fn next(&mut self) -> io::Result<Result<Vec<u8>, End>> {
        if self.left == 0 {
            return Ok(Err(End::Whole));
        }
        let Some(frame) = self.take(FRAME)? else { return Ok(Err(End::Cut)) };
        let (len, sum) = frame.split_at(4);
        let len: [u8; 4] = len.try_into().unwrap_or_default();
        let sum: [u8; 4] = sum.try_into().unwrap_or_default();
        // Nothing is made room for that the file does not have.
        let n_bytes = usize::try_from(u32::from_le_bytes(len)).unwrap_or(usize::MAX);
        let Some(content) = self.take(n_bytes)? else { return Ok(Err(End::Cut)) };
        let is_right = format::checksum(len, &content) == u32::from_le_bytes(sum);
        Ok(if is_right { Ok(content) } else { Err(End::Damaged) })
    }

    fn take(&mut self, n_bytes: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(left) = self.left.checked_sub(n_bytes as u64) else { return Ok(None) };
        let mut bytes = vec![0; n_bytes];
        match self.file.read_exact(&mut bytes) {
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        self.left = left;
        Ok(Some(bytes))
    }
}
