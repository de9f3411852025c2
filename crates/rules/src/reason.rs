//! What a person is waited for.

/// What the user is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Permission,
    Question,
    Confirmation,
    Password,
    FirstRun,
    Error,
    TurnDone,
    /// Nothing better is known than that the program went quiet.
    Silence,
    GaveUp,
}

impl Reason {
    /// Those that a title or a screen can tell.
    pub const SEEN: [Self; 7] = [
        Self::Permission,
        Self::Question,
        Self::Confirmation,
        Self::Password,
        Self::FirstRun,
        Self::Error,
        Self::TurnDone,
    ];

    /// The word for it in JSON, in settings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Question => "question",
            Self::Confirmation => "confirmation",
            Self::Password => "password",
            Self::FirstRun => "first_run",
            Self::Error => "error",
            Self::TurnDone => "turn_done",
            Self::Silence => "silence",
            Self::GaveUp => "gave_up",
        }
    }

    /// The one that has that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = Self::SEEN.into_iter().chain([Self::Silence, Self::GaveUp]);
        all.into_iter().find(|reason| reason.name() == name)
    }

    /// What an agent does that waits for it, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Permission => "asks for permission",
            Self::Question => "asks a question",
            Self::Confirmation => "asks to confirm",
            Self::Password => "asks for a password",
            Self::FirstRun => "asks at its first start",
            Self::Error => "stopped at an error",
            Self::TurnDone => "your turn",
            Self::Silence => "waiting",
            Self::GaveUp => "gave up",
        }
    }
}
