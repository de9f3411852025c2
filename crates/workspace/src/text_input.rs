//! The one-line input of overlays and of the find bar.

use std::ops::Range;

use terminal::{Key, Modifiers, NamedKey};

use crate::KeyInput;

/// A line of text with a cursor between two of its characters, and perhaps a part that is selected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// Byte offset, always on a character boundary.
    cursor: usize,
    /// The other end of what is selected, likewise; where the cursor is if nothing is.
    anchor: usize,
}

/// What a key did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// The text may be another one.
    Changed,
    /// Only the cursor or what is selected.
    Moved,
    /// Nothing: the key is somebody else's.
    Unused,
}

impl TextInput {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len(), anchor: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Where what is selected begins and ends in the text; the same twice if nothing is.
    pub fn selection(&self) -> Range<usize> {
        self.cursor.min(self.anchor)..self.cursor.max(self.anchor)
    }

    /// Does what a key does in a line of text, wherever that line is.
    pub(crate) fn press(&mut self, input: &KeyInput) -> Pressed {
        let modifiers = input.press.modifiers.held();
        let is_ctrl = modifiers == Modifiers::CTRL;
        if modifiers.intersects(Modifiers::ALT | Modifiers::SUPER) {
            return Pressed::Unused;
        }
        let named = match (&input.press.key, input.base) {
            (Key::Character(text), _) if !modifiers.contains(Modifiers::CTRL) => {
                self.insert(text);
                return Pressed::Changed;
            }
            (Key::Character(_), Some('a')) if is_ctrl => {
                self.select_all();
                return Pressed::Moved;
            }
            (Key::Character(_), Some('w')) if is_ctrl => {
                self.delete_word();
                return Pressed::Changed;
            }
            (Key::Character(_), _) => return Pressed::Unused,
            (Key::Named(named), _) => *named,
        };
        let has_ctrl = modifiers.contains(Modifiers::CTRL);
        match (named, has_ctrl) {
            (NamedKey::Space, false) => self.insert(" "),
            (NamedKey::Backspace, false) => self.backspace(),
            (NamedKey::Backspace, true) => self.delete_word(),
            (NamedKey::Delete, false) => self.delete(),
            (named, _) => {
                let Some(to) = self.place_of(named, modifiers) else { return Pressed::Unused };
                self.cursor = to;
                if !modifiers.contains(Modifiers::SHIFT) {
                    self.anchor = to;
                }
                return Pressed::Moved;
            }
        }
        Pressed::Changed
    }

    /// Replaces what is selected. Control characters, such as the newlines of a paste, are left out.
    pub(crate) fn insert(&mut self, text: &str) {
        let clean: String = text.chars().filter(|c| !c.is_control()).collect();
        let start = self.selection().start;
        self.text.replace_range(self.selection(), &clean);
        self.put_cursor(start + clean.len());
    }

    /// What is typed next replaces all of it.
    pub(crate) fn select_all(&mut self) {
        (self.anchor, self.cursor) = (0, self.text.len());
    }

    /// Where a key takes the cursor.
    fn place_of(&self, named: NamedKey, modifiers: Modifiers) -> Option<usize> {
        let selection = self.selection();
        let leaves = !selection.is_empty() && !modifiers.contains(Modifiers::SHIFT);
        Some(match (named, modifiers.contains(Modifiers::CTRL)) {
            (NamedKey::ArrowLeft, true) => self.word_start(),
            (NamedKey::ArrowRight, true) => self.word_end(),
            (NamedKey::ArrowLeft, false) if leaves => selection.start,
            (NamedKey::ArrowRight, false) if leaves => selection.end,
            (NamedKey::ArrowLeft, false) => self.before(),
            (NamedKey::ArrowRight, false) => self.after(),
            (NamedKey::Home, _) => 0,
            (NamedKey::End, _) => self.text.len(),
            _ => return None,
        })
    }

    fn backspace(&mut self) {
        self.delete_to(self.before());
    }

