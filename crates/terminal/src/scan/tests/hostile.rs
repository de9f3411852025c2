//! Output that is made to hurt.

use super::*;
use crate::CellPoint;

#[test]
fn long_strings_are_swallowed_to_their_terminator() {
    let osc =
        |body: usize, end: &[u8]| [b"a\x1b]4;", "x".repeat(body).as_bytes(), end, b"z"].concat();
    let fits = osc::MAX_LEN - 2;
    check_long(&osc(fits, b"\x07"), &osc(fits, b"\x07"));
    check_long(&osc(fits, b"\x1b\\"), &osc(fits, b"\x1b\\"));
    check_long(&osc(fits + 1, b"\x07"), b"az");
    check_long(&osc(fits + 1, b"\x18"), b"az");
    check_long(&osc(fits + 1, b"\x1b\\"), b"az");
    check_long(&osc(3_000_000, b"\x1b\\"), b"az");
}

#[test]
fn the_clipboard_may_be_longer() {
    let osc = |body: usize| [b"\x1b]52;c;", "x".repeat(body).as_bytes(), b"\x07z"].concat();
    let fits = osc::MAX_CLIPBOARD - 5;
    check_long(&osc(fits), &osc(fits));
    check_long(&osc(fits + 1), b"<ClipboardTooLarge(Clipboard)>z");
}

#[test]
fn long_titles_are_cut_at_a_character() {
    for number in ["0", "1", "2"] {
        let osc = |chars: usize| format!("\x1b]{number};{}\x07z", "日".repeat(chars)).into_bytes();
        check_long(&osc(100_000), &osc((osc::MAX_TITLE - 2) / 3));
    }
    let ascii = |chars: usize| format!("\x1b]2;{}\x1b\\z", "x".repeat(chars)).into_bytes();
    let fits = osc::MAX_TITLE - 2;
    check_long(&ascii(fits), &ascii(fits));
    check_long(&ascii(fits + 1), &ascii(fits));
}

#[test]
fn a_string_without_end_holds_little_memory() {
    const CHUNK: &[u8] = &[b'A'; 64 * 1024];
    for begin in
        ["\x1b]2;", "\x1b]9;", "\x1b]52;c;", "\x1b]", "\x1bPq", "\x1bP$q", "\x1b_G", "\x1bX"]
    {
        let mut scanner = Scanner::default();
        let silent = |step: Step<'_>| panic!("nothing is passed on: {step:?}");
        feed(&mut scanner, begin.as_bytes(), CELLS, silent);
        // 512 MiB of a title, and some of the others, which go the same way.
        let chunks = if begin == "\x1b]2;" { 8192 } else { 64 };
        for _ in 0..chunks {
            feed(&mut scanner, CHUNK, CELLS, silent);
        }
        let held = scanner.hold.capacity();
        assert!(held <= 2 * osc::MAX_CLIPBOARD, "{} holds {held}", begin.escape_debug());
        let mut told = String::new();
        feed(&mut scanner, b"\x1b\\ok", CELLS, |step| {
            if let Step::Parse(slice) = step {
                told.push_str(&written(slice));
            }
        });
        assert!(told.ends_with("ok"), "after it: {told}");
        assert!(told.len() <= osc::MAX_TITLE + 20, "what was passed on: {}", told.len());
    }
}

#[test]
fn endless_sequences_are_swallowed_to_their_end() {
    let csi = |digits: usize, last: &str| format!("a\x1b[{}{last}z", "1".repeat(digits));
    check_long(csi(509, "m").as_bytes(), csi(509, "m").as_bytes());
    check_long(csi(510, "m").as_bytes(), b"az");
    check_long(csi(100_000, "b").as_bytes(), b"az");
    check_long(
        format!("a\x1b{}Bz", "(".repeat(510)).as_bytes(),
        format!("a\x1b{}Bz", "(".repeat(510)).as_bytes(),
    );
    check_long(format!("a\x1b{}Bz", "(".repeat(511)).as_bytes(), b"az");
    check_long(csi(100_000, "\x1b[m").as_bytes(), b"a\x1b[mz");
    check_long(csi(100_000, "\nm").as_bytes(), b"a\nz");
}

#[test]
fn pictures_are_swallowed() {
    let picture = "!2147483647@".repeat(20_000);
    check_long(format!("a\x1bPq#65{picture}\x1b\\z").as_bytes(), b"az");
    check_long(format!("a\x1b_Ga=T,t=f;L2V0Yy9wYXNzd2Q={picture}\x1b\\z").as_bytes(), b"az");
    check_long(
        format!("a\x1b]1337;File=width=100000;height=100000:{picture}\x07z").as_bytes(),
        b"az",
    );
    check_long(format!("a\x1bP+q{picture}\x1b\\z").as_bytes(), b"az");
}

