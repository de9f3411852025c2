//! One program: its terminal, what it printed, and how far that is kept.
//!
//! What is printed has an offset, counted from the launch. It is written to the transcript before
//! anybody gets it. What cannot be written is held in memory, so far as there is room: then whoever is
//! attached loses nothing, since the program is not read further than they are.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use base::LogErr as _;
use control::host::{EndStatus, Event, ProgramStatus, SizeStatus, Text};
use pty::{Ended, PtyChild, PtySize, PtyTerminal};
use serde_json::Value;

use crate::records::{self, Record, Records};
use crate::transcript::{Recorder, Stamp};

/// How far behind somebody may be before the program waits for him.
const WINDOW: u64 = 256 * 1024;
/// The most that is held of what cannot be written.
const HELD: usize = 64 * 1024;
/// The most that is read at a time.
pub(crate) const CHUNK: usize = 64 * 1024;

/// A request that waits for the end of everything: of which connection, and its id.
pub(crate) type Waiting = (u64, u64);

pub(crate) struct Program {
    pub(crate) number: u64,
    label: Value,
    record: Record,
    record_path: Option<PathBuf>,
    started_ms: u64,
    /// Until nothing is left of what it started.
    pub(crate) child: Option<PtyChild>,
    pub(crate) terminal: PtyTerminal,
    /// Something may still come from the terminal.
    pub(crate) is_open: bool,
    pub(crate) total: u64,
    recorder: Option<Recorder>,
    /// The last of what was printed, which is not in the transcript.
    held: VecDeque<u8>,
    /// Why it is not, and how much is lost by now.
    failure: Option<String>,
    lost: u64,
    ended: Option<EndStatus>,
    /// Run when nothing more is to be read for the moment.
    pub(crate) drains: Vec<Box<dyn FnOnce() + Send>>,
    /// Who asked to stop it.
    pub(crate) stops: Vec<Waiting>,
    /// It is forgotten as soon as nothing of it is left.
    pub(crate) is_unwanted: bool,
    /// The size that all who show it have room for, while somebody does.
    fitted: Option<SizeStatus>,
}

/// What [`Program::new`] is given beside the child.
pub(crate) struct Beginning {
    pub number: u64,
    pub record: Record,
    pub recorder: io::Result<Recorder>,
}

impl Program {
    pub(crate) fn new(child: PtyChild, beginning: Beginning, records: &Records) -> Self {
        let Beginning { number, record, recorder } = beginning;
        let failure = recorder.as_ref().err().map(ToString::to_string);
        // A program that cannot be written down runs all the same; it is only not found again.
        let record_path = records.write(&record).log_err("writing down a program");
        Self {
            number,
            label: record.label.clone(),
            record,
            record_path,
            started_ms: now_ms(),
            terminal: child.terminal(),
            child: Some(child),
            is_open: true,
            total: 0,
            recorder: recorder.ok(),
            held: VecDeque::new(),
            failure,
            lost: 0,
            ended: None,
            drains: Vec::new(),
            stops: Vec::new(),
            is_unwanted: false,
            fitted: None,
        }
    }

    pub(crate) fn pid(&self) -> i32 {
        self.record.pid
    }

    pub(crate) fn mark(&self) -> &str {
        &self.record.mark
    }

    pub(crate) fn transcript(&self) -> Option<&Path> {
        self.recorder.as_ref().map(Recorder::folder)
    }

