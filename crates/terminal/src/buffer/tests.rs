//! The terminal as its users see it.

mod addressing;
mod hostile;
mod properties;
mod recordings;
mod repainting;
mod selecting;
mod sessions;
mod snapshots;

use super::*;
use crate::{ClipboardTarget, TerminalSignal};

fn terminal(columns: u16, rows: u16) -> TerminalBuffer {
    TerminalBuffer::new(GridSize { columns, rows }, options(100))
}

fn options(scrollback_lines: usize) -> TerminalOptions {
    TerminalOptions { scrollback_lines, ..TerminalOptions::default() }
}

/// Feeds `input` to a terminal of 20 by 4 and compares what it shows, rows joined by `|`.
#[track_caller]
fn check(input: &str, expected: &str) {
    let terminal = terminal(20, 4);
    terminal.feed(input.as_bytes());
    assert_eq!(shown(&terminal), expected, "screen after {input:?}");
}

/// Some instant: it is only ever added to.
#[expect(clippy::disallowed_methods, reason = "there is no other way to make an `Instant`")]
fn now() -> Instant {
    Instant::now()
}

fn shown(terminal: &TerminalBuffer) -> String {
    terminal.visible_text().join("|").trim_end_matches('|').to_owned()
}

/// Feeds `input` and compares the answers.
#[track_caller]
fn check_reply(input: &str, expected: &str) {
    let terminal = terminal(20, 4);
    let fed = terminal.feed(input.as_bytes());
    let replies = fed.replies.escape_ascii().to_string();
    assert_eq!(replies, expected, "reply to {input:?}");
}

#[test]
fn the_handle_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    shared(&terminal(20, 4));
}

#[test]
fn text_wraps_and_scrolls() {
    check("hello\r\nworld", "hello|world");
    check("0123456789012345678901234", "01234567890123456789|01234");
    check("1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5");
    check("a\tb", "a       b");
    check("日本x", "日本x");
    check("\x1b[?1049hfull\x1b[?1049l", "");
}

#[test]
fn sizes_are_clamped() {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 0, rows: 0 }, TerminalOptions::default());
    assert_eq!(terminal.size(), GridSize { columns: 2, rows: 1 }, "the smallest");
    terminal.resize(GridSize { columns: 8000, rows: 8000 });
    assert_eq!(terminal.size(), GridSize { columns: 1000, rows: 500 }, "the largest");
}

#[test]
fn a_resize_rewraps_the_text() {
    let terminal = terminal(20, 4);
    terminal.feed(b"0123456789abcdef");
    terminal.resize(GridSize { columns: 10, rows: 4 });
    terminal.scroll(Scroll::Top);
    assert_eq!(shown(&terminal), "0123456789|abcdef", "narrower");
    terminal.resize(GridSize { columns: 20, rows: 4 });
    assert_eq!(shown(&terminal), "0123456789abcdef", "wider");
}

#[test]
fn queries_are_answered_in_the_order_asked() {
    check_reply("\x1b[6n", r"\x1b[1;1R");
    check_reply("ab\x1b[6n", r"\x1b[1;3R");
    check_reply("\x1b[c", r"\x1b[?6c");
    check_reply("\x1b[18t", r"\x1b[8;4;20t");
    check_reply("\x1b[14t", r"\x1b[4;64;160t");
    check_reply("\x1b[?2026$p", r"\x1b[?2026;2$y");
    check_reply(
        "\x1b[6n\x1b]11;?\x1b\\\x1b[c",
        r"\x1b[1;1R\x1b]11;rgb:1010/1010/1010\x1b\\\x1b[?6c",
    );
}

#[test]
fn keyboard_modes_are_pushed_and_popped() {
    check_reply("\x1b[?u", r"\x1b[?0u");
    check_reply("\x1b[>5u\x1b[?u", r"\x1b[?5u");
    check_reply("\x1b[>1u\x1b[>31u\x1b[<u\x1b[?u", r"\x1b[?1u");
    check_reply("\x1b[=3u\x1b[?u", r"\x1b[?3u");
    check_reply("\x1b[>5u\x1b[?1049h\x1b[?u\x1b[>1u\x1b[?1049l\x1b[?u", r"\x1b[?0u\x1b[?5u");
    check_reply("\x1b[>5u\x1bc\x1b[?u", r"\x1b[?0u");
    check_reply("\x1b[>4;2m\x1b[?4m", r"\x1b[>4;2m");
    check_reply("\x1b[>4;2m\x1b[>4m\x1b[?4m", r"\x1b[>4;0m");
    let pushed = format!("{}{}\x1b[?u", "\x1b[>31u".repeat(5000), "\x1b[<u".repeat(4999));
    check_reply(&pushed, r"\x1b[?0u");
}

