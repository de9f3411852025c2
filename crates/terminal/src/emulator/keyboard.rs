//! The modes of the keyboard protocol, of both screens.
//!
//! The emulator keeps them too, but without a bound that holds and without telling what was set on
//! top of them.

use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{KeyboardModes, KeyboardModesApplyBehavior};

/// The deepest stack; the oldest goes when there are more.
const MAX_DEPTH: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Keyboard {
    screens: [Stack; 2],
}

#[derive(Debug, Default)]
struct Stack {
    current: u8,
    saved: Vec<u8>,
}

impl Keyboard {
    pub(super) fn push(&mut self, mode: TermMode, flags: KeyboardModes) {
        let stack = self.stack(mode);
        if stack.saved.len() == MAX_DEPTH {
            stack.saved.remove(0);
        }
        stack.saved.push(stack.current);
        stack.current = flags.bits();
    }

    pub(super) fn pop(&mut self, mode: TermMode, count: u16) {
        let stack = self.stack(mode);
        for _ in 0..usize::from(count).min(MAX_DEPTH + 1) {
            stack.current = stack.saved.pop().unwrap_or(0);
        }
    }

    pub(super) fn set(
        &mut self,
        mode: TermMode,
        flags: KeyboardModes,
        behavior: KeyboardModesApplyBehavior,
    ) {
        let stack = self.stack(mode);
        stack.current = match behavior {
            KeyboardModesApplyBehavior::Replace => flags.bits(),
            KeyboardModesApplyBehavior::Union => stack.current | flags.bits(),
            KeyboardModesApplyBehavior::Difference => stack.current & !flags.bits(),
        };
    }

    /// What holds now on the screen that is shown.
    pub(super) fn current(&mut self, mode: TermMode) -> KeyboardModes {
        KeyboardModes::from_bits_truncate(self.stack(mode).current)
    }

    fn stack(&mut self, mode: TermMode) -> &mut Stack {
        &mut self.screens[usize::from(mode.contains(TermMode::ALT_SCREEN))]
    }
}
