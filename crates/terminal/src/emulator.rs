//! The emulator we build on, behind our own types: the only file that names it.
//!
//! Lines are counted as the emulator does: 0 is the top of the screen, history is negative. All
//! methods may panic if the emulator is wrong about itself; [`crate::screen`] catches that.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::{Dimensions, Scroll as GridScroll};
use alacritty_terminal::index::{Column, Line, Point, Side};
use alacritty_terminal::selection::{Selection as Tracker, SelectionType};
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::term::{ClipboardType, Config, Osc52, Term, TermDamage, TermMode};
use alacritty_terminal::vte::ansi::{
    Color, CursorShape as GridCursorShape, NamedColor, Processor, Rgb as GridRgb,
};

pub(crate) use alacritty_terminal::sync::FairMutex;

use crate::screen::Answers;
use crate::{
    Attributes, Cell, CellColor, CellPoint, ClipboardTarget, Cursor, CursorShape, Fed, GridSize,
    Modes, Rgb, Scroll, TerminalSignal, title,
};

/// Combining marks kept on one cell.
const MAX_MARKS: usize = 8;

/// Events kept from one slice of output. Whoever asks more is not waiting for the answers.
const MAX_EVENTS: usize = 16 * 1024;

/// The emulator makes room for history in steps of so many lines.
const HISTORY_STEP: usize = 1000;

/// Undoes what a program that was killed left behind: alternate screen, modes, scroll region, keypad,
/// attributes, cursor style, character sets, colours, hyperlink and title.
const RESET: &[u8] = b"\x1b[?1049l\x1b[?1;6;12;1000;1002;1003;1004;1005;1006;2004l\
    \x1b[?7;25;1007h\x1b[4;20l\x1b[r\x1b>\x1b[0m\x1b[0 q\x1b(B\x1b)B\x1b*B\x1b+B\x0f\
    \x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07\x1b]8;;\x07\x1b]2;\x07\x1b[3g";

pub(crate) struct Emulator {
    term: Term<Outbox>,
    processor: Processor,
    outbox: Outbox,
    title: Option<String>,
}

/// Where the emulator puts what it has to say, until the slice is parsed.
#[derive(Clone, Default)]
struct Outbox(Arc<Mutex<Vec<Event>>>);

impl EventListener for Outbox {
    fn send_event(&self, event: Event) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() < MAX_EVENTS {
            events.push(event);
        }
    }
}

impl Dimensions for GridSize {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        self.rows.into()
    }

    fn columns(&self) -> usize {
        self.columns.into()
    }
}

impl Emulator {
    pub(crate) fn new(size: GridSize, scrollback_lines: usize) -> Self {
        let config = Config {
            scrolling_history: scrollback_lines,
            kitty_keyboard: false,
            osc52: Osc52::OnlyCopy,
            ..Config::default()
        };
        let outbox = Outbox::default();
        let term = Term::new(config, &size, outbox.clone());
        Self { term, processor: Processor::new(), outbox, title: None }
    }

    /// Parses `bytes`. Returns false when the screen cannot have changed, because all of them are
    /// held back by an open synchronized update.
    pub(crate) fn advance(&mut self, bytes: &[u8]) -> bool {
        let held = self.processor.sync_bytes_count();
        let was_open = self.is_sync_open();
        self.processor.advance(&mut self.term, bytes);
        self.trim_marks();
        !(was_open && self.processor.sync_bytes_count() == held + bytes.len())
    }

    pub(crate) fn is_sync_open(&self) -> bool {
        self.sync_deadline().is_some()
    }

    pub(crate) fn sync_deadline(&self) -> Option<Instant> {
        self.processor.sync_timeout().sync_timeout()
    }

    pub(crate) fn end_sync(&mut self) {
        self.processor.stop_sync(&mut self.term);
    }

