//! The targets of hyperlinks, each kept once and only the newest of them.
//!
//! Cells carry a number. When its target has been forgotten for the sake of newer ones, the cell is
//! plain text again.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Targets kept for one terminal.
const MAX_LINKS: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Links {
    /// Oldest first; the number of the first is `first`.
    targets: VecDeque<Arc<str>>,
    first: u32,
    numbers: HashMap<Arc<str>, u32>,
}

impl Links {
    /// The number of a link. The same `id` and `target` have the same, while it is remembered.
    pub(super) fn number(&mut self, id: Option<&str>, target: &str) -> u32 {
        let key = format!("{}\0{target}", id.unwrap_or_default());
        if let Some(number) = self.numbers.get(key.as_str()) {
            return *number;
        }
        if self.targets.len() == MAX_LINKS
            && let Some(oldest) = self.targets.pop_front()
        {
            self.numbers.remove(&oldest);
            self.first = self.first.wrapping_add(1);
        }
        let key: Arc<str> = key.into();
        self.targets.push_back(Arc::clone(&key));
        let place = u32::try_from(self.targets.len()).unwrap_or_default();
        // Numbers start at 1: 0 stands for no link.
        let number = self.first.wrapping_add(place);
        self.numbers.insert(key, number);
        number
    }

    pub(super) fn target(&self, number: u32) -> Option<&str> {
        let place = number.wrapping_sub(self.first).checked_sub(1)?;
        let key = self.targets.get(usize::try_from(place).ok()?)?;
        key.split_once('\0').map(|(_, target)| target)
    }
}

#[cfg(test)]
mod tests;
