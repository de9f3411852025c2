//! Why a program could not be started: the same on both sides of the wire.

use std::ffi::OsString;
use std::io;

use control::host::{HostError, HostErrorKind, SpawnFailure, SpawnFailureKind, Text};
use pty::SpawnError;

pub(crate) fn to_wire(error: &SpawnError) -> HostError {
    let (kind, subject, source) = match error {
        SpawnError::EmptyCommand => (SpawnFailureKind::EmptyCommand, None, None),
        SpawnError::NotFound { program } => {
            (SpawnFailureKind::NotFound, Some(program.as_os_str()), None)
        }
        SpawnError::NotExecutable { program } => {
            (SpawnFailureKind::NotExecutable, Some(program.as_os_str()), None)
        }
        SpawnError::MissingDirectory { path } => {
            (SpawnFailureKind::MissingDirectory, Some(path.as_os_str()), None)
        }
        SpawnError::Pty { source } => (SpawnFailureKind::Pty, None, Some(source)),
        SpawnError::Spawn { program, source } => {
            (SpawnFailureKind::Spawn, Some(program.as_os_str()), Some(source))
        }
        SpawnError::Thread { source } => (SpawnFailureKind::Thread, None, Some(source)),
    };
    let errno = source.and_then(io::Error::raw_os_error);
    let reason = source.filter(|_| errno.is_none()).map(ToString::to_string);
    let spawn = SpawnFailure { kind, subject: subject.map(Text::from), errno, reason };
    let mut failure = HostError::new(HostErrorKind::Spawn, error.to_string());
    failure.spawn = Some(spawn);
    failure
}

/// `None` for any other failure.
pub(crate) fn from_wire(error: &HostError) -> Option<SpawnError> {
    let SpawnFailure { kind, subject, errno, reason } = error.spawn.clone()?;
    let subject = subject.map_or_else(OsString::new, OsString::from);
    // What is not the system's reason is one of std's, which refuses NUL characters.
    let source = errno.map_or_else(
        || io::Error::new(io::ErrorKind::InvalidInput, reason.unwrap_or_default()),
        io::Error::from_raw_os_error,
    );
    Some(match kind {
        SpawnFailureKind::EmptyCommand => SpawnError::EmptyCommand,
        SpawnFailureKind::NotFound => SpawnError::NotFound { program: subject },
        SpawnFailureKind::NotExecutable => SpawnError::NotExecutable { program: subject },
        SpawnFailureKind::MissingDirectory => SpawnError::MissingDirectory { path: subject.into() },
        SpawnFailureKind::Pty => SpawnError::Pty { source },
        SpawnFailureKind::Spawn => SpawnError::Spawn { program: subject, source },
        SpawnFailureKind::Thread => SpawnError::Thread { source },
    })
}
