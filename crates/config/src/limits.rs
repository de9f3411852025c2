//! How much of everything there may be.

use std::time::Duration;

use serde::Deserialize;

use crate::value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of limits")]
pub struct Limits {
    /// Agents alive at once; the next launch is refused.
    #[serde(deserialize_with = "value::whole::<_, 1, 1_000>")]
    pub max_agents: usize,
    /// Tasks running at once; 0 holds the queue.
    #[serde(deserialize_with = "value::whole::<_, 0, 1_000>")]
    pub slots: usize,
    /// From SIGTERM to SIGKILL when an agent is stopped.
    #[serde(deserialize_with = "value::duration")]
    pub stop_grace: Duration,
    /// From SIGTERM to SIGKILL when all agents are stopped on quitting.
    #[serde(deserialize_with = "value::duration")]
    pub shutdown_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_agents: 32,
            slots: 2,
            stop_grace: Duration::from_secs(3),
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}
