//! The one-line input of overlays.

/// A line of text with a cursor between two of its characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// Byte offset, always on a character boundary.
    cursor: usize,
}

impl TextInput {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Control characters, such as the newlines of a paste, are left out.
    pub(crate) fn insert(&mut self, text: &str) {
        let clean: String = text.chars().filter(|c| !c.is_control()).collect();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
    }

    pub(crate) fn backspace(&mut self) {
        if let Some(last) = self.before_cursor().chars().next_back() {
            self.cursor -= last.len_utf8();
            self.text.remove(self.cursor);
        }
    }

    pub(crate) fn delete_word(&mut self) {
        let kept = self.before_cursor().trim_end_matches(|c: char| !c.is_alphanumeric());
        let start = kept.trim_end_matches(char::is_alphanumeric).len();
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    pub(crate) fn left(&mut self) {
        self.cursor -= self.before_cursor().chars().next_back().map_or(0, char::len_utf8);
    }

    pub(crate) fn right(&mut self) {
        self.cursor += self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
    }

    pub(crate) fn start(&mut self) {
        self.cursor = 0;
    }

    pub(crate) fn end(&mut self) {
        self.cursor = self.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the cursor before and after.
    #[track_caller]
    fn check(before: &str, edit: fn(&mut TextInput), after: &str) {
        let mut input = TextInput::new(&before.replace('|', ""));
        input.cursor = before.find('|').expect("a cursor mark");
        edit(&mut input);
        let got = format!("{}|{}", input.before_cursor(), &input.text[input.cursor..]);
        assert_eq!(got, after, "from {before}");
    }

    #[test]
    fn edits_keep_the_cursor_on_character_boundaries() {
        check("é|x", TextInput::backspace, "|x");
        check("|é", TextInput::right, "é|");
        check("é|", TextInput::left, "|é");
        check("|", TextInput::backspace, "|");
        check("|", TextInput::left, "|");
        check("a b/c|", TextInput::delete_word, "a b/|");
        check("a b/|", TextInput::delete_word, "a |");
        check("a|b", |input| input.insert("x\ny"), "axy|b");
    }
}
