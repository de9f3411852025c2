//! The shared handle to one terminal.
//!
//! One thread feeds it, another takes snapshots; neither holds its lock for longer than it takes to
//! parse a slice of output or to copy the rows that changed. It lives on after its program ended.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use crate::emulator::FairMutex;
use crate::screen::Screen;
use crate::{
    CellPoint, Contents, Fed, GridSize, Link, Modes, ReportedColors, ScreenLook, Scroll,
    ScrollbackBudget, SearchMatches, SelectionKind, Side, Snapshot, TopRight,
};

/// More lines of scrollback than this are not kept, whoever asks.
const MAX_SCROLLBACK_LINES: usize = 1_000_000;

#[derive(Debug, Clone)]
pub struct TerminalOptions {
    /// Lines kept above the screen; some more may be.
    pub scrollback_lines: usize,
    /// What those lines may take, in bytes.
    pub scrollback_bytes: usize,
    /// What those of all terminals together may take.
    pub budget: ScrollbackBudget,
    /// A program that clears the scrollback is not obeyed.
    pub keeps_history: bool,
    /// What this machine calls itself: directories on other machines are not taken for ours.
    pub host: String,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            scrollback_lines: 10_000,
            scrollback_bytes: 16 * 1024 * 1024,
            budget: ScrollbackBudget::default(),
            keeps_history: false,
            host: String::new(),
        }
    }
}

impl TerminalOptions {
    fn bounded(self) -> Self {
        let scrollback_lines = self.scrollback_lines.min(MAX_SCROLLBACK_LINES);
        Self { scrollback_lines, ..self }
    }
}

/// A terminal screen with its scrollback. Clones are the same terminal.
#[derive(Clone)]
pub struct TerminalBuffer(Arc<Shared>);

pub(crate) struct Shared {
    screen: FairMutex<Screen>,
    /// Raised under the lock, read without it.
    revision: AtomicU64,
    output_revision: AtomicU64,
    /// The size that was asked for last: columns in the upper half, rows in the lower.
    wanted_size: AtomicU32,
    /// The size that others have decided on, in the same way; 0 if nobody has.
    followed_size: AtomicU32,
}

impl TerminalBuffer {
    pub fn new(size: GridSize, options: TerminalOptions) -> Self {
        let options = options.bounded();
        let size = size.clamped();
        Self(Arc::new(Shared {
            screen: FairMutex::new(Screen::new(size, options)),
            revision: AtomicU64::new(1),
            output_revision: AtomicU64::new(0),
            wanted_size: AtomicU32::new(pack(size)),
            followed_size: AtomicU32::new(0),
        }))
    }

    /// Shows what a program wrote. Meant for one thread: that of its reader.
    ///
    /// The lock is given up after each slice of 16 KiB, so that a flood of output holds up nobody.
    pub fn feed(&self, bytes: &[u8]) -> Fed {
        let mut fed = Fed::default();
        self.feed_into(bytes, &mut fed);
        if !bytes.is_empty() {
            self.0.output_revision.fetch_add(1, Ordering::AcqRel);
        }
        fed
    }

    /// When an open synchronized update has lasted long enough: call [`Self::end_sync`] then. It has
    /// lasted since the first time that this was asked.
    pub fn sync_deadline(&self, now: Instant) -> Option<Instant> {
        self.0.screen.lock().sync_deadline(now)
    }

    /// Shows what a synchronized update held back.
    pub fn end_sync(&self) -> Fed {
        let mut fed = Fed::default();
        self.0.screen.lock().end_sync();
        self.feed_into(&[], &mut fed);
        self.0.output_revision.fetch_add(1, Ordering::AcqRel);
        fed
    }

    /// Changes whenever a snapshot would differ. Costs no lock.
    pub fn revision(&self) -> u64 {
        self.0.revision.load(Ordering::Acquire)
    }

    /// Changes whenever the program wrote something, and for no other reason. Costs no lock.
    pub fn output_revision(&self) -> u64 {
        self.0.output_revision.load(Ordering::Acquire)
    }

    /// The size that was asked for last. The screen may not have it yet, and a screen that follows its
    /// program's terminal may never. Costs no lock.
    pub fn size(&self) -> GridSize {
        unpack(self.0.wanted_size.load(Ordering::Acquire))
    }

    /// The size that the screen has, or is about to have. Costs no lock.
    pub fn screen_size(&self) -> GridSize {
        match self.0.followed_size.load(Ordering::Acquire) {
            0 => self.size(),
            followed => unpack(followed),
        }
    }

    /// Notes the nearest possible size as wanted. Returns whether that is news; if so, somebody who
    /// has the time must call [`Self::take_size`].
    #[must_use]
    pub fn want_size(&self, size: GridSize) -> bool {
        let size = pack(size.clamped());
        self.0.wanted_size.swap(size, Ordering::AcqRel) != size
    }

