//! What is selected, and where that has moved since.

use super::Screen;
use crate::selection::{Anchor, Selection, Span};
use crate::{CellPoint, SelectionKind, Side};

/// A selection, and what is needed to tell where it has moved since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tracked {
    selection: Selection,
    /// Rows that had left the screen when it was made.
    pushed: u64,
    /// The oldest line that the emulator itself had then.
    live_first: i32,
    /// How often the history had been cleared.
    clears: u64,
}

impl Screen {
    pub(crate) fn select(&mut self, kind: SelectionKind, at: CellPoint, side: Side) {
        self.guarded((), |screen| {
            screen.set_selection(Selection::new(kind, screen.anchor(at, side)));
        });
    }

    pub(crate) fn extend_selection(&mut self, at: CellPoint, side: Side) {
        self.guarded((), |screen| {
            screen.follow_selection();
            if let Some(Tracked { mut selection, .. }) = screen.selection {
                selection.extend(screen.anchor(at, side));
                screen.set_selection(selection);
            }
        });
    }

    pub(crate) fn clear_selection(&mut self) {
        self.selection = None;
        self.emulator.untrack();
    }

    pub(crate) fn has_selection(&mut self) -> bool {
        self.guarded(false, |screen| {
            screen.follow_selection();
            screen.selection.is_some()
        })
    }

    pub(crate) fn selection_text(&mut self) -> Option<String> {
        self.guarded(None, |screen| {
            let text = screen.span()?.text(&screen.emulator);
            (!text.is_empty()).then_some(text)
        })
    }

    fn anchor(&self, at: CellPoint, side: Side) -> Anchor {
        let row = at.row.min(self.size.rows - 1);
        let column = at.column.min(self.size.columns - 1);
        Anchor::new(self.emulator.line_at(row.into()), column.into(), side)
    }

    fn set_selection(&mut self, selection: Selection) {
        self.emulator.track(selection.lines());
        self.selection = Some(Tracked {
            selection,
            pushed: self.emulator.pushed(),
            live_first: self.emulator.first_live_line(),
            clears: self.emulator.clears(),
        });
    }

    /// Moves the selection to where its lines are now, or drops it if they are gone.
    fn follow_selection(&mut self) {
        let Some(tracked) = self.selection else { return };
        match self.followed(tracked) {
            Some(selection) => self.set_selection(selection),
            None => self.clear_selection(),
        }
    }

    fn followed(&self, tracked: Tracked) -> Option<Selection> {
        if self.emulator.clears() != tracked.clears {
            return None;
        }
        let up = i32::try_from(self.emulator.pushed().checked_sub(tracked.pushed)?).ok()?;
        let (top, bottom) = tracked.selection.lines();
        let moved = tracked.selection.moved(-up);
        let still_kept = moved.below(self.emulator.first_line());
        if bottom < tracked.live_first {
            return still_kept;
        }
        if bottom - up < self.emulator.first_live_line() {
            return still_kept.filter(|_| self.emulator.is_tracking());
        }
        let (now_top, now_bottom) = self.emulator.tracked()?;
        let expected_top = top.max(tracked.live_first) - up;
        let top_holds = now_top == expected_top
            || (expected_top < now_top && now_top == self.emulator.first_live_line());
        if top_holds && now_bottom == bottom - up {
            return still_kept;
        }
        // A part of the screen was scrolled: the selection goes with it if it is there as a whole.
        let is_whole = top >= tracked.live_first && now_bottom - now_top == bottom - top;
        is_whole.then(|| tracked.selection.moved(now_top - top))
    }

    pub(super) fn span(&mut self) -> Option<Span> {
        self.follow_selection();
        self.selection?.selection.span(&self.emulator)
    }
}
