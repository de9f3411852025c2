//! Lines keep their text, look and place whatever the width.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{
    GridSize, Scroll, ScrollbackBudget, Snapshot, SnapshotRow, TerminalBuffer, TerminalOptions,
};

fn terminal(columns: u16, options: TerminalOptions) -> TerminalBuffer {
    TerminalBuffer::new(GridSize { columns, rows: 4 }, options)
}

fn snapshot(terminal: &TerminalBuffer) -> Snapshot {
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    snapshot
}

/// Every row from the oldest to the newest.
fn all_rows(terminal: &TerminalBuffer) -> Vec<SnapshotRow> {
    let history = snapshot(terminal).history;
    let mut rows = Vec::new();
    for offset in (0..=history).rev() {
        terminal.scroll(Scroll::Bottom);
        terminal.scroll(Scroll::Lines(i32::try_from(offset).expect("few")));
        let view = snapshot(terminal);
        let new = if offset == 0 { view.rows.len() } else { 1 };
        rows.extend(view.rows.into_iter().take(new));
    }
    rows
}

fn text(terminal: &TerminalBuffer) -> Vec<String> {
    let rows: Vec<String> = all_rows(terminal).iter().map(SnapshotRow::text).collect();
    let used = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    rows[..used].to_vec()
}

#[test]
fn packed_rows_look_as_they_did_on_the_screen() {
    let line = "\x1b[1;31mred\x1b[m \x1b[38;2;1;2;3;4:3m\x1b[58;5;9mcurl\x1b[m 日本 e\u{301} 👍🏽 \
                \x1b[44m  \x1b[m\x1b[7mx\x1b[m\ttab";
    let shown = terminal(60, TerminalOptions::default());
    shown.feed(line.as_bytes());
    let packed = terminal(60, TerminalOptions::default());
    packed.feed(line.as_bytes());
    packed.feed(&b"\r\n".repeat(2000));
    packed.scroll(Scroll::Top);
    assert_eq!(snapshot(&packed).rows[0].cells, snapshot(&shown).rows[0].cells, "cell for cell");
}

#[test]
fn history_is_cut_anew_for_another_width() {
    let terminal = terminal(10, TerminalOptions::default());
    for number in 0..1500 {
        terminal.feed(format!("line {number:04} 日本 end\r\n").as_bytes());
    }
    assert_eq!(
        text(&terminal)[..4],
        ["line 0000", "日本 end", "line 0001", "日本 end"],
        "ten wide"
    );
    terminal.resize(GridSize { columns: 40, rows: 4 });
    let wide = text(&terminal);
    assert_eq!(wide.len(), 1500, "a row each");
    assert_eq!(wide[7], "line 0007 日本 end", "joined again");
    terminal.resize(GridSize { columns: 6, rows: 4 });
    assert_eq!(text(&terminal)[..3], ["line 0", "000 日", "本 end"], "six wide");
}

#[test]
fn a_line_longer_than_any_screen_is_kept_whole() {
    let terminal = terminal(10, TerminalOptions::default());
    let long: String =
        (0..40_000).map(|n| char::from(b'a' + u8::try_from(n % 26).expect("small"))).collect();
    terminal.feed(long.as_bytes());
    terminal.feed(&b"\r\n".repeat(2000));
    let mut saved = Vec::new();
    terminal.contents().write_to(&mut saved).expect("memory takes it");
    assert_eq!(String::from_utf8_lossy(&saved).trim_end(), long, "nothing is lost");
}

#[test]
fn the_oldest_lines_go_when_there_are_too_many() {
    let options = TerminalOptions { scrollback_lines: 1000, ..TerminalOptions::default() };
    let terminal = terminal(20, options);
    for number in 0..5000 {
        terminal.feed(format!("{number}\r\n").as_bytes());
    }
    let view = snapshot(&terminal);
    assert!((1000..2000).contains(&view.history), "{} rows are kept", view.history);
    assert_eq!(view.dropped + view.history as u64, 4997, "and the rest is counted");
    terminal.scroll(Scroll::Top);
    assert_eq!(terminal.visible_text()[0], view.dropped.to_string(), "the oldest that is left");
}

#[test]
fn limits_that_change_hold_for_what_is_there() {
    let options = |lines| TerminalOptions { scrollback_lines: lines, ..TerminalOptions::default() };
    let terminal = terminal(20, options(10_000));
    let print = |range: std::ops::Range<u32>| {
        range.for_each(|line| drop(terminal.feed(format!("line {line}\r\n").as_bytes())));
    };
    let check = |expected: std::ops::RangeInclusive<usize>, what: &str| {
        let history = snapshot(&terminal).history;
        assert!(expected.contains(&history), "{history} rows after {what}");
    };
    print(0..5000);
    check(4_997..=4_997, "printing");
    terminal.scroll(Scroll::Top);
    terminal.set_options(&options(1_000));
    check(1_000..=2_024, "fewer are kept");
    print(0..2_000);
    check(1_000..=2_024, "printing more");
    terminal.set_options(&options(0));
    print(0..2_000);
    check(0..=2, "none are kept");
    terminal.set_options(&options(3_000));
    print(0..2_000);
    check(1_990..=2_010, "more are kept again");

    let keeps = TerminalOptions { keeps_history: true, ..options(3_000) };
    terminal.set_options(&keeps);
    terminal.feed(b"\x1b[3J");
    check(1_990..=2_010, "a program that may not clear them");
    terminal.set_options(&options(3_000));
    terminal.feed(b"\x1b[3J");
    check(0..=0, "one that may");
}

