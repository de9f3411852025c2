//! Programs that run on the person's behalf, and how what they start is told from an agent's.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::family::Mark;

/// Those that run now. A copy knows of the same ones.
#[derive(Debug, Clone, Default)]
pub struct Callers(Arc<Mutex<BTreeMap<i32, Mark>>>);

impl Callers {
    /// Whether a process belongs to one of them, by descent and by mark alike. The number alone may be
    /// another's by now, and anybody can copy a mark.
    ///
    /// `family` is the process and its ancestors; `is_marked` says whether its environment has that mark.
    pub fn has_started(&self, family: &[i32], is_marked: impl Fn(&str) -> bool) -> bool {
        let running = self.lock();
        let mut leaders = family.iter().filter_map(|pid| running.get(pid));
        leaders.any(|mark| is_marked(mark.value()))
    }

    /// Held over each start, so that a program that calls at once is known.
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<i32, Mark>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
