//! Who is at the other end.

use std::io;
use std::os::unix::net::UnixStream;

#[cfg(test)]
pub(crate) use control::peer::parent_in;
pub(crate) use control::peer::{ancestors, environ_has, environ_is};

/// The process that connected, as the kernel tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer {
    /// `None` for a process of another PID namespace.
    pub pid: Option<i32>,
    pub uid: u32,
}

impl Peer {
    pub(super) fn of(stream: &UnixStream) -> io::Result<Self> {
        let (pid, uid) = control::listen::peer(stream)?;
        Ok(Self { pid, uid })
    }
}
