//! An X server with a window manager, for windows that nobody sees.

use std::io::{BufRead as _, BufReader};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};

use crate::instance::Process;

#[derive(Debug)]
pub(crate) struct Display {
    pub(crate) name: String,
    // In the order in which they are to end.
    _manager: Option<Process>,
    _server: Process,
}

impl Display {
    /// Xvfb on a free display, with openbox on it.
    ///
    /// # Errors
    /// One of them is not installed.
    pub(crate) fn start() -> Result<Self> {
        let display = Self::bare("1600x1000x24")?;
        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display.name);
        Ok(Self { _manager: Some(spawn(manager)?), ..display })
    }

    /// Xvfb alone: windows are where and as large as we say.
    pub(crate) fn bare(size: &str) -> Result<Self> {
        let (reader, writer) = std::io::pipe()?;
        let writer = OwnedFd::from(writer);
        fcntl(&writer, FcntlArg::F_SETFD(FdFlag::empty()))?;
        let mut server = Command::new("Xvfb");
        server.args(["-displayfd", &writer.as_raw_fd().to_string()]);
        // Else it starts afresh when its last client leaves it.
        server.args(["-screen", "0", size, "-nolisten", "tcp", "-noreset"]);
        let server = spawn(server)?;
        drop(writer);
        let mut number = String::new();
        BufReader::new(reader).read_line(&mut number)?;
        ensure!(!number.trim().is_empty(), "Xvfb did not start");
        Ok(Self { name: format!(":{}", number.trim()), _manager: None, _server: server })
    }
}

fn spawn(mut command: Command) -> Result<Process> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let name = command.get_program().display().to_string();
    Ok(Process(command.spawn().with_context(|| format!("cannot start {name}"))?))
}
