//! The `transcripts` thread: looks through what agents have printed, and makes texts of it.
//!
//! Only the last question counts: asking again ends the search before. The latest launches come first, and
//! of each the latest lines.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, unbounded};
use host::{Transcript, transcript};
use workspace::{Fact, TranscriptHit};

use crate::news::{News, NewsSender};
use crate::places::Places;
use crate::sessions::agent_transcripts;
use crate::transcript_text::write_text;

/// Of one launch the last lines only, so that one that repeats itself does not hide the others.
const MAX_OF_LAUNCH: usize = 100;
/// Characters of a line that are kept.
const MAX_LINE: usize = 400;
/// The folders of agents begin so.
const PREFIX: &str = "agent-";

pub(crate) struct TranscriptSearch {
    worker: Worker<Sender<Job>>,
    stop: Arc<AtomicBool>,
}

enum Job {
    Search { search: u64, query: String, known: Vec<(String, String)>, stop: Arc<AtomicBool> },
    Show(TranscriptHit),
}

impl TranscriptSearch {
    /// # Errors
    /// The operating system may refuse another thread.
    pub(crate) fn start(places: &Places, news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let (kept, texts) = (places.state_dir.join(transcript::FOLDER), places.transcript_texts());
        let worker = Worker::spawn("transcripts", sender, move || {
            for job in jobs {
                match job {
                    Job::Search { search, query, known, stop } => {
                        let tell = |hits, is_all| {
                            news.fact(Fact::TranscriptsFound { search, hits, is_all });
                        };
                        look(&kept, &query, &known, &stop, tell);
                    }
                    Job::Show(hit) => {
                        let text = make_text(&texts, &hit);
                        let text = text.map_err(|err| format!("cannot show the transcript: {err}"));
                        news.send(News::TranscriptText { line: hit.line, text });
                    }
                }
            }
        })?;
        Ok(Self { worker, stop: Arc::default() })
    }

    pub(crate) fn search(&mut self, search: u64, query: String, folders: Vec<(PathBuf, String)>) {
        self.stop();
        self.stop = Arc::default();
        let stop = Arc::clone(&self.stop);
        let known = folders.iter().map(|(root, name)| (agent_transcripts(root), name.clone()));
        self.send(Job::Search { search, query, known: known.collect(), stop });
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Makes a text of a launch; where it is comes as news.
    pub(crate) fn show(&self, hit: TranscriptHit) {
        self.send(Job::Show(hit));
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send(job).log_err("looking through transcripts");
        }
    }
}

impl Drop for TranscriptSearch {
    fn drop(&mut self) {
        // Its thread is joined next.
        self.stop();
    }
}

impl fmt::Debug for TranscriptSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscriptSearch").field("worker", &self.worker).finish_non_exhaustive()
    }
}

/// Tells of each launch as soon as it was looked through. What cannot be read is left out.
fn look(
    kept: &Path,
    query: &str,
    known: &[(String, String)],
    stop: &AtomicBool,
    tell: impl Fn(Vec<TranscriptHit>, bool),
) {
    let query = query.to_lowercase();
    for (name, folder) in launches(kept, known) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Ok(transcript) = Transcript::open(&folder) else { continue };
        let mut lines =
            Lines { query: &query, stop, line: 0, part: Vec::new(), hits: VecDeque::new() };
        // Cut short by another question, or because it was removed meanwhile.
        let _is_whole = write_text(&transcript, transcript.start(), &mut lines).is_ok();
        let launch = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let hit = |(line, text)| TranscriptHit {
            name: name.clone(),
            folder: folder.clone(),
            launch: launch.clone(),
            line,
            text,
        };
        let hits: Vec<TranscriptHit> = lines.hits.into_iter().rev().map(hit).collect();
        if !hits.is_empty() && !stop.load(Ordering::Relaxed) {
            tell(hits, false);
        }
    }
    if !stop.load(Ordering::Relaxed) {
        tell(Vec::new(), true);
    }
}

