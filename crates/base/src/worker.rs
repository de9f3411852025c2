//! A thread with a name, one owner and an end.

use std::fmt;
use std::io;
use std::thread::{Builder, JoinHandle};

/// Stack of a worker: ours are shallow, and a hundred agents have three each.
const STACK_SIZE: usize = 256 * 1024;

/// A named thread that is told to stop and joined when its owner drops it.
///
/// `stop` is whatever the thread watches: a channel's sender, the write end of a pipe. Dropping
/// the worker drops `stop` first, which must make the thread return, and then waits for it.
pub struct Worker<S = ()> {
    stop: Option<S>,
    thread: Option<JoinHandle<()>>,
}

impl<S> Worker<S> {
    /// Starts `run` on a thread of that name.
    ///
    /// # Errors
    /// The operating system may refuse another thread.
    pub fn spawn(
        name: impl Into<String>,
        stop: S,
        run: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let thread = Builder::new().name(name.into()).stack_size(STACK_SIZE).spawn(run)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }

    /// What stops the thread; `None` only while it is being dropped.
    pub fn stop_handle(&self) -> Option<&S> {
        self.stop.as_ref()
    }

    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(Err(_panic)) = self.thread.take().map(JoinHandle::join) {
            // The panic hook has already logged it; a second panic here would abort.
        }
    }
}

impl<S> fmt::Debug for Worker<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.thread.as_ref().and_then(|thread| thread.thread().name());
        f.debug_struct("Worker").field("name", &name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn dropping_a_worker_stops_and_joins_its_thread() {
        let ended = Arc::new(AtomicBool::new(false));
        let (stop, stopped) = mpsc::channel::<()>();
        let worker = {
            let ended = Arc::clone(&ended);
            Worker::spawn("test", stop, move || {
                assert!(stopped.recv().is_err(), "nothing is ever sent");
                ended.store(true, Ordering::Release);
            })
            .unwrap()
        };
        drop(worker);
        assert!(ended.load(Ordering::Acquire), "the thread ended before drop returned");
    }
}
