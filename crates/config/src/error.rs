//! Why a file was refused, in one line that says where.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::MAX_BYTES;

/// Longest message; what lies between its head and its tail is left out.
const MESSAGE_CHARS: usize = 400;

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is a symbolic link, or below one; a project's settings must be a file in it", path.display())]
    Link { path: PathBuf },
    #[error("{} is longer than {MAX_BYTES} bytes, the limit for a config file", path.display())]
    TooLarge { path: PathBuf },
    /// The text is wrong at that place. Lines and columns count from 1, columns in characters.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Invalid { path: PathBuf, line: usize, column: usize, message: String },
}

impl ConfigError {
    /// An error at a byte offset of the text.
    pub(crate) fn at(path: &Path, text: &[u8], offset: usize, message: &str) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        Self::Invalid {
            path: path.to_owned(),
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
            column: String::from_utf8_lossy(&before[line_start..]).chars().count() + 1,
            message: one_line(message),
        }
    }

    pub(crate) fn from_toml(path: &Path, text: &str, err: &toml::de::Error) -> Self {
        let at = err.span().map_or(0, |span| span.start);
        Self::at(path, text.as_bytes(), at, &Self::toml_message(text, err))
    }

    /// What is wrong, beginning with the key that it is about.
    pub(crate) fn toml_message(text: &str, err: &toml::de::Error) -> String {
        let span = err.span().unwrap_or(0..0);
        let message = toml_words(err.message(), text.get(span.clone()).unwrap_or_default());
        if let Some(suggestion) = nearest_name(&message) {
            format!("{message}; did you mean `{suggestion}`?")
        } else if message.starts_with("unknown field") {
            message
        } else if let Some(key) = key_of(err) {
            format!("{key}: {message}")
        } else if message == "duplicate key" {
            format!("duplicate key `{}`", key_at(text, span))
        } else {
            message
        }
    }
}

/// Says "table", "array" and "date" where the library speaks of maps and sequences.
fn toml_words(message: &str, value: &str) -> String {
    let map = if value.starts_with(|c: char| c.is_ascii_digit()) { "date" } else { "table" };
    let Some(rest) = message.strip_prefix("invalid type: ") else { return message.to_owned() };
    let rest = match rest.split_once(", expected ") {
        Some(("map", expected)) => format!("{map}, expected {expected}"),
        Some(("sequence", expected)) => format!("array, expected {expected}"),
        _ => rest.to_owned(),
    };
    let rest = match rest.rsplit_once(", expected ") {
        Some((found, "a map")) => format!("{found}, expected a table"),
        Some((found, "a sequence")) => format!("{found}, expected an array"),
        _ => rest,
    };
    format!("invalid type: {rest}")
}

/// The dotted key an error belongs to. The library tells it only as the last line of its text.
fn key_of(err: &toml::de::Error) -> Option<String> {
    let text = err.to_string();
    let key = text.trim_end().strip_prefix(err.message())?.trim_start().strip_prefix("in `")?;
    Some(key.strip_suffix('`')?.to_owned())
}

/// The key written at a place: the whole dotted or bracketed word around it.
fn key_at(text: &str, span: Range<usize>) -> &str {
    text.get(span).unwrap_or_default().trim_matches(['[', ']', ' '])
}

/// Out of "unknown field `a`, expected one of `b`, `c`": the known name that is nearest, if any is.
fn nearest_name(message: &str) -> Option<&str> {
    let (unknown, known) = message.strip_prefix("unknown field `")?.split_once("`, expected ")?;
    // Names are short; a long one is no slip of the finger, and costs quadratic time.
    if unknown.len() > 64 {
        return None;
    }
    // A guess: one slip in a short name, a third of a long one; two letters swapped are two slips.
    let tolerated = unknown.chars().count().div_ceil(3);
    known
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|name| (edit_distance(unknown, name), name))
        .filter(|(distance, _)| *distance <= tolerated)
        .min()
        .map(|(_, name)| name)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// No line breaks, nothing a terminal would obey, and not longer than a few lines of it.
fn one_line(message: &str) -> String {
    let is_harmless = |c: char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut line = String::with_capacity(message.len().min(4 * MESSAGE_CHARS));
    let n_chars = message.chars().count();
    let cut = if n_chars > MESSAGE_CHARS {
        MESSAGE_CHARS / 3..n_chars - MESSAGE_CHARS * 2 / 3
    } else {
        0..0
    };
    for (i, c) in message.trim().chars().enumerate() {
        match c {
            _ if i == cut.start && !cut.is_empty() => line.push('…'),
            _ if cut.contains(&i) => {}
            '\n' => line.push(' '),
            _ if is_harmless(c) => line.push(c),
            _ => line.extend(c.escape_default()),
        }
    }
    line
}
