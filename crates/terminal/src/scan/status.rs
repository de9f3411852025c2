//! The program status protocol, OSC 7501: a program says whether it works, waits or has failed.
//!
//! What a program says of its state is worth more than the form in which it says so: a text with line
//! breaks, one that is no text or one that is too long costs the text, never the state, where its
//! specification (revision 0.4) would have the whole report dropped. Only if it is not clear which record
//! is meant, or what of it, there is no report.

use super::base64;
use crate::{BlockedOn, ProgramState, ProgramStatus, title};

const MAX_APP: usize = 32;
const MAX_ID: usize = 128;
const MAX_ID_SEGMENT: usize = 32;
const MAX_ID_DEPTH: usize = 8;
/// Of a title or message that is looked at, in base64: whole groups of four. More than is shown.
const MAX_TEXT: usize = 2732;

/// Characters of a title or message that are kept.
const SHOWN_CHARS: usize = 256;

pub(super) fn is_query(body: &[u8]) -> bool {
    body.split(|byte| *byte == b':').next().is_some_and(|first| first.trim_ascii() == b"?")
}

pub(super) fn parse(body: &[u8]) -> Option<ProgramStatus> {
    let fields = Fields::read(body)?;
    let kind = match fields.kind {
        Some("permission") => BlockedOn::Permission,
        Some("question") => BlockedOn::Question,
        Some("auth") => BlockedOn::Auth,
        _ => BlockedOn::Other,
    };
    let state = match fields.state? {
        "idle" => ProgramState::Idle,
        "working" => ProgramState::Working,
        "done" => ProgramState::Done,
        "blocked" => ProgramState::Blocked(kind),
        "error" => ProgramState::Error,
        "clear" => ProgramState::Cleared,
        _ => return None,
    };
    let has_progress = matches!(state, ProgramState::Working | ProgramState::Blocked(_));
    Some(ProgramStatus {
        state,
        id: fields.id.map(str::to_owned),
        app: fields.app.filter(|app| is_name(app, MAX_APP)).map(str::to_owned),
        title: fields.title.and_then(text),
        message: fields.message.and_then(text),
        progress: fields.progress.filter(|_| has_progress).and_then(percent),
    })
}

/// The last value of each key.
#[derive(Default)]
struct Fields<'a> {
    state: Option<&'a str>,
    kind: Option<&'a str>,
    id: Option<&'a str>,
    app: Option<&'a str>,
    title: Option<&'a str>,
    message: Option<&'a str>,
    progress: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// `None` when it is not clear which record is meant.
    fn read(body: &'a [u8]) -> Option<Self> {
        let mut fields = Self::default();
        for pair in body.split(|byte| *byte == b':') {
            let Some(equals) = pair.iter().position(|byte| *byte == b'=') else { continue };
            let (key, value) = (pair[..equals].trim_ascii(), pair[equals + 1..].trim_ascii());
            let slot = match key {
                b"state" => &mut fields.state,
                b"kind" => &mut fields.kind,
                b"progress" => &mut fields.progress,
                b"id" => &mut fields.id,
                b"app" => &mut fields.app,
                b"title" => &mut fields.title,
                b"msg" => &mut fields.message,
                _ => continue,
            };
            let value = std::str::from_utf8(value).ok().filter(|value| value.bytes().all(is_value));
            if key == b"id" && !value.is_some_and(is_id) {
                return None;
            }
            // A value with other characters is as if it had not been sent.
            *slot = value.or(*slot);
        }
        Some(fields)
    }
}

/// What can be shown of a text, if anything. Commands come in several lines.
fn text(value: &str) -> Option<String> {
    let bytes = base64::decode(&value.as_bytes()[..value.len().min(MAX_TEXT)])?;
    let text = String::from_utf8_lossy(&bytes).replace(char::is_control, " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = title::sanitise_to(&words.join(" "), SHOWN_CHARS);
    (!text.is_empty()).then_some(text)
}

fn percent(value: &str) -> Option<u8> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|percent| is_number && *percent <= 100)
}

fn is_id(id: &str) -> bool {
    let is_short = id.len() <= MAX_ID && id.split('/').count() <= MAX_ID_DEPTH;
    is_short && id.split('/').all(|part| is_name(part, MAX_ID_SEGMENT))
}

fn is_name(name: &str, max: usize) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
    !name.is_empty() && name.len() <= max && name.bytes().all(is_allowed)
}

fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.,+/=-".contains(&byte)
}

#[cfg(test)]
mod tests;
