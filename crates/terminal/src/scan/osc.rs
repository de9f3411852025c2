//! OSC strings: which the parser may see, in what form, and what the others mean.

use std::borrow::Cow;

use super::{Query, Step, cut_character, directory, notify, status};
use crate::{ClipboardTarget, PromptMark, TerminalSignal};

/// Longest string that is looked at or passed on.
pub(super) const MAX_LEN: usize = 64 * 1024;
/// Longest OSC 52 string: it carries the clipboard, a third longer for its base64, and says which.
pub(super) const MAX_CLIPBOARD: usize = crate::signal::MAX_CLIPBOARD.div_ceil(3) * 4 + 32;
/// Bytes of a string with a title; more is never shown.
pub(super) const MAX_TITLE: usize = 4 * 1024;
/// Longest target of a link, as browsers have it.
const MAX_URI: usize = 2083;
/// Longest parameters of a link; its name is one.
const MAX_LINK_PARAMETERS: usize = 256;

/// Ends a link.
pub(super) const NO_LINK: &[u8] = b"8;;";

/// How long a string may be that begins like this one.
pub(super) fn limit(body: &[u8]) -> usize {
    if body.starts_with(b"52;") { MAX_CLIPBOARD } else { MAX_LEN }
}

pub(super) fn is_title(body: &[u8]) -> bool {
    matches!(body, [b'0' | b'1' | b'2', b';', ..])
}

/// Of these, like titles, the beginning counts whatever their length.
pub(super) fn is_status(body: &[u8]) -> bool {
    body.starts_with(b"7501;")
}

pub(super) fn is_link(body: &[u8]) -> bool {
    body.starts_with(b"8;")
}

/// Whether the parser may see the string as it is.
pub(super) fn passes(body: &[u8]) -> bool {
    let (number, _) = split(body);
    match number {
        b"0" | b"1" | b"2" => body.len() < MAX_TITLE,
        b"8" => matches!(link(body), Link::Fine),
        b"4" | b"10" | b"11" | b"12" | b"22" | b"50" | b"52" | b"104" | b"110" | b"111"
        | b"112" => body.len() <= limit(body),
        _ => false,
    }
}

/// What the parser sees in place of a string that does not pass.
pub(super) fn instead(body: &[u8]) -> Option<Cow<'_, [u8]>> {
    if is_title(body) {
        let title = &body[..body.len().min(MAX_TITLE)];
        return Some(Cow::Borrowed(&title[..title.len() - cut_character(title)]));
    }
    if !is_link(body) {
        return None;
    }
    match link(body) {
        Link::Fine => Some(Cow::Borrowed(body)),
        Link::Nameless(uri) => Some(Cow::Owned([NO_LINK, uri].concat())),
        Link::Bad => Some(Cow::Borrowed(NO_LINK)),
    }
}

/// What a string means that is none of the parser's business.
pub(super) fn step(
    body: &[u8],
    host: &str,
    notifications: &mut notify::Parts,
) -> Option<Step<'static>> {
    let body = if is_status(body) { &body[..body.len().min(MAX_LEN)] } else { body };
    if body.len() > limit(body) {
        return too_long(body);
    }
    let (number, rest) = split(body);
    match number {
        b"7" => directory::from_uri(rest, host).map(directory_step),
        b"9" => notify::conemu(rest).map(Step::Signal),
        b"99" => notifications.kitty(rest),
        b"133" => prompt(rest).map(Step::Prompt),
        b"777" => notify::urxvt(rest).map(Step::Signal),
        b"1337" => {
            let path = rest.strip_prefix(b"CurrentDir=")?;
            directory::from_path(path).map(directory_step)
        }
        b"7501" if status::is_query(rest) => Some(Step::Ask(Query::ProgramStatus)),
        b"7501" => status::parse(rest).map(|status| Step::Signal(TerminalSignal::Status(status))),
        _ => None,
    }
}

/// What a string says that is too long to be looked at as a whole.
pub(super) fn too_long(body: &[u8]) -> Option<Step<'static>> {
    let target = match body.strip_prefix(b"52;")?.first()? {
        b'c' | b';' => ClipboardTarget::Clipboard,
        b'p' | b's' => ClipboardTarget::Primary,
        _ => return None,
    };
    Some(Step::Signal(TerminalSignal::ClipboardTooLarge(target)))
}

enum Link<'a> {
    Fine,
    /// Its parameters are too long; this is where it leads to.
    Nameless(&'a [u8]),
    Bad,
}

fn link(body: &[u8]) -> Link<'_> {
    let (_, rest) = split(body);
    let (parameters, uri) = split(rest);
    let is_safe = std::str::from_utf8(uri).is_ok_and(|uri| !uri.contains(char::is_control));
    match () {
        () if !is_safe || uri.len() > MAX_URI => Link::Bad,
        () if parameters.len() > MAX_LINK_PARAMETERS => Link::Nameless(uri),
        () => Link::Fine,
    }
}

fn prompt(rest: &[u8]) -> Option<PromptMark> {
    let mut fields = rest.split(|byte| *byte == b';');
    match fields.next()? {
        // The second line of a command has a prompt of its own, which is no place to jump to.
        b"A" if fields.any(|field| field == b"k=s") => None,
        b"A" => Some(PromptMark::Start),
        b"B" => Some(PromptMark::Input),
        b"C" => Some(PromptMark::Output),
        b"D" => {
            let code = fields.next().and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
            Some(PromptMark::End { exit_code: code })
        }
        _ => None,
    }
}

fn directory_step(path: std::path::PathBuf) -> Step<'static> {
    Step::Signal(TerminalSignal::Directory(path))
}

/// Splits at the first semicolon; without one, the second half is empty.
pub(super) fn split(text: &[u8]) -> (&[u8], &[u8]) {
    match text.iter().position(|byte| *byte == b';') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}
