//! The first line of each side.

use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;

use control::host::{Hello, HostError, HostErrorKind, OLDEST, Role, VERSION, Welcome, to_line};

use super::data::first_line;
use super::{ClientError, PATIENCE, garbled};

/// What the host said first.
pub(super) struct Greeting {
    pub(super) pid: i32,
    pub(super) version: u32,
    /// Where a stream begins.
    pub(super) from: Option<u64>,
}

/// Says hello, and reads no byte more than the answer.
pub(super) fn greet(stream: &UnixStream, role: Role) -> Result<Greeting, ClientError> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let line = to_line(&Hello::new(role)).map_err(garbled)?;
    let gone = |err: io::Error| match err.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => ClientError::Gone,
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => ClientError::NoAnswer,
        _ => ClientError::Io(err),
    };
    match { stream }.write_all(&line) {
        // It has hung up; why may still be there to read.
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => {}
        result => result.map_err(gone)?,
    }
    let answer = first_line(stream).map_err(gone)?.ok_or(ClientError::Gone)?;
    let welcome = serde_json::from_slice(&answer);
    match welcome.map_err(garbled)? {
        Welcome::Welcome { pid, version, from } if (OLDEST..=VERSION).contains(&version) => {
            Ok(Greeting { pid, version, from })
        }
        Welcome::Welcome { version, .. } => {
            let message = format!(
                "the running host answers in version {version} of its protocol, which this app does not \
                 speak; end its agents with the trackside that started them, or use that one"
            );
            Err(ClientError::Refused(HostError::new(HostErrorKind::Version, message)))
        }
        Welcome::Refused { error, .. } => Err(ClientError::Refused(error)),
    }
}
