//! What a program prints, as it comes from the host.

use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;

use pty::ByteSource;

/// Longest first line of a host.
const MAX_LINE: usize = 64 * 1024;

/// The output of a program, to be read like its terminal.
#[derive(Debug)]
pub struct HostSource {
    stream: UnixStream,
    from: u64,
}

impl HostSource {
    pub(super) fn new(stream: UnixStream, from: Option<u64>) -> io::Result<Self> {
        stream.set_read_timeout(None)?;
        stream.set_nonblocking(true)?;
        Ok(Self { stream, from: from.ok_or(io::ErrorKind::InvalidData)? })
    }

    /// The offset of the first byte that it gives.
    pub fn start(&self) -> u64 {
        self.from
    }

    /// The socket itself. It does not block.
    pub fn into_stream(self) -> UnixStream {
        self.stream
    }
}

impl ByteSource for HostSource {
    fn fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buf) {
            // The host has gone, and with it the program's output.
            Err(err) if err.kind() == io::ErrorKind::ConnectionReset => Ok(0),
            result => result,
        }
    }
}

/// The first line, without its end, and nothing of what follows; `None` if there is none.
pub(super) fn first_line(mut stream: &UnixStream) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < MAX_LINE {
        match stream.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) if byte == *b"\n" => return Ok(Some(line)),
            Ok(_) => line.push(byte[0]),
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}
