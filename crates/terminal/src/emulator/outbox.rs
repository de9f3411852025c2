//! What the emulator has to say, until the slice is parsed.

use std::sync::{Arc, Mutex, PoisonError};

use alacritty_terminal::event::{Event, EventListener};

/// Events kept from one slice of output. Whoever asks more is not waiting for the answers.
const MAX_EVENTS: usize = 16 * 1024;

#[derive(Clone, Default)]
pub(super) struct Outbox(Arc<Mutex<Vec<Event>>>);

impl Outbox {
    pub(super) fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl EventListener for Outbox {
    fn send_event(&self, event: Event) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() < MAX_EVENTS {
            events.push(event);
        }
    }
}
