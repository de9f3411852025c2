use crate::{CellPoint, GridSize, LinkTarget, TerminalBuffer, TerminalOptions};

fn terminal(input: &str) -> TerminalBuffer {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 40, rows: 5 }, TerminalOptions::default());
    terminal.feed(input.as_bytes());
    terminal
}

/// The target of the link at the first `^` below the text, which stands for the pointer.
#[track_caller]
fn check(text: &str, pointer: &str, expected: &str) {
    let column = pointer.find('^').expect("a pointer");
    let terminal = terminal(text);
    let at = CellPoint {
        row: u16::try_from(column / 40).expect("a row"),
        column: u16::try_from(column % 40).expect("a column"),
    };
    let found = terminal.link_at(at).map(|link| match link.target {
        LinkTarget::Address(address) => address,
        LinkTarget::Path { path, line, column } => {
            let number = |n: Option<u32>| n.map(|n| format!(" {n}")).unwrap_or_default();
            format!("{path}{}{}", number(line), number(column))
        }
    });
    assert_eq!(found.as_deref().unwrap_or("-"), expected, "in {text:?} at {column}");
}

#[test]
fn addresses_are_found_without_the_sentence_around_them() {
    check("see https://a.b/c?d=e#f.", "       ^", "https://a.b/c?d=e#f");
    check("see https://a.b/c?d=e#f.", "   ^", "-");
    check("see https://a.b/c?d=e#f.", "                       ^", "-");
    check("(http://a.b/x_(y))", "  ^", "http://a.b/x_(y)");
    check("<https://a.b>", " ^", "https://a.b");
    check("\"http://a.b\",", "  ^", "http://a.b");
    check("mailto:a@b.c!", "^", "mailto:a@b.c");
    check("https://", "^", "-");
    check("xhttp://a.b/c", "   ^", "-");
    check("│ https://a.b │", "   ^", "https://a.b");
}

#[test]
fn paths_are_found_with_line_and_column() {
    check("  --> src/main.rs:12:5", "        ^", "src/main.rs 12 5");
    check("  --> src/main.rs:12:5", "                   ^", "src/main.rs 12 5");
    check("src/main.rs:12: error", "^", "src/main.rs 12");
    check("main.c(3,4): warning", "^", "main.c 3 4");
    check("at /usr/lib/x.py.", "    ^", "/usr/lib/x.py");
    check("./run and ~/x", "^", "./run");
    check("./run and ~/x", "          ^", "~/x");
    check("(src/a.rs)", "  ^", "src/a.rs");
    check("file=src/a.rs,b", "       ^", "src/a.rs");
    check("日本/a.rs:7", "^", "日本/a.rs 7");
    check("Makefile and words", "^", "-");
    check("1.5 seconds", "^", "-");
    check("end. Next", "^", "-");
    check("... / ~", "^", "-");
    check("... / ~", "    ^", "-");
}

#[test]
fn what_was_wrapped_is_one_link() {
    let long = "see https://example.org/a/rather/long/path/indeed and more";
    check(long, "     ^", "https://example.org/a/rather/long/path/indeed");
    check(long, &format!("{}^", " ".repeat(45)), "https://example.org/a/rather/long/path/indeed");
    let link = terminal(long).link_at(CellPoint { row: 0, column: 6 }).expect("a link");
    assert_eq!(link.cells, [(0, 4..40), (1, 0..9)], "in both rows");
}

#[test]
fn a_link_of_the_program_tells_its_real_target() {
    let text = "\x1b]8;;https://evil.example/\x07https://good.example\x1b]8;;\x07 x";
    check(text, "  ^", "https://evil.example/");
    let link = terminal(text).link_at(CellPoint { row: 0, column: 3 }).expect("a link");
    assert_eq!(link.cells, [(0, 0..20)], "all of it");
    check(&format!("{text}\r\n"), "                      ^", "-");
    let long = format!("\x1b]8;;https://a.b/{}\x07x", "a".repeat(3000));
    check(&long, "^", "-");
}

#[test]
fn the_links_of_a_flood_are_forgotten_oldest_first() {
    let terminal = terminal("");
    for number in 0..6000 {
        terminal.feed(format!("\x1b]8;;http://h/{number}\x07x\x1b]8;;\x07\r\n").as_bytes());
    }
    let target = |row| {
        terminal.link_at(CellPoint { row, column: 0 }).map(|link| match link.target {
            LinkTarget::Address(address) => address,
            LinkTarget::Path { path, .. } => path,
        })
    };
    assert_eq!(target(3).as_deref(), Some("http://h/5999"), "the newest");
    terminal.scroll(crate::Scroll::Top);
    assert_eq!(target(0), None, "the oldest are text again");
    terminal.scroll(crate::Scroll::Lines(-4000));
    assert!(target(0).is_some(), "those in the packed history are links still");
}

#[test]
fn a_screen_full_of_brackets_costs_no_time() {
    let size = GridSize { columns: 1000, rows: 60 };
    let terminal = TerminalBuffer::new(size, TerminalOptions::default());
    terminal.feed(b"http://a");
    terminal.feed(&vec![b')'; 50_000]);
    for column in 0..200 {
        // Seconds each, if brackets were counted anew for each.
        let link = terminal.link_at(CellPoint { row: 0, column });
        assert!(link.is_none_or(|link| link.cells.len() <= 1), "in one row");
    }
}
