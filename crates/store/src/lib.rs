//! What is kept on disk between runs: whom the user trusts, what was chosen last, how the window was left.
//!
//! Each kind of thing is one small JSON file of the state folder, read and written whole.
//!
//! Invariants:
//! - A reader sees the old file or the new one, never a part: files are replaced by renaming.
//! - Files are the user's alone (0600), and no symbolic link in their place is followed.
//! - A file that cannot be understood is set aside as `NAME.bad-N`, not lost, and counts as empty.
//! - Two processes that change the same file do not undo each other's changes: a change is made
//!   under a lock, to what the file holds at that moment.

mod choices;
mod file;
mod look;
mod trust;

pub use choices::{Choice, Choices};
pub use file::{Loaded, StoreError};
pub use look::Look;
pub use trust::{Fingerprint, Trust};
