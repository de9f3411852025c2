//! What real agents print, played in a loop by copies of this program.
//!
//! A copy costs next to nothing: it is given the output of a recording as it came, and sleeps between
//! two pieces of it. Whatever the terminal answers is read and forgotten.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use replay::{Happening, Recording};

use crate::{clock, inner};

/// First argument of a copy that plays a file written by [`write_all`].
pub(crate) const PLAY: &str = "--inner-play";

/// Programs at work, of each that was recorded.
const NAMES: [&str; 11] = [
    "aider-slow",
    "aider-think",
    "claude-slow",
    "claude-think",
    "claude197-slow",
    "codex-slow",
    "codex-think",
    "gemini-slow",
    "gemini-think",
    "opencode-slow",
    "opencode-think",
];

/// Before it begins anew, on an empty screen.
const PAUSE: Duration = Duration::from_millis(200);
const RESET: &[u8] = b"\x1bc";

/// The output of one recording.
#[derive(Debug)]
pub(crate) struct Track {
    /// When each piece came, since the beginning.
    pub(crate) pieces: Vec<(Duration, Vec<u8>)>,
    /// The same in a file, for a copy of this program.
    pub(crate) path: PathBuf,
}

impl Track {
    pub(crate) fn n_bytes(&self) -> usize {
        self.pieces.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// Until it begins anew.
    pub(crate) fn duration(&self) -> Duration {
        self.pieces.last().map_or(PAUSE, |(at, _)| *at + PAUSE)
    }
}

/// Reads the recordings and writes what copies of this program play into `dir`.
pub(crate) fn write_all(dir: &Path) -> Result<Vec<Track>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/signals");
    NAMES.into_iter().map(|name| write(&folder.join(format!("{name}.jsonl")), dir)).collect()
}

fn write(recording: &Path, dir: &Path) -> Result<Track> {
    let mut pieces = vec![(Duration::ZERO, RESET.to_vec())];
    for event in Recording::load(recording)?.events {
        if let Happening::Output(bytes) = event.what {
            pieces.push((event.at, bytes));
        }
    }
    let mut packed = Vec::new();
    for (at, bytes) in &pieces {
        packed.extend(u64::try_from(at.as_micros())?.to_le_bytes());
        packed.extend(u64::try_from(bytes.len())?.to_le_bytes());
        packed.extend(bytes);
    }
    let path = dir.join(recording.file_stem().context("a name")?);
    fs::write(&path, packed)?;
    Ok(Track { pieces, path })
}

fn read(path: &Path) -> Result<Vec<(Duration, Vec<u8>)>> {
    let packed = fs::read(path)?;
    let mut rest = packed.as_slice();
    let mut pieces = Vec::new();
    while let Some((head, tail)) = rest.split_first_chunk::<16>() {
        let number = |at: usize| head[at..at + 8].try_into().map(u64::from_le_bytes);
        let (at, n_bytes) = (Duration::from_micros(number(0)?), usize::try_from(number(8)?)?);
        ensure!(n_bytes <= tail.len(), "{} is cut off", path.display());
        let (bytes, after) = tail.split_at(n_bytes);
        pieces.push((at, bytes.to_vec()));
        rest = after;
    }
    Ok(pieces)
}

/// Plays it at its own pace until the terminal closes; what came before `start` comes at once.
pub(crate) fn play(file: &str, start: &str) -> Result<()> {
    inner::raw_mode()?;
    let path = PathBuf::from(file);
    let track = Track { pieces: read(&path)?, path };
    let mut begun = clock::now() - Duration::from_millis(start.parse()?);
    let mut stdout = std::io::stdout().lock();
    loop {
        for (at, bytes) in &track.pieces {
            forget_answers_for((begun + *at).saturating_duration_since(clock::now()))?;
            stdout.write_all(bytes)?;
            stdout.flush()?;
        }
        begun += track.duration();
    }
}

/// Lets that time pass, and reads what the terminal answers meanwhile.
fn forget_answers_for(time: Duration) -> Result<()> {
    let end = clock::now() + time;
    let stdin = std::io::stdin();
    loop {
        let left = end.saturating_duration_since(clock::now());
        if left.is_zero() {
            return Ok(());
        }
        let mut fds = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        let left = PollTimeout::try_from(left.as_millis().max(1)).unwrap_or(PollTimeout::MAX);
        if poll(&mut fds, left)? > 0 {
            let n_read = stdin.lock().read(&mut [0; 4096])?;
            ensure!(n_read > 0, "the terminal closed");
        }
    }
}
