//! What a person says a state should have been.

/// The states that can be told by looking at a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Starting,
    Running,
    NeedsInput,
    Stale,
    Exited,
}

impl Expected {
    pub const ALL: [Self; 5] =
        [Self::Running, Self::NeedsInput, Self::Starting, Self::Stale, Self::Exited];

    /// The word for it in JSON and on the command line, the same as that of the state.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::NeedsInput => "needs_input",
            Self::Stale => "stale",
            Self::Exited => "exited",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == word)
    }

    /// Whether the program was waiting for the person.
    pub fn is_wait(self) -> bool {
        match self {
            Self::NeedsInput | Self::Stale => true,
            Self::Starting | Self::Running | Self::Exited => false,
        }
    }
}
