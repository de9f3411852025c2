//! What an agent is doing: its state machine and the handle around its terminal.
//!
//! Nothing here starts a process, reads a clock or owns a PTY: whoever does tells the
//! [`AgentHandle`] what happened and when, and asks it when to look again.

mod handle;
mod id;
mod machine;
mod state;

pub use handle::{AgentHandle, StillAlive};
pub use id::{AgentId, AgentIds};
pub use machine::{AgentStateMachine, Timeouts};
pub use state::{AgentState, Exit, Reason, Transition};