    /// Moves what the emulator had to say since the last call into `fed`, in order.
    pub(crate) fn drain(&mut self, answers: &Answers, fed: &mut Fed) {
        let events =
            std::mem::take(&mut *self.outbox.0.lock().unwrap_or_else(PoisonError::into_inner));
        for event in events {
            match event {
                Event::PtyWrite(reply) => fed.reply(&reply),
                Event::ColorRequest(index, format) => {
                    if let Some(color) = self.color(index, answers) {
                        fed.reply(&format(GridRgb { r: color.r, g: color.g, b: color.b }));
                    }
                }
                // Not by the formatter that comes with it: that one overflows on large sizes.
                Event::TextAreaSizeRequest(_) => fed.reply(&self.text_area_report(answers)),
                Event::Title(text) => self.set_title(&text, fed),
                Event::ResetTitle => self.set_title("", fed),
                Event::Bell => fed.signal(TerminalSignal::Bell),
                Event::ClipboardStore(ClipboardType::Clipboard, text) => {
                    let target = ClipboardTarget::Clipboard;
                    fed.signal(TerminalSignal::ClipboardStore { target, text });
                }
                // The clipboard is never read out to a program; the rest is for other embedders.
                Event::ClipboardStore(ClipboardType::Selection, _)
                | Event::ClipboardLoad(..)
                | Event::MouseCursorDirty
                | Event::CursorBlinkingChange
                | Event::Wakeup
                | Event::Exit
                | Event::ChildExit(_) => {}
            }
        }
    }

    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(crate) fn resize(&mut self, size: GridSize) {
        self.term.selection = None;
        self.term.resize(size);
    }

    pub(crate) fn scroll(&mut self, scroll: Scroll) {
        self.term.scroll_display(match scroll {
            // Far beyond any history, but not so far that the emulator overflows.
            Scroll::Lines(lines) => GridScroll::Delta(lines.clamp(-1_000_000, 1_000_000)),
            Scroll::PageUp => GridScroll::PageUp,
            Scroll::PageDown => GridScroll::PageDown,
            Scroll::Top => GridScroll::Top,
            Scroll::Bottom => GridScroll::Bottom,
        });
    }

    /// Ends what the last program was doing and writes `separator` below all it has shown.
    pub(crate) fn start_session(&mut self, separator: &str) {
        self.end_sync();
        // The escape it begins with also abandons a sequence that was cut short.
        self.advance(RESET);
        let mut bytes = Vec::new();
        for column in (1..=self.columns()).step_by(8) {
            bytes.extend_from_slice(format!("\x1b[{column}G\x1bH").as_bytes());
        }
        let last_used = (0..=self.last_line()).rev().find(|line| !self.is_blank(*line));
        let below = last_used.map_or_else(String::new, |line| format!("\x1b[{};1H\r\n", line + 1));
        bytes.extend_from_slice(
            format!("\x1b[H{below}\x1b[2m{separator}\x1b[m\r\n\x1b7").as_bytes(),
        );
        self.advance(&bytes);
        self.scroll(Scroll::Bottom);
        self.title = None;
    }

    pub(crate) fn columns(&self) -> usize {
        self.term.columns()
    }

    pub(crate) fn history(&self) -> usize {
        self.term.history_size()
    }

    pub(crate) fn display_offset(&self) -> usize {
        self.term.grid().display_offset()
    }

    pub(crate) fn first_line(&self) -> i32 {
        self.term.topmost_line().0
    }

    pub(crate) fn last_line(&self) -> i32 {
        self.term.bottommost_line().0
    }

    /// The line that is shown in `row` of the screen.
    pub(crate) fn line_at(&self, row: usize) -> i32 {
        signed(row) - signed(self.display_offset())
    }

    pub(crate) fn modes(&self) -> Modes {
        let mode = self.term.mode();
        MODES.iter().filter(|(theirs, _)| mode.contains(*theirs)).map(|(_, ours)| *ours).collect()
    }

