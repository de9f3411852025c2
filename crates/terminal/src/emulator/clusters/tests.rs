use crate::{GridSize, Snapshot, TerminalBuffer, TerminalOptions};

/// Prints `text` and a bar on a screen of 10 columns, and tells the column of the bar and what is in
/// the first cell.
#[track_caller]
fn check(text: &str, column: usize, first: &str) {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 10, rows: 3 }, TerminalOptions::default());
    for c in format!("{text}|").chars() {
        terminal.feed(c.to_string().as_bytes());
    }
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    let cells = &snapshot.rows[0].cells;
    let bar = cells.iter().position(|cell| cell.glyph == '|');
    assert_eq!(bar, Some(column), "columns of {text:?}");
    let cluster = format!("{}{}", cells[0].glyph, cells[0].marks.as_deref().unwrap_or_default());
    assert_eq!(cluster, first, "the first cell of {text:?}");
}

#[test]
fn what_people_see_as_one_character_takes_two_columns() {
    check("❤", 1, "❤");
    check("❤\u{fe0f}", 2, "❤\u{fe0f}");
    check("1\u{fe0f}\u{20e3}", 2, "1\u{fe0f}\u{20e3}");
    check("👍🏽", 2, "👍🏽");
    check("👨\u{200d}👩\u{200d}👧\u{200d}👦", 2, "👨\u{200d}👩\u{200d}👧\u{200d}👦");
    check("👩\u{200d}❤\u{fe0f}\u{200d}👨", 2, "👩\u{200d}❤\u{fe0f}\u{200d}👨");
    check("🇩🇪", 2, "🇩🇪");
    check("🇩🇪🇫🇷", 4, "🇩🇪");
    check("a\u{fe0f}", 1, "a\u{fe0f}");
    check("e\u{301}", 1, "e\u{301}");
    check("日本", 4, "日");
    check("👍👍", 4, "👍");
    check("✔✔", 2, "✔");
    check("a\u{200d}b", 2, "a\u{200d}");
}

#[test]
fn a_character_does_not_join_one_it_does_not_follow() {
    check("👍\r🏽", 2, "🏽");
    check("👨\u{200d}\x1b[5G👩", 6, "👨\u{200d}");
}

#[test]
fn no_room_no_second_column() {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 3, rows: 2 }, TerminalOptions::default());
    terminal.feed("ab❤\u{fe0f}c".as_bytes());
    assert_eq!(terminal.visible_text(), ["ab❤\u{fe0f}", "c"], "it stays where it is");
    terminal.feed("\x1b[2J\x1b[Ha❤\u{fe0f}b".as_bytes());
    assert_eq!(terminal.visible_text(), ["a❤\u{fe0f}", "b"], "it fills the row");
}
