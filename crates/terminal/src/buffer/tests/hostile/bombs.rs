//! Few bytes that cost much: time, room, or both.

use super::*;

/// What the window may have to wait for a terminal.
const LONGEST_HOLD: Duration = Duration::from_millis(100);
/// What a bomb of 16 KiB may take in all, so that what comes after it is soon read. Without limits one
/// of them takes a minute; a build for users is faster than this one.
const LONGEST: Duration = Duration::from_secs(3);
/// What it may leave in memory.
const LARGEST: usize = 32 * 1024 * 1024;

const BOMB: usize = 16 * 1024;

/// Sent once, then again and again.
const BOMBS: &[(&str, &str)] = &[
    ("x", "\x1b[65535b"),
    ("\x1b[4hx", "\x1b[65535b"),
    ("\x1b[4hx", "\x1b[4096;1b"),
    ("\x1b[4hx", "\x1b[4096:1b"),
    ("日", "\x1b[65535b"),
    ("\x1b[4h日", "\x1b[65535b"),
    ("e", "\u{301}\x1b[65535b"),
    ("\x1b[?2026hx", "\x1b[65535b"),
    ("", "x\x1b[65535@"),
    ("", "x\x1b[65535P"),
    ("", "\x1b[65535L"),
    ("", "\x1b[65535M"),
    ("", "\x1b[65535X"),
    ("", "\x1b[65535I"),
    ("\x1b[999C", "\x1b[65535Z"),
    ("\x1b[3g\x1b[999C", "\x1b[65535Z"),
    ("\x1b[3g", "\x1b[H\t"),
    ("", "\x1b[65535S"),
    ("", "\x1b[65535T"),
    ("", "x\x1b[2J"),
    ("", "x\x1b[3J"),
    ("", "\x1b#8"),
    ("", "\x1b#8\x1b[2J"),
    ("", "\x1bc"),
    ("", "\x1bM"),
    ("\x1b[2;3r", "\x1b[65535S"),
    ("", "\x1b[?1049h\x1b[?1049l"),
    ("", "\x1b[?47h\x1b#8\x1b[?47l"),
    ("\x1b[?40h", "\x1b[?3h\x1b[?3l"),
    ("", "\x1b[?2026h\x1b[?2026l"),
    ("", "\x1b[8;65535;65535t"),
    ("", "\x1b[22t\x1b[>31u"),
    ("", "\x1b7\x1b[65535;65535H\x1b8"),
    ("", "\x1b]104\x07"),
    ("", "\x1b[58:2::1:2:3;4:3mx"),
    ("", "👩\u{200d}👩\u{200d}👧"),
    ("", "\x1b[1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5m"),
    ("", "\n"),
    ("\x1b[4h", "x"),
    ("", "\x1b[?2027$p\x1b[c"),
];

fn large() -> TerminalBuffer {
    TerminalBuffer::new(GridSize { columns: 200, rows: 60 }, TerminalOptions::default())
}

#[test]
fn no_bomb_holds_the_screen_for_long() {
    for (first, again) in BOMBS {
        let bomb = format!("{first}{}", again.repeat(BOMB / again.len()));
        let name = format!("{:?}, then {again:?}", first);
        let terminal = large();
        let memory = terminal.memory();
        let before = cpu_time();
        let longest = longest_hold(&terminal, bomb.as_bytes());
        terminal.end_sync();
        let spent = cpu_time().saturating_sub(before);
        let grown = terminal.memory().saturating_sub(memory);
        assert!(longest <= LONGEST_HOLD, "{name} holds the screen for {longest:?}");
        assert!(spent <= LONGEST, "{name} takes {spent:?}");
        assert!(grown <= LARGEST, "{name} leaves {grown} bytes");
        check_usable(&terminal, &name);
    }
}

#[test]
fn a_screen_full_of_marks_is_copied_within_a_frame() {
    for mark in ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{1f3fd}", "\u{e0061}"] {
        let terminal = large();
        let cell = format!("e{}", mark.repeat(20));
        terminal.feed(cell.repeat(200 * 60).as_bytes());
        terminal.feed(mark.repeat(1_000_000).as_bytes());
        let mut snapshot = Snapshot::default();
        let before = cpu_time();
        assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
        let spent = cpu_time().saturating_sub(before);
        assert!(spent <= Duration::from_millis(16), "{mark:?}: {spent:?}");
        let most = snapshot.rows.iter().flat_map(|row| &row.cells);
        let most = most.map(|cell| format!("{cell:?}").len()).max().unwrap_or(0);
        assert!(most < 1000, "{mark:?}: a cell of {most} characters");
        let memory = terminal.memory();
        assert!(memory <= LARGEST, "{mark:?}: {memory} bytes");
        check_usable(&terminal, mark);
    }
}

#[test]
fn links_of_a_flood_take_bounded_room() {
    let terminal = large();
    for number in 0..120_000 {
        // Every second one is longer than any link may be; the others are as long as they may be.
        let (length, name) = if number % 2 == 0 { (4096, 1) } else { (2000, 250) };
        let (path, id) = ("p".repeat(length), "i".repeat(name));
        terminal
            .feed(format!("\x1b]8;id={id};http://h/{number}/{path}\x07x\x1b]8;;\x07").as_bytes());
    }
    let memory = terminal.memory();
    assert!(memory <= LARGEST, "{memory} bytes");
    let last = terminal.link_at(CellPoint { row: 59, column: 199 });
    assert!(last.is_some(), "the newest is a link");
    terminal.scroll(Scroll::Top);
    let first = (0..200).find_map(|column| terminal.link_at(CellPoint { row: 0, column }));
    assert_eq!(first, None, "the oldest are text");
    check_usable(&terminal, "many links");
}
