//! What is kept on disk between runs: whom the user trusts, what was chosen last, how the window was left,
//! what was open in it, and text that is not saved.
//!
//! Each kind of thing is one small JSON file of the state folder, read and written whole. Unsaved text is
//! in files of its own, which grow while it is typed ([`journal`]).
//!
//! Invariants:
//! - A reader sees the old file or the new one, never a part: files are replaced by renaming.
//! - Files are the user's alone (0600), and no symbolic link in their place is followed.
//! - A file that cannot be understood is set aside as `NAME.bad-N`, not lost, and counts as empty.
//! - Two processes that change the same file do not undo each other's changes: a change is made
//!   under a lock, to what the file holds at that moment.

mod choices;
mod crc;
mod file;
pub mod journal;
mod look;
mod session;
mod trust;

pub use choices::{Choice, Choices};
pub use file::{Loaded, StoreError};
pub use look::Look;
pub use session::{
    Session, SessionAgent, SessionAxis, SessionDoing, SessionEnd, SessionPanes, SessionTab,
    SessionWorkspace,
};
pub use trust::{Fingerprint, Trust};
