//! Starting the program: what can be known to fail is refused before anything exists.
//!
//! The process is started by std on a terminal that portable-pty opened. portable-pty's own spawn
//! falls back to the home directory when the working directory is missing, and reports a program
//! that cannot be executed as one that started and crashed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::{AccessFlags, access};

use crate::children::{self, Leader};
use crate::{PtySize, SpawnError, sys};

/// Where programs are looked for when the environment has no PATH, as `exec` does it.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// What to run, where, and in which surroundings.
#[derive(Debug, Clone)]
pub struct SpawnRequest {
    /// The program, by name or path, and its arguments. There is no shell in between.
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// The whole environment: nothing of ours is inherited. `TRACKSIDE_SESSION` is set by us.
    pub env: Vec<(OsString, OsString)>,
    pub size: PtySize,
    /// For the names of the threads.
    pub name: String,
}

/// A request that passed the checks.
pub(crate) struct Launch<'a> {
    request: &'a SpawnRequest,
    /// As the user wrote it.
    name: &'a OsStr,
    program: PathBuf,
}

impl<'a> Launch<'a> {
    pub(crate) fn check(request: &'a SpawnRequest) -> Result<Self, SpawnError> {
        let name = request.argv.first().filter(|name| !name.is_empty());
        let name = name.ok_or(SpawnError::EmptyCommand)?;
        let path = &request.cwd;
        if !path.is_dir() || access(path, AccessFlags::R_OK | AccessFlags::X_OK).is_err() {
            return Err(SpawnError::MissingDirectory { path: path.clone() });
        }
        let is_path = |entry: &&(OsString, OsString)| entry.0 == "PATH";
        let search = request.env.iter().rfind(is_path).map(|(_, path)| path.as_os_str());
        Ok(Self { request, name, program: find_program(name, search, path)? })
    }

    /// Starts the program as the leader of its own session on `tty`, marked with `marker`.
    pub(crate) fn start(&self, tty: &OwnedFd, marker: (&str, &str)) -> Result<Leader, SpawnError> {
        let failed = |source| SpawnError::Spawn { program: self.name.to_owned(), source };
        let stdio = || tty.try_clone().map(Stdio::from);
        let no_fd = |source: io::Error| SpawnError::Pty { source };
        let mut command = Command::new(&self.program);
        command
            .arg0(self.name)
            .args(self.request.argv.iter().skip(1))
            .current_dir(&self.request.cwd)
            .env_clear()
            .envs(self.request.env.iter().map(|(key, value)| (key, value)))
            .env(marker.0, marker.1)
            .stdin(stdio().map_err(no_fd)?)
            .stdout(stdio().map_err(no_fd)?)
            .stderr(stdio().map_err(no_fd)?);
        sys::lead_a_session(&mut command);
        children::start(&mut command).map_err(failed)
    }
}

/// Where the program is that a command of this name would run: on the search path, or, with a
/// slash in it, as a path from `cwd`.
///
/// # Errors
/// It is not there, or cannot be executed.
pub fn find_program(
    name: &OsStr,
    search: Option<&OsStr>,
    cwd: &Path,
) -> Result<PathBuf, SpawnError> {
    let candidates: Vec<PathBuf> = if name.as_bytes().contains(&b'/') {
        vec![cwd.join(name)]
    } else {
        std::env::split_paths(search.unwrap_or(OsStr::new(DEFAULT_PATH)))
            .map(|folder| cwd.join(folder).join(name))
            .collect()
    };
    if let Some(program) = candidates.iter().find(|path| is_executable(path)) {
        return std::path::absolute(program)
            .map_err(|source| SpawnError::Spawn { program: name.to_owned(), source });
    }
    // A folder or a plain file of that name somewhere on the PATH is the better hint.
    match candidates.into_iter().find(|path| path.exists()) {
        Some(path) => Err(SpawnError::NotExecutable { program: path.into_os_string() }),
        None => Err(SpawnError::NotFound { program: name.to_owned() }),
    }
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}
