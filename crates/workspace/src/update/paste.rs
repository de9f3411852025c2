//! Pasting into terminals, with a question where that could run something.

use std::sync::Arc;
use std::time::Instant;

use terminal::{Paste, paste_needs_confirmation};

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, Choice, Confirm, Effect, Overlay, PasteAction, PasteNews, ProgramId,
    State, ToastKind,
};

/// What of a text is shown before it is pasted.
const PREVIEW_LINES: usize = 6;
const PREVIEW_COLUMNS: usize = 90;

impl State {
    pub(super) fn update_paste(&mut self, action: PasteAction, now: Instant) -> Outcome {
        let PasteAction { program, text, ask_again } = action;
        let seen = self.focused_terminal().ok_or(ActionError::NoTerminal)?.program();
        if seen != program {
            return Err(ActionError::NoTerminal);
        }
        if !ask_again {
            self.pastes_unasked.insert(program);
        }
        self.paste_unasked(text.as_ref().to_owned(), now)
    }

    pub(super) fn paste_into_terminal(&mut self, text: String, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let program = view.program();
        let may_run = paste_needs_confirmation(&text, view.buffer().modes());
        if view.is_alive() && may_run && !self.pastes_unasked.contains(&program) {
            self.ask_before_paste(program, text);
            return NO_EFFECTS;
        }
        self.paste_unasked(text, now)
    }

    /// Fetching the image has taken a while: the person may have gone elsewhere.
    pub(crate) fn image_pasted(
        &mut self,
        program: ProgramId,
        text: String,
        now: Instant,
    ) -> Vec<Effect> {
        let seen = self.focused_terminal().map(|terminal| terminal.program());
        if seen != Some(program) || self.overlay.is_some() || self.find_has_keys() {
            let text = format!("The pasted image is in {text}");
            self.show_toast(text, ToastKind::Notice, now);
            return Vec::new();
        }
        self.paste_unasked(text, now).unwrap_or_default()
    }

    fn paste_unasked(&mut self, text: String, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let paste = Paste::new(text, view.buffer().modes());
        let means: &[u8] = if paste.presses_enter() { b"\r" } else { b" " };
        self.write_to_focused(means, now, |program| Effect::PastePty { program, paste })
    }

    pub(crate) fn paste_moved(&mut self, program: ProgramId, news: PasteNews, now: Instant) {
        if self.terminal(program).is_none() || news != PasteNews::Waits {
            self.pasting.remove(&program);
        } else {
            self.pasting.insert(program);
        }
        if news == PasteNews::CutOff {
            let name = self.program_name(program);
            let text = format!("The rest of the paste was dropped: {name} stopped taking it");
            self.show_toast(text, ToastKind::Notice, now);
        }
    }

    /// Whether a paste into the focused terminal goes on for as long as its program reads it.
    pub fn is_pasting(&self) -> bool {
        let view = self.focused_terminal();
        view.is_some_and(|view| self.pasting.contains(&view.program()))
    }

    fn ask_before_paste(&mut self, program: ProgramId, text: String) {
        let name = self.program_name(program);
        let preview = preview(&text);
        let question = match line_ends(&text).count() {
            1 => format!("Paste this line into {name}?"),
            count => format!("Paste {count} lines into {name}?"),
        };
        let text: Arc<str> = text.into();
        let paste = |label: &str, ask_again: bool| Choice {
            label: label.to_owned(),
            action: Some(Action::ConfirmPaste(PasteAction {
                program,
                text: Arc::clone(&text),
                ask_again,
            })),
        };
        self.overlay = Some(Overlay::Confirm(Confirm {
            about: self.active_tab().map(|tab| tab.id),
            question,
            detail: "Each line end counts as Enter and may run something. To paste: →, then Enter."
                .to_owned(),
            // An Enter that was meant for the program must not run what was to be looked at first.
            choices: vec![
                Choice { label: "Cancel".to_owned(), action: None },
                paste("Paste", true),
                paste("Paste, and do not ask again here", false),
            ],
            preview,
            selected: 0,
        }));
    }
}

/// Lines as the program will take them: a carriage return alone ends one, too.
fn line_ends(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_suffix(['\n', '\r']).unwrap_or(text);
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// The first lines, with everything made visible that could hide something: `^[` is an escape, `…`
/// stands for more.
fn preview(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut shown = line.chars().take(PREVIEW_COLUMNS).fold(String::new(), |mut shown, c| {
            match u8::try_from(c) {
                Ok(b'\t') => shown.push_str("    "),
                Ok(code @ 0..0x20) => shown.extend(['^', char::from(code + b'@')]),
                Ok(0x7f..0xa0) => shown.push('\u{fffd}'),
                _ if terminal::is_invisible(c) => shown.push('\u{fffd}'),
                _ => shown.push(c),
            }
            shown
        });
        if line.chars().nth(PREVIEW_COLUMNS).is_some() {
            shown.push_str(" …");
        }
        shown
    };
    let mut lines: Vec<String> = line_ends(text).take(PREVIEW_LINES).map(line).collect();
    let left = line_ends(text).skip(PREVIEW_LINES).count();
    if left > 0 {
        lines.push(format!("… and {left} more"));
    }
    lines
}