    /// Why its transcript is not written.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.child.is_none()
    }

    /// The first offset from which everything is there.
    pub(crate) fn oldest(&self) -> u64 {
        match &self.recorder {
            Some(recorder) if recorder.end() == self.held_start() => recorder.oldest(),
            Some(_) | None => self.held_start(),
        }
    }

    /// Where a stream begins that was to begin there: later where that is not kept, or where somebody has cut
    /// the file short.
    pub(crate) fn stream_from(&self, offset: u64) -> u64 {
        let from = offset.clamp(self.oldest(), self.total);
        let is_there = matches!(self.read_at(from, &mut [0]), Ok(len) if len > 0);
        if is_there { from } else { self.total }
    }

    /// How much may be read now, where the slowest who is attached has got so far.
    pub(crate) fn room(&self, slowest: Option<u64>) -> usize {
        let Some(slowest) = slowest else { return CHUNK };
        if !self.held.is_empty() {
            let unsent = self.total - slowest.max(self.held_start());
            return HELD.saturating_sub(usize::try_from(unsent).unwrap_or(HELD));
        }
        let limit = self.recorder.as_ref().map_or(0, Recorder::limit);
        if self.total - slowest > WINDOW.min(limit / 4) { 0 } else { CHUNK }
    }

    /// Keeps what was printed. An event says if that begins to fail, or succeeds again.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Option<Event> {
        let at = self.total;
        self.total += bytes.len() as u64;
        let stamp = self.stamp();
        let Some(recorder) = &mut self.recorder else {
            self.hold(bytes);
            return None;
        };
        let was_held = !self.held.is_empty();
        let result = match was_held {
            true => {
                self.held.extend(bytes);
                let start = self.total - self.held.len() as u64;
                let held = self.held.make_contiguous();
                recorder.append(start, held, stamp)
            }
            false => recorder.append(at, bytes, stamp),
        };
        if was_held {
            let kept = recorder.end().saturating_sub(self.total - self.held.len() as u64);
            self.held.drain(..usize::try_from(kept).unwrap_or(0).min(self.held.len()));
        } else if result.is_err() {
            let kept = usize::try_from(recorder.end() - at).unwrap_or(0).min(bytes.len());
            self.held.extend(&bytes[kept..]);
        }
        self.hold(&[]);
        match result {
            Ok(()) => self.recovered(),
            Err(err) => self.failed(&err),
        }
    }

    /// Reads what was printed from that offset on.
    pub(crate) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        if offset < self.held_start() {
            return self.recorder.as_ref().map_or(Ok(0), |it| it.read_at(offset, buf));
        }
        let skip = usize::try_from(offset - self.held_start()).unwrap_or(usize::MAX);
        let mut len = 0;
        for (slot, byte) in buf.iter_mut().zip(self.held.iter().skip(skip)) {
            *slot = *byte;
            len += 1;
        }
        Ok(len)
    }

    pub(crate) fn exited(&mut self, ended: Ended) -> EndStatus {
        let (code, signal) = match ended {
            Ended::Code(code) => (Some(code), None),
            Ended::Signal(signal) => (None, Some(signal)),
        };
        let stamp = self.stamp();
        let end = EndStatus { code, signal, at_ms: stamp.ms, total: self.total };
        if let Some(recorder) = &mut self.recorder {
            recorder.note_exit(ended, stamp);
        }
        self.ended = Some(end);
        end
    }

    /// Gives the terminal the size that all who show it have room for. Without any it keeps its last.
    ///
    /// Only what is new is told: a program may have given its terminal another size meanwhile.
    pub(crate) fn fit(&mut self, size: Option<SizeStatus>) {
        if self.fitted == size {
            return;
        }
        self.fitted = size;
        let Some(SizeStatus { columns, rows, .. }) = size else { return };
        let size = PtySize { columns, rows, pixel_width: 0, pixel_height: 0 };
        self.terminal.resize(size).log_err("resizing a terminal");
    }

    pub(crate) fn gone(&mut self) {
        // Joins its thread, which has nothing more to do.
        self.child = None;
        if let Some(path) = self.record_path.take() {
            records::remove(&path);
        }
    }

    pub(crate) fn relabel(&mut self, label: Value, records: &Records) {
        self.label.clone_from(&label);
        self.record.label = label;
        if self.record_path.is_some() {
            records.write(&self.record).log_err("writing down a program");
        }
    }

    pub(crate) fn status(&self) -> ProgramStatus {
        ProgramStatus {
            program: self.number,
            label: self.label.clone(),
            name: self.record.name.clone(),
            pid: self.pid(),
            mark: self.mark().to_owned(),
            started_ms: self.started_ms,
            boot_id: self.record.boot_id.clone(),
            total: self.total,
            oldest: self.oldest(),
            transcript: self.transcript().map(Text::from),
            transcript_error: self.failure.clone(),
            ended: self.ended,
            is_gone: self.is_gone(),
        }
    }

    fn held_start(&self) -> u64 {
        self.total - self.held.len() as u64
    }

    /// Holds the bytes, and lets go of the oldest where it is too much.
    fn hold(&mut self, bytes: &[u8]) {
        self.held.extend(bytes);
        let over = self.held.len().saturating_sub(HELD);
        self.held.drain(..over);
        self.lost += over as u64;
    }

    fn failed(&mut self, err: &io::Error) -> Option<Event> {
        if self.failure.is_some() {
            return None;
        }
        let error = format!("the transcript cannot be written: {err}");
        tracing::warn!("program {}: {error}", self.number);
        self.failure = Some(error.clone());
        Some(Event::TranscriptFailed { program: self.number, error })
    }

    fn recovered(&mut self) -> Option<Event> {
        self.failure.take()?;
        self.held = VecDeque::new();
        let lost = std::mem::take(&mut self.lost);
        Some(Event::TranscriptRecovered { program: self.number, lost })
    }

    fn stamp(&self) -> Stamp {
        let size = self.terminal.size();
        let (columns, rows) = size.map_or((0, 0), |size| (size.columns, size.rows));
        Stamp { ms: now_ms(), columns, rows }
    }
}

pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
