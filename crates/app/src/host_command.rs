//! `trackside host`: the process that holds the terminals, so that programs outlive the window.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use base::LogErr as _;

use crate::app::load_config;
use crate::cli;
use crate::places::Places;

/// What a host needs to end once its programs have.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Serves until nothing is left to do.
///
/// # Errors
/// It has no state folder, or cannot go on.
pub(crate) fn run(places: &cli::Places, socket: &Path) -> Result<()> {
    let state_dir = places.state_dir.as_ref().context("--state-dir is missing")?;
    // Whoever starts a host keeps what it says there.
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
    // A log that cannot be written, on a full disk, is no reason to end: complaining of it would be one.
    let log = log.log_internal_errors(false);
    drop(log.with_max_level(tracing::Level::INFO).try_init());
    Ok(host::run(host::Options::new(state_dir, socket))?)
}

/// Ends all that a host still holds though no instance runs, and the host; `None` if there is none.
///
/// # Errors
/// It cannot be talked to, or does not come to an end.
pub(crate) fn end(places: &Places, out: &mut impl Write) -> Result<Option<()>> {
    let Some(client) = host::Client::find(start(places), drop)? else { return Ok(None) };
    let n_agents = client.list()?.iter().filter(|it| it.ended.is_none()).count();
    let limits = load_config(&places.config_file).unwrap_or_default().limits;
    let (ended, has_ended) = crossbeam_channel::bounded(1);
    client.quit(limits.shutdown_timeout, move || {
        ended.send(()).log_err("telling of the end");
    });
    has_ended.recv_timeout(limits.shutdown_timeout + LAST_WORDS).map_err(|_late| {
        anyhow!("some programs could not be ended; `trackside agent list --orphans` shows them")
    })?;
    match n_agents {
        0 => {}
        1 => writeln!(out, "stopped 1 program")?,
        n => writeln!(out, "stopped {n} programs")?,
    }
    Ok(Some(()))
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
