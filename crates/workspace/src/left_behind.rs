//! Programs that run on though the host that held them was killed: told of once, and ended if the person
//! says so.
//!
//! Who they are is found out outside, anew each time somebody asks: a list of processes is old as soon as
//! it is made.

use std::path::PathBuf;
use std::time::Instant;

use crate::update::{NO_EFFECTS, Outcome};
use crate::{Action, AgentAction, Choice, Confirm, Effect, Overlay, State, ToastKind};

/// Lines of a question that name programs; more would not fit into a small window.
const MAX_LINES: usize = 8;

/// A program that nobody looks after any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// By which it is found again.
    pub record: PathBuf,
    pub pid: i32,
    pub name: String,
    /// Where it was started, for the person to read.
    pub place: String,
}

/// Why it was looked for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookReason {
    /// The program has started, or lost its host.
    Crash,
    /// Somebody wants to end them.
    Asked,
    /// So many were ended.
    Ended(usize),
}

impl State {
    /// Programs that are known to have been left behind, until the person has decided about them.
    pub fn left_behind(&self) -> &[LeftBehind] {
        &self.left_behind
    }

    pub(crate) fn take_left_behind(
        &mut self,
        programs: Vec<LeftBehind>,
        reason: LookReason,
        now: Instant,
    ) {
        self.left_behind = programs;
        match (&self.left_behind[..], reason) {
            ([], LookReason::Crash) => {}
            ([], LookReason::Asked) => {
                self.show_toast("Nothing was left behind".to_owned(), ToastKind::Notice, now);
            }
            ([], LookReason::Ended(n)) => {
                let text = format!("Ended {}", programs_text(n));
                self.show_toast(text, ToastKind::Notice, now);
            }
            (left, LookReason::Crash) => {
                let text = format!("{} by a crash", left_text(left));
                // What is said at a start is all worth reading.
                match self.toast.take() {
                    Some(before) => {
                        self.show_toast(format!("{}. {text}", before.text), before.kind, now);
                    }
                    None => self.show_toast(text, ToastKind::Notice, now),
                }
            }
            (left, LookReason::Ended(_)) => {
                let names: Vec<String> =
                    left.iter().map(|it| format!("{} (pid {})", it.name, it.pid)).collect();
                let text = format!("Could not be ended: {}", names.join(", "));
                self.show_toast(text, ToastKind::Error, now);
            }
            // Somebody may be busy with another question by now.
            (left, LookReason::Asked) if self.overlay.is_none() => {
                self.overlay = Some(Overlay::Confirm(question(left)));
            }
            (_, LookReason::Asked) => {}
        }
    }

    pub(crate) fn end_left_behind(&mut self, records: Vec<PathBuf>) -> Outcome {
        self.overlay = None;
        let grace = self.config.limits.stop_grace;
        Ok(vec![Effect::EndLeftBehind { records, grace }])
    }

    pub(crate) fn leave_left_behind(&mut self) -> Outcome {
        self.overlay = None;
        self.left_behind.clear();
        NO_EFFECTS
    }
}

fn question(left: &[LeftBehind]) -> Confirm {
    let line = |it: &LeftBehind| format!("{}  pid {}  {}", it.name, it.pid, it.place);
    let mut preview: Vec<String> = left.iter().take(MAX_LINES).map(line).collect();
    if left.len() > MAX_LINES {
        preview.push(format!("and {} more", left.len() - MAX_LINES));
    }
    let records = left.iter().map(|it| it.record.clone()).collect();
    let choice = |label: &str, action| Choice {
        label: label.to_owned(),
        action: Some(Action::Agent(action)),
    };
    Confirm {
        about: None,
        question: format!("End {} that a crash left behind?", programs_text(left.len())),
        detail: "They have lost their terminals, and nobody looks after them.".to_owned(),
        choices: vec![
            choice("Leave them", AgentAction::LeaveLeftBehind),
            choice("End them", AgentAction::EndLeftBehind { records }),
        ],
        preview,
        selected: 0,
    }
}

/// `claude in ~/api was left behind`, or how many were.
fn left_text(left: &[LeftBehind]) -> String {
    match left {
        [one] => format!("{} in {} was left behind", one.name, one.place),
        several => format!("{} were left behind", programs_text(several.len())),
    }
}

fn programs_text(n: usize) -> String {
    if n == 1 { "1 program".to_owned() } else { format!("{n} programs") }
}
