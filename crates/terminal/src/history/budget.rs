//! What the scrollback of all terminals together may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Clones are the same budget. A terminal that adds to its scrollback while all of them together are
/// over it drops its own oldest lines.
#[derive(Debug, Clone)]
pub struct ScrollbackBudget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: usize,
    used: AtomicUsize,
}

impl ScrollbackBudget {
    pub fn new(limit: usize) -> Self {
        Self(Arc::new(Shared { limit, used: AtomicUsize::new(0) }))
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    pub fn limit(&self) -> usize {
        self.0.limit
    }

    pub(crate) fn claim(&self, bytes: usize) {
        self.0.used.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn release(&self, bytes: usize) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.used() > self.0.limit
    }
}

impl Default for ScrollbackBudget {
    fn default() -> Self {
        Self::new(512 * 1024 * 1024)
    }
}
