//! Text that an input method is composing: shown at the cursor, not yet typed.

use std::ops::Range;

/// Longer ones are cut: nobody composes a page.
const MAX_LEN: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preedit {
    text: String,
    cursor: Option<Range<usize>>,
}

impl Preedit {
    /// What an input method says it composes; `None` when that is nothing. Both ends of `cursor` are
    /// bytes of the text.
    pub fn new(text: &str, cursor: Option<(usize, usize)>) -> Option<Self> {
        let cut = &text[..text.floor_char_boundary(MAX_LEN)];
        if cut.is_empty() || cut.contains(char::is_control) {
            return None;
        }
        let cursor = cursor.map(|(start, end)| {
            let start = cut.floor_char_boundary(start);
            start..cut.floor_char_boundary(end).max(start)
        });
        Some(Self { text: cut.to_owned(), cursor })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part the input method is working on, in bytes; a place between two characters when it
    /// is empty. `None`: no cursor is to be shown.
    pub fn cursor(&self) -> Option<Range<usize>> {
        self.cursor.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, cursor: (usize, usize), expected: Option<Range<usize>>) {
        let preedit = Preedit::new(text, Some(cursor));
        assert_eq!(preedit.and_then(|it| it.cursor()), expected, "{cursor:?} in {text}");
    }

    #[test]
    fn the_cursor_lies_between_characters_of_the_text() {
        check("日本", (0, 3), Some(0..3));
        check("日本", (3, 3), Some(3..3));
        check("日本", (4, 5), Some(3..3));
        check("日本", (3, 0), Some(3..3));
        check("日本", (99, 99), Some(6..6));
    }

    #[test]
    fn nothing_and_what_is_no_text_is_no_preedit() {
        assert_eq!(Preedit::new("", None), None, "empty");
        assert_eq!(Preedit::new("a\x1bb", None), None, "control characters");
        let long = Preedit::new(&"日".repeat(1000), None).expect("a preedit");
        assert_eq!(long.text().len(), 1023, "cut between characters");
    }
}
