//! What moves on a screen: new text, an animation, or a mere blink.
//!
//! Programs draw while they wait, too: a cursor of their own, a dot that comes and goes. A cell that
//! alternates between two values is such a blink. One that goes through more of them, be it glyphs,
//! digits or colours, is an animation, and animations are shown by programs that work. A clock that
//! tells the time of day is none, and what is drawn again as it was is nothing new.

mod time_of_day;

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use terminal::{CellChange, CellPoint, CellValue, ScreenLook, TerminalBuffer};

use self::time_of_day::TimeOfDay;

/// How long the past of a cell counts.
const PAST: Duration = Duration::from_secs(4);
/// How many of its values are remembered.
const VALUES: usize = 6;
/// Changes of one value into another after which a cell is known to blink or to go round.
const ENOUGH: usize = 3;
/// Cells whose past is remembered; where more change there is text, and it moves.
const MAX_CELLS: usize = 1024;
/// As many as are told of one look.
const MAX_ERASED: usize = 2048;
/// What is drawn again so soon was never gone.
const REDRAWN: Duration = Duration::from_secs(1);
/// A clock or a counter changes no more cells than this at a time.
const COUNTER: usize = 4;
/// Cells that change their colours together are a shimmer; fewer may be a cursor.
const SHIMMER: usize = 2;

/// What one look has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Motion {
    /// Cells with other text than before.
    pub text: usize,
    /// Cells that go through many values.
    pub animated: usize,
    /// Digits that became others.
    pub counting: usize,
    /// Cells that go back and forth.
    pub blinking: usize,
    /// Rows that left the screen.
    pub scrolled: u64,
    /// The lowest row in which something goes round or is counted up. A countdown does not go on: what
    /// is asked is asked until then.
    pub lowest_turning: Option<u16>,
    /// There is something on the screen.
    pub shows_something: bool,
    /// The program has the whole screen to itself.
    pub is_full_screen: bool,
}

/// Looks at one screen again and again.
#[derive(Debug, Default)]
pub(crate) struct MotionWatch {
    look: ScreenLook,
    past: BTreeMap<CellPoint, VecDeque<(Instant, CellValue)>>,
    /// Cells that are blank now, when they became so, and what they showed before.
    erased: BTreeMap<CellPoint, (Instant, CellValue)>,
    time_of_day: TimeOfDay,
    has_shown: bool,
    has_looked: bool,
}

enum Kind {
    Text,
    Animated,
    Counting,
    Blinking,
    Recoloured,
    Nothing,
}

impl MotionWatch {
    /// Looks now. `None` in the middle of an update. What the first look shows is new.
    pub(crate) fn look(&mut self, terminal: &TerminalBuffer, now: Instant) -> Option<Motion> {
        if !terminal.look(&mut self.look) {
            return None;
        }
        self.has_shown = self.has_shown || self.look.shows_something();
        let is_first = !std::mem::replace(&mut self.has_looked, true);
        if self.look.is_new() && !is_first {
            self.past.clear();
            self.erased.clear();
            return Some(self.stillness());
        }
        Some(self.classify(now))
    }

    /// What the screen says, as of the last look.
    pub(crate) fn screen(&self) -> &ScreenLook {
        &self.look
    }

    fn stillness(&self) -> Motion {
        Motion {
            shows_something: self.has_shown,
            is_full_screen: self.look.is_alternate(),
            ..Motion::default()
        }
    }

