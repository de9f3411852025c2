//! The file format: one JSON object a line.
//!
//! `t` is in seconds. `{"dir":"out","b64":…}` is what the program wrote (`z64`: compressed by zlib),
//! `{"dir":"in","k":"key|reply|focus","b64":…}` what was written to it, `{"dir":"proc",…}` what the
//! kernel knew (with `"k":"told"` as the agent's state was told it, else as it was all along),
//! `{"dir":"ev","ev":"resize","size":[columns,rows]}` another size, `{"dir":"ev","ev":"report",…}` what
//! a hook reported, `{"dir":"ev","ev":"watched","is":true}` that the person looks at it, and `{"dir":"ev","ev":"exit","code":…}` its end. `{"dir":"ev","ev":"about",…}` says
//! what is recorded and `{"dir":"ev","ev":"saved",…}` when that was saved, what was shown then and what
//! would have been right. Other events are notes.

mod about;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::{Exit, Process, ProcessSample, Reported, ReportedBy};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde_json::Value;
use terminal::GridSize;

pub use about::About;
pub(crate) use about::report_words;

/// Larger files are refused, and so are those that unpack to more.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// What one compressed line may come to.
const MAX_LINE: usize = 64 * 1024 * 1024;

#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// In the order of their times.
    pub events: Vec<Event>,
    pub about: About,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Since the beginning.
    pub at: Duration,
    pub what: Happening,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    Output(Vec<u8>),
    Input(Vec<u8>),
    /// The program was told that it has the focus, or no longer.
    Focus,
    /// The person looks at it from now on, or no longer.
    Watched(bool),
    Sample(ProcessSample),
    /// The same, at the moment at which the agent's state was told of it.
    Told(ProcessSample),
    Report {
        says: Reported,
        by: ReportedBy,
        text: Option<String>,
    },
    Resize(GridSize),
    Exit(Exit),
}

#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} is longer than {} MiB", path.display(), MAX_BYTES >> 20)]
    TooLarge { path: PathBuf },
    #[error("{}:{line}: {why}", path.display())]
    Line { path: PathBuf, line: usize, why: String },
}

impl Recording {
    /// # Errors
    /// Names the file, and the line that cannot be read.
    pub fn load(path: &Path) -> Result<Self, RecordingError> {
        Self::load_within(path, MAX_BYTES)
    }