    /// From now on the screen has the size that its program's terminal has, whatever is wanted: others
    /// may show it who have less room. What is wanted holds again once that is given up by `None`.
    /// Somebody who has the time must call [`Self::take_size`]. Returns whether that is news.
    pub fn follow_size(&self, size: Option<GridSize>) -> bool {
        let size = size.map_or(0, |size| pack(size.clamped()));
        self.0.followed_size.swap(size, Ordering::AcqRel) != size
    }

    /// Gives the screen the size that is wanted, or that is followed, which is returned: rewraps the text
    /// and drops the selection. Takes milliseconds, so not for the thread that draws.
    pub fn take_size(&self) -> GridSize {
        let mut screen = self.0.screen.lock();
        // Looked at under the lock, so that of two who take it at once the later has the last word.
        let size = self.screen_size();
        if screen.size() != size {
            screen.resize(size);
            self.0.raise_revision();
        }
        size
    }

    /// Wants and takes a size at once.
    pub fn resize(&self, size: GridSize) {
        if self.want_size(size) {
            self.take_size();
        }
    }

    /// Copies what the screen shows now into `out`, reusing its memory.
    ///
    /// The screen is locked only while rows changed since the last call are copied, so the thread
    /// that feeds it is held up for microseconds, not for a frame. Any number of snapshots can be
    /// kept of one terminal.
    ///
    /// Returns whether anything changed. When nothing did, `out` need not be drawn again.
    #[must_use]
    pub fn snapshot_into(&self, out: &mut Snapshot) -> bool {
        let fresh = !self.is_source_of(out);
        if !fresh && out.revision == self.revision() {
            return false;
        }
        out.source = Arc::downgrade(&self.0);
        let mut screen = self.0.screen.lock();
        screen.copy_into(out, fresh, self.revision())
    }

    /// Whether the snapshot was copied from here last; versions of another terminal's rows say nothing.
    #[must_use]
    pub fn is_source_of(&self, snapshot: &Snapshot) -> bool {
        std::ptr::eq(snapshot.source.as_ptr(), Arc::as_ptr(&self.0))
    }

    /// Looks at the screen as its program has drawn it, wherever the view is, and notes in `look` what
    /// has changed since it was last looked at with that. The lock is held while the rows that changed
    /// are compared, for some microseconds.
    ///
    /// Returns whether there was anything to look at: half of a synchronized update is not.
    pub fn look(&self, look: &mut ScreenLook) -> bool {
        if !std::ptr::eq(look.source.as_ptr(), Arc::as_ptr(&self.0)) {
            *look = ScreenLook { source: Arc::downgrade(&self.0), ..ScreenLook::default() };
        }
        let mut screen = self.0.screen.lock();
        screen.look_into(look, self.revision())
    }

    /// What another terminal of that size must be fed to show the same and to go on from there. The
    /// lock is held for some tens of microseconds.
    ///
    /// `None` in the middle of a sequence or an update, where nobody could go on.
    pub fn repaint(&self) -> Option<(GridSize, Vec<u8>)> {
        let mut screen = self.0.screen.lock();
        Some((screen.size(), screen.repaint()?))
    }

    /// Moves the view through the scrollback. It then stays on its lines while output goes on.
    pub fn scroll(&self, scroll: Scroll) {
        self.change(|screen| screen.scroll(scroll));
    }

    /// Starts a selection at a cell of the view.
    ///
    /// It follows its text as output scrolls, and is dropped when the program clears or scrolls away
    /// a part of it, when the screen is switched, and when the terminal is resized.
    pub fn select(&self, kind: SelectionKind, at: CellPoint, side: Side) {
        self.change(|screen| screen.select(kind, at, side));
    }

    /// Moves the end of the selection, if there is one.
    pub fn extend_selection(&self, at: CellPoint, side: Side) {
        self.change(|screen| screen.extend_selection(at, side));
    }

    pub fn clear_selection(&self) {
        self.change(Screen::clear_selection);
    }

    /// Whether there is a selection to extend, be it one of no cells yet.
    pub fn has_selection(&self) -> bool {
        self.0.screen.lock().has_selection()
    }

    /// The selected text: lines that were only wrapped are joined, blanks at line ends left out.
    pub fn selection_text(&self) -> Option<String> {
        self.0.screen.lock().selection_text()
    }

    /// All lines as they are now, to be searched or saved on another thread. The lock is held for as
    /// long as it takes to copy the newest few hundred.
    pub fn contents(&self) -> Contents {
        self.0.screen.lock().contents()
    }

    /// Shows matches of a search in the view until told otherwise, one of them marked if it is given.
    /// The view stays where it is.
    pub fn highlight(&self, matches: SearchMatches, current: Option<usize>) {
        self.change(|screen| screen.highlight(Some((matches, current))));
    }

    pub fn clear_highlights(&self) {
        self.change(|screen| screen.highlight(None));
    }

