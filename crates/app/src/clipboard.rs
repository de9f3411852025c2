//! The system's clipboard, or one of our own where there is none.

use base::LogErr as _;

/// Text larger than this is not pasted: it is more likely a mistake than a wish.
const MAX_PASTE: usize = 64 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Clipboard {
    system: Option<arboard::Clipboard>,
    /// Used without a display, and when the system's clipboard fails.
    own: String,
}

impl Clipboard {
    /// The desktop's clipboard, where there is a desktop.
    pub(crate) fn of_desktop() -> Self {
        let system = arboard::Clipboard::new().log_err("opening the clipboard");
        Self { system, own: String::new() }
    }

    pub(crate) fn is_system(&self) -> bool {
        self.system.is_some()
    }

    pub(crate) fn set(&mut self, text: String) {
        if let Some(system) = &mut self.system {
            system.set_text(text.clone()).log_err("setting the clipboard");
        }
        self.own = text;
    }

    pub(crate) fn get(&mut self) -> Option<String> {
        let text = match &mut self.system {
            Some(system) => system.get_text().ok()?,
            None => self.own.clone(),
        };
        (!text.is_empty() && text.len() <= MAX_PASTE).then_some(text)
    }
}

impl std::fmt::Debug for Clipboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What people copy does not belong into logs.
        f.debug_struct("Clipboard").field("system", &self.is_system()).finish_non_exhaustive()
    }
}