    pub(crate) fn cursor(&self) -> Option<Cursor> {
        let style = self.term.cursor_style();
        let shape = match style.shape {
            _ if !self.term.mode().contains(TermMode::SHOW_CURSOR) => return None,
            GridCursorShape::Block => CursorShape::Block,
            GridCursorShape::Underline => CursorShape::Underline,
            GridCursorShape::Beam => CursorShape::Beam,
            GridCursorShape::HollowBlock => CursorShape::Hollow,
            GridCursorShape::Hidden => return None,
        };
        let Point { line, column: Column(column) } = self.term.grid().cursor.point;
        let row = line.0 + signed(self.display_offset());
        if row > self.last_line() {
            return None;
        }
        let column = column.saturating_sub(usize::from(self.is_wide_spacer(line.0, column)));
        let at = CellPoint { row: u16::try_from(row).ok()?, column: u16::try_from(column).ok()? };
        Some(Cursor { at, shape, blinking: style.blinking })
    }

    /// Writes `stamp` for each row of the screen that changed since the last call.
    pub(crate) fn take_damage(&mut self, stamps: &mut [u64], stamp: u64) {
        match self.term.damage() {
            TermDamage::Full => stamps.fill(stamp),
            TermDamage::Partial(lines) => {
                for line in lines {
                    if let Some(slot) = stamps.get_mut(line.line) {
                        *slot = stamp;
                    }
                }
            }
        }
        self.term.reset_damage();
    }

    /// Copies a line into `cells`, reusing them. Returns whether any of them changed.
    pub(crate) fn copy_line(&self, line: i32, cells: &mut Vec<Cell>) -> bool {
        let row = self.cells(line);
        let colors = self.term.colors();
        let mut changed = cells.len() != row.len();
        cells.resize_with(row.len(), Cell::default);
        for (theirs, ours) in row.iter().zip(cells) {
            let cell = convert_cell(theirs, colors);
            if cell != *ours {
                *ours = cell;
                changed = true;
            }
        }
        changed
    }

