use std::sync::atomic::AtomicBool;

use crate::{GridSize, Scroll, SearchQuery, Snapshot, TerminalBuffer, TerminalOptions, TopRight};

fn terminal(input: &str) -> TerminalBuffer {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 20, rows: 4 }, TerminalOptions::default());
    terminal.feed(input.as_bytes());
    terminal
}

fn query(pattern: &str) -> SearchQuery {
    let is_regex = pattern.starts_with('/');
    let case_sensitive = pattern.chars().any(char::is_uppercase);
    SearchQuery { pattern: pattern.trim_matches('/').to_owned(), is_regex, case_sensitive }
}

fn search(terminal: &TerminalBuffer, pattern: &str) -> usize {
    let pattern = query(pattern).compile().expect("a good pattern");
    let found = terminal.contents().search(&pattern, &AtomicBool::new(false));
    let count = found.matches.len();
    terminal.highlight(found, None);
    count
}

/// Searches and compares what is marked in the view: row and columns of each, the current one with
/// a star.
#[track_caller]
fn check(input: &str, pattern: &str, expected: &str) {
    let terminal = terminal(input);
    let count = search(&terminal, pattern);
    if count > 0 {
        terminal.go_to_match(count - 1, TopRight::default());
    }
    assert_eq!(marked(&terminal), expected, "{pattern} in {input:?}");
}

fn marked(terminal: &TerminalBuffer) -> String {
    let mut snapshot = Snapshot::default();
    assert!(terminal.snapshot_into(&mut snapshot), "a first snapshot");
    let mut marked = Vec::new();
    for (row, content) in snapshot.rows.iter().enumerate() {
        for span in &content.matches {
            let star = if span.is_current { "*" } else { "" };
            marked.push(format!("{row}:{}-{}{star}", span.columns.start, span.columns.end));
        }
    }
    marked.join(" ")
}

#[test]
fn a_pattern_that_matches_nothing_at_all_comes_to_an_end() {
    check("", "//", "");
    check("日", "/x*/", "");
    // The last line has text, so that the last empty match is behind all of it.
    check("1\r\n2\r\n3\r\nlast", "/^/", "");
}

#[test]
fn matches_are_marked_in_the_view() {
    check("one two one", "one", "0:0-3 0:8-11*");
    check("one two one", "ONE", "");
    check("One two", "one", "0:0-3*");
    check("a.c abc", "a.c", "0:0-3*");
    check("a.c abc", "/a.c/", "0:0-3 0:4-7*");
    check("日本 two", "two", "0:5-8*");
    check("日本 two", "本", "0:2-4*");
    check("e\u{301}x", "x", "0:1-2*");
    check("0123456789012345678abc", "8abc", "0:18-20* 1:0-2*");
    check("one\r\ntwo", "/e\\st/", "0:2-3*");
    check("one\r\ntwo", "/^t/", "1:0-1*");
    check("x", "/y*/", "");
}

#[test]
fn a_match_far_up_is_scrolled_to() {
    let terminal = terminal("needle here\r\n");
    terminal.feed(&b"hay\r\n".repeat(3000));
    terminal.feed(b"needle there");
    assert_eq!(search(&terminal, "needle"), 2, "both are found");
    assert_eq!(marked(&terminal), "3:0-6", "only one is in view");
    terminal.go_to_match(0, TopRight::default());
    assert_eq!(terminal.visible_text()[0..2], ["needle here", "hay"], "at the very top");
    assert_eq!(marked(&terminal), "0:0-6*", "and marked");
    terminal.feed(&b"hay\r\n".repeat(1000));
    assert_eq!(marked(&terminal), "0:0-6*", "output does not move it");
    terminal.resize(GridSize { columns: 5, rows: 4 });
    terminal.go_to_match(0, TopRight::default());
    assert!(marked(&terminal).contains("0-5* "), "nor does another width");
    terminal.scroll(Scroll::Bottom);
    assert_eq!(terminal.match_near_view(true), Some(1), "the nearest above");
    terminal.feed(b"needle");
    search(&terminal, "needle");
    assert_eq!(terminal.match_near_view(true), Some(2), "also in the very last row");
}

/// Goes to `x` in one of many lines that end in `y`, with something over rows from column 5 on; the
/// row it is in then. The screen has four rows and shows the last of ten lines.
#[track_caller]
fn check_uncovered(line: usize, text: &str, covered_rows: u16, expected: Option<usize>) {
    let terminal = terminal("");
    let lines: Vec<&str> = (0..10).map(|it| if it == line { text } else { "hay" }).collect();
    terminal.feed(lines.join("\r\n").as_bytes());
    assert_eq!(search(&terminal, "x"), 1, "one match");
    terminal.go_to_match(0, TopRight { rows: covered_rows, column: 5 });
    let row = terminal.visible_text().iter().position(|row| row == text);
    assert_eq!(row, expected, "line {line}, {covered_rows} rows covered");
}

