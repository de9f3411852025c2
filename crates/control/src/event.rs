//! What the stream of `events` tells.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ReasonStatus, StateWord, StatusWord};

/// One change, told after it is in the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    WorkspaceOpened {
        workspace: u64,
        name: String,
        path: String,
    },
    WorkspaceClosed {
        workspace: u64,
        name: String,
    },
    AgentState {
        workspace: u64,
        name: String,
        agent: String,
        /// Null for an agent that was not there before.
        from: Option<StateWord>,
        to: StateWord,
        /// What the workspace shows from now on.
        status: StatusWord,
        reason: Option<ReasonStatus>,
        exit_code: Option<i32>,
        signal: Option<String>,
    },
}

impl Event {
    pub fn to_value(&self) -> Value {
        // Cannot fail: every key is a string.
        serde_json::to_value(self).unwrap_or_default()
    }
}
