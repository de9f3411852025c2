//! Answers to a program's questions: fixed forms, filled from what the terminal knows of itself.
//!
//! Nothing that a program printed is ever a part of an answer, so that no output can type into a shell.

use super::dcs::CAPABILITIES;
use super::{Capability, Query, StatusString};
use crate::CellPoint;

/// What answers are made from.
#[derive(Debug, Clone)]
pub(crate) struct AnswerFacts<'a> {
    pub(crate) version: &'a str,
    pub(crate) cursor: CellPoint,
    /// Width and height.
    pub(crate) cell_pixels: (u16, u16),
    pub(crate) is_dark: bool,
    /// As DECSCUSR counts them: 1 to 6.
    pub(crate) cursor_style: u8,
    /// First and last row that scroll, counted from 1.
    pub(crate) margins: (u16, u16),
    /// The parameters of an SGR sequence that sets the current attributes.
    pub(crate) attributes: &'a str,
}

/// What to write to the program.
pub(crate) fn answer(query: &Query, facts: &AnswerFacts<'_>) -> Vec<u8> {
    let text = match query {
        Query::Version => format!("\x1bP>|trackside {}\x1b\\", kept(facts.version, is_version)),
        Query::ExtendedCursorPosition => {
            let CellPoint { row, column } = facts.cursor;
            format!("\x1b[?{};{}R", u32::from(row) + 1, u32::from(column) + 1)
        }
        Query::ColorScheme => format!("\x1b[?997;{}n", if facts.is_dark { 1 } else { 2 }),
        Query::CellSize => {
            let (width, height) = facts.cell_pixels;
            format!("\x1b[6;{height};{width}t")
        }
        Query::StatusString(setting) => match status_string(*setting, facts) {
            Some(value) => format!("\x1bP1$r{value}\x1b\\"),
            None => "\x1bP0$r\x1b\\".to_owned(),
        },
        Query::Capabilities(names) => names.iter().map(|name| capability(*name)).collect(),
        // Naming no states and kinds says that all are understood.
        Query::ProgramStatus => "\x1b]7501;?\x1b\\".to_owned(),
        Query::NotificationSupport => "\x1b]99;i=0:p=?;o=always:p=title,body,?\x1b\\".to_owned(),
        // Answered by whoever knows the screen.
        #[cfg(feature = "conformance")]
        Query::Checksum(_) => String::new(),
    };
    text.into_bytes()
}

fn status_string(setting: StatusString, facts: &AnswerFacts<'_>) -> Option<String> {
    match setting {
        StatusString::Attributes => Some(format!("{}m", kept(facts.attributes, is_parameter))),
        StatusString::Margins => Some(format!("{};{}r", facts.margins.0, facts.margins.1)),
        StatusString::Protection => Some("0\"q".to_owned()),
        StatusString::CursorStyle => Some(format!("{} q", facts.cursor_style)),
        StatusString::Conformance => Some("61\"p".to_owned()),
        StatusString::Unknown => None,
    }
}

fn capability(capability: Capability) -> String {
    let name = CAPABILITIES.iter().find(|(_, known)| *known == capability).map(|(name, _)| *name);
    let value = match capability {
        Capability::TerminalName => Some("xterm-256color"),
        Capability::Colors | Capability::Co => Some("256"),
        Capability::Rgb => Some("8"),
        // A flag: it has no value.
        Capability::UnderlineStyles | Capability::Unknown => None,
        Capability::SetUnderlineStyle => Some("\x1b[4:%p1%dm"),
        Capability::SetRgbForeground => Some("\x1b[38:2:%p1%d:%p2%d:%p3%dm"),
        Capability::SetRgbBackground => Some("\x1b[48:2:%p1%d:%p2%d:%p3%dm"),
    };
    match (name, value) {
        (Some(name), Some(value)) => format!("\x1bP1+r{name}={}\x1b\\", hexadecimal(value)),
        (Some(name), None) => format!("\x1bP1+r{name}\x1b\\"),
        (None, _) => "\x1bP0+r\x1b\\".to_owned(),
    }
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

fn kept(text: &str, is_kept: fn(char) -> bool) -> String {
    text.chars().filter(|c| is_kept(*c)).collect()
}

fn is_version(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')
}

fn is_parameter(c: char) -> bool {
    matches!(c, '0'..='9' | ';' | ':')
}
