//! The system's clipboard and its primary selection, or ones of our own where there are none.
//!
//! The primary selection is what was selected last in any window; the middle mouse button pastes it.

use anyhow::{Context as _, Result};
use arboard::{GetExtLinux as _, LinuxClipboardKind, SetExtLinux as _};
use base::LogErr as _;
use terminal::ClipboardTarget;

use crate::pasted::broken_text;

/// Text larger than this is not pasted: it is more likely a mistake than a wish.
pub(crate) const MAX_PASTE: usize = 64 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Clipboard {
    system: Option<arboard::Clipboard>,
    /// Used without a display, and when the system's fail.
    own: String,
    own_primary: String,
}

impl Clipboard {
    /// The desktop's clipboard, where there is a desktop.
    pub(crate) fn of_desktop() -> Self {
        let system = arboard::Clipboard::new().log_err("opening the clipboard");
        Self { system, ..Self::default() }
    }

    pub(crate) fn is_system(&self) -> bool {
        self.system.is_some()
    }

    pub(crate) fn set(&mut self, target: ClipboardTarget, text: String) {
        if let Some(system) = &mut self.system {
            let set = system.set().clipboard(kind(target)).text(text.clone());
            match target {
                ClipboardTarget::Clipboard => set.log_err("setting the clipboard"),
                // Not every desktop has one.
                ClipboardTarget::Primary => set.ok(),
            };
        }
        *self.own(target) = text;
    }

    /// The text there is, if any. Bytes that are no UTF-8 are replaced.
    ///
    /// # Errors
    /// A line for the person: there is something that could not be had.
    pub(crate) fn get(&mut self, target: ClipboardTarget) -> Result<Option<String>> {
        let text = match &mut self.system {
            Some(system) => match system.get().clipboard(kind(target)).text() {
                Err(arboard::Error::ClipboardNotSupported) => self.own(target).clone(),
                Err(arboard::Error::ContentNotAvailable) => return Ok(None),
                Err(arboard::Error::ConversionFailure) => {
                    broken_text(target, MAX_PASTE)?.unwrap_or_default()
                }
                text => text.context("nothing was pasted")?,
            },
            None => self.own(target).clone(),
        };
        Ok((!text.is_empty()).then_some(text))
    }

    fn own(&mut self, target: ClipboardTarget) -> &mut String {
        match target {
            ClipboardTarget::Clipboard => &mut self.own,
            ClipboardTarget::Primary => &mut self.own_primary,
        }
    }
}

fn kind(target: ClipboardTarget) -> LinuxClipboardKind {
    match target {
        ClipboardTarget::Clipboard => LinuxClipboardKind::Clipboard,
        ClipboardTarget::Primary => LinuxClipboardKind::Primary,
    }
}

impl std::fmt::Debug for Clipboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What people copy does not belong into logs.
        f.debug_struct("Clipboard").field("system", &self.is_system()).finish_non_exhaustive()
    }
}
