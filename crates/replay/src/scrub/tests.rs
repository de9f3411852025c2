//! What is hidden, and what stays.

use std::time::Duration;

use agent::{Process, ProcessSample};
use proptest::prelude::*;
use terminal::{GridSize, TerminalBuffer, TerminalOptions};

use super::*;
use crate::{About, Event};

const KEY: &str = "sk-ant-api03-Abc123Def456Ghi789";

fn scrubber() -> Scrubber {
    let one = |word: &str| vec![word.to_owned()];
    let identity = Identity { users: one("alice"), homes: one("/home/alice"), hosts: one("moon") };
    Scrubber::new(&identity).expect("names that can be looked for")
}

fn recording(what: impl IntoIterator<Item = Happening>) -> Recording {
    let events = what.into_iter().map(|what| Event { at: Duration::ZERO, what }).collect();
    let size = Some(GridSize { columns: 40, rows: 6 });
    Recording { events, about: About { size, ..About::default() } }
}

fn printed(pieces: &[&str]) -> Recording {
    recording(pieces.iter().map(|piece| Happening::Output(piece.as_bytes().to_vec())))
}

fn pieces(recording: &Recording) -> Vec<String> {
    let text = |event: &Event| match &event.what {
        Happening::Output(bytes) | Happening::Input(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
        _ => None,
    };
    recording.events.iter().filter_map(text).collect()
}

/// Scrubs pieces that were printed one after the other.
#[track_caller]
fn check_pieces(printed_pieces: &[&str], expected: &[&str]) {
    let mut recording = printed(printed_pieces);
    scrubber().scrub(&mut recording);
    assert_eq!(pieces(&recording), expected, "scrubbed {printed_pieces:?}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(scrubber().scrub_text(text), expected, "scrubbed {text:?}");
    check_pieces(&[text], &[expected]);
}

#[test]
fn names_are_hidden_as_words() {
    check("cd /home/alice/src", "cd /xxxx/xxxxx/src");
    check("alice@moon:~$ ls", "xxxxx@xxxx:~$ ls");
    check("alices malice moonlight", "alices malice moonlight");
    check("-home-alice-src", "-home-xxxxx-src");
    check("mail bob.b@example.org now", "mail xxxxxxxxxxxxxxxxx now");
}

#[test]
fn keys_and_tokens_are_hidden() {
    check("sk-ant-api03-Abc123", "xxxxxxxxxxxxxxxxxxx");
    check("ghp_abcdefghij0123456789", "xxxxxxxxxxxxxxxxxxxxxxxx");
    check("AKIAIOSFODNN7EXAMPLE", "xxxxxxxxxxxxxxxxxxxx");
    check("eyJhbGciOi.eyJzdWIiOi.SflKxw", "xxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    check("Authorization: Bearer abc.def", "Authorization: Bearer xxxxxxx");
    check("authorization: hunter2", "authorization: xxxxxxx");
    check("API_KEY=hunter2 ok", "API_KEY=xxxxxxx ok");
    check("my_secret_key = 'hunter2'", "my_secret_key = 'xxxxxxx'");
    check("password: hunter2", "password: xxxxxxx");
    check("https://me:hunter2@host/x", "https://me:xxxxxxx@host/x");
    check("curl -u me:hunter2 host/x", "curl -u me:xxxxxxx host/x");
    check("$ curl -sS -ume:hunter2 host", "$ curl -sS -ume:xxxxxxx host");
    check("curl host --user 'me:hunter2'", "curl host --user 'me:xxxxxxx'");
    check("curl --proxy-user=me:hunter2 x", "curl --proxy-user=me:xxxxxxx x");
    check("http -a me:hunter2 host", "http -a me:xxxxxxx host");
    check("Q1w2E3r4T5y6U7i8O9p0A1s2D3f4G5h6", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

#[test]
fn a_key_in_a_block_is_hidden_line_by_line() {
    let full = "MIIEvQIBADANBg/qhkiG9w0BAQEFAASC/KcwggSjAgEAAoIBAQ/7VJTUt9Us8cKj";
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    let covered =
        |line: &str| line.chars().map(|c| if c == '/' { c } else { 'x' }).collect::<String>();
    let block = |parts: &[&str]| parts.join("\r\n");
    let whole = block(&[begin, full, "Ab3/x9=", end, "$ ls"]);
    let expected = block(&[begin, &covered(full), &covered("Ab3/x9="), end, "$ ls"]);
    check_pieces(&[&whole], &[&expected]);
    // What was recorded begins, or ends, in the midst of one.
    check_pieces(&[&block(&["Ab3/x9=", end, "ok"])], &[&block(&[&covered("Ab3/x9="), end, "ok"])]);
    check_pieces(&[&block(&[begin, "Ab3/x9"])], &[&block(&[begin, &covered("Ab3/x9")])]);
    check_pieces(&[&block(&[full, "Ab3/x9"])], &[&block(&[&covered(full), &covered("Ab3/x9")])]);
    check_pieces(
        &["\x1b[H", "Ab3/x9", "\x1b[2;1H", end],
        &["\x1b[H", &covered("Ab3/x9"), "\x1b[2;1H", end],
    );
    let words = block(&["done", "-----END OF REPORT-----", "-----BEGIN PUBLIC KEY-----", "Ab3/x9"]);
    check_pieces(&[&words], &[&words]);
}

#[test]
fn ordinary_words_stay() {
    check("tokens: 12 used, 3 s", "tokens: 12 used, 3 s");
    check("Esc to interrupt (12s)", "Esc to interrupt (12s)");
    check("password:", "password:");
    check("curl -u me https://host:8080/x", "curl -u me https://host:8080/x");
    check("docker run -u 1000:1000 x", "docker run -u 1000:1000 x");
    check("a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4", "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4");
}

#[test]
fn a_secret_in_pieces_is_hidden() {
    check_pieces(&["sk-ant-", "api03-Abc", "123"], &["xxxxxxx", "xxxxxxxxx", "xxx"]);
    check_pieces(&["sk-\x1b[1mant-api03\x1b[m-Abc"], &["xxx\x1b[1mxxxxxxxxx\x1b[mxxxx"]);
    // The cursor goes back and forth: only the screen shows it whole.
    check_pieces(
        &["\x1b[3;1Hsk-ant", "\x1b[3;13H3-Abc", "\x1b[3;7H-api0-"],
        &["\x1b[3;1Hxxxxxx", "\x1b[3;13Hxxxxx", "\x1b[3;7Hxxxxxx"],
    );
}

#[test]
fn a_secret_that_wraps_is_hidden() {
    let before = "-".repeat(29) + " ";
    let long = format!("{before}{KEY}");
    let hidden = before + &"x".repeat(KEY.len());
    check_pieces(&[&long], &[&hidden]);
}

#[test]
fn what_was_drawn_of_a_secret_before_it_was_whole_is_hidden() {
    check_pieces(
        &["\rbob@exa", "\rbob@example.o", "\rbob@example.org"],
        &["\rxxxxxxx", "\rxxxxxxxxxxxxx", "\rxxxxxxxxxxxxxxx"],
    );
}

#[test]
fn wide_characters_keep_their_columns() {
    let identity = Identity { users: vec!["愛子".to_owned()], ..Identity::default() };
    let mut recording = printed(&["to 愛子."]);
    Scrubber::new(&identity).expect("a name").scrub(&mut recording);
    assert_eq!(pieces(&recording), ["to xxxx."], "two columns each");
}

#[test]
fn strings_are_hidden_too() {
    check_pieces(&["\x1b]2;alice@moon\x07"], &["\x1b]2;xxxxx@xxxx\x07"]);
    check_pieces(&["\x1b]7;file://moon/", "home\x1b\\ok"], &["\x1b]7;", "\x1b\\ok"]);
    check_pieces(&["\x1b]52;c;c2VjcmV0\x07"], &["\x1b]52;\x07"]);
    check_pieces(&["\x1b_Gpicture\x1b\\"], &["\x1b_\x1b\\"]);
    check_pieces(
        &["\x1b]8;;file:///home/%61lice/x\x1b\\x"],
        &["\x1b]8;;https://example.invalid/\x1b\\x"],
    );
    // `run alice` becomes `run xxxxx`.
    check_pieces(
        &["\x1b]7501;state=blocked:msg=cnVuIGFsaWNl\x07"],
        &["\x1b]7501;state=blocked:msg=cnVuIHh4eHh4\x07"],
    );
    check_pieces(&["\x1b]9;4;3;0\x07"], &["\x1b]9;4;3;0\x07"]);
}

/// Scrubs what was typed, key after key.
#[track_caller]
fn check_typed(keys: &[&str], expected: &[&str]) {
    let mut recording = recording(keys.iter().map(|key| Happening::Input(key.as_bytes().to_vec())));
    scrubber().scrub(&mut recording);
    assert_eq!(pieces(&recording), expected, "typed {keys:?}");
}

#[test]
fn what_was_typed_is_hidden_but_for_answers() {
    check_typed(&["h", "i", "\r"], &["x", "x", "\r"]);
    check_typed(&["y", "\r", "2", "\x1b[A"], &["y", "\r", "2", "\x1b[A"]);
    check_typed(&["hello\r", "n\r"], &["xxxxx\r", "n\r"]);
    check_typed(&["\x1b[104u", "\x1b[105;1:1u", "\x1b[13u"], &["x", "x", "\x1b[13u"]);
}

#[test]
fn a_password_is_hidden_even_if_it_is_short() {
    let sample = |echoes| {
        let processes = vec![Process { pid: 1, cpu_ticks: 0, reads_terminal: true }];
        let sample = ProcessSample { is_canonical: true, echoes, foreground: 1, processes };
        Happening::Told(sample)
    };
    let typed = |key: &str| Happening::Input(key.as_bytes().to_vec());
    let mut recording =
        recording([sample(false), typed("p\r"), sample(true), typed("y"), typed("\r")]);
    scrubber().scrub(&mut recording);
    assert_eq!(pieces(&recording), ["x\r", "y", "\r"], "nothing echoed the first");
}

fn shown(recording: &Recording) -> Vec<String> {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 40, rows: 6 }, TerminalOptions::default());
    for event in &recording.events {
        if let Happening::Output(bytes) = &event.what {
            terminal.feed(bytes);
        }
    }
    terminal.visible_text()
}

proptest! {
    /// Cut and coloured anywhere, printed anywhere.
    #[test]
    fn no_key_survives(
        cuts in prop::collection::vec((0..KEY.len(), any::<bool>()), 0..6),
        (row, column) in (1..6u8, 1..40u8),
        before in "[a-z ]{0,30}",
    ) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut pieces = vec![format!("{before}\x1b[{row};{column}H")];
        let mut from = 0;
        for (at, is_coloured) in cuts.into_iter().chain([(KEY.len(), false)]) {
            pieces.push(KEY[from..at].to_owned());
            pieces.push(if is_coloured { "\x1b[35m".to_owned() } else { String::new() });
            from = at;
        }
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let mut recording = printed(&pieces);
        let before = shown(&recording);
        scrubber().scrub(&mut recording);
        let after = shown(&recording);
        prop_assert!(!after.concat().contains("Abc123"), "{:?}", after);
        let lengths = |rows: &[String]| rows.iter().map(|row| row.chars().count()).collect::<Vec<_>>();
        prop_assert_eq!(lengths(&before), lengths(&after));
        let mut again = recording.clone();
        scrubber().scrub(&mut again);
        prop_assert_eq!(again.events, recording.events);
    }

    /// Whatever bytes there are, each belongs to one token, and nothing is lost that is not hidden.
    #[test]
    fn any_bytes_can_be_scrubbed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut end = 0;
        for token in Tokens::new(&bytes) {
            prop_assert_eq!(token.range.start, end);
            prop_assert!(token.range.end > token.range.start);
            end = token.range.end;
        }
        prop_assert_eq!(end, bytes.len());
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let both = [first.to_vec(), second.to_vec()].map(Happening::Output);
        scrubber().scrub(&mut recording(both));
    }
}
