//! The writing half: segments that are filled, followed by others, and removed in the end.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::{Path, PathBuf};

use base::LogErr as _;
use control::path::is_private;
use pty::Ended;
use serde_json::{Map, Value, json};

use super::{
    FOLDER, KEPT_LAUNCHES, MIN_LIMIT, index_path, invalid, is_plain, launches, options, raw_path,
};

/// The limit is for so many segments of the same size.
const SEGMENTS: u64 = 4;
/// However short they are: gaps make short ones.
const MAX_SEGMENTS: usize = 64;
/// How far apart entries of the index are at least, in time and in bytes. A spinner that turns ten
/// times a second is not worth as many entries.
const MIN_MS: u64 = 100;
const MIN_BYTES: u64 = 1024;
const SOON_MS: u64 = 1000;
/// And at most, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// When something was printed, and on how large a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub ms: u64,
    pub columns: u16,
    pub rows: u16,
}

/// Writes the transcript of one launch.
#[derive(Debug)]
pub(crate) struct Recorder {
    folder: PathBuf,
    limit: u64,
    /// The oldest first.
    segments: VecDeque<Segment>,
    /// The files of the last one, unless it was closed.
    open: Option<Open>,
    end: u64,
}

#[derive(Debug)]
struct Segment {
    start: u64,
    len: u64,
    index_len: u64,
}

#[derive(Debug)]
struct Open {
    raw: File,
    index: File,
    /// The last entry of the index.
    noted_at: u64,
    noted: Stamp,
    /// The last line of the index was not written whole.
    is_cut: bool,
}

impl Recorder {
    /// Makes the folder of the next launch of that name.
    pub(crate) fn create(state_dir: &Path, name: &str, limit: u64) -> io::Result<Self> {
        if !is_plain(name) {
            return Err(invalid("the name of a transcript is not a plain file name"));
        }
        let transcripts = state_dir.join(FOLDER);
        let named = transcripts.join(name);
        for folder in [&transcripts, &named] {
            make_private(folder)?;
        }
        let taken = fs::read_dir(&named)?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u64>().ok());
        let mut launch = taken.max().unwrap_or(0).saturating_add(1);
        let folder = loop {
            let folder = named.join(launch.to_string());
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => break folder,
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists && launch < u64::MAX => {
                    launch += 1;
                }
                Err(err) => return Err(err),
            }
        };
        let limit = limit.max(MIN_LIMIT);
        Ok(Self { folder, limit, segments: VecDeque::new(), open: None, end: 0 })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The offset after the last byte that is written.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The first offset from which everything is there.
    pub(crate) fn oldest(&self) -> u64 {
        let mut oldest = self.end;
        for segment in self.segments.iter().rev() {
            if segment.start + segment.len < oldest {
                break;
            }
            oldest = segment.start;
        }
        oldest
    }

    /// Writes bytes that were printed at that offset; what lies between [`Recorder::end`] and it is
    /// a gap. If it fails, [`Recorder::end`] says how far it came, and the rest may be tried again.
    pub(crate) fn append(&mut self, at: u64, mut bytes: &[u8], stamp: Stamp) -> io::Result<()> {
        if at != self.end {
            let lost = at - self.end;
            self.open = None;
            self.begin_segment(at, stamp, lost)?;
        }
        while !bytes.is_empty() {
            if self.room() == 0 {
                self.begin_segment(self.end, stamp, 0)?;
            }
            let len = usize::try_from(self.room()).unwrap_or(usize::MAX).min(bytes.len());
            let (Some(open), Some(segment)) = (&mut self.open, self.segments.back_mut()) else {
                return Err(io::ErrorKind::NotFound.into());
            };
            let since = self.end - open.noted_at;
            if open.is_due(since, stamp) {
                segment.index_len += open.note(self.end, stamp, Map::new());
            }
            let written = match open.raw.write_at(&bytes[..len], segment.len) {
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                written => written?,
            };
            segment.len += written as u64;
            self.end += written as u64;
            bytes = &bytes[written..];
        }
        Ok(())
    }

    /// Says in the index how the program ended.
    pub(crate) fn note_exit(&mut self, ended: Ended, stamp: Stamp) {
        if self.open.is_none() && self.begin_segment(self.end, stamp, 0).is_err() {
            return;
        }
        let (Some(open), Some(segment)) = (&mut self.open, self.segments.back_mut()) else {
            return;
        };
        let exit = match ended {
            Ended::Code(code) => json!({ "code": code }),
            Ended::Signal(signal) => json!({ "signal": signal }),
        };
        let more = Map::from_iter([("exit".to_owned(), exit)]);
        segment.index_len += open.note(self.end, stamp, more);
    }

    /// Reads what was printed from that offset on; nothing where it is not kept.
    pub(crate) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let holds = |it: &&Segment| (it.start..it.start + it.len).contains(&offset);
        let Some(segment) = self.segments.iter().find(holds) else { return Ok(0) };
        let inside = offset - segment.start;
        let len = usize::try_from(segment.len - inside).unwrap_or(usize::MAX).min(buf.len());
        let is_last = self.segments.back().is_some_and(|last| last.start == segment.start);
        match &self.open {
            Some(open) if is_last => open.raw.read_at(&mut buf[..len], inside),
            Some(_) | None => {
                let file = options().open(raw_path(&self.folder, segment.start))?;
                file.read_at(&mut buf[..len], inside)
            }
        }
    }

    /// Bytes that the last segment still takes.
    fn room(&self) -> u64 {
        let Some(segment) = self.segments.back().filter(|_| self.open.is_some()) else { return 0 };
        (self.limit / SEGMENTS).saturating_sub(segment.len + segment.index_len)
    }

    fn begin_segment(&mut self, start: u64, stamp: Stamp, lost: u64) -> io::Result<()> {
        if self.segments.back().is_some_and(|last| last.start == start) {
            // Nothing was written into it: it is begun again.
            self.remove(self.segments.len() - 1);
        }
        self.open = None;
        make_private(&self.folder)?;
        let create = |path: PathBuf| options().write(true).create_new(true).open(path);
        let raw = create(raw_path(&self.folder, start))?;
        let index = create(index_path(&self.folder, start))
            .inspect_err(|_| drop(fs::remove_file(raw_path(&self.folder, start))))?;
        let mut open = Open { raw, index, noted_at: start, noted: stamp, is_cut: false };
        let mut more = Map::new();
        if lost > 0 {
            more.insert("lost".to_owned(), lost.into());
        }
        let index_len = open.note(start, stamp, more);
        self.open = Some(open);
        self.segments.push_back(Segment { start, len: 0, index_len });
        self.end = start;
        self.remove_oldest();
        Ok(())
    }

    /// Makes room for what the last segment may grow to.
    fn remove_oldest(&mut self) {
        let len = |it: &Segment| it.len + it.index_len;
        let mut kept: u64 = self.segments.iter().map(len).sum::<u64>() + self.limit / SEGMENTS;
        while self.segments.len() > 1 && (kept > self.limit || self.segments.len() > MAX_SEGMENTS) {
            kept -= len(&self.segments[0]);
            self.remove(0);
        }
    }

    fn remove(&mut self, position: usize) {
        let Some(segment) = self.segments.remove(position) else { return };
        for path in [raw_path(&self.folder, segment.start), index_path(&self.folder, segment.start)]
        {
            match fs::remove_file(&path) {
                // Somebody was tidying up.
                Err(err) if err.kind() == io::ErrorKind::NotFound => {}
                result => drop(result.log_err("removing an old part of a transcript")),
            }
        }
    }
}