    fn delete(&mut self) {
        self.delete_to(self.after());
    }

    fn delete_word(&mut self) {
        self.delete_to(self.word_start());
    }

    /// Deletes what is selected, or from the cursor to there if nothing is.
    fn delete_to(&mut self, place: usize) {
        if self.selection().is_empty() {
            self.anchor = place;
        }
        let selection = self.selection();
        self.text.replace_range(selection.clone(), "");
        self.put_cursor(selection.start);
    }

    fn put_cursor(&mut self, place: usize) {
        (self.cursor, self.anchor) = (place, place);
    }

    fn before(&self) -> usize {
        self.cursor - self.before_cursor().chars().next_back().map_or(0, char::len_utf8)
    }

    fn after(&self) -> usize {
        self.cursor + self.text[self.cursor..].chars().next().map_or(0, char::len_utf8)
    }

    fn word_start(&self) -> usize {
        let kept = self.before_cursor().trim_end_matches(|c: char| !c.is_alphanumeric());
        kept.trim_end_matches(char::is_alphanumeric).len()
    }

    fn word_end(&self) -> usize {
        let rest = self.text[self.cursor..].trim_start_matches(|c: char| !c.is_alphanumeric());
        self.text.len() - rest.trim_start_matches(char::is_alphanumeric).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses keys; `|` marks the cursor before and after, `[` and `]` what is selected.
    #[track_caller]
    fn check(before: &str, keys: &str, after: &str) {
        let mut input = TextInput::new(&before.replace('|', ""));
        input.put_cursor(before.find('|').expect("a cursor mark"));
        for key in crate::State::parse_keys(keys).expect("keys") {
            input.press(&key);
        }
        assert_eq!(picture(&input), after, "from {before} by {keys}");
    }

    fn picture(input: &TextInput) -> String {
        let Range { start, end } = input.selection();
        let text = input.text();
        if start == end {
            return format!("{}|{}", &text[..start], &text[start..]);
        }
        let (left, right) = if input.cursor == start { ("[|", "]") } else { ("[", "|]") };
        format!("{}{left}{}{right}{}", &text[..start], &text[start..end], &text[end..])
    }

    #[test]
    fn edits_keep_the_cursor_on_character_boundaries() {
        check("é|x", "backspace", "|x");
        check("|éx", "delete", "|x");
        check("|é", "right", "é|");
        check("é|", "left", "|é");
        check("|", "backspace delete left right", "|");
        check("a b/c|", "ctrl-backspace", "a b/|");
        check("a b/|", "ctrl-w", "a |");
        check("a b/c|", "ctrl-left", "a b/|c");
        check("|a b/c", "ctrl-right ctrl-right", "a b|/c");
        check("a|b", "x space", "ax |b");
        let mut input = TextInput::new("ab");
        input.insert("x\ny");
        assert_eq!(picture(&input), "abxy|", "a paste is one line");
    }

    #[test]
    fn a_selection_is_replaced_deleted_or_left() {
        check("a b|", "ctrl-a", "[a b|]");
        check("a b|", "ctrl-a x", "x|");
        check("a b|", "ctrl-a space", " |");
        check("a b|", "ctrl-a backspace", "|");
        check("a b|", "ctrl-a delete", "|");
        check("a b|", "ctrl-a ctrl-w", "|");
        check("a b|", "ctrl-a left", "|a b");
        check("a b|", "ctrl-a right", "a b|");
        check("é|x", "shift-left", "[|é]x");
        check("é|x", "shift-left shift-right", "é|x");
        check("a|bc", "shift-end", "a[bc|]");
        check("ab|c", "shift-home y", "y|c");
        check("a b|", "ctrl-shift-left", "a [|b]");
        check("|", "ctrl-a x", "x|");
    }

    #[test]
    fn keys_of_others_are_left_to_them() {
        check("a|", "enter escape up down tab f5 alt-b ctrl-c", "a|");
    }
}
