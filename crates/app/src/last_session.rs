//! What is open is written down soon after it has changed.
//!
//! It is looked at no more often than once a second, and only after something was done or has happened;
//! what is the same as before is not written. The deadline is that of the first change: who works on
//! without a pause is written down all the same.

mod convert;

use std::time::{Duration, Instant};

use workspace::KeptSession;

pub(crate) use self::convert::{Times, boot_id, kept_session, position, to_store};
use crate::app::App;
use crate::keeper::Job;

const WRITE_AFTER: Duration = Duration::from_millis(900);

/// When the session is written, and what was written last.
#[derive(Debug, Default)]
pub(crate) struct SessionWriter {
    /// Before the last session is restored, and after the end has begun, nothing is written.
    is_open: bool,
    due: Option<Instant>,
    written: Option<KeptSession>,
}

impl SessionWriter {
    pub(crate) fn open(&mut self) {
        self.is_open = true;
    }

    /// Something may have changed.
    pub(crate) fn touch(&mut self, now: Instant) {
        if self.is_open {
            self.due.get_or_insert(now + WRITE_AFTER);
        }
    }

    /// What was handed over could not be written.
    pub(crate) fn failed(&mut self) {
        self.written = None;
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.due
    }
}

impl App {
    pub(crate) fn keep_session_if_due(&mut self, now: Instant) {
        if self.session.due.is_some_and(|due| due <= now) {
            self.keep_session(now);
        }
    }

    /// The last word: agents that live now are remembered as living, and what they do as known until now.
    pub(crate) fn close_session(&mut self, now: Instant) {
        self.session.written = None;
        self.keep_session(now);
        self.session.is_open = false;
    }

    fn keep_session(&mut self, now: Instant) {
        self.session.due = None;
        if !self.session.is_open {
            return;
        }
        let session = self.state.kept_session(&self.sessions);
        if self.session.written.as_ref() == Some(&session) {
            return;
        }
        let stored = to_store(&session, Times::new(now));
        self.keeper.keep(Job::Session(stored));
        self.session.written = Some(session);
    }
}