    /// Whether the text of `line` goes on in the next one.
    pub(crate) fn is_wrapped(&self, line: i32) -> bool {
        self.cells(line).last().is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE))
    }

    pub(crate) fn glyph(&self, line: i32, column: usize) -> char {
        self.cells(line)[column].c
    }

    /// Whether the cell is the right half of a wide character.
    pub(crate) fn is_wide_spacer(&self, line: i32, column: usize) -> bool {
        self.cells(line)[column].flags.contains(Flags::WIDE_CHAR_SPACER)
    }

    /// Whether the cell holds no text of its own, for the sake of a wide character beside it or at
    /// the start of the next line.
    pub(crate) fn is_spacer(&self, line: i32, column: usize) -> bool {
        self.cells(line)[column].flags.intersects(SPACERS)
    }

    /// Adds the text of some columns. Blanks that end a line are left out, tabs are kept.
    pub(crate) fn push_text(&self, line: i32, columns: Range<usize>, text: &mut String) {
        let cells = self.cells(line);
        let used = if self.is_wrapped(line) {
            cells.len()
        } else {
            cells.iter().rposition(|cell| !is_blank_text(cell)).map_or(0, |last| last + 1)
        };
        let mut fills_tab = false;
        let end = columns.end.min(used);
        for (column, cell) in cells.iter().enumerate().take(end).skip(columns.start) {
            if cell.flags.intersects(SPACERS) || (fills_tab && cell.c == ' ' && column % 8 != 0) {
                continue;
            }
            fills_tab = cell.c == '\t';
            text.push(cell.c);
            text.extend(marks(cell));
        }
    }

    /// Remembers these lines, so that [`Self::tracked`] tells where they are after more output.
    pub(crate) fn track(&mut self, (top, bottom): (i32, i32)) {
        // A block from edge to edge: the emulator moves its lines and leaves its columns alone.
        let start = Point::new(Line(top), Column(0));
        let mut tracker = Tracker::new(SelectionType::Block, start, Side::Left);
        tracker.update(Point::new(Line(bottom), self.term.last_column()), Side::Right);
        self.term.selection = Some(tracker);
    }

    /// The first and last of the lines given to [`Self::track`]; `None` once they were cleared.
    pub(crate) fn tracked(&self) -> Option<(i32, i32)> {
        let range = self.term.selection.as_ref()?.to_range(&self.term)?;
        Some((range.start.line.0, range.end.line.0))
    }

    pub(crate) fn untrack(&mut self) {
        self.term.selection = None;
    }

    /// An estimate, in bytes: marks, links and underline colours are not counted.
    pub(crate) fn memory(&self) -> usize {
        let screens = 2 * self.term.screen_lines();
        let history = self.history().div_ceil(HISTORY_STEP) * HISTORY_STEP;
        let row = size_of::<Vec<GridCell>>() + self.columns() * size_of::<GridCell>();
        (screens + history) * row + self.processor.sync_bytes_count()
    }

    fn cells(&self, line: i32) -> &[GridCell] {
        &self.term.grid()[Line(line)][..]
    }

    fn is_blank(&self, line: i32) -> bool {
        self.cells(line).iter().all(|cell| *cell == GridCell::default())
    }

    fn set_title(&mut self, text: &str, fed: &mut Fed) {
        let text = title::sanitise(text);
        self.title = (!text.is_empty()).then(|| text.clone());
        fed.signal(TerminalSignal::Title(text));
    }

    fn color(&self, index: usize, answers: &Answers) -> Option<Rgb> {
        let overridden = (index < alacritty_terminal::term::color::COUNT)
            .then(|| self.term.colors()[index])
            .flatten();
        if let Some(GridRgb { r, g, b }) = overridden {
            return Some(Rgb::new(r, g, b));
        }
        match index {
            FOREGROUND => Some(answers.colors.foreground),
            BACKGROUND => Some(answers.colors.background),
            CURSOR => Some(answers.colors.cursor),
            _ => u8::try_from(index).ok().map(|index| answers.colors.palette(index)),
        }
    }

    fn text_area_report(&self, answers: &Answers) -> String {
        let (cell_width, cell_height) = answers.cell_pixels;
        let height = self.term.screen_lines() * usize::from(cell_height);
        let width = self.columns() * usize::from(cell_width);
        format!("\x1b[4;{height};{width}t")
    }

    /// Cuts the marks of the cell that was written last: the emulator would pile them up for ever.
    fn trim_marks(&mut self) {
        let Point { line, column: Column(column) } = self.term.grid().cursor.point;
        for column in (column.saturating_sub(2)..=column).map(Column) {
            let cell = &self.term.grid()[line][column];
            if cell.zerowidth().is_none_or(|marks| marks.len() <= MAX_MARKS) {
                continue;
            }
            let kept: Vec<char> = marks(cell).collect();
            let (underline_color, hyperlink) = (cell.underline_color(), cell.hyperlink());
            let cell = &mut self.term.grid_mut()[line][column];
            cell.extra = None;
            cell.set_underline_color(underline_color);
            cell.set_hyperlink(hyperlink);
            kept.into_iter().for_each(|mark| cell.push_zerowidth(mark));
        }
    }
}

const SPACERS: Flags = Flags::WIDE_CHAR_SPACER.union(Flags::LEADING_WIDE_CHAR_SPACER);

const FOREGROUND: usize = NamedColor::Foreground as usize;
const BACKGROUND: usize = NamedColor::Background as usize;
const CURSOR: usize = NamedColor::Cursor as usize;

