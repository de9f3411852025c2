//! What a program has said and a screen does not show, for recordings that begin in the middle.
//!
//! It is told again in the words of a program. What the person has answered since is forgotten.

use agent::ProcessSample;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use terminal::{BlockedOn, ProgramState, ProgramStatus, Progress, ProgressState, TerminalSignal};

use crate::Happening;

#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The one before, too: that a sign of work has gone says something.
    titles: [Option<String>; 2],
    status: Option<ProgramStatus>,
    progress: Option<Progress>,
    notified: Option<String>,
    /// Pastes were not to be bracketed at some time after they were.
    paste_was_off: bool,
    sample: Option<ProcessSample>,
    report: Option<Happening>,
    is_watched: bool,
}

impl Memory {
    pub(super) fn signal(&mut self, signal: &TerminalSignal) {
        match signal {
            TerminalSignal::Title(title) => {
                if self.titles[1].as_ref() != Some(title) {
                    self.titles = [self.titles[1].take(), Some(title.clone())];
                }
            }
            TerminalSignal::Status(status) if status.id.is_none() => {
                self.status = Some(status.clone()).filter(|it| it.state != ProgramState::Cleared);
            }
            TerminalSignal::Progress(progress) => {
                self.progress = Some(*progress).filter(|it| it.state != ProgressState::Removed);
            }
            TerminalSignal::Notification { body, .. } => {
                self.notified = Some(format!("\x1b]777;notify;;{body}\x07"));
            }
            TerminalSignal::Bell => self.notified = Some("\x07".to_owned()),
            TerminalSignal::BracketedPaste(is_on) => self.paste_was_off |= !is_on,
            TerminalSignal::Status(_)
            | TerminalSignal::ClipboardStore { .. }
            | TerminalSignal::ClipboardTooLarge(_)
            | TerminalSignal::Directory(_)
            | TerminalSignal::Prompt(_) => {}
        }
    }

    pub(super) fn note(&mut self, what: &Happening) {
        match what {
            Happening::Input(bytes) if bytes.iter().any(|byte| matches!(byte, b'\r' | b'\n')) => {
                (self.titles, self.notified, self.report) = ([None, None], None, None);
                let is_block =
                    |it: &mut ProgramStatus| matches!(it.state, ProgramState::Blocked(_));
                self.status.take_if(is_block);
            }
            Happening::Told(sample) => self.sample = Some(sample.clone()),
            Happening::Watched(is_watched) => self.is_watched = *is_watched,
            Happening::Report { .. } => self.report = Some(what.clone()),
            Happening::Input(_)
            | Happening::Output(_)
            | Happening::Focus
            | Happening::Sample(_)
            | Happening::Resize(_)
            | Happening::Exit(_) => {}
        }
    }

    /// How it is now, as things that happen one after the other; `painted` draws the screen.
    pub(super) fn opening(&self, mut painted: Vec<u8>) -> Vec<Happening> {
        let mut opening = Vec::new();
        let mut print = |bytes: Vec<u8>| opening.push(Happening::Output(bytes));
        // Switched off and on at once it would be taken for never off.
        if self.paste_was_off {
            print(b"\x1b[?2004l".to_vec());
        }
        for title in self.titles.iter().flatten() {
            print(format!("\x1b]2;{title}\x07").into_bytes());
        }
        if let Some(Progress { state, percent }) = self.progress {
            let (state, percent) = (progress_number(state), percent.unwrap_or(0));
            painted.extend_from_slice(format!("\x1b]9;4;{state};{percent}\x07").as_bytes());
        }
        if let Some(status) = &self.status {
            painted.extend_from_slice(status_words(status).as_bytes());
        }
        if let Some(notified) = &self.notified {
            painted.extend_from_slice(notified.as_bytes());
        }
        print(painted);
        opening.extend(self.sample.clone().map(Happening::Told));
        opening.extend(self.report.clone());
        opening.extend(self.is_watched.then_some(Happening::Watched(true)));
        opening
    }
}

fn progress_number(state: ProgressState) -> u8 {
    match state {
        ProgressState::Removed => 0,
        ProgressState::Normal => 1,
        ProgressState::Error => 2,
        ProgressState::Indeterminate => 3,
        ProgressState::Paused => 4,
    }
}

fn status_words(status: &ProgramStatus) -> String {
    let (state, kind) = match status.state {
        ProgramState::Idle => ("idle", None),
        ProgramState::Working => ("working", None),
        ProgramState::Done => ("done", None),
        ProgramState::Error => ("error", None),
        ProgramState::Cleared => ("clear", None),
        ProgramState::Blocked(BlockedOn::Permission) => ("blocked", Some("permission")),
        ProgramState::Blocked(BlockedOn::Question) => ("blocked", Some("question")),
        ProgramState::Blocked(BlockedOn::Auth) => ("blocked", Some("auth")),
        ProgramState::Blocked(BlockedOn::Other) => ("blocked", None),
    };
    let kind = kind.map_or_else(String::new, |kind| format!(":kind={kind}"));
    let message = status
        .message
        .as_ref()
        .map_or_else(String::new, |message| format!(":msg={}", BASE64_STANDARD.encode(message)));
    format!("\x1b]7501;state={state}{kind}{message}\x1b\\")
}
