//! A line that is edited behind a prompt, as far as a screen shows it.

#[derive(Debug, Clone, Default)]
pub(crate) struct PromptLine {
    /// The rule by which the cursor stands behind a prompt.
    pub(crate) at: Option<String>,
    /// Nothing stands before the cursor.
    pub(crate) is_empty: bool,
    /// A prompt was there since something was last handed in.
    was_there: bool,
    /// What was last handed in was typed behind a prompt.
    pub(crate) is_left: bool,
}

impl PromptLine {
    pub(super) fn on_reading(&mut self, prompt: Option<String>, is_empty: bool) {
        self.was_there |= prompt.is_some();
        (self.at, self.is_empty) = (prompt, is_empty);
    }

    pub(super) fn on_submit(&mut self) {
        self.is_left = std::mem::take(&mut self.was_there);
        // What was read before says nothing about the line below.
        self.is_empty = false;
    }
}
