//! `trackside agent attach`: an agent's terminal in the one that somebody sits at, also over ssh.
//!
//! It shows what the host holds, whether an instance runs or not, and leaves the agent as it is. The program's
//! output ends on a screen of ours ([`painter`]), and what is typed goes to the program as it is.

mod cells;
mod input;
mod outer;
mod outgoing;
mod painter;
mod serving;
mod target;

use std::io::Write;

use agent::Exit;
use anyhow::{Result, bail};
use config::DetachKey;
use control::Call;
use control::host::EndStatus;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

use self::serving::{Over, Serving};
use self::target::{NotHosted, Target};
use crate::commands::{call, clean, named};
use crate::places::Places;

/// Shows the agent's terminal until the user detaches or the agent ends.
///
/// # Errors
/// There is no such agent or no terminal here; or what went wrong while it was shown. The terminal is what it
/// was then.
pub(crate) fn run(
    workspace: Option<&str>,
    detach: Option<DetachKey>,
    places: &Places,
    out: &mut impl Write,
) -> Result<()> {
    if !outer::is_there() {
        bail!("attaching takes a terminal on standard input and standard output");
    }
    // Before there are threads, which inherit it.
    let signals = signals();
    signals.thread_block()?;
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let signals = SignalFd::with_flags(&signals, flags)?;
    // A broken configuration is no reason to be kept out.
    let detach = detach
        .unwrap_or_else(|| config::load(&places.config_file).unwrap_or_default().attach.detach_key);
    let target = Target::find(workspace, places)?;
    let (agent, workspace) = (clean(&target.agent), clean(&target.workspace));
    let over = Serving::begin(target, signals, detach)?.run()?;
    let goes_on =
        format!("{agent} goes on; attach again with `trackside agent attach -w {workspace}`");
    match over {
        Over::Detached => writeln!(out, "detached from {workspace}: {goes_on}")?,
        Over::Ended(end) => writeln!(out, "{agent} in {workspace} has ended: {}", ending(end))?,
        Over::HostLost => {
            bail!("the host has gone, and with it the terminal of {agent} in {workspace}")
        }
        Over::HungUp => bail!("the terminal has gone; {goes_on}"),
        Over::Told(signal) => bail!("ended by {signal}; {goes_on}"),
    }
    Ok(())
}

/// Attaches to an agent that was just started, where that is what somebody at a terminal expects: there is
/// no window to see it in.
///
/// # Errors
/// As [`run`]. An agent that no host holds is left alone.
pub(crate) fn after_start(
    workspace: Option<String>,
    places: &Places,
    out: &mut impl Write,
) -> Result<()> {
    if !outer::is_there() || call(places, Call::Doctor)?["window"] != false {
        return Ok(());
    }
    match run(named(workspace).as_deref(), None, places, out) {
        Err(err) if err.is::<NotHosted>() => Ok(()),
        result => result,
    }
}

fn signals() -> SigSet {
    [
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGWINCH,
        Signal::SIGCONT,
    ]
    .into_iter()
    .collect()
}

fn ending(end: EndStatus) -> String {
    match (end.signal, end.code) {
        (Some(signal), _) => Exit::Signal(signal).to_string(),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => "nobody knows how".to_owned(),
    }
}
