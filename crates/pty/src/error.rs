//! Why a session did not start, or did not take input: one line each, ready to be shown.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Nothing was left behind: no process, no thread, no descriptor.
///
/// The lines name the system's reason themselves, so showing `source` as well would repeat it.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("the command is empty; name a program to run")]
    EmptyCommand,
    #[error("{} was not found; check its spelling, install it, or add its folder to PATH", program.display())]
    NotFound { program: OsString },
    #[error("{} is not executable; make it so with `chmod +x`, or name the program that runs it", program.display())]
    NotExecutable { program: OsString },
    #[error("the folder {} is missing or cannot be read; restore it or choose another", path.display())]
    MissingDirectory { path: PathBuf },
    #[error(
        "no terminal could be opened: {source}; close some agents or terminals, or raise the limit of open files"
    )]
    Pty { source: io::Error },
    #[error("{} could not be started: {source}; {}", program.display(), advice(source))]
    Spawn { program: OsString, source: io::Error },
    #[error("no thread could be started: {source}; close some agents or terminals")]
    Thread { source: io::Error },
}

/// The program does not read its input and the queue is full; nothing of the bytes was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the program is not reading its input: {queued} bytes wait for it already")]
pub struct WriteRefused {
    /// Bytes that wait to be read.
    pub queued: usize,
}

impl SpawnError {
    /// What a shell would end with in its place.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::EmptyCommand | Self::NotFound { .. } => 127,
            Self::NotExecutable { .. }
            | Self::MissingDirectory { .. }
            | Self::Pty { .. }
            | Self::Spawn { .. }
            | Self::Thread { .. } => 126,
        }
    }
}

/// What to do about a program that passed all checks and still could not be run.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "the interpreter its first line names is missing",
        io::ErrorKind::ArgumentListTooLong => "shorten its arguments or its environment",
        io::ErrorKind::WouldBlock => "too many processes are running; end some",
        io::ErrorKind::OutOfMemory => "close some programs",
        io::ErrorKind::PermissionDenied => "its interpreter or its file system does not allow it",
        io::ErrorKind::InvalidInput => "its arguments or environment hold a NUL character",
        _ => "check that it is a program for this machine",
    }
}