#[test]
fn questions_are_answered_in_the_order_they_were_asked() {
    check_reply(
        "\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[?4m\x1b[c",
        concat!(
            r"\x1b[?0u\x1b]11;rgb:1010/1010/1010\x1b\\\x1bP>|trackside ",
            env!("CARGO_PKG_VERSION"),
            r"\x1b\\\x1b[>4;0m\x1b[?6c"
        ),
    );
    check_reply("\x1b[=c", r"\x1bP!|00000000\x1b\\");
    check_reply("ab\r\nc\x1b[?6n", r"\x1b[?2;2R");
    check_reply("\x1b[2;3r\x1b[?6h\x1b[2;2H\x1b[6n\x1b[?6n", r"\x1b[2;2R\x1b[?2;2R");
    check_reply("\x1b[?996n", r"\x1b[?997;1n");
    check_reply("\x1b[16t", r"\x1b[6;16;8t");
    check_reply("\x1b[1;3:2:0:1:2:3;48;5;7m\x1bP$qm\x1b\\", r"\x1bP1$r0;1;48:5:7m\x1b\\");
    check_reply("\x1b[2;3r\x1bP$qr\x1b\\", r"\x1bP1$r2;3r\x1b\\");
    check_reply("\x1b[3 q\x1bP$q q\x1b\\", r"\x1bP1$r3 q\x1b\\");
    for (mode, state) in [(2027, 3), (2031, 2), (47, 2), (1047, 2), (1016, 0), (2026, 2)] {
        check_reply(&format!("\x1b[?{mode}$p"), &format!(r"\x1b[?{mode};{state}$y"));
    }
    check_reply("\x1b[?2031h\x1b[?2031$p", r"\x1b[?2031;1$y");
    check_reply("\x1b[20t\x1b[21t\x05\x1b]52;c;?\x07\x1b[1;1;1;1;1;1*y", "");
}

#[test]
fn a_program_that_wants_to_know_hears_of_light_and_dark() {
    let light = ReportedColors {
        background: crate::Rgb::new(255, 255, 255),
        foreground: crate::Rgb::new(0, 0, 0),
        ..ReportedColors::default()
    };
    let terminal = terminal(20, 4);
    assert_eq!(terminal.set_colors(light), None, "not asked for");
    terminal.feed(b"\x1b[?2031h");
    assert_eq!(terminal.set_colors(light), None, "no change");
    let told = terminal.set_colors(ReportedColors::default());
    assert_eq!(told.as_deref(), Some(&b"\x1b[?997;1n"[..]), "dark again");
}

#[test]
fn the_older_ways_to_the_alternate_screen_lead_there_too() {
    for mode in ["47", "1047", "1049"] {
        let terminal = terminal(20, 4);
        terminal.feed(format!("main\x1b[?{mode}h\x1b[2J\x1b[Halt").as_bytes());
        assert!(terminal.modes().contains(Modes::ALT_SCREEN), "mode {mode}");
        assert_eq!(shown(&terminal), "alt", "mode {mode}");
        terminal.feed(format!("\x1b[?{mode}l").as_bytes());
        assert_eq!(shown(&terminal), "main", "mode {mode} left");
    }
    check("ab\x1b[?1048h\x1b[3;3Hx\x1b[?1048lc", "abc||  x");
}

#[test]
fn colour_queries_get_the_theme_or_what_the_program_set() {
    check_reply("\x1b]10;?\x07", r"\x1b]10;rgb:d0d0/d0d0/d0d0\x07");
    check_reply("\x1b]12;?\x07", r"\x1b]12;rgb:d0d0/d0d0/d0d0\x07");
    check_reply("\x1b]4;1;?\x07", r"\x1b]4;1;rgb:cdcd/0000/0000\x07");
    check_reply("\x1b]4;196;?\x07", r"\x1b]4;196;rgb:ffff/0000/0000\x07");
    check_reply("\x1b]11;#102030\x07\x1b]11;?\x07", r"\x1b]11;rgb:1010/2020/3030\x07");
    let terminal = terminal(20, 4);
    let background = crate::Rgb::new(1, 2, 3);
    assert_eq!(
        terminal.set_colors(ReportedColors { background, ..ReportedColors::default() }),
        None,
        "nobody asked to be told"
    );
    let fed = terminal.feed(b"\x1b]11;?\x07");
    assert_eq!(fed.replies, b"\x1b]11;rgb:0101/0202/0303\x07", "the theme that was set");
}

#[test]
fn pixel_sizes_do_not_overflow() {
    let terminal = terminal(1000, 500);
    terminal.set_cell_pixels(200, 400);
    assert_eq!(terminal.feed(b"\x1b[14t").replies, b"\x1b[4;200000;200000t", "beyond 65535");
}

