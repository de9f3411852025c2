//! Finding text in a terminal: the bar's keys, and going from match to match.

use std::time::Instant;

use terminal::{
    BadPattern, Key, Modifiers, MouseButton, MouseKind, NamedKey, SearchMatches, TerminalBuffer,
};

use super::{NO_EFFECTS, Outcome};
use crate::find::Novelty;
use crate::{
    ActionError, Effect, Find, FindAction, FindOutcome, KeyInput, ProgramId, State, TerminalAction,
};

/// A selection longer than this is hardly meant to be searched for.
const MAX_PREFILLED: usize = 200;

impl State {
    pub(super) fn update_find(&mut self, action: &FindAction, now: Instant) -> Outcome {
        if *action == FindAction::Open {
            return self.open_find(now);
        }
        let find = self.find.as_mut().ok_or(ActionError::NoFind)?;
        match action {
            FindAction::Open | FindAction::TakeKeys => find.has_keys = true,
            FindAction::Close => self.close_find(),
            FindAction::Next => self.step_match(Step::Older),
            FindAction::Previous => self.step_match(Step::Newer),
            FindAction::ToggleRegex => {
                find.is_regex = !find.is_regex;
                return self.find_changed(now);
            }
            FindAction::ToggleCase => {
                find.case_sensitive = !find.case_sensitive;
                return self.find_changed(now);
            }
        }
        NO_EFFECTS
    }

    /// Opens the bar in the focused terminal, or goes back to it. What is selected there is what one
    /// most likely wants to find.
    fn open_find(&mut self, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let program = view.program();
        let selected = view.buffer().selection_text();
        let selected = selected.filter(|it| it.len() <= MAX_PREFILLED && !it.contains('\n'));
        if self.find.as_ref().is_some_and(|find| find.program != program) {
            self.close_find();
        }
        let find = self.find.get_or_insert_with(|| Find::new(program));
        find.has_keys = true;
        match selected {
            Some(text) => {
                find.input = crate::TextInput::new(&text);
                self.find_changed(now)
            }
            None => NO_EFFECTS,
        }
    }

    fn close_find(&mut self) {
        let find = self.find.take();
        if let Some(terminal) = find.and_then(|find| self.terminal(find.program)) {
            terminal.buffer().clear_highlights();
        }
    }

    /// Who clicks into the terminal wants to type there.
    pub(super) fn leave_find_for(&mut self, action: &TerminalAction) {
        let is_click = match action {
            TerminalAction::Select { .. } => true,
            TerminalAction::Mouse(input) => {
                input.kind == MouseKind::Press && input.button == Some(MouseButton::Left)
            }
            _ => false,
        };
        if let Some(find) = self.find.as_mut().filter(|_| is_click) {
            find.has_keys = false;
        }
    }

    /// The bar, while what is typed goes into it.
    pub(crate) fn focused_find(&mut self) -> Option<&mut Find> {
        let has_keys = self.find_has_keys();
        self.find.as_mut().filter(|_| has_keys)
    }

    /// Whether what is typed goes into the bar.
    pub fn find_has_keys(&self) -> bool {
        let seen = self.focused_terminal().map(|terminal| terminal.program());
        self.find.as_ref().is_some_and(|find| find.has_keys && Some(find.program) == seen)
    }

    /// `None`: the bar has no use for the key.
    pub(super) fn press_in_find(&mut self, input: &KeyInput, now: Instant) -> Option<Outcome> {
        let find = self.focused_find()?;
        let modifiers = input.press.modifiers;
        let is_plain = !modifiers.intersects(Modifiers::CTRL | Modifiers::ALT | Modifiers::SUPER);
        let shift = modifiers.contains(Modifiers::SHIFT);
        let named = match (&input.press.key, input.base) {
            (Key::Character(text), _) if is_plain => {
                find.input.insert(text);
                return Some(self.find_changed(now));
            }
            (Key::Character(_), Some('r')) if modifiers == Modifiers::ALT => {
                return Some(self.update_find(&FindAction::ToggleRegex, now));
            }
            (Key::Character(_), Some('c')) if modifiers == Modifiers::ALT => {
                return Some(self.update_find(&FindAction::ToggleCase, now));
            }
            (Key::Character(_), Some('v')) if modifiers == Modifiers::CTRL => {
                return Some(Ok(vec![Effect::Paste]));
            }
            (Key::Character(_), _) => return None,
            (Key::Named(named), _) => *named,
        };
        let is_ctrl = modifiers == Modifiers::CTRL;
        match named {
            NamedKey::Escape if is_plain => self.close_find(),
            NamedKey::Enter | NamedKey::F(3) if is_plain && shift => self.step_match(Step::Newer),
            NamedKey::Enter | NamedKey::F(3) | NamedKey::ArrowUp if is_plain => {
                self.step_match(Step::Older);
            }
            NamedKey::ArrowDown if is_plain => self.step_match(Step::Newer),
            NamedKey::ArrowLeft if is_plain => find.input.left(),
            NamedKey::ArrowRight if is_plain => find.input.right(),
            NamedKey::Home if is_plain => find.input.start(),
            NamedKey::End if is_plain => find.input.end(),
            NamedKey::Space if is_plain => {
                find.input.insert(" ");
                return Some(self.find_changed(now));
            }
            NamedKey::Backspace if is_plain => {
                find.input.backspace();
                return Some(self.find_changed(now));
            }
            NamedKey::Backspace if is_ctrl => {
                find.input.delete_word();
                return Some(self.find_changed(now));
            }
            _ => return None,
        }
        Some(NO_EFFECTS)
    }

