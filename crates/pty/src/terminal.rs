//! The two ends of a PTY, opened and sized.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::termios::{InputFlags, SetArg, tcgetattr, tcsetattr};
use portable_pty::native_pty_system;

use crate::{ByteSource, sys};

/// The size a program is told its terminal has; at least one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PtySize {
    pub columns: u16,
    pub rows: u16,
    pub pixel_width: u16,
    pub pixel_height: u16,
}

/// Our side of a PTY.
pub(crate) struct Master {
    /// Our own descriptor, which never blocks. portable-pty's object is let go of at once, and its
    /// writer never taken: dropping that one types a newline and an end-of-file into the program, so
    /// that a half-typed command would run.
    pub(crate) file: Arc<File>,
    /// What the program's side is called.
    pub(crate) tty_path: PathBuf,
}

/// A fresh PTY: our side, and the side that becomes the program's terminal.
pub(crate) fn open(size: PtySize) -> io::Result<(Master, OwnedFd)> {
    let pair =
        native_pty_system().openpty(size.into()).map_err(|err| os_error(&err.to_string()))?;
    let borrowed = pair.master.as_raw_fd().ok_or(io::ErrorKind::Unsupported)?;
    let file = File::from(sys::duplicate(borrowed)?);
    fcntl(&file, FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK))?;
    let tty = sys::open_peer(file.as_fd())?;
    // So that the kernel's own line editing erases whole characters.
    let mut modes = tcgetattr(&tty)?;
    modes.input_flags.insert(InputFlags::IUTF8);
    tcsetattr(&tty, SetArg::TCSANOW, &modes)?;
    let tty_path =
        std::fs::read_link(format!("/proc/self/fd/{}", tty.as_raw_fd())).unwrap_or_default();
    Ok((Master { file: Arc::new(file), tty_path }, tty))
}

impl Master {
    /// Our side of a terminal that another process opened and handed over.
    pub(crate) fn adopt(master: OwnedFd) -> io::Result<Self> {
        let file = File::from(master);
        fcntl(&file, FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK))?;
        let tty_path = PathBuf::from(format!("/dev/pts/{}", sys::peer_number(file.as_fd())?));
        Ok(Self { file: Arc::new(file), tty_path })
    }

    pub(crate) fn size(&self) -> io::Result<PtySize> {
        sys::window_size(self.file.as_fd())
    }

    pub(crate) fn resize(&self, size: PtySize) -> io::Result<()> {
        sys::set_window_size(self.file.as_fd(), size)
    }
}

/// The reading half of a master.
pub(crate) struct MasterSource(pub(crate) Arc<File>);

impl ByteSource for MasterSource {
    fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        read(&self.0, buf)
    }
}

pub(crate) fn read(mut master: &File, buf: &mut [u8]) -> io::Result<usize> {
    match master.read(buf) {
        // How Linux says that nobody holds the other side any more.
        Err(err) if err.raw_os_error() == Some(nix::libc::EIO) => Ok(0),
        result => result,
    }
}

impl From<PtySize> for portable_pty::PtySize {
    fn from(size: PtySize) -> Self {
        let PtySize { columns, rows, pixel_width, pixel_height } = size;
        Self { rows: rows.max(1), cols: columns.max(1), pixel_width, pixel_height }
    }
}

/// portable-pty pastes the system's error into its text (`… Os { code: 24, …`); gets it out again.
fn os_error(text: &str) -> io::Error {
    text.split_once("code: ")
        .map(|(_, rest)| rest.trim_start_matches('-'))
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
        .map_or_else(|| io::Error::other(text.to_owned()), io::Error::from_raw_os_error)
}
