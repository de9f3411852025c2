use crate::{GridSize, TerminalBuffer, TerminalOptions};

fn terminal(input: &str) -> TerminalBuffer {
    let terminal =
        TerminalBuffer::new(GridSize { columns: 20, rows: 6 }, TerminalOptions::default());
    terminal.feed(input.as_bytes());
    terminal
}

fn shown(terminal: &TerminalBuffer) -> String {
    terminal.visible_text().join("|").trim_end_matches('|').to_owned()
}

/// What a shell does with its prompt after the screen got another width: it goes to the first of the
/// `rows` it took, clears all of them and draws it.
fn redraw(terminal: &TerminalBuffer, rows: usize, prompt: &str) {
    let up = if rows > 1 { format!("\x1b[{}A", rows - 1) } else { String::new() };
    terminal.feed(format!("\r\x1b[K{up}\r\x1b[J{prompt}").as_bytes());
}

const PROMPT: &str = "user@host:~/work $ ls -la";

#[test]
fn output_above_a_prompt_survives_any_width() {
    let terminal = terminal(&format!("keep1\r\nkeep2\r\n\x1b[?2004h{PROMPT}"));
    let mut rows = 2;
    for columns in [60, 20, 10, 60, 13, 40, 20] {
        terminal.resize(GridSize { columns, rows: 6 });
        redraw(&terminal, rows, PROMPT);
        rows = PROMPT.len().div_ceil(columns.into());
        let text = shown(&terminal);
        assert!(text.starts_with("keep1|keep2|user@host"), "{columns} columns: {text}");
        assert_eq!(text.matches("user").count(), 1, "one prompt in {columns} columns: {text}");
    }
}

#[test]
fn what_is_not_edited_is_rewrapped() {
    let terminal = terminal("a line that is not finished yet");
    terminal.resize(GridSize { columns: 40, rows: 6 });
    assert_eq!(shown(&terminal), "a line that is not finished yet", "joined");
    terminal.resize(GridSize { columns: 10, rows: 6 });
    let mut saved = Vec::new();
    terminal.contents().write_to(&mut saved).expect("memory takes it");
    assert!(saved.starts_with(b"a line that is not finished yet\n"), "and cut without a loss");
}
