//! What the scanner makes of each sequence, and that it does not matter where the stream is cut.

mod hostile;
mod parser;
mod properties;

use super::*;

const CELLS: usize = 80 * 24;

/// Feeds `input` in one piece, then cut in two at every offset, then byte by byte. Steps are written
/// as `<step>` between the text for the parser.
#[track_caller]
fn check(input: &[u8], expected: &str) {
    assert_eq!(told(&[input], CELLS), expected, "in one piece");
    for at in 0..=input.len() {
        let (left, right) = input.split_at(at);
        assert_eq!(told(&[left, right], CELLS), expected, "cut at {at}");
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_eq!(told(&bytes, CELLS), expected, "byte by byte");
}

/// Passed on as it is.
#[track_caller]
fn check_same(input: &[u8]) {
    check(input, &written(input));
}

/// Feeds a long `input` in pieces of a few sizes: every offset would take too long.
#[track_caller]
fn check_long(input: &[u8], expected: &[u8]) {
    for size in [input.len(), 65_536, 4096, 1000, 7] {
        let chunks: Vec<&[u8]> = input.chunks(size).collect();
        let actual = told(&chunks, CELLS);
        assert_eq!(actual.len(), written(expected).len(), "length in chunks of {size}");
        assert!(actual == written(expected), "content in chunks of {size}");
    }
}

fn told(chunks: &[&[u8]], cells: usize) -> String {
    let mut told = String::new();
    for piece in pieces(chunks, cells) {
        match piece {
            Piece::Text(text) => told.push_str(&written(&text)),
            Piece::Step(step) => told.push_str(&step),
        }
    }
    told
}

/// A step that can be kept and compared; neighbouring slices are joined.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(Vec<u8>),
    Step(String),
}

fn pieces(chunks: &[&[u8]], cells: usize) -> Vec<Piece> {
    let mut scanner = Scanner::new("here");
    let mut pieces = Vec::new();
    for chunk in chunks {
        feed(&mut scanner, chunk, cells, |step| match (step, pieces.last_mut()) {
            (Step::Parse(slice), Some(Piece::Text(text))) => text.extend(slice),
            (Step::Parse(slice), _) => pieces.push(Piece::Text(slice.to_vec())),
            (step, _) => pieces.push(Piece::Step(format!("<{}>", name(&step)))),
        });
    }
    pieces
}

