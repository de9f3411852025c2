//! A terminal behind its lock: the emulator, what stands before it, and what it cannot know.
//!
//! The emulator is not trusted to survive its input. Whenever it panics it is replaced by an empty
//! one that says so in one line, and bytes are ignored until the next session starts.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use unicode_width::UnicodeWidthChar;

use crate::emulator::Emulator;
use crate::filter::Filter;
use crate::selection::{Anchor, Selection, Span};
use crate::{
    CellPoint, Fed, GridSize, ReportedColors, Scroll, SelectionKind, Side, Snapshot, SnapshotRow,
    title,
};

const CRASHED: &str = "terminal crashed; restart to go on";

/// A cell's size in pixels until somebody says better: a guess, for programs that ask.
const CELL_PIXELS: (u16, u16) = (8, 16);

/// Repetitions that may wait in an open synchronized update, in screens full. More end it, so that
/// they are not all parsed at once under the lock.
const MAX_HELD_SCREENS: usize = 4;

pub(crate) struct Screen {
    emulator: Emulator,
    filter: Filter,
    /// What the filter let through, kept for its memory.
    slice: Vec<u8>,
    /// Repetitions waiting in the open synchronized update.
    held_repeats: usize,
    selection: Option<Selection>,
    answers: Answers,
    size: GridSize,
    scrollback_lines: usize,
    crashed: bool,
    /// For each row shown, the revision at which it was last found changed.
    stamps: Vec<u64>,
    /// The last version given to a row of a snapshot.
    version: u64,
}

/// What a program is told when it asks about its surroundings.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) colors: ReportedColors,
    pub(crate) cell_pixels: (u16, u16),
}

impl Screen {
    pub(crate) fn new(size: GridSize, scrollback_lines: usize) -> Self {
        Self {
            emulator: Emulator::new(size, scrollback_lines),
            filter: Filter::default(),
            slice: Vec::new(),
            held_repeats: 0,
            selection: None,
            answers: Answers { colors: ReportedColors::default(), cell_pixels: CELL_PIXELS },
            size,
            scrollback_lines,
            crashed: false,
            stamps: vec![0; size.rows.into()],
            version: 0,
        }
    }

    /// Parses a bounded part of `bytes`. Returns how many that were, and whether the screen may
    /// have changed.
    pub(crate) fn feed(&mut self, bytes: &[u8], fed: &mut Fed) -> (usize, bool) {
        if self.crashed {
            return (bytes.len(), false);
        }
        let cells = usize::from(self.size.columns) * usize::from(self.size.rows);
        let taken = self.filter.take(bytes, cells, &mut self.slice);
        let changed = self.guarded(true, |screen| {
            let mut changed = screen.emulator.advance(&screen.slice);
            if !screen.emulator.is_sync_open() {
                screen.held_repeats = 0;
            } else if screen.held_repeats + taken.repeats > MAX_HELD_SCREENS * cells {
                screen.emulator.end_sync();
                changed = true;
            } else {
                screen.held_repeats += taken.repeats;
            }
            screen.emulator.drain(&screen.answers, fed);
            changed
        });
        (taken.bytes, changed)
    }

    pub(crate) fn end_sync(&mut self, fed: &mut Fed) {
        self.guarded((), |screen| {
            screen.emulator.end_sync();
            screen.emulator.drain(&screen.answers, fed);
        });
    }

    pub(crate) fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    pub(crate) fn answers(&mut self) -> &mut Answers {
        &mut self.answers
    }

    pub(crate) fn size(&self) -> GridSize {
        self.size
    }

    pub(crate) fn is_crashed(&self) -> bool {
        self.crashed
    }

    pub(crate) fn resize(&mut self, size: GridSize) {
        self.size = size;
        self.selection = None;
        self.stamps.resize(size.rows.into(), 0);
        self.guarded((), |screen| screen.emulator.resize(size));
    }

    pub(crate) fn scroll(&mut self, scroll: Scroll) {
        self.guarded((), |screen| screen.emulator.scroll(scroll));
    }

    pub(crate) fn start_session(&mut self, separator: &str) {
        self.filter = Filter::default();
        self.held_repeats = 0;
        self.selection = None;
        self.crashed = false;
        let separator = fit(separator, self.size.columns.into());
        self.guarded((), |screen| {
            screen.emulator.untrack();
            screen.emulator.start_session(&separator);
            // Nobody is left to read answers, and the reset's own signals are no news.
            screen.emulator.drain(&screen.answers, &mut Fed::default());
        });
    }

    pub(crate) fn select(&mut self, kind: SelectionKind, at: CellPoint, side: Side) {
        self.set_selection(Selection::new(kind, self.anchor(at, side)));
    }

    pub(crate) fn extend_selection(&mut self, at: CellPoint, side: Side) {
        self.follow_selection();
        if let Some(mut selection) = self.selection {
            selection.extend(self.anchor(at, side));
            self.set_selection(selection);
        }
    }

