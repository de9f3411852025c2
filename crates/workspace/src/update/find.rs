//! Finding text in a terminal: the bar's keys, and going from match to match.

use std::time::Instant;

use terminal::{
    BadPattern, Key, Modifiers, MouseButton, MouseKind, NamedKey, SearchMatches, TerminalBuffer,
    TopRight,
};

use super::{NO_EFFECTS, Outcome};
use crate::find::Novelty;
use crate::text_input::Pressed;
use crate::{
    ActionError, Effect, Find, FindAction, FindOutcome, KeyInput, PaneId, ProgramId, State,
    TabGroup, TerminalAction, Workspace,
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
            FindAction::Next => return self.step_match(Step::Older, now),
            FindAction::Previous => return self.step_match(Step::Newer, now),
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
    /// most likely wants to find, or else what was looked for last, or something new: so that is
    /// selected, and replaced by what is typed. It is not searched for until that is asked for, as
    /// opening the bar should not move the view.
    fn open_find(&mut self, now: Instant) -> Outcome {
        let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
        let program = view.program();
        let selected = view.buffer().selection_text();
        let selected = selected.filter(|it| it.len() <= MAX_PREFILLED && !it.contains('\n'));
        if self.find.as_ref().is_some_and(|find| find.program != program) {
            self.close_find();
        }
        let last = &self.last_query;
        let find = self.find.get_or_insert_with(|| Find::new(program, last));
        find.has_keys = true;
        if let Some(text) = &selected {
            find.input = crate::TextInput::new(text);
        }
        find.input.select_all();
        if selected.is_some() { self.find_changed(now) } else { NO_EFFECTS }
    }

    fn close_find(&mut self) {
        let Some(find) = self.find.take() else { return };
        if !find.input.text().is_empty() {
            self.last_query = find.query();
        }
        if let Some(terminal) = self.terminal(find.program) {
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
        let modifiers = input.press.modifiers.held();
        let is_plain = !modifiers.intersects(Modifiers::CTRL | Modifiers::ALT | Modifiers::SUPER);
        let newer = modifiers.contains(Modifiers::SHIFT);
        match (&input.press.key, input.base) {
            (Key::Character(_), Some('r')) if modifiers == Modifiers::ALT => {
                Some(self.update_find(&FindAction::ToggleRegex, now))
            }
            (Key::Character(_), Some('c')) if modifiers == Modifiers::ALT => {
                Some(self.update_find(&FindAction::ToggleCase, now))
            }
            (Key::Character(_), Some('v')) if modifiers == Modifiers::CTRL => {
                Some(Ok(vec![Effect::Paste]))
            }
            (Key::Named(NamedKey::Escape), _) if is_plain => {
                self.close_find();
                Some(NO_EFFECTS)
            }
            (Key::Named(NamedKey::Enter | NamedKey::F(3)), _) if is_plain && newer => {
                Some(self.step_match(Step::Newer, now))
            }
            (Key::Named(NamedKey::Enter | NamedKey::F(3) | NamedKey::ArrowUp), _) if is_plain => {
                Some(self.step_match(Step::Older, now))
            }
            (Key::Named(NamedKey::ArrowDown), _) if is_plain => {
                Some(self.step_match(Step::Newer, now))
            }
            (Key::Character(_) | Key::Named(_), _) => match find.input.press(input) {
                Pressed::Changed => Some(self.find_changed(now)),
                Pressed::Moved => Some(NO_EFFECTS),
                Pressed::Unused => None,
            },
        }
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
            self.close_find();
            return None;
        };
        let is_due = self.find_due().is_some_and(|at| at <= now);
        is_due.then(|| self.search(terminal, program, now))
    }

    /// Takes in what was found. The first time one is taken to the nearest match; when output went on
    /// the view and the match one is at stay.
    pub(crate) fn searched(&mut self, search: u64, result: Result<SearchMatches, BadPattern>) {
        let Some((terminal, program)) = self.find_terminal() else { return };
        let covered = self.under_find_bar(program);
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
                nearest.inspect(|nearest| terminal.go_to_match(*nearest, covered))
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

    /// What the bar lies over in the pane that shows the terminal.
    fn under_find_bar(&self, program: ProgramId) -> TopRight {
        let panes = self.active_workspace().map(Workspace::panes);
        let groups = panes.into_iter().flat_map(|panes| panes.groups());
        let shows =
            |pane: &PaneId| self.terminal_of(*pane).is_some_and(|it| it.program() == program);
        let pane = groups.map(TabGroup::id).find(shows);
        let room = pane.map_or(self.rooms().whole, |pane| self.rooms().of(pane));
        room.under_find_bar
    }

    fn step_match(&mut self, step: Step, now: Instant) -> Outcome {
        let Some((terminal, program)) = self.find_terminal() else { return NO_EFFECTS };
        let covered = self.under_find_bar(program);
        let Some(find) = &mut self.find else { return NO_EFFECTS };
        // What the bar was opened with.
        if !find.is_asked() {
            return self.find_changed(now);
        }
        let FindOutcome::Found { matches, current } = &mut find.outcome else { return NO_EFFECTS };
        let count = matches.matches.len();
        let next = match (*current, step) {
            _ if count == 0 => return NO_EFFECTS,
            (None, _) => terminal.match_near_view(true).unwrap_or(count - 1),
            (Some(current), Step::Older) => (current + count - 1) % count,
            (Some(current), Step::Newer) => (current + 1) % count,
        };
        *current = Some(next);
        terminal.go_to_match(next, covered);
        NO_EFFECTS
    }
}

#[derive(Clone, Copy)]
enum Step {
    Older,
    Newer,
}
