//! What a program says beside what it draws.

/// The longest text a program may put into the clipboard.
const MAX_CLIPBOARD: usize = 100 * 1024;

/// The most bytes of answers that one feed may produce. A program that asks more than that reads
/// none of it.
const MAX_REPLIES: usize = 64 * 1024;

/// Something a program wants the window to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalSignal {
    /// Made safe to show; empty when the program took its title back.
    Title(String),
    Bell,
    /// Text for the clipboard (OSC 52). Whether it gets there is the caller's policy.
    ClipboardStore(String),
}

/// What came of feeding bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fed {
    /// Answers to the program's queries, to be written to it in this order.
    pub replies: Vec<u8>,
    /// The last of each kind: a thousand bells in one feed are one bell.
    pub signals: Vec<TerminalSignal>,
}

impl Fed {
    pub(crate) fn reply(&mut self, reply: &str) {
        if self.replies.len() + reply.len() <= MAX_REPLIES {
            self.replies.extend_from_slice(reply.as_bytes());
        }
    }

    pub(crate) fn signal(&mut self, signal: TerminalSignal) {
        if matches!(&signal, TerminalSignal::ClipboardStore(text) if text.len() > MAX_CLIPBOARD) {
            return;
        }
        let kind = std::mem::discriminant(&signal);
        self.signals.retain(|earlier| std::mem::discriminant(earlier) != kind);
        self.signals.push(signal);
    }
}
