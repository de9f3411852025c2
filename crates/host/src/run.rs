//! The process: its place, its signals, and the loop.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use base::LogErr as _;
use control::listen::{self, BindError, FileId};
use control::path::{HOST_LOCK_FILE, is_private};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

use crate::aside;
use crate::host::Host;
use crate::transcript::DEFAULT_LIMIT;

/// Held while a host starts: whoever comes meanwhile waits for it.
const START_LOCK_FILE: &str = "host.start.lock";

/// What a host says, on its standard output, once apps can connect to it.
pub(crate) const READY: &[u8] = b"ready\n";
/// Or if another has the place.
pub(crate) const TAKEN: &[u8] = b"taken\n";

/// How a host is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub state_dir: PathBuf,
    pub socket: PathBuf,
    /// Bytes of transcript for each launch that does not say so itself.
    pub transcript_limit: u64,
    /// How long programs are given to end when the host is told to.
    pub stop_grace: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{} is not a folder that only you can write to", path.display())]
    StateDir { path: PathBuf },
    #[error("cannot lock {}: {source}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error("the host cannot go on: {0}")]
    Io(#[from] io::Error),
}

impl Options {
    pub fn new(state_dir: impl Into<PathBuf>, socket: impl Into<PathBuf>) -> Self {
        Self {
            state_dir: state_dir.into(),
            socket: socket.into(),
            transcript_limit: DEFAULT_LIMIT,
            stop_grace: Duration::from_secs(3),
        }
    }
}

/// Serves apps until nothing is left to do, or until a signal asks for the end.
///
/// To be called by a process of its own, before it has other threads; [`crate::Client::start`] starts such
/// a process. If another host has the place, that one is enough, and this returns at once.
///
/// # Errors
/// The place cannot be used, or the system fails us.
pub fn run(options: Options) -> Result<(), RunError> {
    block_signals()?;
    let state_dir = fs::canonicalize(&options.state_dir)
        .ok()
        .filter(|dir| is_private(dir, nix::unistd::geteuid().as_raw()))
        .ok_or_else(|| RunError::StateDir { path: options.state_dir.clone() })?;
    let socket = std::path::absolute(&options.socket)?;
    let options = Options { state_dir, socket, ..options };
    // So that no file system is kept busy by it.
    std::env::set_current_dir("/")?;
    pty::become_subreaper().log_err("adopting orphans");
    pty::raise_descriptor_limit().log_err("asking for more descriptors");

    let starting = lock_file(&options.state_dir.join(START_LOCK_FILE))?;
    starting.lock().map_err(|source| lock_error(&options.state_dir, source))?;
    let Some(lock) = take_place(&options)? else {
        tell(TAKEN);
        return Ok(());
    };
    let (listener, file) = listen::bind(&options.socket)?;
    let place = Place { socket: options.socket.clone(), file, lock };
    let signals = SignalFd::with_flags(&signals(), SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK);
    let mut host = Host::new(options, listener, signals.map_err(io::Error::from)?)?;
    tell(READY);
    drop(starting);
    let result = host.run();
    // The name first: whoever comes now finds no host rather than one that ends.
    drop(place);
    Ok(result?)
}

/// The socket and the lock, both given up when dropped.
struct Place {
    socket: PathBuf,
    file: FileId,
    lock: File,
}

impl Drop for Place {
    fn drop(&mut self) {
        if listen::file_id(&self.socket).is_ok_and(|file| file == self.file) {
            fs::remove_file(&self.socket).log_err("removing the host's socket");
        }
        // Closing is not enough while a child that was just forked holds a copy of the descriptor.
        self.lock.unlock().log_err("releasing the host's place");
    }
}

/// `None` if another host has it.
fn take_place(options: &Options) -> Result<Option<File>, RunError> {
    let path = options.state_dir.join(HOST_LOCK_FILE);
    let lock = lock_file(&path)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(source)) => return Err(RunError::Lock { path, source }),
    }
    let mut record = format!("{}\n", process::id()).into_bytes();
    record.extend_from_slice(options.socket.as_os_str().as_bytes());
    record.push(b'\n');
    let written = lock.set_len(0).and_then(|()| lock.write_all_at(&record, 0));
    written.log_err("writing down where the host is");
    Ok(Some(lock))
}

fn lock_file(path: &Path) -> Result<File, RunError> {
    let failed = |source| RunError::Lock { path: path.to_owned(), source };
    let mut options = File::options();
    aside::open_regular(options.read(true).write(true).create(true), path).map_err(failed)
}

fn lock_error(state_dir: &Path, source: io::Error) -> RunError {
    RunError::Lock { path: state_dir.join(START_LOCK_FILE), source }
}

/// SIGHUP is the end of somebody's terminal, and SIGXFSZ says what a failed write says as well.
fn signals() -> SigSet {
    [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGXFSZ, Signal::SIGPIPE]
        .into_iter()
        .collect()
}

/// Before there are threads, which inherit it; programs get an empty mask from `pty`.
fn block_signals() -> io::Result<()> {
    Ok(signals().thread_block()?)
}

/// Tells whoever started us, and lets go of him.
fn tell(what: &[u8]) {
    // Nobody may be listening.
    let mut stdout = io::stdout();
    stdout.write_all(what).and_then(|()| stdout.flush()).log_err("telling that the host is ready");
    match File::options().read(true).write(true).open("/dev/null") {
        Ok(null) => {
            nix::unistd::dup2_stdout(&null).log_err("letting go of the standard output");
            nix::unistd::dup2_stdin(&null).log_err("letting go of the standard input");
        }
        Err(err) => tracing::warn!("while opening /dev/null: {err}"),
    }
}
