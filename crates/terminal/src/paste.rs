//! Pasted text on its way to a program.

use crate::Modes;

/// The bytes for `text`, bracketed if the program asked for it.
///
/// Text from a clipboard is not trusted: escape and control characters are left out, so that it can
/// neither end the bracket early nor press keys. Every kind of line end becomes a carriage return.
pub fn encode_paste(text: &str, modes: Modes) -> Vec<u8> {
    let bracketed = modes.contains(Modes::BRACKETED_PASTE);
    let mut bytes = Vec::with_capacity(text.len() + 12);
    if bracketed {
        bytes.extend_from_slice(b"\x1b[200~");
    }
    let mut buffer = [0; 4];
    let mut previous = None;
    for c in text.chars() {
        match c {
            '\n' if previous == Some('\r') => {}
            '\n' => bytes.push(b'\r'),
            '\t' | '\r' => bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()),
            _ if c.is_control() => {}
            _ => bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()),
        }
        previous = Some(c);
    }
    if bracketed {
        bytes.extend_from_slice(b"\x1b[201~");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, modes: Modes, expected: &str) {
        let bytes = encode_paste(text, modes);
        assert_eq!(String::from_utf8_lossy(&bytes), expected, "paste of {text:?}");
    }

    #[test]
    fn text_passes_and_line_ends_become_returns() {
        check("ls -l", Modes::empty(), "ls -l");
        check("a\nb\r\nc\rd\n\ne", Modes::empty(), "a\rb\rc\rd\r\re");
        check("\tä日\n", Modes::empty(), "\tä日\r");
    }

    #[test]
    fn control_characters_are_left_out() {
        check("a\x1b[31mb\x03\x00\x7f\u{9b}c", Modes::empty(), "a[31mbc");
    }

    #[test]
    fn a_bracket_cannot_be_ended_from_inside() {
        let modes = Modes::BRACKETED_PASTE;
        check("a\nb", modes, "\x1b[200~a\rb\x1b[201~");
        check("a\x1b[201~rm -rf /\n", modes, "\x1b[200~a[201~rm -rf /\r\x1b[201~");
        check("\u{9b}201~x", modes, "\x1b[200~201~x\x1b[201~");
    }
}
