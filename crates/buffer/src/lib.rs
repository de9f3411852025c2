//! The text of one file: rope, change sets, undo, selection, and what the disk says.
//!
//! A [`Document`] is a value. It never reads a file, a clock or a setting; what is read and written
//! is bytes, and they come back exactly as they went in but for the edits.
//!
//! Invariants:
//! - Every edit is a [`ChangeSet`]; undoing is applying its inverse, so undoing everything gives the
//!   original bytes back.
//! - The cursor stands between graphemes, never inside one; `\r\n` is one grapheme.
//! - Only `\n` ends a line (with the `\r` before it, if there is one), so line numbers agree with
//!   compilers, git and grep. A lone `\r` is shown, kept and can be deleted.

mod change;
mod disk;
mod display;
mod document;
mod edit;
mod grapheme;
mod history;
mod motion;
mod selection;
mod snapshot;
mod text;

#[cfg(test)]
mod fixture;

pub use change::{Bias, ChangeMismatch, ChangeSet};
pub use disk::{DecodeError, DiskStamp};
pub use display::VisibleLine;
pub use document::Document;
pub use motion::{Extend, Motion};
pub use selection::{Position, Selection};
pub use snapshot::{Splice, TextSnapshot};
