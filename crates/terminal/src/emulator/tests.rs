//! What only the emulator itself can show.

use super::*;

#[test]
fn marks_beyond_the_limit_are_not_kept() {
    for text in ["e", "日", "0123456789"] {
        let mut emulator = Emulator::new(GridSize { columns: 10, rows: 2 }, 0);
        emulator.advance(b"\x1b[58;5;9m\x1b]8;;http://x\x07");
        emulator.advance(text.as_bytes());
        emulator.advance("\u{301}".repeat(1000).as_bytes());
        let marked: Vec<&GridCell> =
            emulator.cells(0).iter().filter(|cell| marks(cell).next().is_some()).collect();
        assert_eq!(marked.len(), 1, "one cell of {text} has marks");
        assert_eq!(marked[0].zerowidth().map(<[char]>::len), Some(MAX_MARKS), "on {text}");
        assert_eq!(marked[0].underline_color(), Some(Color::Indexed(9)), "its line stays");
        assert!(marked[0].hyperlink().is_some(), "its link stays");
    }
}
