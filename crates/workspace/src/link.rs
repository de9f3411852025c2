//! Where a link in a terminal leads, and whether it may be followed.
//!
//! What a program prints is hostile: only a few kinds of address are ever opened, and only where what
//! they say is where they go. Whether a file is there, and in a folder that is open, is looked up by
//! who opens it.

use terminal::{LinkTarget, is_invisible, percent_decoded};

/// What a mail link may fill in. The empty name is that of no field at all.
const MAIL_FIELDS: [&str; 5] = ["", "subject", "body", "cc", "bcc"];
/// Longer addresses are not opened.
const MAX_ADDRESS: usize = 2048;

/// A link that may be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// An address for the desktop: `http`, `https` or `mailto`.
    Outside(String),
    /// A file of this machine, perhaps with line and column from 1.
    File { path: String, at: Option<(u32, u32)> },
}

/// Why a link is not followed, in words for the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefusal {
    #[error("mail links with more than address, subject and text are not opened")]
    MailQuery,
    #[error("links of the kind {0} are not opened")]
    Scheme(String),
    #[error("the link has characters in it that no address has; it was not opened")]
    BadCharacters,
    #[error("the link is too long to be opened")]
    TooLong,
    #[error("the link names no place to go to")]
    NoHost,
    #[error("the link leads to {0}, and says something else before that; it was not opened")]
    HiddenHost(String),
    #[error("the link is for a file on another machine, {0}")]
    OtherMachine(String),
}

impl Destination {
    /// # Errors
    /// Why the link must not be followed. `host` is what this machine calls itself.
    pub fn of(target: &LinkTarget, host: &str) -> Result<Self, LinkRefusal> {
        match target {
            LinkTarget::Path { path, line, column } => {
                let at = line.map(|line| (line, column.unwrap_or(1)));
                check_characters(path)?;
                Ok(Self::File { path: path.clone(), at })
            }
            LinkTarget::Address(address) => read_address(address, host),
        }
    }
}

fn read_address(address: &str, host: &str) -> Result<Destination, LinkRefusal> {
    let (scheme, rest) = address.split_once(':').ok_or(LinkRefusal::NoHost)?;
    let scheme = scheme.to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https" | "mailto" | "file") {
        let shown: String = scheme.chars().filter(|c| c.is_ascii_alphanumeric()).take(20).collect();
        return Err(LinkRefusal::Scheme(format!("{shown}:")));
    }
    if address.len() > MAX_ADDRESS {
        return Err(LinkRefusal::TooLong);
    }
    check_characters(address)?;
    match scheme.as_str() {
        "mailto" => {
            let to = rest.split('?').next().unwrap_or_default();
            let is_someone = to.split_once('@').is_some_and(|(name, at)| {
                !name.is_empty() && !name.starts_with('-') && !at.is_empty()
            });
            is_someone.then_some(()).ok_or(LinkRefusal::NoHost)?;
            // Mail programs have been made to attach files by what comes after it.
            let query = rest.split_once('?').map_or("", |(_, query)| query);
            let mut names = query.split('&').filter_map(|field| field.split('=').next());
            if names.any(|name| !MAIL_FIELDS.contains(&name)) {
                return Err(LinkRefusal::MailQuery);
            }
        }
        "file" => return read_file(rest, host),
        _ => {
            let authority = authority(rest).ok_or(LinkRefusal::NoHost)?;
            let named = host_of(authority);
            if authority.contains('@') {
                return Err(LinkRefusal::HiddenHost(named.to_owned()));
            }
            if !is_host(named) {
                return Err(LinkRefusal::NoHost);
            }
        }
    }
    Ok(Destination::Outside(address.to_owned()))
}

/// `//host/path`, with `%20` and the like read, and a line behind `#`.
fn read_file(rest: &str, host: &str) -> Result<Destination, LinkRefusal> {
    let rest = rest.strip_prefix("//").ok_or(LinkRefusal::NoHost)?;
    let (machine, path) = rest.split_at(rest.find('/').ok_or(LinkRefusal::NoHost)?);
    if !(machine.is_empty() || machine == "localhost" || machine.eq_ignore_ascii_case(host)) {
        return Err(LinkRefusal::OtherMachine(machine.to_owned()));
    }
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let line = fragment.trim_start_matches('L').parse().ok();
    let path = percent_decoded(path.as_bytes()).and_then(|path| String::from_utf8(path).ok());
    let path = path.ok_or(LinkRefusal::BadCharacters)?;
    check_characters(&path)?;
    Ok(Destination::File { path, at: line.map(|line| (line, 1)) })
}

/// What lies between `//` and the path. Browsers take a backslash for a slash; we take it for a trick.
fn authority(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix("//")?;
    Some(rest.split(['/', '?', '#']).next().unwrap_or(rest))
}

/// Without the name before it and the port behind it.
fn host_of(authority: &str) -> &str {
    let host = authority.rsplit('@').next().unwrap_or(authority);
    match host.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
        _ => host,
    }
}

fn is_host(host: &str) -> bool {
    let is_address = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).is_some_and(|it| {
        !it.is_empty() && it.chars().all(|c| c.is_ascii_hexdigit() || c == ':' || c == '.')
    });
    let is_part = |c: char| c.is_alphanumeric() || "-._".contains(c);
    let is_name = !host.starts_with(['-', '.']) && host.chars().all(is_part);
    !host.is_empty() && (is_address || is_name)
}

/// Refuses what would steer the eye or a command line.
fn check_characters(text: &str) -> Result<(), LinkRefusal> {
    let is_bad = |c: char| {
        c.is_control()
            || c.is_whitespace() && c != ' '
            || matches!(c, '\\' | '"' | '<' | '>' | '`')
            || is_invisible(c)
    };
    if text.contains(is_bad) { Err(LinkRefusal::BadCharacters) } else { Ok(()) }
}

/// What the status bar says about a link: the place it really leads to first.
pub fn link_words(target: &LinkTarget) -> (String, String) {
    match target {
        LinkTarget::Path { path, line, column } => {
            let number =
                |number: &Option<u32>| number.map_or_else(String::new, |n| format!(":{n}"));
            (format!("{path}{}{}", number(line), number(column)), String::new())
        }
        LinkTarget::Address(address) => {
            let (scheme, rest) = address.split_once(':').unwrap_or(("", address));
            let host = authority(rest).map_or("", host_of);
            let is_web = matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https");
            match host {
                host if is_web && !host.is_empty() => (host.to_owned(), address.clone()),
                _ => (address.clone(), String::new()),
            }
        }
    }
}

#[cfg(test)]
mod tests;
