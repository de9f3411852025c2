//! One terminal screen, and the encoding of keys, mouse and paste for it.
//!
//! Bytes of a program go into a [`TerminalBuffer`]; [`Snapshot`]s of what it shows come out. Nothing
//! here starts a program, reads a clock or draws. The emulator itself is somebody else's and is
//! named in `emulator` only.

mod buffer;
mod cell;
mod colors;
#[cfg(feature = "conformance")]
pub mod conformance;
mod emulator;
mod history;
mod keys;
mod links;
mod look;
mod mouse;
mod paste;
mod percent;
mod scan;
mod screen;
mod search;
mod selection;
mod signal;
mod size;
mod snapshot;
mod title;

pub use buffer::{TerminalBuffer, TerminalOptions};
pub use cell::{Attributes, Cell, CellColor};
pub use colors::{ReportedColors, Rgb};
pub use history::ScrollbackBudget;
pub use keys::{
    Key, KeyKind, KeyOptions, KeyPress, KeypadKey, MediaKey, ModifierKey, Modifiers, NamedKey,
    encode_composed, encode_key,
};
pub use links::{Link, LinkTarget};
pub use look::{CellChange, CellValue, ScreenLook};
pub use mouse::{MouseButton, MouseInput, MouseKind, encode_mouse};
pub use paste::{Paste, paste_needs_confirmation};
pub use percent::percent_decoded;
pub use search::{BadPattern, Contents, Pattern, SearchMatch, SearchMatches, SearchQuery};
pub use selection::{SelectionKind, Side};
pub use signal::{
    BlockedOn, ClipboardTarget, Fed, ProgramState, ProgramStatus, Progress, ProgressState,
    PromptMark, TerminalSignal,
};
pub use size::{CellPoint, GridSize, Scroll, TopRight};
pub use snapshot::{Cursor, CursorShape, MatchSpan, Modes, Snapshot, SnapshotRow};
pub use title::is_invisible;
