//! What programs say beside their output, kept until the loop looks at output.
//!
//! Reader threads put it here and set the output bit; the loop takes all of it with its next look. So a
//! hundred programs that change their titles ten times a second wake the loop no more often than what
//! they print does. What is superseded meanwhile is never served, and the rest is bounded for each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terminal::TerminalSignal;
use workspace::ProgramId;

type ByProgram = BTreeMap<ProgramId, Vec<TerminalSignal>>;

/// Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said(Arc<Mutex<ByProgram>>);

impl Said {
    /// To be followed by waking the loop for output.
    pub(crate) fn add(&self, program: ProgramId, signals: Vec<TerminalSignal>) {
        if signals.is_empty() {
            return;
        }
        let mut said = self.lock();
        let earlier = said.entry(program).or_default();
        signals.into_iter().for_each(|signal| signal.follow(earlier));
    }

    /// What all have said, each in its order.
    pub(crate) fn take(&self) -> ByProgram {
        std::mem::take(&mut *self.lock())
    }

    /// What one of them has said: before it is told of as gone, say.
    pub(crate) fn take_of(&self, program: ProgramId) -> Vec<TerminalSignal> {
        self.lock().remove(&program).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, ByProgram> {
        // Whoever panicked has left it whole: signals are added one by one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use agent::AgentIds;

    use super::*;

    fn title(text: &str) -> TerminalSignal {
        TerminalSignal::Title(text.to_owned())
    }

    #[test]
    fn what_was_superseded_is_not_served() {
        let mut ids = AgentIds::default();
        let [one, two] = [ids.mint(), ids.mint()].map(ProgramId::Agent);
        let said = Said::default();
        said.add(one, vec![title("a"), TerminalSignal::Bell]);
        said.add(two, vec![title("b")]);
        said.add(one, vec![title("c")]);
        let expected = BTreeMap::from([
            (one, vec![TerminalSignal::Bell, title("c")]),
            (two, vec![title("b")]),
        ]);
        assert_eq!(said.take(), expected, "the last title of each, and what else there was");
        assert_eq!(said.take(), BTreeMap::new(), "once");
    }

    #[test]
    fn nobody_makes_the_loop_remember_much() {
        let mut ids = AgentIds::default();
        let program = ProgramId::Agent(ids.mint());
        let said = Said::default();
        for number in 0..10_000 {
            let body = number.to_string();
            said.add(
                program,
                vec![title(&body), TerminalSignal::Notification { title: None, body }],
            );
        }
        let kept = said.take_of(program);
        assert!(kept.len() <= 33, "{} signals of one program wait", kept.len());
        assert!(kept.contains(&title("9999")), "the last one among them");
    }
}
