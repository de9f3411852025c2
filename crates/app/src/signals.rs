//! SIGTERM, SIGINT and SIGHUP end the program in order instead of at once.

use std::os::fd::{AsFd as _, OwnedFd};

use base::Worker;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

use crate::news::{News, NewsSender};

/// Listens for the signals as long as it lives.
#[derive(Debug)]
pub(crate) struct Signals {
    _worker: Worker<OwnedFd>,
}

/// Keeps the signals from ending the process. To be called before any thread is started, as
/// threads inherit it; children get an empty mask from `pty`.
///
/// # Errors
/// The system refuses, which it has no reason to.
pub(crate) fn block() -> nix::Result<()> {
    ending_signals().thread_block()
}

fn ending_signals() -> SigSet {
    [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP].into_iter().collect()
}

impl Signals {
    /// # Errors
    /// The system gives us no descriptor or no thread.
    pub(crate) fn listen(news: NewsSender) -> std::io::Result<Self> {
        let signals = SignalFd::with_flags(&ending_signals(), SfdFlags::SFD_CLOEXEC)?;
        let (stopped, stop) = std::io::pipe()?;
        let worker = Worker::spawn("signals", OwnedFd::from(stop), move || {
            let mut fds = [
                PollFd::new(signals.as_fd(), PollFlags::POLLIN),
                PollFd::new(stopped.as_fd(), PollFlags::POLLIN),
            ];
            loop {
                match poll(&mut fds, PollTimeout::NONE) {
                    Ok(_) | Err(nix::errno::Errno::EINTR) => {}
                    Err(_) => return,
                }
                if fds[1].any().unwrap_or(true) {
                    return;
                }
                if let Ok(Some(_signal)) = signals.read_signal() {
                    news.send(News::Terminate);
                }
            }
        })?;
        Ok(Self { _worker: worker })
    }
}
