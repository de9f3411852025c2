//! The terminal that somebody sits at: raw while an agent's is shown in it, and afterwards what it was.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use base::LogErr as _;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags};
use nix::sys::termios::{FlushArg, SetArg, Termios, cfmakeraw, tcflush, tcgetattr, tcsetattr};
use terminal::GridSize;

/// How long a terminal that takes nothing is waited for at the end.
const LAST_PATIENCE: Duration = Duration::from_secs(1);
/// A write of this size does not wait for long, even if it has to.
const PIECE: usize = 4 * 1024;

#[derive(Debug)]
pub(super) struct Outer {
    input: io::Stdin,
    output: File,
    before: Termios,
    raw: Termios,
    /// What the terminal has not taken yet.
    queue: Vec<u8>,
    /// What makes it what it was, once it is left.
    undo: Option<Vec<u8>>,
}

/// Whether somebody sits in front of both ends of this process.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl Outer {
    /// # Errors
    /// It is no terminal.
    pub(super) fn open() -> io::Result<Self> {
        let input = io::stdin();
        let before = tcgetattr(&input)?;
        let mut raw = before.clone();
        cfmakeraw(&mut raw);
        // Opened anew where possible: an open file is shared with whoever started us, and one that does
        // not block would be a surprise to them. Where it is not, pieces are small.
        let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
        let anew = OpenOptions::new().write(true).custom_flags(flags).open("/proc/self/fd/1");
        let output = match anew {
            Ok(output) => output,
            Err(_) => File::from(io::stdout().as_fd().try_clone_to_owned()?),
        };
        Ok(Self { input, output, before, raw, queue: Vec::new(), undo: None })
    }

    /// Takes the terminal, also once more after somebody else has used it.
    ///
    /// # Errors
    /// The kernel refuses.
    pub(super) fn enter(&mut self, sequence: &str, undo: Vec<u8>) -> io::Result<()> {
        tcsetattr(&self.input, SetArg::TCSADRAIN, &self.raw)?;
        self.undo = Some(undo);
        self.queue.extend_from_slice(sequence.as_bytes());
        Ok(())
    }

    /// How many cells it has; the usual number where it does not know.
    pub(super) fn size(&self) -> GridSize {
        let size = pty::window_size(self.output.as_fd()).log_err("asking for the terminal's size");
        let known = size.filter(|size| size.columns > 0 && size.rows > 0);
        let size = known.map(|size| GridSize { columns: size.columns, rows: size.rows });
        size.unwrap_or_default().clamped()
    }

    pub(super) fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    pub(super) fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// What was typed; nothing at the end.
    ///
    /// # Errors
    /// The terminal has gone.
    pub(super) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(nix::unistd::read(&self.input, buffer)?)
    }

    /// What is to be sent; `undo` is what then undoes all that was.
    pub(super) fn send(&mut self, bytes: &[u8], undo: Vec<u8>) {
        self.queue.extend_from_slice(bytes);
        self.undo = Some(undo);
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Gives the terminal what it takes now.
    ///
    /// # Errors
    /// It has gone.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.queue.is_empty() {
            let piece = self.queue.len().min(PIECE);
            match self.output.write(&self.queue[..piece]) {
                Ok(len) => drop(self.queue.drain(..len)),
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(err),
            }
            if !self.takes_more(Duration::ZERO) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes the terminal what it was; what has not been sent yet is not sent any more.
    pub(super) fn leave(&mut self) {
        let Some(undo) = self.undo.take() else { return };
        self.queue = undo;
        // One that takes nothing, such as one that was stopped, is left as it is.
        while !self.queue.is_empty() && self.takes_more(LAST_PATIENCE) {
            if self.flush().log_err("leaving the terminal").is_none() {
                break;
            }
        }
        // What still comes, such as the release of a key, is for nobody.
        tcflush(&self.input, FlushArg::TCIFLUSH).log_err("leaving the terminal");
        let restored = tcsetattr(&self.input, SetArg::TCSANOW, &self.before);
        restored.log_err("leaving the terminal");
    }

    fn takes_more(&self, patience: Duration) -> bool {
        let mut fds = [PollFd::new(self.output.as_fd(), PollFlags::POLLOUT)];
        pty::poll(&mut fds, Some(patience)).is_ok_and(|n_ready| n_ready > 0)
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        self.leave();
    }
}
