//! Accepting clients.

use std::io::{self, PipeReader, Write};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{LogErr, Worker};
use control::{ErrorKind, Reply};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::client::Connection;
use super::outbox::Outbox;
use super::{OnRequest, Peer, ServerOptions};

/// Pause after an accept that failed for want of descriptors or memory: the listener stays
/// readable, so there is nothing to wait for but time.
const BREATHER_MS: u16 = 100;

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
