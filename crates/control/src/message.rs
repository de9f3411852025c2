//! Requests and replies, and the checks a request passes before anything else looks at it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::call::shortened;
use crate::{Call, MAX_LINE, VERSION};

/// Arrays and objects within each other; our own messages need four.
const MAX_DEPTH: usize = 32;
/// Values in one request: a line of a megabyte could hold half a million, at 32 bytes each.
const MAX_VALUES: usize = 10_000;

/// `{"version":1,"id":7,"call":"agent_stop","args":{"workspace":"api"}}`
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Chosen by the client; comes back in each reply.
    pub id: u64,
    pub call: Call,
}

/// `{"id":7,"ok":{...}}`; `id` is null where the request had none that could be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub id: Option<u64>,
    #[serde(flatten)]
    pub body: ReplyBody,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyBody {
    Ok(Value),
    Error(ErrorReply),
    Event(Value),
}

/// Why a request was not done, as one line for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ErrorReply {
    pub kind: ErrorKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    Failed,
    Usage,
    Timeout,
    /// Too much at once; the same request may do later.
    Busy,
    Denied,
    /// The two halves are of different versions.
    Version,
}

/// A message that cannot be put on the wire.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("cannot put the message into JSON")]
    Json(#[from] serde_json::Error),
    #[error("the message is {len} bytes long; the limit is {MAX_LINE}")]
    TooLong { len: usize },
}

impl ErrorKind {
    /// What the command line exits with.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Timeout => 4,
            Self::Failed | Self::Busy | Self::Denied | Self::Version => 1,
        }
    }
}

impl ErrorReply {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl Reply {
    pub fn ok(id: u64, value: Value) -> Self {
        Self { id: Some(id), body: ReplyBody::Ok(value) }
    }

    pub fn event(id: u64, value: Value) -> Self {
        Self { id: Some(id), body: ReplyBody::Event(value) }
    }

    pub fn error(id: Option<u64>, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { id, body: ReplyBody::Error(ErrorReply::new(kind, message)) }
    }

    /// The reply as one line, its end included.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = match serde_json::to_vec(self) {
            Ok(line) => line,
            // Only maps with keys that are no strings fail, and a `Value` has none.
            Err(_) => Vec::from(
                &br#"{"id":null,"error":{"kind":"failed","message":"unprintable reply"}}"#[..],
            ),
        };
        line.push(b'\n');
        line
    }
}

impl Request {
    /// Reads one line as it came off the wire.
    ///
    /// # Errors
    /// The reply that tells the sender what is wrong; the stream is still in step.
    pub fn parse(line: &[u8]) -> Result<Self, Reply> {
        let refused = |id, message: String| Reply::error(id, ErrorKind::Usage, message);
        let text = str::from_utf8(line)
            .map_err(|err| refused(None, format!("not UTF-8 at byte {}", err.valid_up_to())))?;
        check_shape(line).map_err(|message| refused(None, message.to_owned()))?;
        let mut fields: Map<String, Value> = serde_json::from_str(text).map_err(|err| {
            refused(None, format!("not a JSON object: {}", shortened(&err.to_string())))
        })?;

        let id = fields.remove("id").and_then(|id| id.as_u64());
        let version = fields.remove("version").and_then(|version| version.as_u64());
        // Asked first: a message from the future may differ in everything else.
        if let Some(theirs) = version.filter(|version| *version != u64::from(VERSION)) {
            let message = format!(
                "the request is of version {theirs}, the running instance speaks version \
                 {VERSION}; use the same trackside for both, or restart the instance"
            );
            return Err(Reply::error(id, ErrorKind::Version, message));
        }
        if version.is_none() {
            return Err(refused(id, format!("missing field `version`, expected {VERSION}")));
        }
        let Some(number) = id else {
            return Err(refused(None, "missing field `id`, expected a whole number".to_owned()));
        };
        let call = read_call(fields).map_err(|message| refused(id, message))?;
        Ok(Self { id: number, call })
    }

    /// The request as one line, its end included.
    ///
    /// # Errors
    /// A path is not UTF-8, or the line would be over the limit.
    pub fn to_line(&self) -> Result<Vec<u8>, SendError> {
        let fields = serde_json::json!({
            "version": VERSION,
            "id": self.id,
            "call": self.call.name(),
            "args": self.call.args()?,
        });
        let mut line = serde_json::to_vec(&fields)?;
        if line.len() > MAX_LINE {
            return Err(SendError::TooLong { len: line.len() });
        }
        line.push(b'\n');
        Ok(line)
    }
}

fn read_call(mut fields: Map<String, Value>) -> Result<Call, String> {
    let name = match fields.remove("call") {
        Some(Value::String(name)) => name,
        Some(_) | None => return Err("missing field `call`, expected the name of one".to_owned()),
    };
    let args = match fields.remove("args") {
        Some(Value::Object(args)) => args,
        Some(Value::Null) | None => Map::new(),
        Some(_) => return Err(format!("{}: `args` is not an object", shortened(&name))),
    };
    if let Some(unknown) = fields.keys().next() {
        return Err(format!(
            "unknown field `{}`, expected one of `version`, `id`, `call`, `args`",
            shortened(unknown)
        ));
    }
    Call::from_parts(&name, args)
}

/// Looks at brackets and commas only, before memory is spent on what they enclose.
fn check_shape(line: &[u8]) -> Result<(), &'static str> {
    let (mut depth, mut values, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => (depth, values) = (depth + 1, values + 1),
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err("the message is nested too deeply");
        }
        if values > MAX_VALUES {
            return Err("the message has too many values");
        }
    }
    Ok(())
}
