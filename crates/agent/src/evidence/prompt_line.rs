//! A line that is edited behind a prompt, as far as a screen shows it.

use crate::Reading;

#[derive(Debug, Clone, Default)]
pub(crate) struct PromptLine {
    /// The rule by which the cursor stands behind a prompt.
    pub(crate) at: Option<String>,
    /// Nothing stands before the cursor.
    pub(crate) is_empty: bool,
    pub(crate) has_cursor: bool,
    /// A prompt was there since something was last handed in.
    was_there: bool,
    /// What was last handed in was typed behind a prompt.
    pub(crate) is_left: bool,
}

impl PromptLine {
    pub(super) fn on_reading(&mut self, reading: &Reading) {
        self.was_there |= reading.prompt.is_some();
        self.at.clone_from(&reading.prompt);
        (self.is_empty, self.has_cursor) = (reading.is_line_empty, reading.is_cursor_shown);
    }

    pub(super) fn on_submit(&mut self) {
        self.is_left = std::mem::take(&mut self.was_there);
        // What was read before says nothing about the line below.
        self.is_empty = false;
    }
}
