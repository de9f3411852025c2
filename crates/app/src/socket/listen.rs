//! Making the socket and accepting clients.

use std::fs::{self, DirBuilder, File, FileType};
use std::io::{self, PipeReader, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{LogErr, Worker};
use control::path::{MAX_SOCKET_PATH, is_private};
use control::{ErrorKind, Reply};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{self, AddressFamily, Backlog, SockFlag, SockType, UnixAddr};
use nix::sys::stat::{Mode, fchmod};

use super::client::Connection;
use super::outbox::Outbox;
use super::{BindError, OnRequest, Peer, ServerOptions};

/// Connections the kernel holds until we accept them.
const BACKLOG: i32 = 128;
/// Pause after an accept that failed for want of descriptors or memory: the listener stays
/// readable, so there is nothing to wait for but time.
const BREATHER_MS: u16 = 100;

/// Device and inode: which file a path leads to, whatever it was renamed from or replaced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

/// The file at the path itself; a link is not followed.
pub(super) fn file_id(path: &Path) -> io::Result<FileId> {
    fs::symlink_metadata(path).map(|metadata| FileId(metadata.dev(), metadata.ino()))
}

/// A listening socket of mode 0600 in a folder that only we can write to.
pub(super) fn bind(path: &Path) -> Result<(UnixListener, FileId), BindError> {
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

/// What the accepting thread owns, the clients' threads included.
pub(super) struct Accepting {
    listener: UnixListener,
    options: ServerOptions,
    on_request: Arc<OnRequest>,
    stop: Arc<PipeReader>,
    clients: Vec<Client>,
    /// Clients that have come.
    clock: Arc<AtomicU64>,
}

struct Client {
    outbox: Arc<Outbox>,
    thread: Worker,
}

impl Accepting {
    pub(super) fn new(
        listener: UnixListener,
        options: ServerOptions,
        on_request: Arc<OnRequest>,
        stop: PipeReader,
    ) -> Self {
        let (stop, clock) = (Arc::new(stop), Arc::default());
        Self { listener, options, on_request, stop, clients: Vec::new(), clock }
    }

    /// Accepts until the other end of the stop pipe is closed, and then waits for the clients'
    /// threads, which watch it too.
    pub(super) fn run(mut self) {
        while self.wait() {
            match self.listener.accept() {
                Ok((stream, _)) => self.admit(stream),
                Err(err) => match err.kind() {
                    io::ErrorKind::WouldBlock
                    | io::ErrorKind::Interrupted
                    | io::ErrorKind::ConnectionAborted => {}
                    _ => {
                        tracing::warn!("while accepting a control client: {err}");
                        self.take_a_breather();
                    }
                },
            }
        }
    }

    /// Waits for a client; false when it is time to stop.
    fn wait(&self) -> bool {
        let mut fds = [
            PollFd::new(self.listener.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.stop.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) => !fds[1].any().unwrap_or(true),
            Err(errno) => errno == Errno::EINTR,
        }
    }

    fn take_a_breather(&self) {
        let mut fds = [PollFd::new(self.stop.as_fd(), PollFlags::POLLIN)];
        poll(&mut fds, BREATHER_MS).log_err("waiting for descriptors");
    }

    fn admit(&mut self, stream: UnixStream) {
        // Even the words of a refusal must not wait for a client that does not read.
        if stream.set_nonblocking(true).log_err("accepting a control client").is_none() {
            return;
        }
        let peer = match Peer::of(&stream) {
            Ok(peer) if peer.uid == self.options.allowed_uid => peer,
            Ok(_) | Err(_) => {
                return refuse(stream, ErrorKind::Denied, "this instance belongs to another user");
            }
        };
        self.clients.retain(|client| !client.thread.is_finished());
        if self.clients.len() >= self.options.max_clients && !self.make_room() {
            return refuse(stream, ErrorKind::Busy, "too many requests at once; try again");
        }
        if let Err(err) = self.start(stream, peer) {
            tracing::warn!("while starting a thread for a control client: {err}");
        }
    }

    /// Sends the client away that has been silent longest. False: all wait for answers.
    fn make_room(&mut self) -> bool {
        let silent = self.clients.iter().enumerate();
        let silent = silent.filter_map(|(i, client)| Some((client.outbox.silent_since()?, i)));
        let Some((_, i)) = silent.min() else { return false };
        let notice = Reply::error(None, ErrorKind::Busy, "too many clients, and you said nothing");
        if !self.clients[i].outbox.evict(notice.to_line()) {
            return false;
        }
        // Joins its thread, which does nothing any more that could take time.
        self.clients.swap_remove(i);
        true
    }

    fn start(&mut self, stream: UnixStream, peer: Peer) -> io::Result<()> {
        let number = self.clock.fetch_add(1, Ordering::Relaxed);
        let (outbox, wake) = Outbox::new(self.options.max_queued, Arc::clone(&self.clock))?;
        let outbox = Arc::new(outbox);
        let on_request = Arc::clone(&self.on_request);
        let connection = Connection::new(stream, peer, Arc::clone(&outbox), on_request);
        let stop = Arc::clone(&self.stop);
        let thread =
            Worker::spawn(format!("socket:{number}"), (), move || connection.serve(&stop, &wake))?;
        self.clients.push(Client { outbox, thread });
        Ok(())
    }
}

/// Says why and closes; a client that cannot take the line at once goes without it.
fn refuse(mut stream: UnixStream, kind: ErrorKind, message: &str) {
    let line = Reply::error(None, kind, message).to_line();
    stream.write(&line).log_err("refusing a control client");
}
