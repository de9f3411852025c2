//! Output that is made to hurt, through the whole stack: scanner, parser, screen and scrollback.
//!
//! What must hold of it is listed here, with the test that shows it. Those without a module are
//! below; `e2e` is the folder `tests/` of the workspace, where the real program is driven.
//!
//! | output | test |
//! |---|---|
//! | a title that never ends | `scan::tests::hostile::a_string_without_end_holds_little_memory`, `strings_without_end_are_survived`, e2e `hostile::bombs_cost_little_memory` |
//! | a title that is long or lies | `titles_are_short_and_plain_whatever_was_sent`, e2e `hostile::a_hostile_title_reaches_no_tab_and_no_window_manager` |
//! | stacks of titles and keyboard modes | `stacks_hold_sixteen_and_popping_too_often_does_nothing`, e2e `hostile::bombs_cost_little_memory` |
//! | repetitions, in insert mode too | `repeating_in_insert_mode_shows_the_same_as_printing`, `bombs::no_bomb_holds_the_screen_for_long`, e2e `hostile::ctrl_c_reaches_a_program_that_prints_bombs` |
//! | combining marks without end | `emulator::tests::marks_beyond_the_limit_are_not_kept`, `bombs::a_screen_full_of_marks_is_copied_within_a_frame` |
//! | links without end | `emulator::links::tests`, `links::tests::the_links_of_a_flood_are_forgotten_oldest_first`, `bombs::links_of_a_flood_take_bounded_room`, e2e `hostile::bombs_cost_little_memory` |
//! | questions whose answer would be typed | `scan::tests::hostile::questions_that_carry_text_are_answered_without_it`, `no_answer_repeats_what_was_sent`, `tests/fuzz` |
//! | the clipboard from behind | `a_clipboard_is_only_ever_told_of`, e2e `clipboards::a_program_that_nobody_looks_at_cannot_set_the_clipboard` |
//! | a paste that ends its bracket | `paste::tests::a_bracket_cannot_be_ended_from_inside`, e2e `clipboards::a_paste_of_several_lines_is_asked_about_unless_the_program_can_tell` |
//! | links that would run something | `scan::tests::links_lead_somewhere_safe_or_nowhere`, `links_tell_where_they_really_lead`, e2e `links::only_web_and_mail_addresses_reach_the_desktop` |
//! | pictures | `scan::tests::hostile::pictures_are_swallowed`, `pictures_show_nothing_and_answer_nothing` |
//! | questions of a program that never reads | `replies_to_one_feed_are_capped`, `pty::tests::input::few_answers_wait_for_a_program_that_does_not_read_them`, e2e `hostile::questions_of_a_program_that_never_reads_do_not_pile_up` |
//! | modes left behind by a killed program | `sessions::a_program_killed_in_full_screen_leaves_no_trace`, `a_reset_undoes_what_a_killed_program_left`, e2e `hostile::after_a_killed_full_screen_program_the_next_prompt_is_usable`, `hostile::a_shell_is_usable_after_a_reset_whatever_a_killed_program_left` |
//! | sizes that change all the time | `sizes_are_clamped`, `noise::a_thousand_sizes_during_output_are_survived`, e2e `hostile::a_program_is_told_few_of_many_sizes_and_the_last` |
//! | noise | `noise::random_bytes_are_survived` and the others there, `tests/fuzz` |
//! | broken UTF-8 | `noise::broken_characters_look_the_same_wherever_they_are_cut` |
//! | bells and notifications without end | `floods_of_bells_and_notifications_become_few_signals` |
//! | an update that never ends | `an_update_that_never_ends_is_due_150_ms_after_it_was_seen`, e2e `hostile::an_update_that_never_ends_is_shown` |
//! | a program that closed its terminal | e2e `output::a_child_that_closes_its_terminal_and_lives_is_not_shown_as_exited` |

mod bombs;
mod noise;

use std::fs;
use std::time::Duration;

use super::*;
use crate::LinkTarget;

/// CPU time of this thread so far, so that a busy machine does not look like a slow terminal.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a number of nanoseconds");
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number of nanoseconds"))
}

/// Feeds as `feed` does, and gives the most CPU time that the lock was held at once.
fn longest_hold(terminal: &TerminalBuffer, bytes: &[u8]) -> Duration {
    let mut rest = bytes;
    let mut longest = Duration::ZERO;
    loop {
        let before = cpu_time();
        let mut screen = terminal.0.screen.lock();
        if rest.is_empty() && !screen.is_behind() {
            return longest;
        }
        let (taken, _) = screen.feed(rest, &mut Fed::default());
        drop(screen);
        longest = longest.max(cpu_time().saturating_sub(before));
        rest = &rest[taken..];
    }
}

