//! What only the emulator itself can show.

use alacritty_terminal::vte::ansi::Color;

use super::*;

fn emulator(columns: u16, rows: u16) -> Emulator {
    Emulator::new(GridSize { columns, rows }, &TerminalOptions::default())
}

#[test]
fn marks_beyond_the_limit_are_not_kept() {
    for text in ["e", "日", "0123456789"] {
        let mut emulator = emulator(10, 2);
        emulator.advance(b"\x1b[58;5;9m\x1b]8;;http://x\x07");
        emulator.advance(text.as_bytes());
        emulator.advance("\u{301}".repeat(1000).as_bytes());
        let marked: Vec<&GridCell> =
            emulator.live(0).iter().filter(|cell| convert::marks(cell).next().is_some()).collect();
        assert_eq!(marked.len(), 1, "one cell of {text} has marks");
        assert_eq!(marked[0].zerowidth().map(<[char]>::len), Some(MAX_MARKS), "on {text}");
        assert_eq!(marked[0].underline_color(), Some(Color::Indexed(9)), "its line stays");
        assert!(marked[0].hyperlink().is_some(), "its link stays");
    }
}
