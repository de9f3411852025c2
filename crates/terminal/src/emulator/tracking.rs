//! What has changed and what has moved since somebody looked.

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Line, Point, Side};
use alacritty_terminal::selection::{Selection as Tracker, SelectionType};
use alacritty_terminal::term::TermDamage;

use super::Emulator;

/// Where the view is, in rows counted from the first ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct View {
    /// Rows that have left the screen.
    pub(super) pushed: u64,
    /// Rows of them that were packed away. What a program left in odd places may come to lie in
    /// others then.
    packed: u64,
    /// How often the history was cleared.
    clears: u64,
    /// The first row of the view.
    top: u64,
}

impl View {
    /// No view is like this one.
    pub(super) const NOWHERE: Self = Self { pushed: 0, packed: 0, clears: 0, top: u64::MAX };
}

impl Emulator {
    /// Writes `stamp` for each row of the view that changed since the last call.
    pub(crate) fn take_damage(&mut self, stamps: &mut [u64], stamp: u64) {
        let (pushed, offset) = (self.pushed(), self.display_offset);
        let (packed, clears) = (self.own.packed, self.own.clears);
        let view = View { pushed, packed, clears, top: pushed.wrapping_sub(offset as u64) };
        let before = std::mem::replace(&mut self.seen, view);
        match self.term.damage() {
            // Also rows above the screen: their colours may have changed, and those that left it since
            // may have changed before they did.
            TermDamage::Full => stamps.fill(stamp),
            TermDamage::Partial(lines) => {
                for line in lines {
                    if let Some(slot) = stamps.get_mut(line.line + offset) {
                        *slot = stamp;
                    }
                }
            }
        }
        let moved = before.top != view.top || before.clears != clears;
        if moved || (offset > 0 && before.packed != packed) {
            stamps.fill(stamp);
        }
        self.term.reset_damage();
    }

    /// Remembers these lines, so that [`Self::tracked`] tells where they are after more output.
    pub(crate) fn track(&mut self, (top, bottom): (i32, i32)) {
        // A block from edge to edge: the emulator moves its lines and leaves its columns alone.
        let first = self.term.topmost_line().0;
        let start = Point::new(Line(top.max(first)), Column(0));
        let mut tracker = Tracker::new(SelectionType::Block, start, Side::Left);
        let end = Point::new(Line(bottom.max(first)), self.term.last_column());
        tracker.update(end, Side::Right);
        self.term.selection = Some(tracker);
    }

    /// Where those of the lines given to [`Self::track`] are that the emulator still had then;
    /// `None` once they were cleared.
    pub(crate) fn tracked(&self) -> Option<(i32, i32)> {
        let range = self.term.selection.as_ref()?.to_range(&self.term)?;
        Some((range.start.line.0, range.end.line.0))
    }

    /// Whether the lines given to [`Self::track`] are as they were, wherever they are.
    pub(crate) fn is_tracking(&self) -> bool {
        self.term.selection.is_some()
    }

    pub(crate) fn untrack(&mut self) {
        self.term.selection = None;
    }
}
