//! From state to scene: rail, tabs, panes, overlays, status bar, hit testing.
//!
//! [`build`] takes shared references and gives a [`Frame`]: it changes nothing, reads no clock and
//! knows no font and no window. Text is measured by a table ([`measure`]), cells by metrics that
//! come in, so a frame is the same everywhere.
//!
//! Invariants:
//! - Equal arguments give equal frames.
//! - Everything is finite, and every hit region lies inside the window, however small that is.
//! - Hit regions come from what was drawn: what you click is what you saw.

mod canvas;
mod card;
mod cells;
mod clock;
mod contrast;
mod file_pane;
mod find_bar;
mod frame;
mod hit;
mod layout;
mod marks;
pub mod measure;
mod overlay;
mod panes;
mod preedit;
mod rail;
mod scroll_bar;
mod scroll_notes;
mod status_bar;
mod tabs;
mod terminal_frame;
mod terminal_frames;
mod terminal_pane;
mod theme;
mod toast;
mod welcome;
mod words;

pub use clock::{Activity, card_change, next_change, pulse};
pub use frame::{Frame, FrameInputs, HoveredLink, build};
pub use hit::{Hit, HitRegion, cell_at, hit, pane_at, position_at, tile_at};
pub use panes::{rooms, share_at};
pub use rail::{RailPointer, drop_place, rail_scrolled};
pub use terminal_frame::{CursorLook, TerminalFrame};
pub use terminal_frames::TerminalFrames;
pub use theme::{Palette, StatusColors, SyntaxColors, palette, reported_colors};

#[cfg(test)]
mod tests;