fn feed(scanner: &mut Scanner, input: &[u8], cells: usize, mut on_step: impl FnMut(Step<'_>)) {
    let mut rest = input;
    while !rest.is_empty() {
        let (taken, step) = scanner.next(rest, Limits { cells });
        assert!(taken > 0 || step.is_some(), "it always gets on");
        rest = &rest[taken..];
        step.into_iter().for_each(&mut on_step);
    }
}

/// Bytes that are no character are all the same to the parser, and so are they here.
fn written(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\x1b', "^").escape_debug().to_string()
}

fn name(step: &Step<'_>) -> String {
    match step {
        Step::Parse(_) => unreachable!("it is text"),
        Step::BeginSync => "begin".to_owned(),
        Step::EndSync => "end".to_owned(),
        Step::Ask(query) => format!("{query:?}"),
        Step::Signal(signal) => format!("{signal:?}"),
        Step::Prompt(mark) => format!("{mark:?}"),
        Step::SoftReset => "SoftReset".to_owned(),
    }
}

#[test]
fn ordinary_output_passes_unchanged() {
    for input in [
        "plain text\r\n".as_bytes(),
        b"\x1b[1;31mred\x1b[0m\x1b(B\x1b)0\x1b7\x1b8\x1b#8",
        b"\x1b[?25l\x1b[2J\x1b[H\x1b[38;2;1;2;3mx\x1b[4:3m\x1b[>5u\x1b[<u\x1b[?u\x1b[>4;2m",
        b"\x1b]0;title\x07\x1b]2;title\x1b\\text\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
        b"\x1b]11;?\x1b\\\x1b]4;1;?\x07\x1b]52;c;aGk=\x07\x1b]104\x07",
        b"\x1b[c\x1b[>c\x1b[=c\x1b[6n\x1b[5n\x1b[?2026$p\x1b[14t\x1b[18t\x1b[22t\x1b[23;0t",
        "é x € 日本 👍🏽".as_bytes(),
        b"\xff\xfe\x80 bad \xc3\x28 utf8 \xf0\x9f\x1b[m \xed\xa0\x80 \xc0\xaf \xf5",
    ] {
        check_same(input);
    }
}

#[test]
fn broken_off_sequences_leave_no_trace() {
    check(b"a\x1b\x1b]0;a\x07b\x1b[3\x18b\x1b[\x1b]0;b\x07c", r"a^]0;a\u{7}bb^]0;b\u{7}c");
    check(
        b"a\x1b[31\x1b]9;4;3\x07text",
        "a<Progress(Progress { state: Indeterminate, percent: None })>text",
    );
    check(b"a\x1b]0;never\x18b\x1b]0;never\x1b[mc", "ab^[mc");
    check(b"a\x1bPnever\x1b[mb\x1b_never\x1ac", "a^[mbc");
    check(b"a\x1b(\x1b[mb\x1b#\x1ac", "a^[mbc");
    check(
        b"\xe6\x97\x1b]9;4;3\x07\xa5",
        "\u{fffd}<Progress(Progress { state: Indeterminate, percent: None })>\u{fffd}",
    );
}

#[test]
fn control_characters_inside_of_sequences_are_executed() {
    check(b"a\x1b[3\n1mb", r"a\n^[31mb");
    check(b"a\x1b\r[?2026\x08hb", r"a\r\u{8}<begin>b");
    check(b"a\x1b(\tBb", r"a\t^(Bb");
    check(b"a\x1b[3\x7f\xe91mb", "a^[31mb");
    check(b"a\x1b\n]0;b\x07", r"a\n^]0;b\u{7}");
    check(b"a\x1b]0;b\nc\x01\x07", r"a^]0;bc\u{7}");
}

#[test]
fn synchronized_updates_are_found() {
    check(b"a\x1b[?2026hb\x1b[?2026lc", "a<begin>b<end>c");
    check(b"\x1b[?02026;2026h", "<begin>");
    check(b"\x1b[?2026:1l", "<end>");
    check(b"\x1b[?25;2026;1004hx", "^[?25;1004h<begin>x");
    check(b"\x1b[?25;2026lx", "^[?25l<end>x");
    check_same(b"\x1b[2026h\x1b[>2026h\x1b[?2026m\x1b[?2026$h\x1b[?20260h");
}

#[test]
fn questions_are_found() {
    check(b"a\x1b[>qb\x1b[>0q", "a<Version>b<Version>");
    check(b"\x1b[?6n\x1b[?996n\x1b[16t", "<ExtendedCursorPosition><ColorScheme><CellSize>");
    check(b"\x1b]7501;?\x07\x1b]7501;?\x1b\\", "<ProgramStatus><ProgramStatus>");
    check(b"\x1b]99;i=opentui:p=?;\x1b\\", "<NotificationSupport>");
    check_same(b"\x1b[>1q\x1b[?5n\x1b[?15n\x1b[20t\x1b[21t\x1b[ q\x1b[2 q");
}

#[test]
fn questions_in_strings_are_found() {
    check(b"\x1bP$qm\x1b\\", "<StatusString(Attributes)>");
    check(b"\x1bP$qr\x1b\\\x1bP$q\"q\x1b\\", "<StatusString(Margins)><StatusString(Protection)>");
    check(
        b"\x1bP$q q\x1b\\\x1bP$q\"p\x1b\\",
        "<StatusString(CursorStyle)><StatusString(Conformance)>",
    );
    check(b"\x1bP$qid\x1b\\", "<StatusString(Unknown)>");
    check(b"\x1bP+q544e;436F\x1b\\", "<Capabilities([TerminalName, Co])>");
    check(b"\x1bP+q4d73\x1b\\", "<Capabilities([Unknown])>");
    check(b"\x1bP+q\x1b\\x", "<Capabilities([Unknown])>x");
}

#[test]
fn directories_are_taken_from_this_machine_only() {
    check(b"\x1b]7;file:///home/a%20b\x07", "<Directory(\"/home/a b\")>");
    check(b"\x1b]7;file://localhost/tmp\x1b\\", "<Directory(\"/tmp\")>");
    check(b"\x1b]7;file://HERE/tmp\x07", "<Directory(\"/tmp\")>");
    check("\x1b]7;file:///t/日%C3%A9\x07".as_bytes(), "<Directory(\"/t/日é\")>");
    check(b"\x1b]7;file:///a;b\x07", "<Directory(\"/a;b\")>");
    check(b"\x1b]1337;CurrentDir=/tmp\x07", "<Directory(\"/tmp\")>");
    check(b"\x1b]9;9;\"/tmp\"\x07", "<Directory(\"/tmp\")>");
    for ignored in [
        &b"\x1b]7;file://there/tmp\x07"[..],
        b"\x1b]7;http://here/tmp\x07",
        b"\x1b]7;/tmp\x07",
        b"\x1b]7;\x07",
        b"\x1b]7\x07",
        b"\x1b]7;file://\x07",
        b"\x1b]7;file:///a%0ab\x07",
        b"\x1b]7;file:///a%00b\x07",
        b"\x1b]7;file:///a%4\x07",
        b"\x1b]7;file:///a%zz\x07",
        b"\x1b]1337;CurrentDir=tmp\x07",
        b"\x1b]9;9;C:\\\x07",
    ] {
        check(ignored, "");
    }
}

#[test]
fn prompts_are_found() {
    check(b"\x1b]133;A\x07$ \x1b]133;B\x07", "<Start>$ <Input>");
    check(b"\x1b]133;A;cl=m;aid=7\x07", "<Start>");
    check(b"\x1b]133;C\x07x\x1b]133;D\x07", "<Output>x<End { exit_code: None }>");
    check(
        b"\x1b]133;D;0;aid=1\x07\x1b]133;D;127\x1b\\",
        "<End { exit_code: Some(0) }><End { exit_code: Some(127) }>",
    );
    check(
        b"\x1b]133;D;err\x07\x1b]133;D;99999999999\x07",
        "<End { exit_code: None }><End { exit_code: None }>",
    );
    check(b"\x1b]133;A;k=s\x07\x1b]133;Z\x07\x1b]133\x07\x1b]133;\x07", "");
}

#[test]
fn strings_nobody_asked_for_are_swallowed() {
    for ignored in [
        &b"\x1b]1337;Capabilities\x1b\\"[..],
        b"\x1b]1337;SetMark\x07",
        b"\x1b]66;s=2;big\x07",
        b"\x1b]\x07",
        b"\x1b]xyz\x07",
        b"\x1b]777;precmd\x07",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b_Gi=1\x1b\\",
        b"\x1b^pm\x1b\\",
        b"\x1bXsos\x07bell ends it not\x1b\\",
    ] {
        check(ignored, "");
    }
}

#[test]
fn repetitions_are_clamped() {
    check_same(b"a\x1b[5b\x1b[b\x1b[1920b\x1b[1;7b");
    check(b"a\x1b[7;7b", "a^[7b");
    check(b"a\x1b[7:7b", "a^[7b");
    check(b"a\x1b[1921bz", "a^[1920bz");
    check(b"a\x1b[99999999999b", "a^[1920b");
    check(b"a\x1b[0065535;7b", "a^[1920b");
    check(b"a\x1b[65535:1b", "a^[1920b");
    check(b"a\x1b[65535\nb", r"a\n^[1920b");
    assert_eq!(told(&[b"a\x1b[10000bz"], 12_000), "a^[4096b^[4096b^[1808bz", "in pieces");
    assert_eq!(told(&[b"a\x1b[65535bz"], 5000), "a^[4096b^[904bz", "in pieces, clamped");
    assert_eq!(told(&[b"a\x1b[2bz"], 0), "a^[1bz", "no cells are as good as one");
}

#[test]
fn what_only_looks_like_a_repetition_is_left_alone() {
    check_same(b"\x1b[?65535b\x1b[65535 b\x1b[65535$b\x1b[65535c\x1b[;65535b\x1b(65535b65535b");
    check(b"\x1b[65535\x1b[b\x1b[65535\x18b", "^[bb");
    check_same(&[b"\x1b[65535".as_slice(), &[b';'; 32], b"b"].concat());
}

#[test]
fn going_back_by_many_tabs_is_clamped() {
    check_same(b"\x1b[Z\x1b[1000Z");
    check(b"\x1b[65535Zx", "^[1000Zx");
}

#[test]
fn links_lead_somewhere_safe_or_nowhere() {
    check_same(b"\x1b]8;id=1;https://a.b/c?d;e=f\x07");
    check_same("\x1b]8;;file:///日本\x1b\\".as_bytes());
    check(b"\x1b]8;;http://a\x00b\x07x", r"^]8;;\u{7}x");
    check(b"\x1b]8;;http://a\x7fb\x1b\\x", r"^]8;;^\\x");
    check(b"\x1b]8;;http://\xff\x07x", r"^]8;;\u{7}x");
    check("\x1b]8;;http://\u{9b}\x07x".as_bytes(), r"^]8;;\u{7}x");
    let link = |parameters: usize, uri: usize| {
        let (parameters, uri) = ("p".repeat(parameters), "u".repeat(uri));
        format!("\x1b]8;{parameters};{uri}\x07x").into_bytes()
    };
    check_long(&link(256, 2083), &link(256, 2083));
    check_long(&link(0, 2084), &link(0, 0));
    check_long(&link(257, 5), &link(0, 5));
}

#[test]
fn one_slice_is_bounded_in_length() {
    let mut scanner = Scanner::default();
    let text = "é".repeat(100_000);
    let (taken, _) = scanner.next(&text.as_bytes()[1..], Limits { cells: CELLS });
    assert_eq!(taken, SLICE - 1, "it stops at the length of a slice, at the end of a character");
    let (taken, _) = scanner.next(text.as_bytes(), Limits { cells: 500 * 1000 });
    assert_eq!(taken, 1610, "slices are shorter where line feeds cost more");
}

/// How many slices `count` times `sequence` are cut into.
fn slices(sequence: &[u8], count: usize, cells: usize) -> usize {
    let mut slices = 0;
    feed(&mut Scanner::default(), &sequence.repeat(count), cells, |_| slices += 1);
    slices
}

#[test]
fn one_slice_is_bounded_in_cost() {
    let screen = 200 * 60;
    for (sequence, cells, count, expected) in [
        (&b"\x1b#8"[..], screen, 5120, 20),
        (b"\x1b#8", 500 * 1000, 70, 10),
        (b"\x1bc", screen, 1280, 10),
        (b"\x1b[2J", screen, 1280, 10),
        (b"\x1b[L", screen, 2560, 10),
        (b"\x1b[9M", screen, 2560, 10),
        (b"\x1b[S", screen, 2560, 10),
        (b"\x1b[T", screen, 2560, 10),
        (b"\x1b[?1049h", screen, 2560, 10),
        (b"\x1b[?3;47l", screen, 1280, 10),
        (b"\x1b[1000Z", screen, 170, 10),
        (b"\x1b[@", 500 * 1000, 3940, 10),
        (b"\x1b[4096b", screen, 10, 10),
        (b"\x1b[12000b", screen, 10, 30),
        (b"\x1b[1920b", CELLS, 10, 10),
        (b"\x1b[960b", CELLS, 20, 10),
        (b"\x1b[K", screen, 5000, 1),
        (b"\x1b[31m", screen, 3000, 1),
    ] {
        let what = sequence.escape_ascii();
        assert_eq!(slices(sequence, count, cells), expected, "{count} times {what}, {cells} cells");
    }
}

#[test]
fn steps_stand_where_they_were_sent() {
    check(
        b"\x1b[8m\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[>4;?m\x1b[c\x1b[2K\r\x1b[0m",
        r"^[8m^[?u^]11;?^\\<Version>^[>4;?m^[c^[2K\r^[0m",
    );
}
