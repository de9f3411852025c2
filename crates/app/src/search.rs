//! The `search` thread: looks through what terminals have shown, one search after the other.
//!
//! Only the last search that was asked for matters: asking again ends the one before. One that takes
//! too long is ended too, and gives what it has found by then.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::{LogErr as _, Worker};
use crossbeam_channel::{Sender, unbounded};
use terminal::{SearchQuery, TerminalBuffer};
use workspace::Fact;

use crate::news::NewsSender;

/// The longest that a search may take.
const SEARCH_TIME: Duration = Duration::from_secs(2);

pub(crate) struct Searcher {
    worker: Worker<Sender<Job>>,
    running: Option<Running>,
}

struct Job {
    search: u64,
    terminal: TerminalBuffer,
    query: SearchQuery,
    stop: Arc<AtomicBool>,
}

struct Running {
    search: u64,
    stop: Arc<AtomicBool>,
    until: Instant,
}

impl Searcher {
    /// # Errors
    /// The operating system may refuse another thread.
    pub(crate) fn start(news: NewsSender) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("search", sender, move || {
            for Job { search, terminal, query, stop } in jobs {
                // Whoever asked has asked for something else since.
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                let result = query.compile();
                let result = result.map(|pattern| terminal.contents().search(&pattern, &stop));
                news.fact(Fact::Searched { search, result });
            }
        })?;
        Ok(Self { worker, running: None })
    }

    pub(crate) fn search(
        &mut self,
        search: u64,
        terminal: TerminalBuffer,
        query: SearchQuery,
        now: Instant,
    ) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        self.running = Some(Running { search, stop: Arc::clone(&stop), until: now + SEARCH_TIME });
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send(Job { search, terminal, query, stop }).log_err("searching a terminal");
        }
    }

    /// Ends a search whose time is up.
    pub(crate) fn stop_if_due(&mut self, now: Instant) {
        if self.next_deadline().is_some_and(|until| until <= now) {
            self.stop();
        }
    }

    /// When to end the search that runs.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.running.as_ref().map(|running| running.until)
    }

    /// A search has been answered, perhaps the last one.
    pub(crate) fn answered(&mut self, search: u64) {
        self.running.take_if(|running| running.search == search);
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        // Its thread is joined next.
        self.stop();
    }
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("worker", &self.worker).finish_non_exhaustive()
    }
}
