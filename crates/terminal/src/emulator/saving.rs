//! What is saved with the cursor beside what the emulator saves: place, looks and character sets.

use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{CharsetIndex, Handler as _, NamedPrivateMode};

use super::guard::Guard;

/// Nothing saved is as good as what holds at first.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Saved {
    /// Whether lines were counted from the first that scrolls.
    is_relative: bool,
    charset: CharsetIndex,
}

impl Guard<'_> {
    pub(super) fn save_cursor(&mut self) {
        self.note_saved();
        self.term.save_cursor_position();
    }

    pub(super) fn restore_cursor(&mut self) {
        let Saved { is_relative, charset } = *self.saved();
        // To change the mode moves the cursor: that comes first.
        let origin = NamedPrivateMode::Origin.into();
        if is_relative {
            self.term.set_private_mode(origin);
        } else {
            self.term.unset_private_mode(origin);
        }
        self.set_active_charset(charset);
        self.term.restore_cursor_position();
    }

    /// The emulator saves the cursor of this screen.
    pub(super) fn note_saved(&mut self) {
        let is_relative = self.term.mode().contains(TermMode::ORIGIN);
        *self.saved() = Saved { is_relative, charset: self.own.charset };
    }

    fn saved(&mut self) -> &mut Saved {
        &mut self.own.saved[usize::from(self.is_alternate())]
    }
}
