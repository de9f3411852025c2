//! The `resize` thread: gives terminals new sizes, and tells their programs.
//!
//! Rewrapping what a terminal shows takes milliseconds, which the loop does not have. A program is
//! told right after its screen was rewrapped, so that what it prints for one size meets a screen of
//! that size, and hears of at most 20 sizes a second, as it draws itself anew for each.

use std::io;
use std::time::{Duration, Instant};

use base::{LogErr as _, Waker, Worker};
use crossbeam_channel::{Sender, unbounded};
use pty::{PtyResizer, PtySize};
use terminal::{GridSize, TerminalBuffer};

use crate::flights::Flight;

/// A program is told a new size at most this often.
pub(crate) const RESIZE_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(crate) struct Resizing {
    worker: Worker<Sender<Job>>,
}

#[derive(Debug)]
struct Job {
    terminal: TerminalBuffer,
    /// Of the program, if one runs.
    pty: Option<PtyResizer>,
    flight: Flight,
}

/// The sizes of one program.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    told_at: Option<Instant>,
    /// Has a new size, which is told once it is time again.
    next: Option<TerminalBuffer>,
}

impl Resizing {
    /// # Errors
    /// The system gives us no thread.
    pub(crate) fn start(output: Waker) -> io::Result<Self> {
        let (sender, jobs) = unbounded::<Job>();
        let worker = Worker::spawn("resize", sender, move || {
            for Job { terminal, pty, flight } in jobs {
                let size = terminal.take_size();
                flight.resized(size);
                if let Some(pty) = pty {
                    pty.resize(pty_size(size)).log_err("resizing a terminal");
                }
                output.wake();
            }
        })?;
        Ok(Self { worker })
    }

    pub(crate) fn resize(&self, terminal: TerminalBuffer, pty: Option<PtyResizer>, flight: Flight) {
        if let Some(jobs) = self.worker.stop_handle() {
            jobs.send(Job { terminal, pty, flight }).log_err("resizing a terminal");
        }
    }
}

impl Sizes {
    pub(crate) fn want(&mut self, terminal: TerminalBuffer) {
        self.next = Some(terminal);
    }

    /// What has another size by now, if it is time to tell of one.
    pub(crate) fn take_due(&mut self, now: Instant) -> Option<TerminalBuffer> {
        if self.told_at.is_some_and(|at| now < at + RESIZE_EVERY) {
            return None;
        }
        let terminal = self.next.take()?;
        self.told_at = Some(now);
        Some(terminal)
    }

    /// When a size that waits may be told.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        self.next.as_ref()?;
        Some(self.told_at? + RESIZE_EVERY)
    }
}

pub(crate) fn pty_size(size: GridSize) -> PtySize {
    PtySize { columns: size.columns, rows: size.rows, pixel_width: 0, pixel_height: 0 }
}

#[cfg(test)]
mod tests {
    use terminal::TerminalOptions;

    use super::*;

    #[test]
    fn sizes_are_told_at_most_every_50_ms_and_the_last_one_always() {
        let (start, terminal) =
            (crate::clock(), TerminalBuffer::new(GridSize::default(), TerminalOptions::default()));
        let at = |ms| start + Duration::from_millis(ms);
        let mut sizes = Sizes::default();
        let told: Vec<u64> = (0..200)
            .filter(|ms| {
                if ms % 10 == 0 && *ms <= 120 {
                    sizes.want(terminal.clone());
                }
                sizes.take_due(at(*ms)).is_some()
            })
            .collect();
        assert_eq!(told, [0, 50, 100, 150], "the one wanted at 120 is told at 150");
        assert_eq!(sizes.due_at(), None, "nothing waits");
    }
}
