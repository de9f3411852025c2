//! A terminal behind its lock: the emulator, what stands before it, and what it cannot know.
//!
//! The emulator is not trusted to survive its input. Whenever it panics it is replaced by an empty
//! one that says so in one line, and bytes are ignored until the next session starts.

mod feeding;
mod finding;
mod selecting;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use unicode_width::UnicodeWidthChar;

use crate::emulator::{Emulator, RowReader};
use crate::scan::{Query, Scanner};
use crate::search::Highlights;
use crate::{
    Fed, GridSize, ReportedColors, ScreenLook, Scroll, Snapshot, SnapshotRow, TerminalOptions,
    title,
};
use feeding::Sync;
use selecting::Tracked;

const CRASHED: &str = "terminal crashed; restart to go on";

/// A cell's size in pixels until somebody says better: a guess, for programs that ask.
const CELL_PIXELS: (u16, u16) = (8, 16);

pub(crate) struct Screen {
    emulator: Emulator,
    scanner: Scanner,
    sync: Sync,
    selection: Option<Tracked>,
    highlights: Option<Highlights>,
    answers: Answers,
    size: GridSize,
    options: TerminalOptions,
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
    pub(crate) fn new(size: GridSize, options: TerminalOptions) -> Self {
        Self {
            emulator: Emulator::new(size, &options),
            scanner: Scanner::new(&options.host),
            sync: Sync::default(),
            selection: None,
            highlights: None,
            answers: Answers { colors: ReportedColors::default(), cell_pixels: CELL_PIXELS },
            size,
            options,
            crashed: false,
            stamps: vec![0; size.rows.into()],
            version: 0,
        }
    }

    pub(crate) fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    pub(crate) fn answers(&mut self) -> &mut Answers {
        &mut self.answers
    }

    pub(crate) fn set_colors(&mut self, colors: ReportedColors) -> Option<Vec<u8>> {
        let was_dark = self.answers.colors.is_dark();
        self.answers.colors = colors;
        let changed = was_dark != colors.is_dark() && self.emulator.reports_color_scheme();
        changed.then(|| self.answer(&Query::ColorScheme))
    }

    pub(crate) fn options(&self) -> &TerminalOptions {
        &self.options
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

    pub(crate) fn set_options(&mut self, options: TerminalOptions) {
        self.options = options;
        self.guarded((), |screen| screen.emulator.set_options(&screen.options));
    }

    pub(crate) fn clear(&mut self) {
        self.selection = None;
        self.guarded((), |screen| screen.emulator.clear());
    }

    pub(crate) fn reset(&mut self) {
        self.forget_input();
        self.guarded((), |screen| {
            screen.emulator.reset_modes();
            screen.emulator.drain_events(&screen.answers, &mut Fed::default());
        });
    }

    pub(crate) fn start_session(&mut self, separator: &str) {
        self.finish_sync();
        self.forget_input();
        self.selection = None;
        self.crashed = false;
        let separator = fit(separator, self.size.columns.into());
        self.guarded((), |screen| {
            screen.emulator.untrack();
            screen.emulator.start_session(&separator);
            // Nobody is left to read answers, and the reset's own signals are no news.
            screen.emulator.drain_events(&screen.answers, &mut Fed::default());
        });
    }

    /// Brings `out` up to date with `revision`. With `fresh`, nothing in it is taken to be right.
    /// Returns whether anything changed.
    pub(crate) fn copy_into(&mut self, out: &mut Snapshot, fresh: bool, revision: u64) -> bool {
        if !fresh && self.sync.is_half_shown() {
            return false;
        }
        let copied = self.guarded(None, |screen| Some(screen.copy(out, fresh, revision)));
        // Having crashed while copying, it has a screen that says so.
        copied.unwrap_or_else(|| self.guarded(true, |screen| screen.copy(out, true, revision)))
    }

    pub(crate) fn look_into(&mut self, look: &mut ScreenLook, revision: u64) -> bool {
        if self.sync.is_half_shown() {
            return false;
        }
        self.guarded(false, |screen| {
            screen.emulator.take_damage(&mut screen.stamps, revision);
            screen.emulator.look_into(look, &screen.stamps);
            look.revision = revision;
            true
        })
    }

    pub(crate) fn repaint(&mut self) -> Option<Vec<u8>> {
        if self.crashed || self.is_in_the_middle() {
            return None;
        }
        self.guarded(None, |screen| Some(screen.emulator.repaint()))
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
        self.emulator = Emulator::new(self.size, &self.options);
        self.emulator.advance(CRASHED.as_bytes());
        self.forget_input();
        self.selection = None;
        self.highlights = None;
        self.crashed = true;
    }

    fn copy(&mut self, out: &mut Snapshot, fresh: bool, revision: u64) -> bool {
        self.emulator.take_damage(&mut self.stamps, revision);
        let span = self.span();
        let mut found = self.matches_in_view();
        let mut reader = RowReader::new(&self.emulator);
        let mut changed = fresh;
        out.rows.resize_with(self.stamps.len(), SnapshotRow::default);
        for (index, (row, stamp)) in out.rows.iter_mut().zip(&self.stamps).enumerate() {
            let line = self.emulator.line_at(index);
            let selected = span.and_then(|span| span.columns(&mut reader, line)).map(narrow);
            let matches = found.get_mut(index).map(std::mem::take).unwrap_or_default();
            let is_stale = fresh || *stamp > out.revision;
            let cells_changed = is_stale && self.emulator.copy_line(line, &mut row.cells);
            if cells_changed || fresh || selected != row.selected || matches != row.matches {
                self.version += 1;
                row.version = self.version;
                row.selected = selected;
                row.matches = matches;
                changed = true;
            }
        }
        changed |= replace(&mut out.size, self.size);
        changed |= replace(&mut out.cursor, self.emulator.cursor());
        changed |= replace(&mut out.ground, self.emulator.ground());
        changed |= replace(&mut out.modes, self.emulator.modes());
        changed |= replace(&mut out.display_offset, self.emulator.display_offset());
        changed |= replace(&mut out.history, self.emulator.history());
        changed |= replace(&mut out.dropped, self.emulator.dropped());
        out.revision = revision;
        changed
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
