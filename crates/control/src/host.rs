//! The wire format between the app and the host, the process that owns the terminals.
//!
//! One JSON object a line. The first line of each side is its hello: the client says which versions
//! it speaks and what the connection is for, and the host answers with the version that holds from
//! then on, or refuses. On a connection for control there follow requests, answers and events; on
//! one for data nothing but the bytes that a program printed.
//!
//! Fields may be added, and must be ignored where they are unknown; anything else takes a new
//! version. Both sides speak all versions from [`OLDEST`] on, and the newest that they share holds: an
//! app that was replaced by a newer one keeps its agents.
//!
//! | version | what it added |
//! |---|---|
//! | 2 | several show one program: [`Request::View`], [`Request::Typed`], [`Event::Fitted`], [`Event::Typed`] |

mod message;
mod text;

pub use message::{
    Answer, AnswerBody, Attached, Done, EndStatus, Event, FromHost, HostError, HostErrorKind,
    Launch, ProgramStatus, Request, SizeStatus, SpawnFailure, SpawnFailureKind, Spawned, ToHost,
};
pub use text::Text;

use serde::{Deserialize, Serialize};

/// The newest version that both sides speak.
pub const VERSION: u32 = 2;
/// And the oldest.
pub const OLDEST: u32 = 1;
/// The first version in which several may show one program.
pub const VIEWS_SINCE: u32 = 2;
/// Longest hello.
pub const MAX_HELLO: usize = 4 * 1024;
/// Longest request or answer: a command line and an environment may have megabytes.
pub const MAX_LINE: usize = 4 * 1024 * 1024;

/// The first line of a client: `{"host":{"newest":2,"oldest":1},"role":"app"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub host: Versions,
    #[serde(flatten)]
    pub role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    pub newest: u32,
    pub oldest: u32,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Role {
    /// Requests, answers and events. The host lives as long as there is such a connection.
    App,
    /// What a program prints, from an offset on. The program waits for whoever is slow to read.
    Data { program: u64, offset: u64 },
    /// The same for somebody who only watches, and who is sent away rather than waited for.
    Viewer { program: u64, offset: u64 },
}

/// The first line of the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Welcome {
    Welcome {
        version: u32,
        /// The host's process.
        pid: i32,
        /// Where the bytes begin that follow: an offset that is not kept any more is the oldest that
        /// is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// And the connection is closed.
    Refused { version: u32, error: HostError },
}

impl Hello {
    /// What a client of this version says.
    pub fn new(role: Role) -> Self {
        Self { host: Versions { newest: VERSION, oldest: OLDEST }, role }
    }

    /// Reads the first line of a client.
    ///
    /// # Errors
    /// What to refuse it with.
    pub fn parse(line: &[u8]) -> Result<Self, HostError> {
        /// All that is sure of any version.
        #[derive(Deserialize)]
        struct Any {
            host: Versions,
        }
        let garbled = |err: serde_json::Error| {
            HostError::new(HostErrorKind::Usage, format!("that is no hello: {err}"))
        };
        let Any { host } = serde_json::from_slice(line).map_err(garbled)?;
        if host.oldest > VERSION || host.newest < OLDEST {
            let theirs = match host.oldest == host.newest {
                true => format!("version {}", host.newest),
                false => format!("versions {} to {}", host.oldest, host.newest),
            };
            let message = format!(
                "this app speaks {theirs} of the host's protocol, and the running host versions \
                 {OLDEST} to {VERSION}; end its agents with the trackside that started them, or use that one"
            );
            return Err(HostError::new(HostErrorKind::Version, message));
        }
        serde_json::from_slice(line).map_err(garbled)
    }

    /// The version that holds on a connection that begins so.
    pub fn version(&self) -> u32 {
        self.host.newest.min(VERSION)
    }
}

/// A message as one line, its end included.
///
/// # Errors
/// Something in it has no form in JSON, such as a map whose keys are no strings.
pub fn to_line(message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests;