/// Whatever happened before, a program can clear the screen and be read.
#[track_caller]
fn check_usable(terminal: &TerminalBuffer, after: &str) {
    terminal.feed(b"\x18\x1bc\x1b[?2026l\x1b[m\x1b[Hok");
    assert!(!terminal.crashed(), "it lives after {after}");
    assert_eq!(shown(terminal), "ok", "it is read after {after}");
}

#[test]
fn repeating_in_insert_mode_shows_the_same_as_printing() {
    #[track_caller]
    fn check(before: &str, c: &str, count: usize) {
        let [repeated, printed] = [(); 2].map(|()| terminal(20, 4));
        repeated.feed(format!("{before}{c}\x1b[{count}b").as_bytes());
        printed.feed(format!("{before}{c}{}", c.repeat(count)).as_bytes());
        for terminal in [&repeated, &printed] {
            terminal.feed(b"!");
        }
        assert_eq!(shown(&repeated), shown(&printed), "{before:?}, {count} times {c:?}");
    }
    let text = "0123456789abcdefghij\r\n".repeat(3);
    for at in ["\x1b[H", "\x1b[1;8H", "\x1b[2;20H", "\x1b[?7l\x1b[2;5H", "\x1b[1;2r\x1b[2;3H"] {
        for c in ["x", "日", "\u{301}"] {
            for count in [1, 12, 13, 14, 19, 20, 21, 40, 55, 80] {
                check(&format!("{text}{at}\x1b[4h"), c, count);
            }
        }
    }
}

#[test]
fn strings_without_end_are_survived() {
    let chunk = vec![b'A'; 64 * 1024];
    for begin in ["\x1b]2;", "\x1b]8;;", "\x1b]52;c;", "\x1bP$q", "\x1b_G", "\x1b^", "\x1bX"] {
        let terminal = terminal(20, 4);
        terminal.feed(begin.as_bytes());
        let memory = terminal.memory();
        for _ in 0..64 {
            let fed = terminal.feed(&chunk);
            assert_eq!(fed, Fed::default(), "nothing comes of {begin:?}");
        }
        assert_eq!(terminal.memory(), memory, "nothing is kept of {begin:?}");
        terminal.feed(b"\x1b\\ok");
        assert_eq!(shown(&terminal), "ok", "after {begin:?}");
    }
}

#[test]
fn titles_are_short_and_plain_whatever_was_sent() {
    #[track_caller]
    fn check(title: &str, expected: &str) {
        let terminal = terminal(20, 4);
        let fed = terminal.feed(format!("\x1b]0;{title}\x07").as_bytes());
        let signal = TerminalSignal::Title(expected.to_owned());
        assert_eq!(fed.signals, [signal], "the signal for {:.40?}", title);
        assert_eq!(terminal.title().as_deref(), Some(expected), "what is kept of {:.40?}", title);
        assert_eq!(shown(&terminal), "", "none of it is on the screen");
    }
    check(&"A".repeat(1024 * 1024), &"A".repeat(256));
    check(&"日".repeat(400_000), &"日".repeat(256));
    check("a\nb\rc\td", "abcd");
    check("a\u{9b}31mb\u{85}c", "a31mbc");
    check("exe.\u{202e}txt\u{200b}\u{2066}\u{feff}", "exe.txt");
    // An escape character that ends nothing breaks the string off: there is no title at all then.
    let terminal = terminal(20, 4);
    terminal.feed(b"\x1b]0;before\x07\x1b]0;evil\x1b[31mred\x07");
    assert_eq!(terminal.title().as_deref(), Some("before"), "half a title is none");
}

