//! The reading half, which needs no host: what is on disk, however it was left there.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{index_path, options, raw_path, start_of};

/// An index longer than this is not ours.
const MAX_INDEX: u64 = 64 * 1024 * 1024;
/// How long an entry of the index speaks for what follows it.
const SPAN_MS: u64 = 1000;

/// The transcript of one launch as it was when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    folder: PathBuf,
    segments: Vec<Segment>,
    marks: Vec<Mark>,
    exit: Option<Exit>,
    bad_lines: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    start: u64,
    len: u64,
}

/// One entry of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    at: u64,
    ms: u64,
    size: Option<(u16, u16)>,
}

/// When something was printed, and on how large a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The offset of the first byte that was printed then.
    pub at: u64,
    /// In milliseconds since 1970.
    pub ms: u64,
    /// Columns and rows, where they had changed.
    pub size: Option<(u16, u16)>,
}

/// How and when the program ended; neither code nor signal if that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub at_ms: u64,
    /// Bytes printed by then.
    pub total: u64,
}

/// The folders of all launches under a name's folder, in order.
///
/// # Errors
/// There is no such folder.
pub fn launches(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let number = |name: &std::ffi::OsStr| name.to_str()?.parse::<u64>().ok();
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    let mut launches: Vec<(u64, PathBuf)> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| Some((number(&entry.file_name())?, entry.path())))
        .collect();
    launches.sort();
    Ok(launches.into_iter().map(|(_, path)| path).collect())
}

impl Transcript {
    /// Looks at what there is. What cannot be understood is left out.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut segments: Vec<Segment> = fs::read_dir(folder)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let start = start_of(Path::new(&entry.file_name()))?;
                // Of the entry itself: a link in its place is none of ours.
                let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some(Segment { start, len: metadata.len() })
            })
            .collect();
        segments.sort_by_key(|segment| segment.start);
        let mut transcript = Self {
            folder: folder.to_owned(),
            segments,
            marks: Vec::new(),
            exit: None,
            bad_lines: 0,
        };
        for segment in transcript.segments.clone() {
            transcript.read_index(segment);
        }
        Ok(transcript)
    }

    /// Where it begins; equal to [`Transcript::end`] if nothing is kept.
    pub fn start(&self) -> u64 {
        self.segments.first().map_or(0, |segment| segment.start)
    }

    /// The offset after the last byte.
    pub fn end(&self) -> u64 {
        self.segments.last().map_or(0, |segment| segment.end())
    }

    /// Reads from that offset on. `Ok(0)` where it is not kept: see [`Transcript::next_kept`].
    ///
    /// # Errors
    /// A file has gone, or cannot be read.
    pub fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let Some(segment) = self.segments.iter().find(|segment| segment.holds(offset)) else {
            return Ok(0);
        };
        let file = options().open(raw_path(&self.folder, segment.start))?;
        file.read_at(buf, offset - segment.start)
    }

    /// The first offset from there on that is kept; `None` behind the end.
    pub fn next_kept(&self, offset: u64) -> Option<u64> {
        let segment = self.segments.iter().find(|it| it.len > 0 && offset < it.end())?;
        Some(segment.start.max(offset))
    }

    /// The end of the part without a gap, in a file of its own, that holds that offset; behind it if none
    /// does.
    pub fn end_of_part(&self, offset: u64) -> u64 {
        let part = self.segments.iter().find(|segment| segment.holds(offset));
        part.map_or(offset + 1, |segment| segment.end())
    }

    /// Where begins what was printed from that moment on: perhaps a little too early, by less than
    /// a second. `None` if nothing was printed since.
    pub fn offset_at(&self, ms: u64) -> Option<u64> {
        let last_before = self.marks.iter().rposition(|mark| mark.ms <= ms);
        let speaks_for = |mark: &&Mark| mark.ms.saturating_add(SPAN_MS) > ms;
        let near = last_before.and_then(|at| self.marks.get(at)).filter(speaks_for);
        let next = last_before.map_or(0, |at| at + 1);
        let mark = near.or_else(|| self.marks.get(next))?;
        (mark.at < self.end()).then_some(mark.at)
    }

    /// Columns and rows of the terminal when that offset was printed, if that is known.
    pub fn size_at(&self, offset: u64) -> Option<(u16, u16)> {
        let before = self.marks.iter().take_while(|mark| mark.at <= offset);
        before.filter_map(|mark| mark.size).last()
    }

    /// When that offset was printed, or a little before; 0 if that is not known.
    pub fn ms_at(&self, offset: u64) -> u64 {
        let after = self.marks.partition_point(|mark| mark.at <= offset);
        after.checked_sub(1).and_then(|at| self.marks.get(at)).map_or(0, |mark| mark.ms)
    }

    /// When something was last printed, or a little before; 0 if that is not known.
    pub fn last_ms(&self) -> u64 {
        self.marks.last().map_or(0, |mark| mark.ms)
    }

    /// What is known of when things were printed, in order, from that offset on.
    pub fn moments(&self, from: u64) -> impl Iterator<Item = Moment> + '_ {
        let marks = self.marks.iter().skip_while(move |mark| mark.at < from);
        marks.map(|mark| Moment { at: mark.at, ms: mark.ms, size: mark.size })
    }

    /// The next offset at which the terminal was resized, if it was.
    pub fn next_size(&self, offset: u64) -> Option<u64> {
        let mut sized = self.marks.iter().filter(|mark| mark.size.is_some());
        sized.find(|mark| mark.at > offset).map(|mark| mark.at)
    }

    /// How the program ended; `None` if it has not, or if nobody could write it down.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Entries of the index that could not be understood.
    pub fn bad_lines(&self) -> usize {
        self.bad_lines
    }

    fn read_index(&mut self, segment: Segment) {
        let Some(bytes) = read_bounded(&index_path(&self.folder, segment.start)) else {
            self.bad_lines += 1;
            return;
        };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let entry = serde_json::from_slice::<Map<String, Value>>(line).ok();
            let after = self.marks.last().map_or(0, |mark| mark.at).max(segment.start);
            let is_inside = |mark: &Mark| (after..=segment.end()).contains(&mark.at);
            match entry.as_ref().and_then(mark).filter(is_inside) {
                Some(mark) => {
                    self.marks.push(mark);
                    if let Some(exit) = entry.as_ref().and_then(|entry| entry.get("exit")) {
                        self.exit = Some(exit_of(exit, mark));
                    }
                }
                None => self.bad_lines += 1,
            }
        }
    }
}

impl Segment {
    /// A name can say anything.
    fn end(self) -> u64 {
        self.start.saturating_add(self.len)
    }

    fn holds(self, offset: u64) -> bool {
        offset >= self.start && offset - self.start < self.len
    }
}

fn read_bounded(path: &Path) -> Option<Vec<u8>> {
    let file = options().open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let len = Some(metadata.len()).filter(|len| metadata.is_file() && *len <= MAX_INDEX)?;
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(len) => filled += len,
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    bytes.truncate(filled);
    Some(bytes)
}

fn mark(entry: &Map<String, Value>) -> Option<Mark> {
    let number = |name: &str| entry.get(name)?.as_u64();
    let small = |name: &str| u16::try_from(number(name)?).ok();
    let size = small("columns").zip(small("rows"));
    Some(Mark { at: number("at")?, ms: number("ms")?, size })
}

fn exit_of(exit: &Value, mark: Mark) -> Exit {
    let number = |name: &str| i32::try_from(exit.get(name)?.as_i64()?).ok();
    Exit { code: number("code"), signal: number("signal"), at_ms: mark.ms, total: mark.at }
}
