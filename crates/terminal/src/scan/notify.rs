//! Notifications and progress, in the three dialects programs speak.

use super::{Query, Step, base64, directory, osc};
use crate::{Progress, ProgressState, TerminalSignal, title};

const MAX_TITLE_CHARS: usize = 256;
const MAX_BODY_CHARS: usize = 1024;

/// Notifications that may be half sent, and what is kept of each part.
const MAX_OPEN: usize = 4;
const MAX_PART: usize = 4 * 1024;

/// The last number that has a meaning of its own in place of a text.
const LAST_COMMAND: u16 = 12;

/// OSC 9: a text, or one of the commands that share its number.
pub(super) fn conemu(rest: &[u8]) -> Option<TerminalSignal> {
    let (first, after) = osc::split(rest);
    let command: Option<u16> = std::str::from_utf8(first).ok().and_then(|text| text.parse().ok());
    match command {
        Some(4) => progress(after).map(TerminalSignal::Progress),
        Some(9) => {
            let path = after.strip_prefix(b"\"").unwrap_or(after);
            let path = path.strip_suffix(b"\"").unwrap_or(path);
            directory::from_path(path).map(TerminalSignal::Directory)
        }
        Some(1..=LAST_COMMAND) => None,
        _ => notification(&[], rest),
    }
}

/// OSC 777, `notify ; title ; body`.
pub(super) fn urxvt(rest: &[u8]) -> Option<TerminalSignal> {
    let (title, body) = osc::split(rest.strip_prefix(b"notify;")?);
    // Not meant for people: one terminal's own protocol in disguise.
    if title.starts_with(b"warp://") {
        return None;
    }
    notification(title, body)
}

/// Notifications of which only some parts have come (OSC 99).
#[derive(Debug, Default)]
pub(super) struct Parts(Vec<Open>);

#[derive(Debug, Default)]
struct Open {
    id: Vec<u8>,
    title: Vec<u8>,
    body: Vec<u8>,
}

impl Parts {
    /// OSC 99, `metadata ; payload`.
    pub(super) fn kitty(&mut self, rest: &[u8]) -> Option<Step<'static>> {
        let (metadata, payload) = osc::split(rest);
        let value = |key: u8| {
            let mut pairs = metadata.split(|byte| *byte == b':');
            pairs.find_map(|pair| pair.trim_ascii().strip_prefix(&[key, b'=']))
        };
        let kind = value(b'p').unwrap_or(b"title");
        if kind == b"?" {
            return Some(Step::Ask(Query::NotificationSupport));
        }
        let decoded;
        let payload = if value(b'e') == Some(b"1") {
            decoded = base64::decode(payload).unwrap_or_default();
            &decoded
        } else {
            payload
        };
        let mut open = self.take(value(b'i').unwrap_or_default());
        match kind {
            b"title" => append(&mut open.title, payload),
            b"body" => append(&mut open.body, payload),
            // Nothing is shown yet that could be closed or asked after.
            b"close" | b"alive" => return None,
            _ => {}
        }
        if value(b'd') == Some(b"0") {
            self.0.push(open);
            return None;
        }
        notification(&open.title, &open.body).map(Step::Signal)
    }

    fn take(&mut self, id: &[u8]) -> Open {
        if let Some(at) = self.0.iter().position(|open| open.id == id) {
            return self.0.remove(at);
        }
        if self.0.len() >= MAX_OPEN {
            self.0.remove(0);
        }
        Open { id: id[..id.len().min(MAX_PART)].to_vec(), ..Open::default() }
    }
}

fn append(part: &mut Vec<u8>, payload: &[u8]) {
    let room = MAX_PART - part.len();
    part.extend_from_slice(&payload[..payload.len().min(room)]);
}

/// `None` when there is nothing to read. A title without a body is the body.
fn notification(title: &[u8], body: &[u8]) -> Option<TerminalSignal> {
    let shown = |bytes: &[u8], max: usize| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_PART)]);
        title::sanitise_to(&text.replace(['\n', '\t'], " "), max).trim().to_owned()
    };
    let (title, body) = if body.is_empty() { (&[][..], title) } else { (title, body) };
    let title = shown(title, MAX_TITLE_CHARS);
    let body = shown(body, MAX_BODY_CHARS);
    let title = (!title.is_empty()).then_some(title);
    (title.is_some() || !body.is_empty()).then_some(TerminalSignal::Notification { title, body })
}

/// `state ; percent`, of which any may be missing.
fn progress(rest: &[u8]) -> Option<Progress> {
    let (state, percent) = osc::split(rest);
    let state = match state {
        b"" | b"0" => ProgressState::Removed,
        b"1" => ProgressState::Normal,
        b"2" => ProgressState::Error,
        b"3" => ProgressState::Indeterminate,
        b"4" => ProgressState::Paused,
        _ => return None,
    };
    let (percent, _) = osc::split(percent);
    let percent = match state {
        ProgressState::Removed | ProgressState::Indeterminate => None,
        ProgressState::Normal | ProgressState::Error | ProgressState::Paused => {
            let percent: Option<u64> =
                std::str::from_utf8(percent).ok().and_then(|text| text.parse().ok());
            percent.map(|percent| u8::try_from(percent.min(100)).unwrap_or(100))
        }
    };
    Some(Progress { state, percent })
}

#[cfg(test)]
mod tests;
