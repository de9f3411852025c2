//! What programs want of a person who looks elsewhere: a bell, a notification, a text to be copied.
//!
//! It is a mark on their tab and tile until they are looked at, and never more than that: what they
//! say is not shown, and what they want copied is not copied. However often they call, it counts a
//! few times a minute, and the window calls for the person once until they come.

use std::time::{Duration, Instant};

use terminal::{ClipboardTarget, TerminalSignal};

use crate::{ActionError, Effect, ProgramId, State, TabContent, ToastKind, Workspace};

/// Bells sooner after one another than this are one.
const BELL_EVERY: Duration = Duration::from_secs(1);
/// And so for notifications.
const NOTIFY_EVERY: Duration = Duration::from_secs(5);

/// What a tab or tile is marked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Badge {
    /// It rang, or has something to say.
    Called,
    /// It wanted to put something into the clipboard.
    WantedToCopy,
}

/// Of one program.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    called: bool,
    copy: Option<WantedCopy>,
    /// The window has called for the person because of it.
    flagged: bool,
    last_bell: Option<Instant>,
    last_notification: Option<Instant>,
}

#[derive(Debug)]
struct WantedCopy {
    target: ClipboardTarget,
    /// `None` if it is too large to be taken.
    text: Option<String>,
    /// The person has been told.
    is_seen: bool,
}

impl Attention {
    fn badge(&self) -> Option<Badge> {
        let copy = self.copy.as_ref().filter(|copy| !copy.is_seen);
        let called = self.called.then_some(Badge::Called);
        copy.map(|_| Badge::WantedToCopy).or(called)
    }
}

impl State {
    /// What the tab of a program is to be marked with.
    pub fn badge(&self, program: ProgramId) -> Option<Badge> {
        self.attention.get(&program)?.badge()
    }

    /// The most important mark of a workspace's programs.
    pub fn workspace_badge(&self, workspace: &Workspace) -> Option<Badge> {
        let tabs = workspace.tabs().into_iter();
        let programs = tabs.filter_map(|tab| match tab.content {
            TabContent::Agent => workspace.agent.as_ref().map(|agent| ProgramId::Agent(agent.id())),
            TabContent::Terminal(id) => Some(ProgramId::Terminal(id)),
            TabContent::File(_) => None,
        });
        programs.filter_map(|program| self.badge(program)).max()
    }

    /// Whether the window calls for the person because some program rang.
    pub(crate) fn is_flagged(&self) -> bool {
        self.attention.values().any(|attention| attention.flagged)
    }

    fn is_looked_at(&self, program: ProgramId) -> bool {
        let seen = self.focused_terminal().map(|terminal| terminal.program());
        self.focused && seen == Some(program)
    }

    pub(crate) fn on_signal(
        &mut self,
        program: ProgramId,
        signal: TerminalSignal,
        now: Instant,
    ) -> Vec<Effect> {
        let mut effects = self.tell_agent(program, &signal, now);
        effects.extend(self.act_on(program, signal, now));
        effects
    }

    /// What an agent says of itself decides its state.
    fn tell_agent(
        &mut self,
        program: ProgramId,
        signal: &TerminalSignal,
        now: Instant,
    ) -> Vec<Effect> {
        match program {
            ProgramId::Agent(id) => self.step_agent(id, now, |agent| agent.on_signal(signal, now)),
            ProgramId::Terminal(_) => Vec::new(),
        }
    }

    fn act_on(&mut self, program: ProgramId, signal: TerminalSignal, now: Instant) -> Vec<Effect> {
        match signal {
            TerminalSignal::Bell | TerminalSignal::Notification { .. } => {
                self.called(program, &signal, now)
            }
            TerminalSignal::ClipboardStore { target, text } => {
                self.wants_to_copy(program, target, Some(text), now)
            }
            TerminalSignal::ClipboardTooLarge(target) => {
                self.wants_to_copy(program, target, None, now)
            }
            TerminalSignal::Directory(path) => {
                self.program_moved(program, path);
                Vec::new()
            }
            TerminalSignal::Title(_)
            | TerminalSignal::BracketedPaste(_)
            | TerminalSignal::Progress(_)
            | TerminalSignal::Prompt(_)
            | TerminalSignal::Status(_) => Vec::new(),
        }
    }

