//! Making a socket that only its user can reach, whatever is in its place.
//!
//! Accepting, and saying who may talk, is for the process that listens.

use std::fs::{self, DirBuilder, File, FileType};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::sys::socket::{self, AddressFamily, Backlog, SockFlag, SockType, UnixAddr};
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::sys::stat::{Mode, fchmod};

use crate::path::{MAX_SOCKET_PATH, is_private};

/// Connections the kernel holds until we accept them.
const BACKLOG: i32 = 128;

#[derive(Debug, thiserror::Error)]
pub enum BindError {
    #[error("another instance listens on {}", path.display())]
    AlreadyRunning { path: PathBuf },
    #[error("{} is {what}, not a socket; move it away, or use another --state-dir", path.display())]
    NotASocket { path: PathBuf, what: &'static str },
    #[error("{} belongs to another user; use another --state-dir", path.display())]
    NotOurs { path: PathBuf },
    #[error(
        "{} is not a folder that only you can write to; try chmod go-w, or another --state-dir",
        path.display()
    )]
    UnsafeFolder { path: PathBuf },
    #[error("cannot create the folder {}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("cannot listen on {}", path.display())]
    Listen { path: PathBuf, source: io::Error },
}

/// Device and inode: which file a path leads to, whatever it was renamed from or replaced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId(u64, u64);

/// The file at the path itself; a link is not followed.
///
/// # Errors
/// There is none, or it cannot be looked at.
pub fn file_id(path: &Path) -> io::Result<FileId> {
    fs::symlink_metadata(path).map(|metadata| FileId(metadata.dev(), metadata.ino()))
}

/// A listening socket of mode 0600 in a folder that only we can write to. It does not block.
///
/// A socket left behind by a dead process is replaced. The caller holds a lock, so that no two do
/// this at once.
///
/// # Errors
/// Somebody listens there already, or the place is not safe or not usable. Nothing that is not ours
/// is changed then.
pub fn bind(path: &Path) -> Result<(UnixListener, FileId), BindError> {
    let failed = |source: io::Error| BindError::Listen { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or(Path::new("/"));
    make_private(folder)?;
    let address = Address::new(path).map_err(failed)?;
    remove_stale(path, &address)?;

    let listener = new_socket(SockFlag::SOCK_NONBLOCK).map_err(|errno| failed(errno.into()))?;
    // Linux gives the file the mode of the descriptor, so it never has another one.
    fchmod(&listener, Mode::S_IRUSR | Mode::S_IWUSR).map_err(|errno| failed(errno.into()))?;
    socket::bind(listener.as_raw_fd(), &address.unix).map_err(|errno| match errno {
        Errno::EADDRINUSE => BindError::AlreadyRunning { path: path.to_owned() },
        _ => failed(errno.into()),
    })?;
    let file = file_id(path).map_err(failed)?;
    Backlog::new(BACKLOG)
        .and_then(|backlog| socket::listen(&listener, backlog))
        .map_err(|errno| failed(errno.into()))?;
    Ok((UnixListener::from(listener), file))
}

fn make_private(folder: &Path) -> Result<(), BindError> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
            return Err(BindError::Folder { path: folder.to_owned(), source });
        }
        Ok(()) | Err(_) => {}
    }
    if !is_private(folder, nix::unistd::geteuid().as_raw()) {
        return Err(BindError::UnsafeFolder { path: folder.to_owned() });
    }
    Ok(())
}

/// Clears the path of a socket nobody listens on, and of nothing else.
fn remove_stale(path: &Path, address: &Address) -> Result<(), BindError> {
    let failed = |source: io::Error| BindError::Listen { path: path.to_owned(), source };
    let metadata = match fs::symlink_metadata(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(failed)?,
    };
    if !metadata.file_type().is_socket() {
        let what = kind_name(metadata.file_type());
        return Err(BindError::NotASocket { path: path.to_owned(), what });
    }
    if metadata.uid() != nix::unistd::geteuid().as_raw() {
        return Err(BindError::NotOurs { path: path.to_owned() });
    }
    // Not blocking: the queue of an instance that hangs may be full, and it is alive all the same.
    let probe = new_socket(SockFlag::SOCK_NONBLOCK).map_err(|errno| failed(errno.into()))?;
    match socket::connect(probe.as_raw_fd(), &address.unix) {
        Ok(()) | Err(Errno::EAGAIN | Errno::EINPROGRESS) => {
            Err(BindError::AlreadyRunning { path: path.to_owned() })
        }
        Err(Errno::ENOENT) => Ok(()),
        Err(Errno::ECONNREFUSED) => {
            let found = FileId(metadata.dev(), metadata.ino());
            if file_id(path).is_ok_and(|now| now == found) {
                fs::remove_file(path).map_err(failed)?;
            }
            Ok(())
        }
        Err(errno) => Err(failed(errno.into())),
    }
}

fn new_socket(flags: SockFlag) -> nix::Result<OwnedFd> {
    let flags = flags | SockFlag::SOCK_CLOEXEC;
    socket::socket(AddressFamily::Unix, SockType::Stream, flags, None)
}

fn kind_name(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_symlink() => "a symbolic link",
        _ if kind.is_dir() => "a folder",
        _ if kind.is_file() => "a file",
        _ => "a device or a pipe",
    }
}

/// A socket's address; one too long for the kernel goes through the folder's descriptor.
struct Address {
    unix: UnixAddr,
    _folder: Option<File>,
}

impl Address {
    fn new(path: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name), true) =
            (path.parent(), path.file_name(), path.as_os_str().len() > MAX_SOCKET_PATH)
        else {
            return Ok(Self { unix: UnixAddr::new(path)?, _folder: None });
        };
        let folder = File::open(folder)?;
        let short = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
        Ok(Self { unix: UnixAddr::new(&short)?, _folder: Some(folder) })
    }
}

/// The process that connected and its user, as the kernel tells them; no number for a process of
/// another PID namespace.
///
/// # Errors
/// It is no Unix socket.
pub fn peer(stream: &impl AsFd) -> io::Result<(Option<i32>, u32)> {
    let credentials = getsockopt(stream, PeerCredentials)?;
    Ok((Some(credentials.pid()).filter(|pid| *pid > 0), credentials.uid()))
}
