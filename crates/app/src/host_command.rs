//! `trackside host`: the process that holds the terminals, so that programs outlive the window.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::cli;
use crate::places::Places;

/// Serves until nothing is left to do.
///
/// # Errors
/// It has no state folder, or cannot go on.
pub(crate) fn run(places: &cli::Places, socket: &Path) -> Result<()> {
    let state_dir = places.state_dir.as_ref().context("--state-dir is missing")?;
    // Whoever starts a host keeps what it says there.
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
    drop(log.with_max_level(tracing::Level::INFO).try_init());
    Ok(host::run(host::Options::new(state_dir, socket))?)
}

/// How the host of these places is started: as this very program.
pub(crate) fn start(places: &Places) -> host::Start {
    // An update may have put another program in our place, or be about to.
    let program = std::env::current_exe().ok().filter(|path| path.exists());
    host::Start {
        program: program.unwrap_or_else(|| "/proc/self/exe".into()),
        args: vec!["host".into()],
        state_dir: places.state_dir.clone(),
        runtime_dir: places.runtime_dir.clone(),
    }
}