    /// Searches for what is in the bar now.
    pub(super) fn find_changed(&mut self, now: Instant) -> Outcome {
        let Some((terminal, program)) = self.find_terminal() else { return NO_EFFECTS };
        let Some(find) = &mut self.find else { return NO_EFFECTS };
        find.forget();
        if find.input.text().is_empty() {
            terminal.clear_highlights();
            return NO_EFFECTS;
        }
        Ok(vec![self.search(terminal, program, now)])
    }

    fn search(&mut self, terminal: TerminalBuffer, program: ProgramId, now: Instant) -> Effect {
        self.searches += 1;
        let (search, output) = (self.searches, terminal.output_revision());
        let query = self.find.as_mut().map_or_else(Default::default, |find| {
            find.ask(search, output, now);
            find.query()
        });
        Effect::Search { search, program, terminal, query }
    }

    fn find_terminal(&self) -> Option<(TerminalBuffer, ProgramId)> {
        let program = self.find.as_ref()?.program;
        Some((self.terminal(program)?.buffer().clone(), program))
    }

    /// When the terminal on show has to be searched again because output went on.
    pub(crate) fn find_due(&self) -> Option<Instant> {
        let find = self.find.as_ref()?;
        let shown = self.visible_terminals();
        let view = shown.iter().find(|terminal| terminal.program() == find.program)?;
        find.due(view.buffer().output_revision())
    }

    /// Searches again if that is due, and closes the bar of a terminal that is gone.
    pub(crate) fn settle_find(&mut self, now: Instant) -> Option<Effect> {
        let Some((terminal, program)) = self.find_terminal() else {
            self.find = None;
            return None;
        };
        let is_due = self.find_due().is_some_and(|at| at <= now);
        is_due.then(|| self.search(terminal, program, now))
    }

    /// Takes in what was found. The first time one is taken to the nearest match; when output went on
    /// the view and the match one is at stay.
    pub(crate) fn searched(&mut self, search: u64, result: Result<SearchMatches, BadPattern>) {
        let Some((terminal, _)) = self.find_terminal() else { return };
        let Some(find) = &mut self.find else { return };
        let Some(novelty) = find.answered(search) else { return };
        let matches = match result {
            Ok(matches) => matches,
            Err(BadPattern(why)) => {
                terminal.clear_highlights();
                find.outcome = FindOutcome::Bad(why);
                return;
            }
        };
        let current = match novelty {
            Novelty::New => {
                terminal.highlight(matches.clone(), None);
                let nearest = terminal.match_near_view(true);
                nearest.inspect(|nearest| terminal.go_to_match(*nearest))
            }
            Novelty::Again => {
                let kept = find.current();
                let kept = kept.and_then(|kept| matches.matches.binary_search(&kept).ok());
                terminal.highlight(matches.clone(), kept);
                kept
            }
        };
        find.outcome = FindOutcome::Found { matches, current };
    }

    fn step_match(&mut self, step: Step) {
        let Some((terminal, _)) = self.find_terminal() else { return };
        let Some(FindOutcome::Found { matches, current }) =
            self.find.as_mut().map(|find| &mut find.outcome)
        else {
            return;
        };
        let count = matches.matches.len();
        let next = match (*current, step) {
            _ if count == 0 => return,
            (None, _) => terminal.match_near_view(true).unwrap_or(count - 1),
            (Some(current), Step::Older) => (current + count - 1) % count,
            (Some(current), Step::Newer) => (current + 1) % count,
        };
        *current = Some(next);
        terminal.go_to_match(next);
    }
}

#[derive(Clone, Copy)]
enum Step {
    Older,
    Newer,
}