const MODES: [(TermMode, Modes); 12] = [
    (TermMode::APP_CURSOR, Modes::APP_CURSOR),
    (TermMode::APP_KEYPAD, Modes::APP_KEYPAD),
    (TermMode::BRACKETED_PASTE, Modes::BRACKETED_PASTE),
    (TermMode::MOUSE_REPORT_CLICK, Modes::MOUSE_CLICK),
    (TermMode::MOUSE_DRAG, Modes::MOUSE_DRAG),
    (TermMode::MOUSE_MOTION, Modes::MOUSE_MOTION),
    (TermMode::SGR_MOUSE, Modes::SGR_MOUSE),
    (TermMode::UTF8_MOUSE, Modes::UTF8_MOUSE),
    (TermMode::FOCUS_IN_OUT, Modes::FOCUS),
    (TermMode::ALT_SCREEN, Modes::ALT_SCREEN),
    (TermMode::ALTERNATE_SCROLL, Modes::ALTERNATE_SCROLL),
    (TermMode::LINE_FEED_NEW_LINE, Modes::NEW_LINE),
];

const ATTRIBUTES: [(Flags, Attributes); 13] = [
    (Flags::BOLD, Attributes::BOLD),
    (Flags::DIM, Attributes::DIM),
    (Flags::ITALIC, Attributes::ITALIC),
    (Flags::INVERSE, Attributes::INVERSE),
    (Flags::HIDDEN, Attributes::HIDDEN),
    (Flags::STRIKEOUT, Attributes::STRIKEOUT),
    (Flags::UNDERLINE, Attributes::UNDERLINE),
    (Flags::DOUBLE_UNDERLINE, Attributes::DOUBLE_UNDERLINE),
    (Flags::UNDERCURL, Attributes::CURLY_UNDERLINE),
    (Flags::DOTTED_UNDERLINE, Attributes::DOTTED_UNDERLINE),
    (Flags::DASHED_UNDERLINE, Attributes::DASHED_UNDERLINE),
    (Flags::WIDE_CHAR, Attributes::WIDE),
    (Flags::WIDE_CHAR_SPACER, Attributes::WIDE_SPACER),
];

fn convert_cell(cell: &GridCell, colors: &Colors) -> Cell {
    Cell {
        // The emulator keeps a tab as a character, so that it can be copied.
        glyph: if cell.c == '\t' { ' ' } else { cell.c },
        marks: cell.extra.as_ref().and_then(|_| {
            let marks: String = marks(cell).collect();
            (!marks.is_empty()).then(|| marks.into_boxed_str())
        }),
        foreground: convert_color(cell.fg, colors),
        background: convert_color(cell.bg, colors),
        underline_color: cell.underline_color().map(|color| convert_color(color, colors)),
        attributes: convert_flags(cell.flags),
    }
}

fn convert_flags(flags: Flags) -> Attributes {
    if flags.is_empty() {
        return Attributes::empty();
    }
    ATTRIBUTES.iter().filter(|(theirs, _)| flags.contains(*theirs)).map(|(_, ours)| *ours).collect()
}

fn convert_color(color: Color, colors: &Colors) -> CellColor {
    let index = match color {
        Color::Spec(GridRgb { r, g, b }) => return CellColor::Rgb(r, g, b),
        Color::Indexed(index) => usize::from(index),
        Color::Named(name) => name as usize,
    };
    if let Some(GridRgb { r, g, b }) = colors[index] {
        return CellColor::Rgb(r, g, b);
    }
    // Above the palette are the theme's own colours; programs cannot ask for the dim ones.
    u8::try_from(index).map_or(CellColor::Default, CellColor::Indexed)
}

fn marks(cell: &GridCell) -> impl Iterator<Item = char> {
    cell.zerowidth().unwrap_or_default().iter().copied().take(MAX_MARKS)
}

fn is_blank_text(cell: &GridCell) -> bool {
    matches!(cell.c, ' ' | '\t') && marks(cell).next().is_none()
}

/// Line numbers are far below this: a terminal has at most some hundred thousand lines.
fn signed(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;
