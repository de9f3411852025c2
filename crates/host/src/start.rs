//! Starting a host, or finding the one that runs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use base::LogErr as _;
use control::path::{choose_host_socket, find_host_socket};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::aside;
use crate::run::{READY, TAKEN};

/// A host that does not listen after so many milliseconds never will.
const PATIENCE: u16 = 10_000;
/// How often a host is started that turns out to be just ending.
const TRIES: u32 = 10;
/// In the state directory: what hosts have to say.
const LOG_FILE: &str = "host.log";
/// Begun anew when it is longer.
const MAX_LOG: u64 = 1024 * 1024;

/// How a host is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The program that calls [`crate::run()`], and its first arguments; `--state-dir DIR --socket
    /// PATH` is added.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Must exist.
    pub state_dir: PathBuf,
    pub runtime_dir: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot use the state directory {}", path.display())]
    StateDir { path: PathBuf, source: io::Error },
    #[error("cannot start the host {}", path.display())]
    Spawn { path: PathBuf, source: io::Error },
    #[error("the host did not start; {} may say why", log.display())]
    Failed { log: PathBuf },
    #[error("cannot connect to the host at {}", path.display())]
    Connect { path: PathBuf, source: io::Error },
}

/// A connection to the host of that state directory, if one runs.
///
/// # Errors
/// It runs, but cannot be reached.
pub(crate) fn find(start: &Start) -> Result<Option<UnixStream>, StartError> {
    let path = find_host_socket(&start.state_dir, start.runtime_dir.as_deref());
    match control::connect(&path) {
        Ok(stream) => Ok(Some(stream)),
        Err(source) => match source.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::NotADirectory => Ok(None),
            _ => Err(StartError::Connect { path, source }),
        },
    }
}

impl Start {
    /// Starts a host process, and waits until it, or another that was faster, listens.
    ///
    /// The host leads a session of its own, with no descriptor of ours.
    pub(crate) fn spawn(&self) -> Result<Option<Child>, StartError> {
        let state_dir = |source| StartError::StateDir { path: self.state_dir.clone(), source };
        let log = self.state_dir.join(LOG_FILE);
        let socket =
            choose_host_socket(&self.state_dir, self.runtime_dir.as_deref()).map_err(state_dir)?;
        let errors = aside::open_regular(File::options().append(true).create(true), &log);
        let errors = errors.map_err(state_dir)?;
        if errors.metadata().is_ok_and(|log| log.len() > MAX_LOG) {
            errors.set_len(0).log_err("emptying the host's log");
        }
        let failed = |source| StartError::Spawn { path: self.program.clone(), source };
        let (ready, told) = io::pipe().map_err(failed)?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .arg("--state-dir")
            .arg(&self.state_dir)
            .arg("--socket")
            .arg(socket)
            .stdin(Stdio::null())
            .stdout(told)
            .stderr(errors);
        pty::lead_a_session_without_terminal(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        // It holds the other end of the pipe, too.
        drop(command);
        let said = wait(ready);
        if said == READY {
            return Ok(Some(child));
        }
        if said != TAKEN {
            child.kill().log_err("ending a host that does not start");
        }
        child.wait().log_err("ending a host that is not needed");
        if said == TAKEN { Ok(None) } else { Err(StartError::Failed { log }) }
    }

    /// Connects to the host, which is started if there is none.
    pub(crate) fn connect(&self) -> Result<(UnixStream, Option<Child>), StartError> {
        let mut child = None;
        for _ in 0..TRIES {
            if let Some(stream) = find(self)? {
                return Ok((stream, child));
            }
            child = self.spawn()?;
        }
        Err(StartError::Failed { log: self.state_dir.join(LOG_FILE) })
    }
}

/// What the host says; nothing if it gives up, or we do.
fn wait(mut ready: PipeReader) -> Vec<u8> {
    let mut said = Vec::new();
    while !said.ends_with(b"\n") {
        let mut fds = [PollFd::new(ready.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, PollTimeout::from(PATIENCE)) {
            Ok(n) if n > 0 => {}
            Err(Errno::EINTR) => continue,
            Ok(_) | Err(_) => return Vec::new(),
        }
        let mut chunk = [0; 64];
        match ready.read(&mut chunk) {
            Ok(0) | Err(_) => return Vec::new(),
            Ok(len) => said.extend_from_slice(&chunk[..len]),
        }
    }
    said
}
