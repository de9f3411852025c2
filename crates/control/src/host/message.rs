//! What an app asks of the host, and what the host says.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Text;

/// `{"id":7,"request":"stop","program":3,"grace_ms":3000}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToHost {
    /// Chosen by the app; comes back in the answer.
    pub id: u64,
    #[serde(flatten)]
    pub request: Request,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// Starts a program. The answer, [`Done::Spawned`], comes with our side of its terminal.
    Spawn(Box<Launch>),
    /// All programs that are not forgotten: [`Done::Listed`].
    List,
    /// Keeps another label for the app.
    Relabel { program: u64, label: Value },
    /// The terminal of a program that runs already: [`Done::Attached`], with the descriptor.
    Attach { program: u64 },
    /// This connection shows the program, and has room for so many columns and rows; without a size it
    /// shows it no longer. The program is told the least of each that any who show it have room for, and
    /// keeps its last size while nobody does. All who show it hear of it: [`Event::Fitted`].
    View { program: u64, size: Option<SizeStatus> },
    /// Somebody types into the program, or hands in what was typed. It is passed on as [`Event::Typed`], and
    /// should be said before it is done: who watches the program takes what it prints then for an echo.
    Typed { program: u64, submits: bool },
    /// Ends a program and all that it started; answered when nothing is left.
    Stop { program: u64, grace_ms: u64 },
    /// Forgets a program of which nothing is left. Its transcript stays.
    Forget { program: u64 },
    /// Nobody wants to hear of it any more: what is left of it is killed, and then it is forgotten.
    /// Answered at once.
    Discard { program: u64 },
    /// Ends everything, answers, and then the host itself ends.
    Quit { grace_ms: u64 },
}

/// What to run, and what to keep of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// The app's own: kept, and given back by [`Request::List`].
    #[serde(default)]
    pub label: Value,
    pub argv: Vec<Text>,
    pub cwd: Text,
    /// The whole environment.
    pub env: Vec<(Text, Text)>,
    pub size: SizeStatus,
    /// The folder of its transcripts: a plain file name.
    pub name: String,
    /// How many bytes of them are kept for this launch; the host's own limit if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_limit: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeStatus {
    pub columns: u16,
    pub rows: u16,
    #[serde(default)]
    pub pixel_width: u16,
    #[serde(default)]
    pub pixel_height: u16,
}

/// A line of the host: an answer, or an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FromHost {
    Answer(Answer),
    Event(Event),
}

/// `{"id":7,"ok":{"done":"attached","pid":4242,...}}`; the id is null where the request had none that could
/// be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub id: Option<u64>,
    #[serde(flatten)]
    pub body: AnswerBody,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerBody {
    Ok(Done),
    Error(HostError),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "done", rename_all = "snake_case")]
pub enum Done {
    /// With a descriptor.
    Spawned(Spawned),
    Listed {
        programs: Vec<ProgramStatus>,
    },
    /// With a descriptor.
    Attached(Attached),
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawned {
    /// Never given to another while the host runs.
    pub program: u64,
    pub pid: i32,
    pub mark: String,
    /// The folder of its transcript; none where it could not be made.
    pub transcript: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    pub pid: i32,
    pub mark: String,
}

/// A program as the host knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramStatus {
    pub program: u64,
    pub label: Value,
    pub name: String,
    pub pid: i32,
    pub mark: String,
    /// In milliseconds since 1970.
    pub started_ms: u64,
    pub boot_id: String,
    /// Bytes that it has printed, and the first from which all are kept.
    pub total: u64,
    pub oldest: u64,
    pub transcript: Option<Text>,
    /// Why its transcript is not written at present.
    pub transcript_error: Option<String>,
    pub ended: Option<EndStatus>,
    /// Nothing is left of what it started either.
    pub is_gone: bool,
}

/// How, when, and after how many bytes it ended. Either `code` or `signal` is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    pub at_ms: u64,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The program itself has ended.
    Exited { program: u64, end: EndStatus },
    /// Nothing is left of what it started.
    Gone { program: u64 },
    /// What it prints cannot be kept. It runs on, and nothing is lost for who is attached.
    TranscriptFailed { program: u64, error: String },
    /// It can be kept again, without `lost` bytes.
    TranscriptRecovered { program: u64, lost: u64 },
    /// To one who shows the program: its terminal has that size now. Whoever reads what it prints as
    /// [`Role::Data`](super::Role::Data) answers what it asks; while nobody does, one of those who show it
    /// is told here that it `answers`.
    Fitted { program: u64, size: SizeStatus, answers: bool },
    /// Somebody else types into the program.
    Typed { program: u64, submits: bool },
}

/// Why a request was not done, as one line for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    pub kind: HostErrorKind,
    pub message: String,
    /// More about a program that could not be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawn: Option<SpawnFailure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostErrorKind {
    Usage,
    /// The two halves have no version in common.
    Version,
    Denied,
    /// Too much at once.
    Busy,
    NoSuchProgram,
    /// It cannot be forgotten yet.
    StillRunning,
    Spawn,
    /// The host is about to end.
    Ending,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpawnFailure {
    pub kind: SpawnFailureKind,
    /// The program or folder concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Text>,
    /// The system's reason, by number or, where it is none of the system's, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnFailureKind {
    EmptyCommand,
    NotFound,
    NotExecutable,
    MissingDirectory,
    Pty,
    Spawn,
    Thread,
}

impl HostError {
    pub fn new(kind: HostErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), spawn: None }
    }
}