#[test]
fn a_status_is_told_however_long_its_text_is() {
    let long = format!("\x1b]7501;state=blocked:msg={}\x1b\\ok", "YWFh".repeat(30_000));
    for size in [long.len(), 65_536, 1000, 7] {
        let chunks: Vec<&[u8]> = long.as_bytes().chunks(size).collect();
        let told = told(&chunks, CELLS);
        assert!(told.contains("Blocked") && told.ends_with("ok"), "in chunks of {size}: {told}");
    }
}

#[test]
fn no_bell_or_notification_gets_lost_in_a_flood_of_them() {
    let flood = b"\x07\x1b]9;hi\x07".repeat(10_000);
    let told = told(&[&flood], CELLS);
    assert_eq!(told.matches("Notification").count(), 10_000, "coalescing them is for others");
}

#[test]
fn half_sent_notifications_are_bounded() {
    let mut flood = Vec::new();
    for id in 0..1000 {
        flood.extend(format!("\x1b]99;i={id}:d=0;{}\x1b\\", "x".repeat(60_000)).into_bytes());
    }
    let mut scanner = Scanner::default();
    feed(&mut scanner, &flood, CELLS, |step| panic!("none is complete: {step:?}"));
    let held = format!("{:?}", scanner.notifications).len();
    assert!(held < 100_000, "held: {held}");
}

pub(super) const FACTS: AnswerFacts<'_> = AnswerFacts {
    version: "0.1.0",
    cursor: CellPoint { row: 4, column: 11 },
    cell_pixels: (9, 18),
    is_dark: true,
    cursor_style: 2,
    margins: (1, 24),
    attributes: "0;1;38:2::1:2:3",
};

/// What is written back for `input`.
pub(super) fn answers(input: &[u8]) -> Vec<u8> {
    let mut answers = Vec::new();
    feed(&mut Scanner::default(), input, CELLS, |step| {
        if let Step::Ask(query) = step {
            answers.extend(answer(&query, &FACTS));
        }
    });
    answers
}

#[track_caller]
fn check_answer(input: &[u8], expected: &str) {
    assert_eq!(
        written(&answers(input)).replace("\\\\", "\\"),
        expected,
        "{}",
        input.escape_ascii()
    );
}

#[test]
fn answers_are_as_programs_expect_them() {
    check_answer(b"\x1b[>q", r"^P>|trackside 0.1.0^\");
    check_answer(b"\x1b[?6n", "^[?5;12R");
    check_answer(b"\x1b[?996n", "^[?997;1n");
    check_answer(b"\x1b[16t", "^[6;18;9t");
    check_answer(b"\x1bP$qm\x1b\\", r"^P1$r0;1;38:2::1:2:3m^\");
    check_answer(b"\x1bP$qr\x1b\\", r"^P1$r1;24r^\");
    check_answer(b"\x1bP$q q\x1b\\", r"^P1$r2 q^\");
    check_answer(b"\x1bP+q544e\x1b\\", r"^P1+r544E=787465726D2D323536636F6C6F72^\");
    check_answer(b"\x1bP+q5375;436f\x1b\\", r"^P1+r5375^\^P1+r436F=323536^\");
    check_answer(b"\x1bP+q524742;4d73\x1b\\", r"^P1+r524742=38^\^P0+r^\");
    check_answer(b"\x1b]7501;?\x07", r"^]7501;?^\");
    check_answer(b"\x1b]99;i=abc:p=?;\x1b\\", r"^]99;i=0:p=?;o=always:p=title,body,?^\");
}

#[test]
fn questions_that_carry_text_are_answered_without_it() {
    check_answer(b"\x1bP$q\rrm -rf ~\r\x1b\\", r"^P0$r^\");
    check_answer(b"\x1bP$qmm\x1b\\", r"^P0$r^\");
    check_answer(b"\x1bP+q0d726d0d\x1b\\", r"^P0+r^\");
    check_answer(b"\x1b]99;i=;id\r:p=?;id\x1b\\", "");
    check_answer(b"\x1b[21t\x1b[20t\x05\x1b[1;1;1;1;9;9*y\x1b]52;c;?\x07", "");
    let names = "726d;".repeat(500);
    let refused = r"^P0+r^\".repeat(16);
    check_answer(format!("\x1bP+q{names}\x1b\\").as_bytes(), &refused);
}

#[test]
fn facts_cannot_break_an_answer() {
    let facts = AnswerFacts { version: "1\r\x1b[x", attributes: "1\r\n;2", ..FACTS };
    assert_eq!(answer(&Query::Version, &facts), b"\x1bP>|trackside 1x\x1b\\", "version");
    let setting = Query::StatusString(StatusString::Attributes);
    assert_eq!(answer(&setting, &facts), b"\x1bP1$r1;2m\x1b\\", "attributes");
    let corner = AnswerFacts { cursor: CellPoint { row: u16::MAX, column: u16::MAX }, ..FACTS };
    assert_eq!(answer(&Query::ExtendedCursorPosition, &corner), b"\x1b[?65536;65536R", "cursor");
}
