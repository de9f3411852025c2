//! The answer to `explain`: why an agent's state is what it is.

use serde::{Deserialize, Serialize};

use crate::{ReasonKind, ReasonStatus, StateWord};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    pub workspace: String,
    pub agent: String,
    pub state: StateWord,
    pub since_ms: u64,
    pub reason: Option<ReasonStatus>,
    /// What is believed; absent where nothing speaks yet, and for an agent that has ended.
    pub winner: Option<ClaimStatus>,
    /// What else there is to say, the strongest first.
    pub losers: Vec<ClaimStatus>,
    /// The rule by which what is believed was read off the title or the screen, or else the one by
    /// which a question was.
    pub rule: Option<String>,
    /// The answers that the question numbers.
    pub choices: Vec<String>,
}

/// What one source says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimStatus {
    /// Such as `status`, `title` or `animation`.
    pub source: String,
    pub says: ClaimWord,
    pub reason: Option<ReasonKind>,
    pub text: Option<String>,
    /// The rule by which it was read off the title or the screen.
    pub rule: Option<String>,
    pub age_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimWord {
    Working,
    Waiting,
}