#[test]
fn the_oldest_lines_go_when_they_take_too_much() {
    let options = TerminalOptions {
        scrollback_lines: 100_000,
        scrollback_bytes: 1 << 20,
        ..TerminalOptions::default()
    };
    let terminal = terminal(80, options);
    let dense: String = (0..79).map(|n| format!("\x1b[38;2;{n};0;0mx")).collect();
    for _ in 0..10_000 {
        terminal.feed(dense.as_bytes());
        terminal.feed(b"\r\n");
    }
    assert!(terminal.memory() < 4 << 20, "{} bytes", terminal.memory());
    assert!(snapshot(&terminal).dropped > 5000, "most of it is gone");
}

#[test]
fn all_terminals_share_one_budget() {
    let budget = ScrollbackBudget::new(1 << 20);
    let options = || TerminalOptions { budget: budget.clone(), ..TerminalOptions::default() };
    let terminals: Vec<TerminalBuffer> = (0..8).map(|_| terminal(80, options())).collect();
    for terminal in &terminals {
        terminal.feed(&b"a line of some length, as they are\r\n".repeat(8000));
    }
    assert!(budget.used() <= budget.limit(), "{} bytes", budget.used());
    assert!(snapshot(&terminals[7]).dropped > 0, "the last had to drop lines");
    drop(terminals);
    assert_eq!(budget.used(), 0, "all is given back");
}

#[test]
fn a_view_that_is_scrolled_up_stays_on_its_lines() {
    let terminal = terminal(20, TerminalOptions::default());
    for number in 0..2000 {
        terminal.feed(format!("{number}\r\n").as_bytes());
    }
    for up in [3, 300, 700] {
        terminal.scroll(Scroll::Bottom);
        terminal.scroll(Scroll::Lines(up));
        let before = terminal.visible_text();
        terminal.feed(&b"more\r\n".repeat(1500));
        assert_eq!(terminal.visible_text(), before, "{up} lines up");
    }
}

#[test]
fn programs_clear_the_history_unless_it_is_to_be_kept() {
    for keeps_history in [false, true] {
        let options = TerminalOptions { keeps_history, ..TerminalOptions::default() };
        let terminal = terminal(20, options);
        terminal.feed(&b"old\r\n".repeat(2000));
        terminal.feed(b"\x1b[2J\x1b[3J\x1b[Hnew");
        assert_eq!(snapshot(&terminal).history > 0, keeps_history, "3J");
        terminal.feed(b"\x1bc");
        assert_eq!(snapshot(&terminal).history > 0, keeps_history, "a full reset");
        terminal.clear();
        assert_eq!(snapshot(&terminal).history, 0, "the person may always");
    }
}

#[test]
fn a_full_reset_loses_nothing_that_is_to_be_kept() {
    let options = || TerminalOptions { keeps_history: true, ..TerminalOptions::default() };
    for screen in ["", "\x1b[?1049h"] {
        let terminal = terminal(20, options());
        for number in 0..500 {
            terminal.feed(format!("{number}\r\n").as_bytes());
        }
        terminal.scroll(Scroll::Lines(40));
        terminal.feed(format!("{screen}\x1bc").as_bytes());
        let kept = text(&terminal);
        assert_eq!(kept.len(), 500, "after {screen:?}");
        assert_eq!(kept[499], "499", "the last line too");
    }
}

#[test]
fn clearing_leaves_the_line_of_the_cursor() {
    let terminal = terminal(20, TerminalOptions::default());
    terminal.feed(&b"old\r\n".repeat(2000));
    terminal.feed(b"$ prompt");
    terminal.clear();
    assert_eq!(text(&terminal), ["$ prompt"], "only the prompt is left");
    terminal.feed(b" typed");
    assert_eq!(text(&terminal), ["$ prompt typed"], "and is gone on with");
}

#[test]
fn prompts_are_found_near_and_far() {
    let terminal = terminal(20, TerminalOptions::default());
    for number in 0..6 {
        terminal.feed(format!("\x1b]133;A\x07$ \x1b]133;B\x07cmd {number}\r\n").as_bytes());
        terminal.feed(b"\x1b]133;C\x07");
        terminal.feed(&b"out\r\n".repeat(300));
        terminal.feed(b"\x1b]133;D;0\x07");
    }
    for number in (0..6).rev() {
        assert!(terminal.go_to_prompt(true), "there is prompt {number}");
        assert_eq!(terminal.visible_text()[0], format!("$ cmd {number}"), "upwards");
    }
    assert!(!terminal.go_to_prompt(true), "none above the first");
    assert!(terminal.go_to_prompt(false), "the second below it");
    assert_eq!(terminal.visible_text()[0], "$ cmd 1", "downwards");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// What the emulator would show with all rows in its own memory is what the packed history shows.
    #[test]
    fn no_text_is_lost_at_any_width(
        lines in vec("[a-z 日本é]{0,30}", 1..60),
        widths in vec(2u16..40, 0..4),
    ) {
        let terminal = terminal(17, TerminalOptions::default());
        for line in &lines {
            terminal.feed(format!("{line}\r\n").as_bytes());
        }
        terminal.feed(&b"-\r\n".repeat(1200));
        for columns in widths {
            terminal.resize(GridSize { columns, rows: 4 });
        }
        let mut saved = Vec::new();
        terminal.contents().write_to(&mut saved).expect("memory takes it");
        let saved = String::from_utf8(saved).expect("text");
        for (line, kept) in lines.iter().zip(saved.lines()) {
            prop_assert_eq!(line.trim_end(), kept);
        }
    }
}
