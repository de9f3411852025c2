//! What reaches the program, and what does not.

use super::*;

/// Takes pieces, apart by `|`, and writes what reached the program, and what else there was.
#[track_caller]
fn check(pieces: &str, expected: &str) {
    let mut input = Input::new(DetachKey::default());
    input.ask();
    let mut log = String::new();
    for piece in pieces.split('|') {
        let typed = input.take(piece.as_bytes());
        log += &String::from_utf8(typed.to_program).unwrap();
        if typed.has_kitty {
            log += "<kitty>";
        }
        if typed.has_wheel {
            log += "<wheel>";
        }
        if typed.detaches {
            log += "<detach>";
        }
    }
    assert_eq!(log, expected, "{pieces:?}");
}

#[test]
fn what_is_typed_goes_through_as_it_is() {
    for text in ["hello\r", "\x1b", "\x1b[A", "\x1bOP", "\x1b[<0;3;4M", "\x1b[M !!", "ä\u{1f600}"]
    {
        check(text, text);
    }
    check("\x1b[1;|5A", "\x1b[1;5A");
    check("\x1b|[A", "\x1b[A");
    check("\x1b\x1b[A\x03\x1a", "\x1b\x1b[A\x03\x1a");
}

#[test]
fn the_key_detaches_however_it_is_encoded() {
    for key in ["\x1c", "\x1b[92;5u", "\x1b[92;5:1u", "\x1b[92:124;133u", "\x1b[27;5;92~"] {
        check(&format!("ab{key}cd"), "ab<detach>");
    }
    check("\x1b[92|;5u", "<detach>");
    for other in ["\x1b[92;5:3u", "\x1b[92;6u", "\x1b[92u", "\x1b[93;5u", "\x1b[27;5;93~", "\x1d"] {
        check(other, other);
    }
}

#[test]
fn a_paste_holds_no_keys() {
    check("\x1b[200~a\x1cb\x1b[201~", "\x1b[200~a\x1cb\x1b[201~");
    check("\x1b[200~a\x1cb\x1b|[201~\x1c", "\x1b[200~a\x1cb\x1b[201~<detach>");
}

#[test]
fn what_the_outer_terminal_answers_is_not_typed() {
    check("a\x1b[?1u\x1b[?62;4c|b", "a<kitty>b");
    check("a\x1b[?62|;4cb", "ab");
    check("\x1b[?1007;1$y|a\x1b[?62c", "<wheel>a");
    check("\x1b[?1007;0|$ya\x1b[?62c", "a");
    check("\x1b[?62c\x1b[?62c", "\x1b[?62c");
}

#[test]
fn what_is_typed_is_told_from_reports_and_enter_hands_it_in() {
    for (bytes, is_typed, submits) in [
        ("a", true, false),
        ("a\r", true, true),
        ("\x1b[13u", true, true),
        ("\x1b[13;2u", true, false),
        ("\x1b[200~a\rb\x1b[201~", true, false),
        ("\x1b[<35;3;4M", false, false),
        ("\x1b[I\x1b[O", false, false),
    ] {
        let typed = Input::new(DetachKey::default()).take(bytes.as_bytes());
        assert_eq!((typed.is_typed, typed.submits), (is_typed, submits), "{bytes:?}");
    }
}

#[test]
fn what_never_ends_is_not_held_for_ever() {
    let endless = format!("\x1b[{}", "1".repeat(100));
    check(&endless, &endless);
}
