//! One type of id per kind of thing, minted in order by whoever owns the collection.

use std::fmt;

/// Mints ids of one kind in order; they are never reused.
#[derive(Debug)]
pub(crate) struct Mint(u32);

impl Default for Mint {
    fn default() -> Self {
        Self(1)
    }
}

impl Mint {
    fn next(&mut self) -> u32 {
        let id = self.0;
        self.0 += 1;
        id
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            pub(crate) fn mint(mint: &mut Mint) -> Self {
                Self(mint.next())
            }

            pub fn number(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// Names an open folder for the life of the process.
    WorkspaceId
    /// Names a tab for the life of the process.
    TabId
    /// Names an open file for the life of the process.
    BufferId
    /// Names a place for tabs for the life of the process.
    PaneId
    /// Names a division of one pane into two.
    SplitId
    /// Names a terminal without an agent for the life of the process.
    TerminalId
}