    fn called(&mut self, program: ProgramId, how: &TerminalSignal, now: Instant) -> Vec<Effect> {
        if self.terminal(program).is_none() {
            return Vec::new();
        }
        let (is_looked_at, is_dnd) = (self.is_looked_at(program), self.is_dnd());
        let attention = self.attention.entry(program).or_default();
        let (last, every) = match how {
            TerminalSignal::Bell => (&mut attention.last_bell, BELL_EVERY),
            _ => (&mut attention.last_notification, NOTIFY_EVERY),
        };
        if last.is_some_and(|last| now < last + every) {
            return Vec::new();
        }
        *last = Some(now);
        attention.called |= !is_looked_at;
        if self.focused || is_dnd || std::mem::replace(&mut attention.flagged, true) {
            return Vec::new();
        }
        vec![Effect::Attention]
    }

    /// Only what the person looks at may touch the clipboard: a write from elsewhere is a trap.
    fn wants_to_copy(
        &mut self,
        program: ProgramId,
        target: ClipboardTarget,
        text: Option<String>,
        now: Instant,
    ) -> Vec<Effect> {
        if self.terminal(program).is_none() {
            return Vec::new();
        }
        if self.is_looked_at(program) {
            let name = self.program_name(program);
            let Some(text) = text else {
                self.show_toast(too_large(&name), ToastKind::Error, now);
                return Vec::new();
            };
            let words = format!("{name} copied {}", characters(&text));
            self.show_toast(words, ToastKind::Notice, now);
            return vec![set_clipboard(target, text)];
        }
        let attention = self.attention.entry(program).or_default();
        attention.copy = Some(WantedCopy { target, text, is_seen: false });
        Vec::new()
    }

    /// Takes the marks of what is looked at now away, and says what it wanted.
    pub(crate) fn settle_attention(&mut self, now: Instant) {
        if self.attention.is_empty() {
            return;
        }
        let mut attention = std::mem::take(&mut self.attention);
        attention.retain(|program, _| self.terminal(*program).is_some());
        for (program, attention) in &mut attention {
            attention.flagged &= !self.focused;
            if !self.is_looked_at(*program) {
                // It was told of and not taken: who goes away does not want it.
                attention.copy.take_if(|copy| copy.is_seen);
                continue;
            }
            attention.called = false;
            if let Some(copy) = attention.copy.as_mut().filter(|copy| !copy.is_seen) {
                copy.is_seen = true;
                let name = self.program_name(*program);
                let Some(text) = &copy.text else {
                    self.show_toast(too_large(&name), ToastKind::Error, now);
                    continue;
                };
                let words = format!(
                    "{name} wanted to copy {}; “Terminal: Take what it wanted to copy” does so",
                    characters(text)
                );
                self.show_toast(words, ToastKind::Notice, now);
            }
        }
        self.attention = attention;
    }

    /// Copies what the focused program wanted to copy while nobody looked.
    pub(crate) fn take_copy(&mut self, now: Instant) -> Result<Vec<Effect>, ActionError> {
        let program = self.focused_terminal().ok_or(ActionError::NoTerminal)?.program();
        let copy = self.attention.get_mut(&program).and_then(|attention| attention.copy.take());
        let copy = copy.and_then(|copy| Some((copy.target, copy.text?)));
        let (target, text) = copy.ok_or(ActionError::NothingToTake)?;
        self.show_toast(format!("Copied {}", characters(&text)), ToastKind::Notice, now);
        Ok(vec![set_clipboard(target, text)])
    }
}

fn set_clipboard(target: ClipboardTarget, text: String) -> Effect {
    match target {
        ClipboardTarget::Clipboard => Effect::SetClipboard(text),
        ClipboardTarget::Primary => Effect::SetPrimary(text),
    }
}

fn too_large(name: &str) -> String {
    format!("What {name} wanted to copy is too large, not copied: at most 100 KiB are")
}

fn characters(text: &str) -> String {
    match text.chars().count() {
        1 => "1 character".to_owned(),
        count => format!("{count} characters"),
    }
}