#[test]
fn the_clipboard_is_never_read_out() {
    check_reply("\x1b]52;c;?\x07", "");
}

#[test]
fn replies_to_one_feed_are_capped() {
    let terminal = terminal(20, 4);
    let fed = terminal.feed(&b"\x1b[c".repeat(50_000));
    assert!(fed.replies.len() <= 64 * 1024, "{} bytes of replies", fed.replies.len());
    assert!(fed.replies.len() > 60 * 1024, "{} bytes of replies", fed.replies.len());
}

#[test]
fn signals_come_once_a_feed() {
    let terminal = terminal(20, 4);
    let fed =
        terminal.feed(b"\x07\x1b]0;one\x07\x07\x1b]2;tw\x1b\\\x1b]52;c;aGk=\x07\x1b]2;two\x07");
    let expected = [
        TerminalSignal::Bell,
        TerminalSignal::ClipboardStore {
            target: ClipboardTarget::Clipboard,
            text: "hi".to_owned(),
        },
        TerminalSignal::Title("two".to_owned()),
    ];
    assert_eq!(fed.signals, expected, "the last of each kind");
    assert_eq!(terminal.title().as_deref(), Some("two"), "the title is kept");
}

#[test]
fn brackets_that_were_off_for_a_moment_are_told_of() {
    fn check(before: &str, bytes: &str, expected: bool) {
        let terminal = terminal(20, 4);
        terminal.feed(before.as_bytes());
        let fed = terminal.feed(bytes.as_bytes());
        assert_eq!(fed.ends_brackets, expected, "{before:?}, then {bytes:?}");
    }
    check("\x1b[?2004h", "\x1b[?2004l", true);
    check("\x1b[?2004h", "\x1b[?2004lx\x1b[?2004h", true);
    check("\x1b[?2004h", "\x1b[?2004h", false);
    check("", "\x1b[?2004h", false);
    check("\x1b[?2004h\x1b[?2004l", "x", false);
}

#[test]
fn a_hundred_kibibytes_can_be_copied_and_more_is_told_of() {
    /// "eHh4" is "xxx" in base64, and "eA==" one more of them.
    fn check(text: &str, target: &str, expected: Option<usize>) {
        let sequence = format!("\x1b]52;{target};{text}\x07");
        for chunk in [sequence.len(), 1000] {
            let terminal = terminal(20, 4);
            let feeds = sequence.as_bytes().chunks(chunk).map(|bytes| terminal.feed(bytes).signals);
            let got: Vec<Option<usize>> = feeds.flatten().map(copied).collect();
            assert_eq!(got, [expected], "{} of base64 for {target:?}", text.len());
        }
    }
    fn copied(signal: TerminalSignal) -> Option<usize> {
        match signal {
            TerminalSignal::ClipboardStore { text, .. } => Some(text.len()),
            TerminalSignal::ClipboardTooLarge(_) => None,
            other => panic!("{other:?}"),
        }
    }
    let most = "eHh4".repeat(34_133);
    for target in ["c", "p", ""] {
        check(&format!("{most}eA=="), target, Some(102_400));
        check(&format!("{most}eHg="), target, None);
        check(&"eHh4".repeat(50_000), target, None);
    }
}

#[test]
fn titles_are_made_safe_and_can_be_taken_back() {
    let terminal = terminal(20, 4);
    terminal.feed("\x1b]0;a\u{202e}b\u{200b}c\x07".as_bytes());
    assert_eq!(terminal.title().as_deref(), Some("abc"), "without direction marks");
    terminal.feed(b"\x1b[22t\x1b]0;other\x07\x1b[23t");
    assert_eq!(terminal.title().as_deref(), Some("abc"), "pushed and popped");
    terminal.feed(b"\x1b]0;\x07");
    assert_eq!(terminal.title(), None, "taken back");
}

#[test]
fn a_synchronized_update_shows_nothing_until_it_ends() {
    let terminal = terminal(20, 4);
    terminal.feed(b"old\x1b[?2026h\x1b[2K\rnew");
    assert!(terminal.sync_deadline(now()).is_some(), "it is open");
    let revision = terminal.revision();
    let output = terminal.output_revision();
    terminal.feed(b" text");
    assert_eq!(terminal.revision(), revision, "nothing to redraw while it is open");
    assert_ne!(terminal.output_revision(), output, "yet the program wrote");
    assert_eq!(shown(&terminal), "old", "held back");
    terminal.feed(b"\x1b[?2026l");
    assert_eq!(shown(&terminal), "new text", "ended by the program");
    assert_eq!(terminal.sync_deadline(now()), None, "it is closed");
    assert_ne!(terminal.revision(), revision, "to be redrawn");
}