    /// Goes to a match that is shown: marks it, and scrolls until it is in view and, as far as there are
    /// lines above, not under what covers the view.
    pub fn go_to_match(&self, index: usize, covered: TopRight) {
        self.change(|screen| screen.go_to_match(index, covered));
    }

    /// The first match that is below the top of the view, or the last above it.
    pub fn match_near_view(&self, upwards: bool) -> Option<usize> {
        self.0.screen.lock().match_near_view(upwards)
    }

    /// The link at a cell of the view.
    pub fn link_at(&self, at: CellPoint) -> Option<Link> {
        self.0.screen.lock().link_at(at)
    }

    /// Scrolls to the nearest prompt above or below the top of the view. Returns whether there is one.
    pub fn go_to_prompt(&self, upwards: bool) -> bool {
        self.change(|screen| screen.go_to_prompt(upwards))
    }

    /// How many lines it keeps above the screen, and how many bytes those may take.
    pub fn scrollback_limit(&self) -> (usize, usize) {
        let screen = self.0.screen.lock();
        (screen.options().scrollback_lines, screen.options().scrollback_bytes)
    }

    /// Keeps as many lines as that says from now on, and obeys programs that clear them or not. The
    /// rest of the options holds from the beginning.
    pub fn set_options(&self, options: &TerminalOptions) {
        let wanted = options.clone().bounded();
        self.change(|screen| {
            let old = screen.options();
            let (scrollback_lines, keeps_history) = (wanted.scrollback_lines, wanted.keeps_history);
            if (old.scrollback_lines, old.keeps_history) != (scrollback_lines, keeps_history) {
                screen.set_options(TerminalOptions {
                    scrollback_lines,
                    keeps_history,
                    ..old.clone()
                });
            }
        });
    }

    /// Forgets all that is above the line of the cursor.
    pub fn clear(&self) {
        self.change(Screen::clear);
    }

    /// Undoes whatever modes a program has left behind. Text stays.
    pub fn reset(&self) {
        self.change(Screen::reset);
    }

    pub fn modes(&self) -> Modes {
        self.0.screen.lock().emulator().modes()
    }

    /// The program's title, safe to show and at most 256 characters long.
    pub fn title(&self) -> Option<String> {
        self.0.screen.lock().emulator().title().map(str::to_owned)
    }

    /// The rows of the view, without blanks at their ends.
    pub fn visible_text(&self) -> Vec<String> {
        self.0.screen.lock().visible_text()
    }

    /// Starts a new session below what is there.
    ///
    /// Whatever state the last program left is reset: alternate screen, modes, colours, cursor,
    /// title. Its text is kept, in the scrollback and on the screen, above a dim `separator`.
    pub fn start_session(&self, separator: &str) {
        self.change(|screen| screen.start_session(separator));
    }

    /// Sets what colour queries are answered with.
    ///
    /// Returns what is to be written to a program that wants to hear of a change between light and
    /// dark.
    #[must_use]
    pub fn set_colors(&self, colors: ReportedColors) -> Option<Vec<u8>> {
        self.0.screen.lock().set_colors(colors)
    }

    /// Sets what queries for the size in pixels are answered with; 8 by 16 a cell until then.
    pub fn set_cell_pixels(&self, width: u16, height: u16) {
        self.0.screen.lock().answers().cell_pixels = (width, height);
    }

    /// The emulator panicked. The screen says so, and bytes are ignored until a session is started.
    pub fn crashed(&self) -> bool {
        self.0.screen.lock().is_crashed()
    }

    /// An estimate of what screen and scrollback take, in bytes.
    pub fn memory(&self) -> usize {
        self.0.screen.lock().emulator().memory()
    }

    fn feed_into(&self, mut rest: &[u8], fed: &mut Fed) {
        loop {
            let mut screen = self.0.screen.lock();
            if rest.is_empty() && !screen.is_behind() {
                return;
            }
            let (taken, changed) = screen.feed(rest, fed);
            if changed {
                self.0.raise_revision();
            }
            rest = &rest[taken..];
        }
    }

    fn change<R>(&self, change: impl FnOnce(&mut Screen) -> R) -> R {
        let mut screen = self.0.screen.lock();
        let result = change(&mut screen);
        self.0.raise_revision();
        result
    }
}

impl Shared {
    fn raise_revision(&self) {
        self.revision.fetch_add(1, Ordering::AcqRel);
    }
}

fn pack(size: GridSize) -> u32 {
    u32::from(size.columns) << 16 | u32::from(size.rows)
}

fn unpack(size: u32) -> GridSize {
    let half = |bits: u32| u16::try_from(bits & 0xffff).unwrap_or(u16::MAX);
    GridSize { columns: half(size >> 16), rows: half(size) }
}

impl fmt::Debug for TerminalBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerminalBuffer").field("revision", &self.revision).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