    pub(crate) fn clear_selection(&mut self) {
        self.selection = None;
        self.emulator.untrack();
    }

    pub(crate) fn selection_text(&mut self) -> Option<String> {
        self.guarded(None, |screen| {
            let text = screen.span()?.text(&screen.emulator);
            (!text.is_empty()).then_some(text)
        })
    }

    /// Brings `out` up to date with `revision`. With `fresh`, nothing in it is taken to be right.
    /// Returns whether anything changed.
    pub(crate) fn copy_into(&mut self, out: &mut Snapshot, fresh: bool, revision: u64) -> bool {
        let copied = self.guarded(None, |screen| Some(screen.copy(out, fresh, revision)));
        // Having crashed while copying, it has a screen that says so.
        copied.unwrap_or_else(|| self.guarded(true, |screen| screen.copy(out, true, revision)))
    }

    pub(crate) fn visible_text(&mut self) -> Vec<String> {
        let rows = usize::from(self.size.rows);
        self.guarded(Vec::new(), |screen| {
            let mut row = SnapshotRow::default();
            let mut text = Vec::with_capacity(rows);
            for index in 0..rows {
                screen.emulator.copy_line(screen.emulator.line_at(index), &mut row.cells);
                text.push(row.text());
            }
            text
        })
    }

    /// Runs what may make the emulator panic; `otherwise` is the result if it did.
    pub(crate) fn guarded<R>(&mut self, otherwise: R, run: impl FnOnce(&mut Self) -> R) -> R {
        catch_unwind(AssertUnwindSafe(|| run(self))).unwrap_or_else(|_panic| {
            // The panic hook has already logged it.
            self.crash();
            otherwise
        })
    }

    /// Puts an empty emulator in the place of one whose state cannot be relied on.
    fn crash(&mut self) {
        tracing::error!("the terminal emulator panicked; its screen is lost");
        self.emulator = Emulator::new(self.size, self.scrollback_lines);
        self.emulator.advance(CRASHED.as_bytes());
        self.filter = Filter::default();
        self.selection = None;
        self.crashed = true;
    }

    fn copy(&mut self, out: &mut Snapshot, fresh: bool, revision: u64) -> bool {
        self.emulator.take_damage(&mut self.stamps, revision);
        let span = self.span();
        let mut changed = fresh;
        out.rows.resize_with(self.stamps.len(), SnapshotRow::default);
        for (index, (row, stamp)) in out.rows.iter_mut().zip(&self.stamps).enumerate() {
            let line = self.emulator.line_at(index);
            let selected = span.and_then(|span| span.columns(&self.emulator, line)).map(narrow);
            let is_stale = fresh || *stamp > out.revision;
            let cells_changed = is_stale && self.emulator.copy_line(line, &mut row.cells);
            if cells_changed || fresh || selected != row.selected {
                self.version += 1;
                row.version = self.version;
                row.selected = selected;
                changed = true;
            }
        }
        changed |= replace(&mut out.size, self.size);
        changed |= replace(&mut out.cursor, self.emulator.cursor());
        changed |= replace(&mut out.modes, self.emulator.modes());
        changed |= replace(&mut out.display_offset, self.emulator.display_offset());
        changed |= replace(&mut out.history, self.emulator.history());
        out.revision = revision;
        changed
    }

    fn anchor(&self, at: CellPoint, side: Side) -> Anchor {
        let row = at.row.min(self.size.rows - 1);
        let column = at.column.min(self.size.columns - 1);
        Anchor::new(self.emulator.line_at(row.into()), column.into(), side)
    }

    fn set_selection(&mut self, selection: Selection) {
        self.emulator.track(selection.lines());
        self.selection = Some(selection);
    }

    /// Moves the selection to where its lines are now, or drops it if they are gone.
    fn follow_selection(&mut self) {
        let Some(selection) = &mut self.selection else { return };
        let first_line = self.emulator.first_line();
        let lines = self.emulator.tracked();
        if !lines.is_some_and(|lines| selection.follow(lines, first_line)) {
            self.clear_selection();
        }
    }

    fn span(&mut self) -> Option<Span> {
        self.follow_selection();
        self.selection?.span(&self.emulator)
    }
}

fn narrow(columns: Range<usize>) -> Range<u16> {
    let narrow = |column| u16::try_from(column).unwrap_or(u16::MAX);
    narrow(columns.start)..narrow(columns.end)
}

fn replace<T: PartialEq>(slot: &mut T, value: T) -> bool {
    let differs = *slot != value;
    *slot = value;
    differs
}

/// As much of a line as `columns` can show.
fn fit(line: &str, columns: usize) -> String {
    let mut width = 0;
    title::sanitise(line)
        .chars()
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width <= columns
        })
        .collect()
}
