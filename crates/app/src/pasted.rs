//! Images that are pasted into a terminal: kept as files, whose paths are typed instead.
//!
//! Agents take the path of an image for the image. Only the clipboard's PNG is taken, as it is: it is
//! looked at for its size and never decoded. All of it happens on a thread of its own, since whoever
//! owns the clipboard may take its time.

mod source;

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Cursor, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, bounded};
use workspace::{Fact, ProgramId};

use crate::news::NewsSender;

pub(crate) use source::{broken_text, holds_only_image};

/// What an image may take, as pixels of four bytes, and the most that is fetched of one.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Older ones are removed.
const MAX_KEPT: usize = 100;

/// The thread and the way to it.
pub(crate) struct PastedImages {
    worker: Worker<Sender<ProgramId>>,
}

impl PastedImages {
    /// `folder` is made when it is needed.
    ///
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start(folder: PathBuf, news: NewsSender) -> io::Result<Self> {
        // Who asks again while one is being fetched wants that one.
        let (sender, jobs) = bounded::<ProgramId>(1);
        let worker = Worker::spawn("pasted", sender, move || {
            for program in jobs {
                let kept = source::clipboard_png(MAX_BYTES).and_then(|png| match png {
                    Some(png) => keep(&folder, &png, seconds()).map(Some),
                    None => Ok(None),
                });
                match kept {
                    Ok(None) => {}
                    Ok(Some(path)) => {
                        news.fact(Fact::ImagePasted { program, text: quoted(&path) });
                    }
                    Err(err) => news.fact(Fact::Refused(format!("{err:#}"))),
                }
            }
        })?;
        Ok(Self { worker })
    }

    /// Fetches the clipboard's image for the terminal of a program; news comes when it is kept.
    pub(crate) fn fetch(&self, program: ProgramId) {
        if let Some(jobs) = self.worker.stop_handle() {
            let _busy = jobs.try_send(program).is_err();
        }
    }
}

impl std::fmt::Debug for PastedImages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PastedImages").field("worker", &self.worker).finish_non_exhaustive()
    }
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes the image to a new file of the folder that only its owner can read.
fn keep(folder: &Path, png: &[u8], seconds: u64) -> Result<PathBuf> {
    check(png)?;
    let cannot = || format!("cannot keep the pasted image in {}", folder.display());
    DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(cannot)?;
    prune(folder, MAX_KEPT - 1).log_err("removing old pasted images");
    for number in 1..=MAX_KEPT {
        let path = folder.join(format!("{seconds}-{number}.png"));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match file {
            Ok(mut file) => {
                file.write_all(png).with_context(cannot)?;
                return Ok(path);
            }
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
            Err(err) => return Err(err).with_context(cannot),
        }
    }
    bail!("too many images were pasted at once; try again in a moment")
}

/// Refuses what is no PNG, or a huge one.
fn check(png: &[u8]) -> Result<()> {
    let reader = png::Decoder::new(Cursor::new(png)).read_info();
    let reader = reader.context("the clipboard's image is no PNG")?;
    let (width, height) = (reader.info().width, reader.info().height);
    let bytes = u64::from(width) * u64::from(height) * 4;
    if bytes > MAX_BYTES as u64 {
        bail!("the clipboard's image is too large to be pasted: {width} by {height} pixels");
    }
    Ok(())
}

/// Removes all but the newest.
fn prune(folder: &Path, n_kept: usize) -> io::Result<()> {
    let mut images = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_image = entry.path().extension().is_some_and(|extension| extension == "png");
        if is_image {
            images.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    images.sort();
    let n_old = images.len().saturating_sub(n_kept);
    images.into_iter().take(n_old).try_for_each(|(_, path)| fs::remove_file(path))
}

/// The path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
    if text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