impl Open {
    fn is_due(&self, since: u64, stamp: Stamp) -> bool {
        let passed = stamp.ms.saturating_sub(self.noted.ms);
        let is_resized = (stamp.columns, stamp.rows) != (self.noted.columns, self.noted.rows);
        is_resized
            || since >= MAX_BYTES
            || stamp.ms < self.noted.ms
            || passed >= SOON_MS
            || (passed >= MIN_MS && since >= MIN_BYTES)
    }

    /// Adds an entry; how many bytes that took. One that cannot be written is left out.
    fn note(&mut self, at: u64, stamp: Stamp, more: Map<String, Value>) -> u64 {
        let mut entry = Map::new();
        entry.insert("at".to_owned(), at.into());
        entry.insert("ms".to_owned(), stamp.ms.into());
        let size = (stamp.columns, stamp.rows);
        if at == self.noted_at || size != (self.noted.columns, self.noted.rows) {
            entry.insert("columns".to_owned(), stamp.columns.into());
            entry.insert("rows".to_owned(), stamp.rows.into());
        }
        entry.extend(more);
        let start = if self.is_cut { "\n" } else { "" };
        let line = format!("{start}{}\n", Value::Object(entry));
        (self.noted_at, self.noted) = (at, stamp);
        self.is_cut = self.index.write_all(line.as_bytes()).is_err();
        line.len() as u64
    }
}

/// Makes room for a new launch of that name: of those that nobody writes any more, the oldest go.
pub(crate) fn remove_old_launches(state_dir: &Path, name: &str, is_used: impl Fn(&Path) -> bool) {
    let named = state_dir.join(FOLDER).join(name);
    // Links lead to what is none of ours.
    let is_ours = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_dir());
    let Some(mut old) = launches(&named).ok().filter(|_| is_plain(name) && is_ours(&named)) else {
        return;
    };
    old.retain(|folder| !is_used(folder));
    let n_kept = KEPT_LAUNCHES.saturating_sub(1);
    for folder in &old[..old.len().saturating_sub(n_kept)] {
        fs::remove_dir_all(folder).log_err("removing an old transcript");
    }
}

/// A folder that only we can write to, made if there is none.
fn make_private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().recursive(true).mode(0o700).create(folder) {
        Err(err) if err.kind() != io::ErrorKind::AlreadyExists => return Err(err),
        Ok(()) | Err(_) => {}
    }
    if is_private(folder, nix::unistd::geteuid().as_raw()) {
        return Ok(());
    }
    Err(invalid(&format!("{} is not a folder that only you can write to", folder.display())))
}