#[test]
fn stacks_hold_sixteen_and_popping_too_often_does_nothing() {
    let terminal = terminal(20, 4);
    let memory = terminal.memory();
    let long = "t".repeat(64 * 1024 - 100);
    for number in 0..5000 {
        if number % 100 == 0 {
            terminal.feed(format!("\x1b]2;{number}{long}\x07").as_bytes());
        } else {
            terminal.feed(format!("\x1b]2;{number}\x07").as_bytes());
        }
        terminal.feed(b"\x1b[22t\x1b[>31u");
    }
    assert_eq!(terminal.memory(), memory, "flat");
    let mut titles = vec![terminal.title()];
    for _ in 0..5000 {
        terminal.feed(b"\x1b[23t\x1b[<u");
        titles.push(terminal.title());
    }
    titles.dedup();
    // The one that was set last, and those that came back.
    assert!((2..=17).contains(&titles.len()), "{} titles", titles.len());
    terminal.feed(b"\x1b[23t\x1b[<65535u\x1b[<u");
    assert_eq!(terminal.feed(b"\x1b[?u").replies, b"\x1b[?0u", "no keyboard mode is left");
    check_usable(&terminal, "many pops");
}

#[test]
fn no_answer_repeats_what_was_sent() {
    const CANARY: &str = "cAnArY";
    let terminal = terminal(40, 4);
    terminal.feed(format!("\x1b]0;{CANARY}\x07{CANARY}\x1b]8;;http://{CANARY}\x07").as_bytes());
    terminal.feed("\x1b]52;c;Y0FuQXJZ\x07\x1b]4;1;#ca0a70\x07".as_bytes());
    let silent = ["\x1b[20t", "\x1b[21t", "\x05", "\x1b[1;1;1;1;9;9*y", "\x1b]52;c;?\x07"];
    for query in silent {
        let fed = terminal.feed(query.as_bytes());
        assert_eq!(fed.replies, b"", "no answer to {query:?}");
    }
    let answered = [
        format!("\x1bP$q{CANARY}\x1b\\"),
        format!("\x1bP$q\r{CANARY}\r\x1b\\"),
        format!("\x1bP+q{}\x1b\\", "63416e417259"),
        format!("\x1b]99;i={CANARY}:p=?;{CANARY}\x1b\\"),
        format!("\x1b]10;{CANARY}?\x07"),
        format!("\x1b]4;{CANARY};?\x07"),
        format!("\x1b]7501;?;{CANARY}\x07"),
        format!("\x1b[{CANARY}"),
    ];
    for query in answered {
        let replies = terminal.feed(query.as_bytes()).replies.escape_ascii().to_string();
        let is_ours = !replies.contains(CANARY)
            && !replies.to_lowercase().contains("63416e417259")
            && !replies.contains(r"\r")
            && !replies.contains(r"\n");
        assert!(is_ours, "the answer to {query:?} is {replies}");
    }
}

#[test]
fn a_clipboard_is_only_ever_told_of() {
    #[track_caller]
    fn check(sequence: &str, expected: &[&str]) {
        let terminal = terminal(20, 4);
        let fed = terminal.feed(sequence.as_bytes());
        let stored: Vec<_> = fed
            .signals
            .iter()
            .map(|signal| match signal {
                TerminalSignal::ClipboardStore { text, .. } => text.as_str(),
                other => panic!("{other:?} comes of {sequence:?}"),
            })
            .collect();
        assert_eq!(stored, expected, "what is told of {sequence:?}");
        assert_eq!(fed.replies, b"", "the program hears nothing of {sequence:?}");
        assert_eq!(shown(&terminal), "", "nothing is shown of {sequence:?}");
    }
    // Whether it gets into the clipboard is decided where it is known who has the focus.
    check("\x1b]52;c;cm0gLXJmIH4K\x07", &["rm -rf ~\n"]);
    check("\x1b]52;c;!not base64!\x07", &[]);
    check("\x1b]52;c;?\x07\x1b]52;p;?\x07\x1b]52;;?\x07", &[]);
}

#[test]
fn links_tell_where_they_really_lead() {
    #[track_caller]
    fn check(target: &[u8], expected: Option<&str>) {
        let terminal = terminal(60, 4);
        terminal.feed(&[b"\x1b]8;;", target, b"\x1b\\https good\x1b]8;;\x1b\\"].concat());
        let link = terminal.link_at(CellPoint { row: 0, column: 2 });
        let told = link.map(|link| match link.target {
            LinkTarget::Address(address) => address,
            LinkTarget::Path { path, .. } => format!("a path, {path}"),
        });
        assert_eq!(told.as_deref(), expected, "of {}", target.escape_ascii());
    }
    // Told as it is, scheme and host included: who opens it has to refuse, and shows what it is.
    for target in [
        "file:///bin/sh",
        "javascript:alert(1)",
        "vscode://file/x",
        "ssh://-oProxyCommand=id",
        "http://good.example@evil.example/",
    ] {
        check(target.as_bytes(), Some(target));
    }
    check(b"http://a\0b", None);
    check(b"http://a\rb", None);
    check("http://a\u{9b}b".as_bytes(), None);
    check(b"http://\xff", None);
}

