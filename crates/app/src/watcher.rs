//! Watches the configuration file, so that changes apply live.
//!
//! The *folder* is watched, as editors save by renaming a new file over the old one. A burst of
//! events is waited out before the file is read; a mistake in it is told, and the last good
//! configuration stays.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Worker;
use crossbeam_channel::{Receiver, unbounded};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use workspace::Fact;

use crate::app::load_config;
use crate::news::NewsSender;

/// A save is several events; they come closer together than this.
const QUIET: Duration = Duration::from_millis(50);

/// Watches as long as it lives.
#[derive(Debug)]
pub(crate) struct ConfigWatcher {
    // Its thread ends when the watcher, which owns the sending side, is dropped.
    _worker: Worker<RecommendedWatcher>,
}

impl ConfigWatcher {
    /// # Errors
    /// The folder cannot be watched: it is missing, or the system's watches are used up.
    pub(crate) fn start(file: PathBuf, news: NewsSender) -> anyhow::Result<Self> {
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        let (touch, touched) = unbounded::<()>();
        let name = file.file_name().map(ToOwned::to_owned);
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let ours = |path: &PathBuf| path.file_name() == name.as_deref();
                let relevant = event
                    .is_ok_and(|event| !event.kind.is_access() && event.paths.iter().any(ours));
                // The other side is gone only when watching has ended.
                let _sent = relevant && touch.send(()).is_ok();
            })?;
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        let worker = Worker::spawn("config", watcher, move || run(&file, &touched, &news))?;
        Ok(Self { _worker: worker })
    }
}

fn run(file: &Path, touched: &Receiver<()>, news: &NewsSender) {
    while touched.recv().is_ok() {
        while touched.recv_timeout(QUIET).is_ok() {}
        news.fact(match load_config(file) {
            Ok(config) => Fact::ConfigRead(Box::new(config)),
            Err(complaint) => Fact::ConfigRefused(complaint),
        });
    }
}
