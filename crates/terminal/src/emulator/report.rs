//! What the emulator's state is, in the words of a program that asks.

use std::fmt::Write as _;

use alacritty_terminal::grid::Dimensions as _;
use alacritty_terminal::index::{Column, Point};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Term, TermMode};
use alacritty_terminal::vte::ansi::{Color, CursorShape, NamedColor, Rgb};

use super::outbox::Outbox;
use super::{Emulator, signed};
use crate::CellPoint;

const SGR: [(Flags, &str); 11] = [
    (Flags::BOLD, "1"),
    (Flags::DIM, "2"),
    (Flags::ITALIC, "3"),
    (Flags::UNDERLINE, "4"),
    (Flags::DOUBLE_UNDERLINE, "4:2"),
    (Flags::UNDERCURL, "4:3"),
    (Flags::DOTTED_UNDERLINE, "4:4"),
    (Flags::DASHED_UNDERLINE, "4:5"),
    (Flags::INVERSE, "7"),
    (Flags::HIDDEN, "8"),
    (Flags::STRIKEOUT, "9"),
];

/// Where the cursor is, as a program counts: in origin mode from the first row that scrolls.
pub(super) fn reported_cursor(term: &Term<Outbox>, margins: Option<(usize, usize)>) -> CellPoint {
    let Point { line, column: Column(column) } = term.grid().cursor.point;
    let is_relative = term.mode().contains(TermMode::ORIGIN);
    let top = margins.filter(|_| is_relative).map_or(0, |(top, _)| top - 1);
    CellPoint {
        row: u16::try_from(line.0.saturating_sub(signed(top))).unwrap_or(0),
        column: u16::try_from(column).unwrap_or(u16::MAX),
    }
}

impl Emulator {
    /// Where the cursor is, as a program counts.
    pub(crate) fn cursor_point(&self) -> CellPoint {
        reported_cursor(&self.term, self.own.margins)
    }

    /// Where it is on the screen.
    pub(super) fn screen_cursor(&self) -> CellPoint {
        let Point { line, column: Column(column) } = self.term.grid().cursor.point;
        CellPoint {
            row: u16::try_from(line.0).unwrap_or(0),
            column: u16::try_from(column).unwrap_or(u16::MAX),
        }
    }

    /// As DECSCUSR counts them: 1 to 6.
    pub(crate) fn cursor_style_number(&self) -> u8 {
        let style = self.term.cursor_style();
        let steady = match style.shape {
            CursorShape::Underline => 4,
            CursorShape::Beam => 6,
            CursorShape::Block | CursorShape::HollowBlock | CursorShape::Hidden => 2,
        };
        if style.blinking { steady - 1 } else { steady }
    }

    /// First and last row that scroll, from 1.
    pub(crate) fn margins(&self) -> (u16, u16) {
        let (top, bottom) = self.own.margins.unwrap_or((1, self.term.screen_lines()));
        let narrow = |row| u16::try_from(row).unwrap_or(u16::MAX);
        (narrow(top), narrow(bottom))
    }

    /// The parameters of an SGR sequence that sets what the next character will look like.
    pub(crate) fn attributes_report(&self) -> String {
        sgr(&self.term.grid().cursor.template)
    }
}

/// The parameters of an SGR sequence that makes characters look as that cell does.
pub(super) fn sgr(cell: &Cell) -> String {
    let mut report = String::from("0");
    for (_, number) in SGR.iter().filter(|(flag, _)| cell.flags.contains(*flag)) {
        report.push(';');
        report.push_str(number);
    }
    push_color(cell.fg, 30, &mut report);
    push_color(cell.bg, 40, &mut report);
    report
}

/// `base` is 30 for the foreground and 40 for the background.
fn push_color(color: Color, base: u8, report: &mut String) {
    // Writing to a string cannot fail.
    let _written = match color {
        Color::Spec(Rgb { r, g, b }) => write!(report, ";{}:2::{r}:{g}:{b}", base + 8),
        Color::Indexed(index) => write!(report, ";{}:5:{index}", base + 8),
        Color::Named(name) if (name as usize) < 8 => {
            write!(report, ";{}", base as usize + name as usize)
        }
        Color::Named(name) if (name as usize) <= NamedColor::BrightWhite as usize => {
            write!(report, ";{}", base as usize + 52 + name as usize)
        }
        Color::Named(_) => Ok(()),
    };
}