    fn load_within(path: &Path, limit: u64) -> Result<Self, RecordingError> {
        let failed = |source| RecordingError::Read { path: path.to_owned(), source };
        let mut text = String::new();
        // Not by its length: pipes and devices have none.
        let file = File::open(path).map_err(failed)?;
        file.take(limit + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > limit {
            return Err(RecordingError::TooLarge { path: path.to_owned() });
        }
        Self::parse(&text, path)
    }

    /// # Errors
    /// The line that cannot be read; `path` is only for the error.
    pub fn parse(text: &str, path: &Path) -> Result<Self, RecordingError> {
        Self::parse_within(text, path, MAX_BYTES)
    }

    fn parse_within(text: &str, path: &Path, limit: u64) -> Result<Self, RecordingError> {
        let wrong = |line, why| RecordingError::Line { path: path.to_owned(), line, why };
        let mut values = Vec::new();
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        for (text, line) in lines {
            let value: Value =
                serde_json::from_str(text).map_err(|err| wrong(line, err.to_string()))?;
            value["dir"].as_str().ok_or_else(|| wrong(line, "no `dir`".to_owned()))?;
            let at = value["t"].as_f64().ok_or_else(|| wrong(line, "no `t`".to_owned()))?;
            values.push((at, line, value));
        }
        // What a line leaves out was told before it in time, which need not be in the file.
        values.sort_by(|(at, ..), (other, ..)| at.total_cmp(other));
        let mut events = Vec::new();
        let mut reader = Reader { processes: Vec::new(), left: limit };
        let mut about = About::default();
        for (at, line, value) in values {
            about.take(at, &value);
            if let Some(what) = reader.happening(&value).map_err(|why| wrong(line, why))? {
                // What happened before the program was there is as if it had happened at the beginning.
                events.push(Event { at: Duration::from_secs_f64(at.clamp(0.0, 1e9)), what });
            }
        }
        Ok(Self { events, about })
    }

    /// Until its last event, or until it was saved.
    pub fn duration(&self) -> Duration {
        let last = self.events.last().map_or(Duration::ZERO, |event| event.at);
        self.about.saved_at.map_or(last, |saved| saved.max(last))
    }
}

/// What is known from the lines before.
struct Reader {
    /// As they were told last: what has not changed is left out.
    processes: Vec<Process>,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl Reader {
    fn happening(&mut self, value: &Value) -> Result<Option<Happening>, String> {
        Ok(match (value["dir"].as_str().unwrap_or_default(), value["k"].as_str()) {
            ("out", _) => Some(Happening::Output(self.bytes(value)?)),
            ("in", None | Some("key")) => Some(Happening::Input(self.bytes(value)?)),
            ("in", Some("focus")) => Some(Happening::Focus),
            ("proc", Some("told")) => Some(Happening::Told(self.sample(value)?)),
            ("proc", _) => Some(Happening::Sample(self.sample(value)?)),
            ("ev", _) if value["ev"] == "exit" => {
                let code = value["code"].as_i64().and_then(|code| i32::try_from(code).ok());
                Some(Happening::Exit(Exit::Code(code.unwrap_or(0))))
            }
            ("ev", _) if value["ev"] == "resize" => {
                Some(Happening::Resize(size(value).ok_or("a size that cannot be read")?))
            }
            ("ev", _) if value["ev"] == "watched" => {
                Some(Happening::Watched(value["is"].as_bool().unwrap_or(false)))
            }
            ("ev", _) if value["ev"] == "report" => {
                let says = about::reported(value).ok_or("a report that cannot be read")?;
                let text = value["text"].as_str().map(str::to_owned);
                let is_hook = value["by"] == "hook";
                let by = if is_hook { ReportedBy::Hook } else { ReportedBy::Script };
                Some(Happening::Report { says, by, text })
            }
            _ => None,
        })
    }

    fn bytes(&mut self, value: &Value) -> Result<Vec<u8>, String> {
        let text = |name: &str| value[name].as_str();
        let decode = |text: &str| BASE64_STANDARD.decode(text).map_err(|err| err.to_string());
        match (text("b64"), text("z64")) {
            (Some(plain), _) => decode(plain),
            (None, Some(packed)) => {
                let limit = usize::try_from(self.left).unwrap_or(MAX_LINE).min(MAX_LINE);
                let packed = decode(packed)?;
                let bytes = decompress_to_vec_zlib_with_limit(&packed, limit).map_err(|err| {
                    match err.status {
                        TINFLStatus::HasMoreOutput => "it unpacks to too much".to_owned(),
                        _ => err.to_string(),
                    }
                })?;
                self.left -= bytes.len() as u64;
                Ok(bytes)
            }
            (None, None) => Err("neither `b64` nor `z64`".to_owned()),
        }
    }

    /// `fg` is the group in front, `lf` whether lines are collected, echoed and interrupted, and each of
    /// `ps` is pid, parent, name, state, what it sleeps in, system call, CPU ticks, threads, and whether
    /// it reads the terminal.
    fn sample(&mut self, value: &Value) -> Result<ProcessSample, String> {
        if let Some(list) = value["ps"].as_array() {
            let processes: Option<Vec<Process>> =
                list.iter().filter(|it| it[3] != "Z").map(process).collect();
            self.processes = processes.ok_or("a process that cannot be read")?;
        }
        let flag =
            |index: usize| value["lf"][index].as_i64() == Some(1) || value["lf"][index] == true;
        Ok(ProcessSample {
            is_canonical: flag(0),
            echoes: flag(1),
            foreground: value["fg"].as_i64().and_then(|it| i32::try_from(it).ok()).unwrap_or(0),
            processes: self.processes.clone(),
        })
    }
}

fn size(value: &Value) -> Option<GridSize> {
    let side = |index: usize| value["size"][index].as_u64().and_then(|it| it.try_into().ok());
    side(0).zip(side(1)).map(|(columns, rows)| GridSize { columns, rows })
}

fn process(value: &Value) -> Option<Process> {
    Some(Process {
        pid: i32::try_from(value[0].as_i64()?).ok()?,
        cpu_ticks: value[6].as_u64()?,
        reads_terminal: value[8].as_i64().is_some_and(|reads| reads != 0) || value[8] == true,
    })
}

#[cfg(test)]
mod tests;
