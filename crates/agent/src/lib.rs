//! What an agent is doing: its state machine and the handle around its terminal.
//!
//! Nothing here starts a process, reads a clock or owns a PTY: whoever does tells the
//! [`AgentHandle`] what happened and when, and asks it when to look again.

mod about;
mod claim;
mod clock;
mod decide;
mod dialog;
mod earlier;
mod evidence;
mod expected;
mod handle;
mod id;
mod machine;
mod motion;
mod options;
mod question;
mod sample;
mod sampling;
mod state;

pub use claim::{Claim, Says, Source};
pub use dialog::{Answer, Dialog, Given};
pub use earlier::Earlier;
pub use evidence::{Report, Reported, ReportedBy};
pub use expected::Expected;
pub use handle::{AgentHandle, Past, StillAlive};
pub use id::{AgentId, AgentIds};
pub use machine::{AgentStateMachine, Timeouts};
pub use motion::Motion;
pub use question::{Choice, Question, Reading};
pub use rules::{Reason, Rules, TitleSays};
pub use sample::{Process, ProcessSample};
pub use state::{AgentState, Exit, Transition};