#[test]
fn a_synchronized_update_ends_when_its_time_is_up() {
    let terminal = terminal(20, 4);
    terminal.feed(b"\x1b[?2026hlate\x1b[6n");
    let output = terminal.output_revision();
    let fed = terminal.end_sync();
    assert_ne!(terminal.output_revision(), output, "whoever looks at output is to look again");
    assert_eq!(shown(&terminal), "late", "ended by us");
    assert_eq!(fed.replies, b"\x1b[1;5R", "with the replies to what it held");
    assert_eq!(terminal.sync_deadline(now()), None, "it is closed");
}

#[test]
fn repetitions_in_a_synchronized_update_are_shown_at_its_end() {
    let terminal = terminal(20, 4);
    terminal.feed(b"\x1b[?2026hx");
    terminal.feed(&b"\x1b[65535b".repeat(200));
    assert_eq!(shown(&terminal), "", "held back");
    terminal.feed(b"\x1b[?2026l!");
    assert!(shown(&terminal).contains("xxxx"), "all of it at once");
}

#[test]
fn a_synchronized_update_holds_back_only_so_much() {
    let terminal = terminal(20, 4);
    terminal.feed(b"\x1b[?2026h");
    terminal.feed(&b"many words ".repeat(200_000));
    assert_eq!(terminal.sync_deadline(now()), None, "it was ended");
    assert!(shown(&terminal).contains("many words"), "and shown");
}

#[test]
fn marks_do_not_pile_up_on_a_cell() {
    let terminal = terminal(20, 4);
    terminal.feed("e".as_bytes());
    for _ in 0..100 {
        terminal.feed("\u{301}".repeat(1000).as_bytes());
    }
    let text = format!("e{}", "\u{301}".repeat(8));
    assert_eq!(shown(&terminal), text, "eight marks are shown");
    terminal.select(SelectionKind::Word, CellPoint { row: 0, column: 0 }, Side::Left);
    assert_eq!(terminal.selection_text(), Some(text), "and copied");
}

#[test]
fn a_panic_of_the_emulator_is_contained() {
    let terminal = terminal(60, 4);
    terminal.feed(b"before");
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "the first snapshot");
    terminal.change(|screen| screen.guarded((), |_| panic!("a panic on purpose, for the test")));
    assert!(terminal.crashed(), "it is marked");
    assert!(terminal.snapshot_into(&mut snapshot), "there is something to draw");
    assert_eq!(snapshot.rows[0].text(), "terminal crashed; restart to go on", "it says so");
    let revision = terminal.revision();
    let fed = terminal.feed(b"\x1b[c more");
    assert_eq!((fed, terminal.revision()), (Fed::default(), revision), "bytes are ignored");
    terminal.resize(GridSize { columns: 40, rows: 2 });
    terminal.start_session("-- again --");
    terminal.feed(b"after");
    assert!(!terminal.crashed(), "a new session goes on");
    assert_eq!(shown(&terminal), "-- again --|after", "the line scrolled up");
}

#[test]
fn memory_grows_with_the_scrollback() {
    let small = terminal(20, 4).memory();
    let large =
        TerminalBuffer::new(GridSize { columns: 120, rows: 40 }, TerminalOptions::default());
    assert!(large.memory() > 10 * small, "screens are counted");
    let before = large.memory();
    large.feed(&b"line\r\n".repeat(3000));
    let grown = large.memory() - before;
    assert!(grown > 1000 * 120 * 24, "what the emulator keeps is counted");
    large.feed(&b"line\r\n".repeat(3000));
    let packed = large.memory() - before - grown;
    assert!((3000 * 5..3000 * 60).contains(&packed), "packed lines take {packed} bytes");
}

#[test]
fn modes_are_told() {
    let terminal = terminal(20, 4);
    assert_eq!(terminal.modes(), Modes::ALTERNATE_SCROLL, "at the start");
    terminal.feed(b"\x1b[?1h\x1b=\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[?1049h\x1b[20h");
    let expected = Modes::APP_CURSOR
        | Modes::APP_KEYPAD
        | Modes::BRACKETED_PASTE
        | Modes::MOUSE_DRAG
        | Modes::SGR_MOUSE
        | Modes::FOCUS
        | Modes::ALT_SCREEN
        | Modes::ALTERNATE_SCROLL
        | Modes::NEW_LINE;
    assert_eq!(terminal.modes(), expected, "what was asked for");
    terminal.feed(b"\x1b[?1007l\x1b[?1000h");
    assert!(terminal.modes().contains(Modes::MOUSE_CLICK), "another mouse mode");
    assert!(!terminal.modes().contains(Modes::ALTERNATE_SCROLL), "switched off");
}
