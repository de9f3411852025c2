//! The screen as its program has drawn it, for telling what has changed.

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell as GridCell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::Emulator;
use super::convert::PROMPT;
use crate::look::{CellValue, ScreenLook};

impl Emulator {
    /// Compares the rows whose stamps are not older than the last look. A row that was stamped by
    /// that look itself is among them, since what was drawn half then has no stamp of its own.
    pub(crate) fn look_into(&self, look: &mut ScreenLook, stamps: &[u64]) {
        let rows = u16::try_from(self.term.screen_lines()).unwrap_or(u16::MAX);
        let columns = u16::try_from(self.columns()).unwrap_or(u16::MAX);
        look.begin(crate::GridSize { columns, rows });
        // Stamps are of the rows in view.
        let compares_all = look.is_new || self.display_offset > 0;
        for row in 0..rows {
            let stamp = stamps.get(usize::from(row));
            if compares_all || stamp.is_none_or(|stamp| *stamp >= look.revision) {
                let cells = self.live(row.into());
                let is_wrapped = cells.last().is_some_and(|it| it.flags.contains(Flags::WRAPLINE));
                look.take_row(row, is_wrapped, cells.iter().map(value));
            }
        }
        look.take_printed(&self.own.printed);
        // What a program clears to draw it again has not made room for anything.
        let pushed = self.pushed().wrapping_sub(self.own.erased);
        let scrolled = pushed.wrapping_sub(look.pushed.unwrap_or(pushed));
        // The history may have been cleared meanwhile.
        look.scrolled = if scrolled > u64::MAX / 2 { 0 } else { scrolled };
        look.pushed = Some(pushed);
        look.cursor = Some(self.screen_cursor());
        look.is_cursor_shown = self.term.mode().contains(TermMode::SHOW_CURSOR);
        look.is_alternate = self.is_alternate();
    }
}

#[inline]
fn value(cell: &GridCell) -> CellValue {
    // The right half of a wide character has no text of its own.
    let is_spacer = cell.flags.contains(Flags::WIDE_CHAR_SPACER);
    let glyph = if is_spacer { '\0' } else { cell.c };
    if cell.fg == Color::Named(NamedColor::Foreground)
        && cell.bg == Color::Named(NamedColor::Background)
        && cell.flags.is_empty()
    {
        return CellValue { glyph, style: 0 };
    }
    let flags = u32::from(cell.flags.difference(PROMPT | Flags::WRAPLINE).bits());
    let mixed = color(cell.fg).rotate_left(11) ^ color(cell.bg) ^ flags.wrapping_mul(0x9e37_79b1);
    let folded = (mixed ^ (mixed >> 16)) & 0xffff;
    // Zero is for cells that have no colours at all.
    CellValue { glyph, style: ground(cell) << 16 | folded | 1 }
}

/// Sixteen bits for the background as it is drawn; zero where that is the screen's own.
#[inline]
fn ground(cell: &GridCell) -> u32 {
    let drawn = if cell.flags.contains(Flags::INVERSE) { cell.fg } else { cell.bg };
    if drawn == Color::Named(NamedColor::Background) { 0 } else { (color(drawn) >> 16) | 1 }
}

/// A number for a colour; two colours hardly ever have the same.
#[inline]
fn color(color: Color) -> u32 {
    match color {
        Color::Named(named) => 0x0100_0000 | named as u32,
        Color::Indexed(index) => 0x0200_0000 | u32::from(index),
        Color::Spec(rgb) => u32::from_be_bytes([3, rgb.r, rgb.g, rgb.b]),
    }
    .wrapping_mul(0x85eb_ca6b)
}