#[test]
fn a_match_is_scrolled_out_from_under_what_covers_it() {
    check_uncovered(6, "-----x", 0, Some(0));
    check_uncovered(6, "-----x", 2, Some(2));
    check_uncovered(7, "-----x", 2, Some(2));
    check_uncovered(8, "-----x", 2, Some(2));
    check_uncovered(6, "x", 2, Some(0));
    check_uncovered(6, "-----x", 9, Some(3));
    // Far up it is shown in the middle, which may be covered, too.
    check_uncovered(3, "-----x", 3, Some(3));
    // There is nothing above the first line.
    check_uncovered(0, "-----x", 2, Some(0));
    check_uncovered(1, "-----x", 2, Some(1));
}

#[test]
fn a_bad_pattern_says_what_is_wrong() {
    let bad = query("/(a/").compile().expect_err("not closed");
    assert!(bad.0.contains("unclosed group"), "{bad:?}");
    let large = query("/(((a{1000}){1000}){1000}){1000}/").compile().expect_err("too large");
    assert_eq!(large.0, "the expression is too large", "in words of ours");
}

#[test]
fn a_search_that_is_told_to_stop_stops() {
    let terminal = terminal("needle");
    let pattern = query("needle").compile().expect("a good pattern");
    let found = terminal.contents().search(&pattern, &AtomicBool::new(true));
    assert!(found.is_partial && found.matches.is_empty(), "nothing was looked at");
}

#[test]
fn all_text_can_be_saved() {
    let terminal = terminal("first\r\n");
    for number in 0..2000 {
        terminal.feed(format!("line {number} is longer than the screen\r\n").as_bytes());
    }
    let mut saved = Vec::new();
    terminal.contents().write_to(&mut saved).expect("memory takes it");
    let saved = String::from_utf8(saved).expect("text");
    let lines: Vec<&str> = saved.trim_end().lines().collect();
    assert_eq!(lines.len(), 2001, "each line once");
    assert_eq!(lines[0], "first", "the oldest first");
    assert_eq!(lines[1234], "line 1233 is longer than the screen", "unwrapped");
}

#[test]
fn text_can_be_saved_while_it_comes_though_little_is_kept() {
    let size = GridSize { columns: 20, rows: 5 };
    let options = TerminalOptions { scrollback_lines: 300, ..TerminalOptions::default() };
    let terminal = TerminalBuffer::new(size, options);
    let mut expected = String::new();
    let (mut saved, mut next) = (Vec::new(), 0);
    for number in 0..3000 {
        let line = format!("{number}: {}", "so many words ".repeat(number % 9).trim_end());
        // What is drawn over is no text.
        terminal.feed(format!("working\r\x1b[K{line}\r\nworking\r\x1b[K").as_bytes());
        expected.push_str(line.trim_end());
        expected.push('\n');
        if number % 50 == 0 {
            let held_back = usize::from(size.rows);
            next = terminal.contents().write_part(next, held_back, &mut saved).expect("memory");
        }
    }
    terminal.contents().write_part(next, 0, &mut saved).expect("memory");
    let saved = String::from_utf8(saved).expect("text");
    assert!(saved.trim_end() == expected.trim_end(), "each line once, unwrapped:\n{saved}");
}

#[test]
fn a_match_that_reaches_over_a_line_end_hides_no_other() {
    let terminal = terminal("error foo\r\nerror bar\r\nx: y");
    assert_eq!(search(&terminal, "/error[^:]*/"), 2, "one in each line");
}

#[test]
fn a_slow_pattern_can_be_stopped_within_a_block() {
    let terminal = terminal("");
    terminal.feed(&b"xxxxxxxxxxxxxxxxxx\r\n".repeat(20_000));
    let pattern = query("/x.{400}y/").compile().expect("a good pattern");
    let stop = AtomicBool::new(false);
    let contents = terminal.contents();
    let found = std::thread::scope(|scope| {
        let search = scope.spawn(|| contents.search(&pattern, &stop));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        search.join().expect("it ends")
    });
    assert!(found.matches.is_empty(), "there is nothing to find");
}

#[test]
fn saved_text_has_its_tabs_and_the_blanks_of_long_lines() {
    let terminal = terminal("a\tb\r\n");
    let long = "word ".repeat(9000);
    terminal.feed(long.as_bytes());
    terminal.feed(b"end\r\n");
    terminal.feed(&b"\r\n".repeat(1500));
    let mut saved = Vec::new();
    terminal.contents().write_to(&mut saved).expect("memory takes it");
    let saved = String::from_utf8(saved).expect("text");
    assert_eq!(saved.lines().next(), Some("a\tb"), "a tab and nothing else");
    assert_eq!(saved.lines().nth(1), Some(format!("{long}end").as_str()), "all blanks");
}