/// All launches of all agents, with the name of each's workspace, the latest first.
fn launches(kept: &Path, known: &[(String, String)]) -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(kept).into_iter().flatten().filter_map(Result::ok);
    let mut launches: Vec<(SystemTime, String, PathBuf)> = Vec::new();
    for folder in folders {
        let Ok(name) = folder.file_name().into_string() else { continue };
        let Some(plain) = name.strip_prefix(PREFIX) else { continue };
        // A folder that is closed is known by what it was called.
        let plain = plain.rsplit_once('-').map_or(plain, |(name, _hash)| name);
        let found = known.iter().find(|(folder, _)| *folder == name);
        let shown = found.map_or(plain, |(_, name)| name);
        for launch in transcript::launches(&folder.path()).unwrap_or_default() {
            let changed = fs::metadata(&launch).and_then(|it| it.modified());
            launches.push((changed.unwrap_or(SystemTime::UNIX_EPOCH), shown.to_owned(), launch));
        }
    }
    launches.sort_by(|one, other| other.cmp(one));
    launches.into_iter().map(|(_, name, folder)| (name, folder)).collect()
}

/// Takes a text line by line and keeps those that are looked for.
struct Lines<'a> {
    query: &'a str,
    stop: &'a AtomicBool,
    /// Lines that are complete.
    line: u32,
    part: Vec<u8>,
    hits: VecDeque<(u32, String)>,
}

impl Lines<'_> {
    fn take_line(&mut self) {
        self.line = self.line.saturating_add(1);
        let text = String::from_utf8_lossy(&self.part);
        if text.to_lowercase().contains(self.query) {
            if self.hits.len() == MAX_OF_LAUNCH {
                self.hits.pop_front();
            }
            self.hits.push_back((self.line, text.chars().take(MAX_LINE).collect()));
        }
        self.part.clear();
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("something else is looked for"));
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(end) => {
                    self.part.extend_from_slice(end);
                    self.take_line();
                }
                None => self.part.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a launch's text where it can be opened: for the user alone, and anew each time.
fn make_text(texts: &Path, hit: &TranscriptHit) -> io::Result<PathBuf> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(texts)?;
    let transcript = Transcript::open(&hit.folder)?;
    let name: String =
        hit.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
    let path = texts.join(format!("{name}-{}.txt", hit.launch));
    let beside = texts.join(format!(".{name}-{}.part", hit.launch));
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    let mut out = BufWriter::new(file);
    write_text(&transcript, transcript.start(), &mut out)?;
    out.flush()?;
    fs::rename(&beside, &path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found of a text that comes in such pieces.
    #[track_caller]
    fn check(query: &str, pieces: &[&str], found: &[(u32, &str)]) {
        let stop = AtomicBool::new(false);
        let (part, hits) = (Vec::new(), VecDeque::new());
        let mut lines = Lines { query, stop: &stop, line: 0, part, hits };
        for piece in pieces {
            lines.write_all(piece.as_bytes()).unwrap();
        }
        let hits: Vec<_> = lines.hits.iter().map(|(line, text)| (*line, text.as_str())).collect();
        assert_eq!(hits, found, "{query} in {pieces:?}");
    }

    #[test]
    fn lines_are_found_however_they_come() {
        check("err", &["ok\nan Error\nno", " err", "or\n"], &[(2, "an Error"), (3, "no error")]);
        check("b", &["a\n\nb\n"], &[(3, "b")]);
        check("x", &[], &[]);
    }

    #[test]
    fn of_a_launch_that_repeats_itself_the_last_lines_count() {
        let text = "again\n".repeat(MAX_OF_LAUNCH + 5);
        let stop = AtomicBool::new(false);
        let (part, hits) = (Vec::new(), VecDeque::new());
        let mut lines = Lines { query: "again", stop: &stop, line: 0, part, hits };
        lines.write_all(text.as_bytes()).unwrap();
        assert_eq!(lines.hits.len(), MAX_OF_LAUNCH, "no more");
        assert_eq!(lines.hits.front().map(|(line, _)| *line), Some(6), "the first are left out");
    }
}
