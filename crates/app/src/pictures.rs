//! Writing screenshots, on a thread of its own: encoding takes time, and a path may lead anywhere.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base::Worker;
use control::ErrorKind;
use crossbeam_channel::{Sender, unbounded};
use nix::fcntl::OFlag;
use render::Image;
use serde_json::json;

use crate::socket::ReplySender;

struct Job {
    path: PathBuf,
    image: Image,
    reply: ReplySender,
}

/// The thread and the way to it.
pub(crate) struct Pictures {
    worker: Worker<Sender<Job>>,
}

impl Pictures {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start() -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("pictures", sender, move || {
            for Job { path, image, reply } in jobs {
                let written = write_png(&path, &image)
                    .with_context(|| format!("cannot write {}", path.display()));
                match written {
                    Ok(()) => reply.done(json!({ "width": image.width, "height": image.height })),
                    Err(err) => reply.fail(ErrorKind::Failed, format!("{err:#}")),
                }
            }
        })?;
        Ok(Self { worker })
    }

    /// Writes the picture and then answers.
    pub(crate) fn write(&self, path: PathBuf, image: Image, reply: ReplySender) {
        if let Some(jobs) = self.worker.stop_handle() {
            // A job that cannot be sent is dropped, and its reply says so.
            let _refused = jobs.send(Job { path, image, reply }).is_err();
        }
    }
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pictures").finish_non_exhaustive()
    }
}

fn write_png(path: &Path, image: &Image) -> Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(create(path)?), image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()?;
    Ok(())
}

/// Opens a regular file only: a pipe would wait for its reader.
fn create(path: &Path) -> Result<File> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let mut options = OpenOptions::new();
    let file =
        options.write(true).create(true).truncate(false).custom_flags(flags.bits()).open(path)?;
    if !file.metadata()?.is_file() {
        bail!("it is not a regular file");
    }
    file.set_len(0)?;
    Ok(file)
}
