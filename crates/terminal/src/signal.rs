//! What a program says beside what it draws.

use std::mem::discriminant;
use std::path::PathBuf;

/// The longest text a program may put into the clipboard.
pub(crate) const MAX_CLIPBOARD: usize = 100 * 1024;

/// The most bytes of answers that one feed may produce. A program that asks more than that reads
/// none of it.
const MAX_REPLIES: usize = 64 * 1024;

/// The most notifications that may wait to be heard, and so for each kind whose order matters.
const MAX_IN_ORDER: usize = 32;

/// Something a program wants the window to know. All texts are made safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalSignal {
    /// Empty when the program took its title back.
    Title(String),
    Bell,
    /// Text for a clipboard (OSC 52), as it came. Whether it gets there is the caller's policy.
    ClipboardStore {
        target: ClipboardTarget,
        text: String,
    },
    /// A text for a clipboard that is too long for it.
    ClipboardTooLarge(ClipboardTarget),
    /// Where the program says it is: an absolute path on this machine, not looked at.
    Directory(PathBuf),
    /// Something the person should read (OSC 9, 99, 777).
    Notification {
        title: Option<String>,
        body: String,
    },
    Progress(Progress),
    /// The program wants pastes to be bracketed, again perhaps, or no longer.
    BracketedPaste(bool),
    Prompt(PromptMark),
    Status(ProgramStatus),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipboardTarget {
    Clipboard,
    /// What was selected last; pasted with the middle button.
    Primary,
}

/// How far a program has come (OSC 9;4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub state: ProgressState,
    /// At most 100; `None` where there is none to tell.
    pub percent: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressState {
    /// There is no progress to show any more.
    Removed,
    Normal,
    Error,
    Indeterminate,
    Paused,
}

/// What begins or ends at the cursor, by a shell that says so (OSC 133).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptMark {
    Start,
    /// What the person types follows.
    Input,
    /// The command's output follows.
    Output,
    End {
        exit_code: Option<i32>,
    },
}

/// What a program says it is doing (OSC 7501). It replaces what was said before of the same record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramStatus {
    pub state: ProgramState,
    /// The record this is about, a path such as `worker/2`; `None` is the program as a whole.
    pub id: Option<String>,
    /// What the program calls itself.
    pub app: Option<String>,
    pub title: Option<String>,
    pub message: Option<String>,
    /// At most 100.
    pub progress: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramState {
    /// Waits for the next instruction.
    Idle,
    Working,
    /// Has finished something that nobody has seen yet.
    Done,
    /// Cannot go on before the person acts.
    Blocked(BlockedOn),
    /// Failed and stopped.
    Error,
    /// The record is gone, and all records below it.
    Cleared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockedOn {
    Permission,
    Question,
    /// A login or a key.
    Auth,
    Other,
}

/// What came of feeding bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fed {
    /// Answers to the program's queries, to be written to it in this order.
    pub replies: Vec<u8>,
    /// The last of each kind, since a thousand bells in one feed are one bell. Of those that tell a
    /// story together, such as notifications, the last few.
    pub signals: Vec<TerminalSignal>,
    /// The program has stopped taking pastes in brackets, if only for a moment.
    pub ends_brackets: bool,
}

impl Fed {
    pub(crate) fn reply(&mut self, reply: &str) {
        self.reply_bytes(reply.as_bytes());
    }

    pub(crate) fn reply_bytes(&mut self, reply: &[u8]) {
        if self.replies.len() + reply.len() <= MAX_REPLIES {
            self.replies.extend_from_slice(reply);
        }
    }

    pub(crate) fn signal(&mut self, signal: TerminalSignal) {
        let signal = match signal {
            TerminalSignal::ClipboardStore { target, text } if text.len() > MAX_CLIPBOARD => {
                TerminalSignal::ClipboardTooLarge(target)
            }
            signal => signal,
        };
        signal.follow(&mut self.signals);
    }
}

impl TerminalSignal {
    /// Joins what the same program said before and nobody has heard yet. What it supersedes is
    /// dropped, so that there are never many, however long nobody listens.
    pub fn follow(self, earlier: &mut Vec<Self>) {
        let is_same_kind = |it: &Self| replaces(&self, it);
        if earlier.iter().filter(|it| is_same_kind(it)).count() >= most(&self)
            && let Some(oldest) = earlier.iter().position(is_same_kind)
        {
            earlier.remove(oldest);
        }
        earlier.push(self);
    }
}

/// How many of a kind may wait to be heard.
fn most(signal: &TerminalSignal) -> usize {
    match signal {
        TerminalSignal::Title(_)
        | TerminalSignal::Bell
        | TerminalSignal::ClipboardStore { .. }
        | TerminalSignal::ClipboardTooLarge(_)
        | TerminalSignal::Directory(_)
        | TerminalSignal::BracketedPaste(_)
        | TerminalSignal::Progress(_) => 1,
        TerminalSignal::Notification { .. }
        | TerminalSignal::Prompt(_)
        | TerminalSignal::Status(_) => MAX_IN_ORDER,
    }
}

/// Whether the two count as one kind. The two clipboards are two.
fn replaces(signal: &TerminalSignal, earlier: &TerminalSignal) -> bool {
    match (signal, earlier) {
        (
            TerminalSignal::ClipboardStore { target, .. },
            TerminalSignal::ClipboardStore { target: other, .. },
        ) => target == other,
        _ => discriminant(signal) == discriminant(earlier),
    }
}

#[cfg(test)]
mod tests;