#[test]
fn pictures_show_nothing_and_answer_nothing() {
    let pixels = "!2147483647@".repeat(2000);
    for picture in [
        format!("\x1bPq#65{pixels}\x1b\\"),
        format!("\x1bP0;0;0q\"1;1;2147483647;2147483647{pixels}\x1b\\"),
        "\x1b_Ga=T,t=f,f=100;L2V0Yy9wYXNzd2Q=\x1b\\".to_owned(),
        "\x1b_Ga=q,i=1,t=f;L2V0Yy9wYXNzd2Q=\x1b\\".to_owned(),
        format!("\x1b]1337;File=inline=1;width=100000;height=100000:{pixels}\x07"),
    ] {
        let terminal = terminal(20, 4);
        let memory = terminal.memory();
        let before = cpu_time();
        let fed = terminal.feed(picture.as_bytes());
        assert_eq!(fed, Fed::default(), "{:.20?}: neither answer nor news", picture);
        assert_eq!(shown(&terminal), "", "{:.20?}: nothing to see", picture);
        assert_eq!(terminal.memory(), memory, "{:.20?}: nothing is kept", picture);
        let spent = cpu_time().saturating_sub(before);
        assert!(spent < Duration::from_millis(100), "{:.20?}: {spent:?}", picture);
    }
}

#[test]
fn a_reset_undoes_what_a_killed_program_left() {
    let terminal = terminal(20, 4);
    terminal.feed(b"$ tui\r\n");
    terminal.feed(
        b"\x1b[?1049h\x1b[?1000;1002;1003;1006;1004;2004;1h\x1b[>31u\x1b[>4;2m\x1b[2;3r\x1b[?25l\
        \x1b[4h\x1b(0\x1b]0;tui\x07\x1b[7mfull\x1b]2;never ended",
    );
    terminal.reset();
    assert_eq!(terminal.modes(), Modes::ALTERNATE_SCROLL, "the modes of a new terminal");
    assert_eq!(terminal.feed(b"\x1b[?u").replies, b"\x1b[?0u", "keys are sent as ever");
    terminal.feed(b"\r\nqx\r$ ");
    assert_eq!(shown(&terminal), "$ tui||$", "the text stays, and a prompt can be read");
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    assert!(snapshot.cursor.is_some(), "the cursor is back");
}

#[test]
fn floods_of_bells_and_notifications_become_few_signals() {
    let terminal = terminal(20, 4);
    let bells = vec![7; 1_000_000];
    assert_eq!(terminal.feed(&bells).signals, [TerminalSignal::Bell], "one for all");
    let mut flood = String::new();
    for number in 0..50_000 {
        flood.push_str(&format!("\x1b]9;{number}\u{202e}a\nb\x07"));
        flood.push_str(&format!("\x1b]777;notify;{number};{}\x07", "x".repeat(2)));
    }
    let fed = terminal.feed(flood.as_bytes());
    assert!(fed.signals.len() <= 32, "{} signals at once", fed.signals.len());
    for signal in &fed.signals {
        let TerminalSignal::Notification { title, body } = signal else {
            panic!("{signal:?} in a flood of notifications")
        };
        let is_plain = |text: &str| !text.contains(|c: char| c.is_control() || c == '\u{202e}');
        assert!(is_plain(body) && title.as_deref().is_none_or(is_plain), "{signal:?}");
    }
    let last =
        TerminalSignal::Notification { title: Some("49999".to_owned()), body: "xx".to_owned() };
    assert_eq!(fed.signals.last(), Some(&last), "the newest is told");
}

#[test]
fn an_update_that_never_ends_is_due_150_ms_after_it_was_seen() {
    let terminal = terminal(20, 4);
    let start = now();
    assert_eq!(terminal.sync_deadline(start), None, "none is open");
    terminal.feed(b"\x1b[?2026hheld");
    let due = start + Duration::from_millis(150);
    assert_eq!(terminal.sync_deadline(start), Some(due), "it may last so long");
    // Neither more output nor beginning it again puts that off.
    terminal.feed(b" back\x1b[?2026h!");
    let later = start + Duration::from_millis(149);
    assert_eq!(terminal.sync_deadline(later), Some(due), "the same");
    terminal.end_sync();
    assert_eq!(shown(&terminal), "held back!", "all of it");
}
