//! A line that is edited behind a prompt, as far as a screen shows it.

use crate::{Question, Reading, Reason};

#[derive(Debug, Clone, Default)]
pub(crate) struct PromptLine {
    /// The rule by which the cursor stands behind a prompt.
    pub(crate) at: Option<String>,
    /// Nothing stands before the cursor.
    pub(crate) is_empty: bool,
    pub(crate) has_cursor: bool,
    /// A prompt was there since something was last handed in, or a question at the cursor.
    was_there: bool,
    /// What was last handed in was typed behind one of them.
    pub(crate) is_left: bool,
}

impl PromptLine {
    pub(super) fn on_reading(&mut self, reading: &Reading) {
        let asks = |it: &Question| !it.is_menu && it.reason != Reason::Error;
        let asks = reading.question.as_ref().is_some_and(asks);
        self.was_there |= reading.prompt.is_some() || asks;
        self.at.clone_from(&reading.prompt);
        (self.is_empty, self.has_cursor) = (reading.is_line_empty, reading.is_cursor_shown);
    }

    pub(super) fn on_submit(&mut self) {
        self.is_left = std::mem::take(&mut self.was_there);
        // What was read before says nothing about the line below.
        self.is_empty = false;
    }
}
