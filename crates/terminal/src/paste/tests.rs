//! What is left of pasted text, and when to ask first.

use super::*;

fn encode(text: &str, modes: Modes) -> Vec<u8> {
    Paste::new(text.to_owned(), modes).flatten().collect()
}

#[track_caller]
fn check(text: &str, modes: Modes, expected: &str) {
    let bytes = encode(text, modes);
    assert_eq!(String::from_utf8_lossy(&bytes), expected, "paste of {text:?}");
}

#[track_caller]
fn check_question(text: &str, expected: bool) {
    let asks = paste_needs_confirmation(text, Modes::empty());
    assert_eq!(asks, expected, "whether to ask before {text:?}");
    let asks = paste_needs_confirmation(text, Modes::BRACKETED_PASTE);
    assert!(!asks, "a program with bracketed paste can be given {text:?}");
}

#[test]
fn text_passes_and_line_ends_become_returns() {
    check("ls -l", Modes::empty(), "ls -l");
    check("a\nb\r\nc\rd\n\ne", Modes::empty(), "a\rb\rc\rd\r\re");
    check("\r\r\n\n\r", Modes::empty(), "\r\r\r\r");
    check("\tä日\n", Modes::empty(), "\tä日\r");
    check("", Modes::empty(), "");
    check("👍🏽 e\u{301}\u{200d}", Modes::empty(), "👍🏽 e\u{301}\u{200d}");
}

#[test]
fn control_characters_are_left_out() {
    check("a\x1b[31mb\x03\x00\x7f\u{9b}c", Modes::empty(), "a[31mbc");
    let all: String =
        (0..=0x9f_u8).filter(|byte| !(0x20..0x7f).contains(byte)).map(char::from).collect();
    check(&all, Modes::empty(), "\t\r\r");
    check("\u{a0}\u{ff}", Modes::empty(), "\u{a0}\u{ff}");
}

#[test]
fn a_bracket_cannot_be_ended_from_inside() {
    let modes = Modes::BRACKETED_PASTE;
    check("a\nb", modes, "\x1b[200~a\rb\x1b[201~");
    check("a\x1b[201~rm -rf /\n", modes, "\x1b[200~a[201~rm -rf /\r\x1b[201~");
    check("\u{9b}201~x", modes, "\x1b[200~201~x\x1b[201~");
    check("\x1b\x1b[201~[201~x", modes, "\x1b[200~[201~[201~x\x1b[201~");
    check("\x1b\u{9b}\x1b[\u{9d}201~x", modes, "\x1b[200~[201~x\x1b[201~");
    check("", modes, "\x1b[200~\x1b[201~");
}

#[test]
fn only_without_brackets_does_a_line_end_press_enter() {
    let presses = |text: &str, modes| Paste::new(text.to_owned(), modes).presses_enter();
    assert!(presses("a\n", Modes::empty()), "a line end");
    assert!(!presses("a", Modes::empty()), "no line end");
    assert!(!presses("a\n", Modes::BRACKETED_PASTE), "within brackets it is text");
}

#[test]
fn a_large_paste_has_one_pair_of_brackets_and_small_chunks() {
    let text = "0123456789abcde\n".repeat(65_536);
    let chunks: Vec<Vec<u8>> = Paste::new(text.clone(), Modes::BRACKETED_PASTE).collect();
    assert!(chunks.iter().all(|chunk| chunk.len() <= CHUNK + 12), "no chunk is large");
    assert!(chunks[0].starts_with(BEGIN), "the first one begins with the bracket");
    assert!(chunks.last().is_some_and(|last| last.ends_with(END)), "the last one ends with it");
    let bytes = chunks.concat();
    assert_eq!(bytes.len(), text.len() + 12, "nothing is lost");
    let escapes = bytes.iter().filter(|byte| **byte == 0x1b).count();
    assert_eq!(escapes, 2, "one bracket at each end");
}

#[test]
fn where_chunks_meet_nothing_is_cut_or_doubled() {
    for before in CHUNK - 4..CHUNK + 2 {
        let filler = "x".repeat(before);
        check(&format!("{filler}\r\n\nä日👍"), Modes::empty(), &format!("{filler}\r\rä日👍"));
        check(&format!("{filler}👍\x1b\r\n"), Modes::empty(), &format!("{filler}👍\r"));
        check(&format!("{filler}\r\x03\n"), Modes::empty(), &format!("{filler}\r\r"));
    }
}

#[test]
fn the_person_is_asked_where_lines_would_run_or_something_is_hidden() {
    check_question("ls -l", false);
    check_question("a\tb", false);
    check_question("ä日👍", false);
    check_question("", false);
    check_question("ls\n", true);
    check_question("a\nb", true);
    check_question("a\rb", true);
    check_question("a\x1b[31m", true);
    check_question("a\x03", true);
    check_question("a\u{9b}", true);
    check_question("a\x7f", true);
}
