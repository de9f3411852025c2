//! The control socket: listens, reads requests, writes replies; decides nothing.
//!
//! Every request is handed to one callback together with who asks and a way to answer, and it is
//! for the application to say yes or no. Nothing here waits for the application, and the
//! application never waits here: answers go into a queue of bounded size.
//!
//! Invariants:
//! - One thread accepts and one serves each client; all wait on descriptors only, watch the same
//!   stop pipe, and are joined when the [`ControlServer`] is dropped.
//! - A client has one request out at a time. What it sends meanwhile stays in the kernel, so at
//!   most [`ServerOptions::max_clients`] requests are ever open.
//! - Only this user gets an answer, and only a socket this server made is ever removed by it.

mod client;
mod listen;
mod outbox;
pub(crate) mod peer;

use std::fmt;
use std::fs;
use std::io::{self, PipeWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{LogErr, Worker};
use control::Request;
pub(crate) use control::listen::BindError;
use control::listen::{FileId, bind, file_id};

use listen::Accepting;
pub(crate) use outbox::ReplySender;
pub(crate) use peer::Peer;

/// What the server does with a request: runs on the client's thread and must not block it.
type OnRequest = dyn Fn(Incoming) + Send + Sync;

/// A request, who sent it, and the way to answer it.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub request: Request,
    pub peer: Peer,
    pub reply: ReplySender,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ServerOptions {
    /// Clients at once. One more takes the place of the one that has been silent longest; when
    /// all of them wait for an answer, it is told that we are busy.
    pub max_clients: usize,
    /// Bytes queued for a client that does not read; beyond, it is dropped.
    pub max_queued: usize,
    /// The only user who is answered.
    pub allowed_uid: u32,
}

/// A listening socket; removed, and all its threads joined, when dropped.
pub(crate) struct ControlServer {
    path: PathBuf,
    file: FileId,
    accepting: Option<Worker<PipeWriter>>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            max_clients: 64,
            max_queued: 1024 * 1024,
            allowed_uid: nix::unistd::geteuid().as_raw(),
        }
    }
}

impl ControlServer {
    /// Listens on a new socket at `path`, whose folder is made if need be, and hands every request
    /// to `on_request`.
    ///
    /// A socket left behind by a dead instance is replaced. The caller holds the
    /// [`InstanceLock`](super::instance::InstanceLock), so that no two do this at once.
    ///
    /// # Errors
    /// Somebody listens there already, or the place is not safe or not usable. Nothing that is not
    /// ours is changed then.
    pub(crate) fn bind(
        path: &Path,
        on_request: impl Fn(Incoming) + Send + Sync + 'static,
    ) -> Result<Self, BindError> {
        Self::bind_with(path, ServerOptions::default(), on_request)
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// As for [`ControlServer::bind`].
    pub(crate) fn bind_with(
        path: &Path,
        options: ServerOptions,
        on_request: impl Fn(Incoming) + Send + Sync + 'static,
    ) -> Result<Self, BindError> {
        let failed = |source| BindError::Listen { path: path.to_owned(), source };
        let (listener, file) = bind(path)?;
        // From here on the socket exists, and dropping the server removes it.
        let mut server = Self { path: path.to_owned(), file, accepting: None };
        let (stopped, stop) = io::pipe().map_err(failed)?;
        let accepting = Accepting::new(listener, options, Arc::new(on_request), stopped);
        server.accepting =
            Some(Worker::spawn("socket", stop, move || accepting.run()).map_err(failed)?);
        Ok(server)
    }

    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ControlServer {
    fn drop(&mut self) {
        // First the name, so that a client who comes now finds no instance instead of a dying one.
        if file_id(&self.path).is_ok_and(|file| file == self.file) {
            fs::remove_file(&self.path).log_err("removing the control socket");
        }
        drop(self.accepting.take());
    }
}

impl fmt::Debug for ControlServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlServer").field("path", &self.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
