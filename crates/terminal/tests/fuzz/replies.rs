//! What may be written back to a program that asked something: a few shapes, and no text of its own.
//!
//! A shell that did not ask reads an answer as typed, so a line end in one would run it.

use crate::grammar::CANARY;

/// Why these bytes must not reach a program, if they must not.
pub(crate) fn fault(replies: &[u8]) -> Option<String> {
    let told = || replies.escape_ascii().to_string();
    let Ok(text) = std::str::from_utf8(replies) else {
        return Some(format!("a reply that is no text: {}", told()));
    };
    if text.contains(CANARY) {
        return Some(format!("a reply with text of the program: {}", told()));
    }
    let mut rest = text;
    while !rest.is_empty() {
        let Some(after) = one(rest) else {
            return Some(format!("a reply of no known shape: {}", told()));
        };
        rest = after;
    }
    None
}

/// What is left behind one well-formed reply.
fn one(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\x1b')?;
    if let Some(body) = text.strip_prefix('[') {
        let body = body.trim_start_matches(['?', '>', '=']);
        let body = body.trim_start_matches(|c: char| c.is_ascii_digit() || ";:".contains(c));
        let body = body.trim_start_matches(['$', '"', '\'', '*']);
        return body.strip_prefix(|c: char| c.is_ascii_alphabetic());
    }
    if let Some(body) = text.strip_prefix(']') {
        let end = body.find(|c: char| c.is_control())?;
        let (body, rest) = body.split_at(end);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ";:/?=#,.-".contains(c);
        let rest = rest.strip_prefix('\x07').or_else(|| rest.strip_prefix("\x1b\\"))?;
        return body.chars().all(is_plain).then_some(rest);
    }
    let body = text.strip_prefix('P')?;
    let end = body.find(|c: char| c.is_control())?;
    let (body, rest) = body.split_at(end);
    let is_plain = |c: char| c.is_ascii() && !c.is_control();
    body.chars().all(is_plain).then_some(rest.strip_prefix("\x1b\\")?)
}

#[test]
fn only_known_shapes_pass() {
    #[track_caller]
    fn check(replies: &str, passes: bool) {
        assert_eq!(fault(replies.as_bytes()).is_none(), passes, "{replies:?}");
    }
    check("\x1b[?62;22c\x1b[0n\x1b[3;4R\x1b[?2026;2$y\x1b[?0u", true);
    check("\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1b]4;1;rgb:00/00/00\x1b\\", true);
    check("\x1bP>|trackside 0.1.0\x1b\\\x1bP!|00000000\x1b\\\x1bP0$r\x1b\\", true);
    check("\x1b[0n\r", false);
    check("plain", false);
    check("\x1b]lcAnArY\x1b\\", false);
    check("\x1b]2;a title\x07", false);
    check("\x1bP1$r\n\x1b\\", false);
    check("\x1b[5", false);
}
