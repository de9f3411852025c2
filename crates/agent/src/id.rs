//! Names for agents.

use std::fmt;

/// Names one agent for the life of the process. Ids are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(u32);

/// Hands out ids in order; held by whoever owns the agents.
#[derive(Debug, Default)]
pub struct AgentIds {
    next: u32,
}

impl AgentIds {
    pub fn mint(&mut self) -> AgentId {
        self.next += 1;
        AgentId(self.next)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_count_up_from_one() {
        let mut ids = AgentIds::default();
        assert_eq!(ids.mint().to_string(), "1", "the first id");
        assert_eq!(ids.mint().to_string(), "2", "the second id");
    }
}
