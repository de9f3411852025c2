//! Where the control socket is, and that of the host.
//!
//! Whoever listens and its clients must come to the same answer from a state directory alone, also
//! when a client runs without `$XDG_RUNTIME_DIR` (cron, another login). The instance therefore
//! writes the place it chose into its lock file, and clients look there first.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{self, Path, PathBuf};

/// In the state directory: held by the instance; its process id, and then the socket's path.
pub const LOCK_FILE: &str = "instance.lock";
/// The same of the host.
pub const HOST_LOCK_FILE: &str = "host.lock";
/// Bytes in `sockaddr_un.sun_path`, without the NUL at its end.
pub const MAX_SOCKET_PATH: usize = 107;

/// `$XDG_RUNTIME_DIR/trackside/<hash of the state dir>.sock`, or `control.sock` in the state
/// directory where there is no runtime directory or its path is too long.
///
/// The second may be longer than a socket's address can be. Both halves then reach it through its
/// folder: see [`MAX_SOCKET_PATH`].
pub fn socket_path(state_dir: &Path, runtime_dir: Option<&Path>) -> PathBuf {
    Listener::Instance.path(state_dir, runtime_dir)
}

/// Where an instance with that state directory puts its socket: as [`socket_path`], but a runtime
/// directory that another user could meddle with is passed over. The state directory must exist.
///
/// # Errors
/// The state directory cannot be looked at.
pub fn choose_socket(state_dir: &Path, runtime_dir: Option<&Path>) -> io::Result<PathBuf> {
    Listener::Instance.choose(state_dir, runtime_dir)
}

/// Where a client looks for the instance with that state directory, running or not.
pub fn find_socket(state_dir: &Path, runtime_dir: Option<&Path>) -> PathBuf {
    Listener::Instance.find(state_dir, runtime_dir)
}

/// As [`find_socket`], for the host of that state directory: where it is, or would be started.
pub fn find_host_socket(state_dir: &Path, runtime_dir: Option<&Path>) -> PathBuf {
    Listener::Host.find(state_dir, runtime_dir)
}

/// As [`choose_socket`], for a host that is about to be started.
///
/// # Errors
/// The state directory cannot be looked at.
pub fn choose_host_socket(state_dir: &Path, runtime_dir: Option<&Path>) -> io::Result<PathBuf> {
    Listener::Host.choose(state_dir, runtime_dir)
}

/// Whose socket it is.
#[derive(Debug, Clone, Copy)]
enum Listener {
    Instance,
    Host,
}

impl Listener {
    fn path(self, state_dir: &Path, runtime_dir: Option<&Path>) -> PathBuf {
        let (suffix, name) = match self {
            Self::Instance => ("", "control.sock"),
            Self::Host => (".host", "host.sock"),
        };
        let name_there = format!("{:016x}{suffix}.sock", hash(state_dir));
        runtime_dir
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join("trackside").join(name_there))
            .filter(|path| path.as_os_str().len() <= MAX_SOCKET_PATH)
            .unwrap_or_else(|| state_dir.join(name))
    }

    fn choose(self, state_dir: &Path, runtime_dir: Option<&Path>) -> io::Result<PathBuf> {
        let state_dir = fs::canonicalize(state_dir)?;
        let owner = fs::metadata(&state_dir)?.uid();
        let runtime_dir = runtime_dir.filter(|dir| {
            let ours = dir.join("trackside");
            let is_free = matches!(fs::symlink_metadata(&ours), Err(err) if err.kind() == io::ErrorKind::NotFound);
            is_private(dir, owner) && (is_free || is_private(&ours, owner))
        });
        Ok(self.path(&state_dir, runtime_dir))
    }

    fn find(self, state_dir: &Path, runtime_dir: Option<&Path>) -> PathBuf {
        let lock = match self {
            Self::Instance => LOCK_FILE,
            Self::Host => HOST_LOCK_FILE,
        };
        recorded_socket(&state_dir.join(lock)).unwrap_or_else(|| {
            let absolute = || path::absolute(state_dir).unwrap_or_else(|_| state_dir.to_owned());
            let choice = self.choose(state_dir, runtime_dir);
            choice.unwrap_or_else(|_| self.path(&absolute(), None))
        })
    }
}

/// Whether it is a folder, not a link to one, that only this user may change.
pub fn is_private(dir: &Path, owner: u32) -> bool {
    let is_fine = |metadata: Metadata| {
        metadata.is_dir() && metadata.uid() == owner && metadata.mode() & 0o022 == 0
    };
    fs::symlink_metadata(dir).is_ok_and(is_fine)
}

fn recorded_socket(lock: &Path) -> Option<PathBuf> {
    if !fs::symlink_metadata(lock).ok()?.is_file() {
        return None;
    }
    let mut record = Vec::new();
    File::open(lock).ok()?.take(8 * 1024).read_to_end(&mut record).ok()?;
    let path = record.split(|byte| *byte == b'\n').nth(1).filter(|path| !path.is_empty())?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path))).filter(|path| path.is_absolute())
}

/// FNV-1a. Not for secrets: it only tells folders apart, the same in every build.
pub fn hash(path: &Path) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    path.as_os_str().as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}