    fn classify(&mut self, now: Instant) -> Motion {
        let mut motion = Motion { scrolled: self.look.scrolled(), ..self.stillness() };
        let (look, time_of_day) = (&self.look, &mut self.time_of_day);
        let mut is_clock = |change: &CellChange| {
            let CellPoint { row, column } = change.at;
            time_of_day.is_told_at(look.cells(row.into()), column.into(), now)
        };
        let changes = look.changes().iter().filter(|change| !is_clock(change));
        let changes: Vec<CellChange> = changes.copied().collect();
        // A cell that changes again forgets by itself what is long past; others only take up room.
        if self.past.len() + changes.len() > MAX_CELLS {
            self.past.retain(|_, values| is_recent(values, now));
        }
        let mut recoloured = 0;
        for change in &changes {
            let is_back = self.is_back(change, now);
            let kind = kind(&mut self.past, change, changes.len(), now);
            if matches!(kind, Kind::Animated | Kind::Counting) && turns(change) {
                motion.lowest_turning = motion.lowest_turning.max(Some(change.at.row));
            }
            match kind {
                Kind::Text | Kind::Counting if is_back => {}
                Kind::Text => motion.text += 1,
                Kind::Animated => motion.animated += 1,
                Kind::Counting => motion.counting += 1,
                Kind::Blinking => motion.blinking += 1,
                Kind::Recoloured => recoloured += 1,
                Kind::Nothing => {}
            }
        }
        let only_colours =
            motion.text + motion.animated + motion.counting == 0 && motion.scrolled == 0;
        if only_colours && recoloured >= SHIMMER {
            motion.animated += recoloured;
        }
        motion
    }

    /// Whether a cell was erased a moment ago and is drawn again as it was.
    fn is_back(&mut self, change: &CellChange, now: Instant) -> bool {
        let CellChange { at, before, after } = *change;
        let erased = self.erased.remove(&at);
        if after.is_blank() {
            if self.erased.len() < MAX_ERASED {
                self.erased.insert(at, (now, before));
            }
            return false;
        }
        let is_recent = |at: Instant| now < at + REDRAWN;
        before.is_blank() && erased.is_some_and(|(at, value)| value == after && is_recent(at))
    }
}

fn kind(
    past: &mut BTreeMap<CellPoint, VecDeque<(Instant, CellValue)>>,
    change: &CellChange,
    changes: usize,
    now: Instant,
) -> Kind {
    let CellChange { at, before, after } = *change;
    if past.len() < MAX_CELLS || past.contains_key(&at) {
        let values = past.entry(at).or_default();
        if !is_recent(values, now) {
            values.clear();
        }
        if values.len() == VALUES {
            values.pop_front();
        }
        values.push_back((now, after));
        if values.len() >= ENOUGH {
            return if is_two_valued(values, before) { Kind::Blinking } else { Kind::Animated };
        }
    }
    if before.glyph == after.glyph {
        return Kind::Recoloured;
    }
    let is_spinner = is_braille(after.glyph) || (is_braille(before.glyph) && after.is_blank());
    let is_digit = after.glyph.is_ascii_digit();
    let was_digit = before.glyph.is_ascii_digit() || before.is_blank();
    if is_spinner {
        return Kind::Animated;
    }
    if is_digit && was_digit && changes <= COUNTER {
        return Kind::Counting;
    }
    if after.is_blank() { Kind::Nothing } else { Kind::Text }
}

/// Whether a cell that changes is more than a part of a number that becomes smaller or shorter.
fn turns(change: &CellChange) -> bool {
    let digit = |value: CellValue| value.glyph.to_digit(10);
    match (digit(change.before), digit(change.after)) {
        (Some(before), Some(after)) => (before + 1) % 10 == after,
        (None, None) => !change.after.is_blank(),
        _ => false,
    }
}

fn is_recent(values: &VecDeque<(Instant, CellValue)>, now: Instant) -> bool {
    values.back().is_some_and(|(at, _)| now < *at + PAST)
}

fn is_two_valued(values: &VecDeque<(Instant, CellValue)>, before: CellValue) -> bool {
    let other = values.iter().map(|(_, value)| *value).find(|value| *value != before);
    values.iter().all(|(_, value)| *value == before || Some(*value) == other)
}

fn is_braille(glyph: char) -> bool {
    matches!(glyph, '\u{2801}'..='\u{28ff}')
}

#[cfg(test)]
mod tests;
