//! What holds for any output.

use std::fs;

use proptest::prelude::*;

use super::hostile::answers;
use super::*;

/// Bytes that are likely to mean something.
fn output() -> impl Strategy<Value = Vec<u8>> {
    let fragments: Vec<&'static [u8]> = vec![
        b"\x1b",
        b"\x1b[",
        b"\x1b]",
        b"\x1bP",
        b"\x1b_",
        b"\x1b\\",
        b"\x07",
        b"\x18",
        b"\x1a",
        b"\n",
        b"?",
        b">",
        b";",
        b":",
        b"=",
        b"$",
        b"+q",
        b"$q",
        b" ",
        b"(",
        b"2026",
        b"65535",
        b"16",
        b"6",
        b"0",
        b"h",
        b"l",
        b"b",
        b"n",
        b"q",
        b"t",
        b"m",
        b"J",
        b"Z",
        b"\xe6",
        b"\x97",
        b"\xa5",
        b"\xf0\x9f",
        b"\xff",
        b"\x7f",
        b"\xc2\x9b",
        b"8;;",
        b"52;",
        b"0;",
        b"7;file:///",
        b"9;",
        b"9;4;",
        b"99;",
        b"i=1:d=0;",
        b"p=?",
        b"133;",
        b"A",
        b"D;1",
        b"777;notify;",
        b"7501;",
        b"7501;?",
        b"state=idle",
        b":msg=",
        b"aGk=",
        b"544e",
        b"\x1b[?2026h",
        b"\x1b[?25;2026l",
        b"\x1b[>q",
        b"\x1b]0;t\x07",
        b"\x1bP$qm\x1b\\",
    ];
    let piece = prop_oneof![
        8 => proptest::sample::select(fragments).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
        1 => "[a-zé日🚀]{1,8}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Whether `replies` is a sequence of answers in one of our forms, and nothing else.
fn is_in_the_grammar(replies: &[u8]) -> bool {
    const FORMS: [(&str, &str, &str); 8] = [
        ("\x1bP>|trackside ", "0123456789.", "\x1b\\"),
        ("\x1bP1$r", "0123456789;: \"mrqp", "\x1b\\"),
        ("\x1bP0$r", "", "\x1b\\"),
        ("\x1bP1+r", "0123456789ABCDEF=", "\x1b\\"),
        ("\x1bP0+r", "", "\x1b\\"),
        ("\x1b[", "?0123456789;", "Rnt"),
        ("\x1b]7501;?", "", "\x1b\\"),
        ("\x1b]99;i=0:p=?;o=always:p=title,body,?", "", "\x1b\\"),
    ];
    let Ok(mut rest) = std::str::from_utf8(replies) else { return false };
    'replies: while !rest.is_empty() {
        for (begin, middle, end) in FORMS {
            let Some(after) = rest.strip_prefix(begin) else { continue };
            let after = after.trim_start_matches(|c| middle.contains(c));
            let ended = match end {
                "Rnt" => after.strip_prefix(|c| end.contains(c)),
                _ => after.strip_prefix(end),
            };
            if let Some(left) = ended {
                rest = left;
                continue 'replies;
            }
        }
        return false;
    }
    true
}

/// Slices as the parser understands them: it does not matter by which bytes a character is broken.
fn understood(chunks: &[&[u8]]) -> Vec<Piece> {
    let lossy = |piece| match piece {
        Piece::Text(text) => Piece::Text(String::from_utf8_lossy(&text).into_owned().into_bytes()),
        step @ Piece::Step(_) => step,
    };
    pieces(chunks, CELLS).into_iter().map(lossy).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn steps_do_not_depend_on_where_the_stream_is_cut(
        output in output(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let whole = understood(&[&output]);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(output.len() + 1)).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&output[from..cut]);
            from = cut;
        }
        chunks.push(&output[from..]);
        prop_assert_eq!(&understood(&chunks), &whole);
        let bytes: Vec<&[u8]> = output.chunks(1).collect();
        prop_assert_eq!(&understood(&bytes), &whole);
    }

    #[test]
    fn answers_are_ours_alone(output in output()) {
        let answers = answers(&output);
        prop_assert!(is_in_the_grammar(&answers), "{}", answers.escape_ascii());
    }

    #[test]
    fn anything_at_all_is_survived(output in proptest::collection::vec(any::<u8>(), 0..600)) {
        let bytes: Vec<&[u8]> = output.chunks(1).collect();
        prop_assert_eq!(understood(&bytes), understood(&[&output]));
    }
}

#[test]
fn recordings_give_the_same_steps_however_they_are_cut() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/recordings");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("the recordings are there") {
        let path = entry.expect("an entry").path();
        let recorded = fs::read_to_string(&path).expect("a recording");
        let output: Vec<u8> = recorded.lines().flat_map(bytes_of).collect();
        assert!(output.len() > 100, "{} has output", path.display());
        let whole = understood(&[&output]);
        for size in [1, 7, 4096] {
            let chunks: Vec<&[u8]> = output.chunks(size).collect();
            assert!(understood(&chunks) == whole, "{} in chunks of {size}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 3, "all recordings were read");
}

/// The output in a line of a recording, if there is any.
fn bytes_of(line: &str) -> Vec<u8> {
    let is_output = line.contains("\"dir\":\"out\"");
    let text = line.split("\"b64\":\"").nth(1).and_then(|rest| rest.split('"').next());
    match text {
        Some(text) if is_output => base64::decode(text.as_bytes()).expect("base64"),
        _ => Vec::new(),
    }
}
