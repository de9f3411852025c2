//! The wire formats of the control socket and of the host's, and the client half of the former.
//!
//! One JSON object a line, both ways. Messages are plain data: what a call does is the
//! application's business, and so is answering; this crate only connects, and makes the socket that
//! somebody else listens on.
//!
//! Invariants:
//! - What comes off the wire is a stranger's: no line is longer, deeper or wider than the limits
//!   here, whatever is sent ([`LineBuffer`], [`Request::parse`]).
//! - Fields of replies may be added, never renamed: scripts read them.

mod call;
mod client;
mod event;
mod explanation;
pub mod host;
mod line;
pub mod listen;
mod message;
pub mod path;
pub mod peer;
mod stats;
mod status;

pub use call::{AgentChoice, Call, ReportedState};
pub use client::{CallError, Client, ConnectError, Events, connect};
pub use event::Event;
pub use explanation::{ClaimStatus, ClaimWord, Explanation};
pub use line::{LineBuffer, LineTooLong};
pub use message::{ErrorKind, ErrorReply, Reply, ReplyBody, Request, SendError};
pub use stats::{MemoryStats, Stats, TerminalStats, Timing};
pub use status::{
    AgentStatus, ReasonKind, ReasonStatus, StateWord, StatusReply, StatusWord, TabKind, TabStatus,
    TerminalStatus, WAIT_STATES, WorkspaceStatus,
};

/// Version of the wire format. Raised when an old client could misunderstand a new instance.
pub const VERSION: u32 = 1;
/// Longest request; a longer one is refused and the connection closed.
pub const MAX_LINE: usize = 1024 * 1024;
/// Longest reply a client accepts: a screen of a thousand columns is longer than a request.
pub const MAX_REPLY: usize = 64 * 1024 * 1024;

#[cfg(test)]
mod tests;
