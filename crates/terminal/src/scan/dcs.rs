//! The two questions that come as device control strings. All other such strings are dropped.

use super::Query;

/// Longest string that is looked at.
pub(super) const MAX_LEN: usize = 4 * 1024;

/// Names answered of one question; nobody asks for more than we know.
const MAX_NAMES: usize = 16;

/// A setting the program asks about (DECRQSS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusString {
    Attributes,
    Margins,
    Protection,
    CursorStyle,
    Conformance,
    Unknown,
}

/// A capability the program asks about (XTGETTCAP).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capability {
    TerminalName,
    /// Under its terminfo name.
    Colors,
    /// Under its termcap name.
    Co,
    Rgb,
    UnderlineStyles,
    SetUnderlineStyle,
    SetRgbForeground,
    SetRgbBackground,
    Unknown,
}

/// The names of capabilities, in hexadecimal as they are asked for.
pub(super) const CAPABILITIES: [(&str, Capability); 8] = [
    ("544E", Capability::TerminalName),
    ("636F6C6F7273", Capability::Colors),
    ("436F", Capability::Co),
    ("524742", Capability::Rgb),
    ("5375", Capability::UnderlineStyles),
    ("536D756C78", Capability::SetUnderlineStyle),
    ("73657472676266", Capability::SetRgbForeground),
    ("73657472676262", Capability::SetRgbBackground),
];

pub(super) fn query(body: &[u8]) -> Option<Query> {
    if let Some(setting) = body.strip_prefix(b"$q") {
        return Some(Query::StatusString(status_string(setting)));
    }
    let names = body.strip_prefix(b"+q")?;
    let names = names.split(|byte| *byte == b';').take(MAX_NAMES);
    Some(Query::Capabilities(names.map(capability).collect()))
}

fn status_string(setting: &[u8]) -> StatusString {
    match setting {
        b"m" => StatusString::Attributes,
        b"r" => StatusString::Margins,
        b"\"q" => StatusString::Protection,
        b" q" => StatusString::CursorStyle,
        b"\"p" => StatusString::Conformance,
        _ => StatusString::Unknown,
    }
}

fn capability(name: &[u8]) -> Capability {
    CAPABILITIES
        .iter()
        .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
        .map_or(Capability::Unknown, |(_, capability)| *capability)
}
