//! The door for wishes: each may be refused.

mod agents;
mod draft;
mod edit;
mod files;
mod find;
mod launch;
mod links;
mod output;
mod overlay;
mod panes;
mod paste;
mod plain;
mod queue;
mod quit;
mod relaunch;
mod tabs;
mod terminal;
mod tile_menu;
mod trust;
mod view;
mod workspaces;
mod wrong;

use std::time::Instant;

use ::terminal::{Key, KeyKind, NamedKey};

use self::terminal::do_in_terminal;
use crate::keymap::{Binding, Chord, Lookup, parse_sequence};
use crate::{
    Action, ActionError, AgentAction, AppAction, Arg, Args, EditAction, Effect, KeyInput,
    MenuAction, Overlay, PickerKind, State, TabAction, TerminalAction, WorkspaceAction,
    find_action,
};

pub(crate) type Outcome = Result<Vec<Effect>, ActionError>;

/// For actions that only change memory.
pub(crate) const NO_EFFECTS: Outcome = Ok(Vec::new());

impl State {
    /// Does what an action asks, as far as memory goes; the rest comes back as effects.
    ///
    /// # Errors
    /// A refusal, in words for the person; nothing has changed then.
    pub fn update(&mut self, action: Action, now: Instant) -> Outcome {
        // Keys do nothing then but answer the one question that is on show.
        let allowed_at_the_end = matches!(
            action,
            Action::App(_)
                | Action::Agent(AgentAction::Stop { .. })
                | Action::Overlay(_)
                | Action::Key(_)
        );
        if self.quitting && !allowed_at_the_end {
            return Err(ActionError::Quitting);
        }
        let mut effects = self.dispatch(action, now)?;
        self.drop_moot_question(None);
        effects.extend(self.settle_unshown());
        effects.extend(self.settle_transcripts());
        effects.extend(self.settle_find(now));
        effects.extend(self.settle_focus(now));
        self.settle_attention(now);
        self.settle_queue(now);
        self.settle_menu();
        effects.extend(self.settle_notices(now));
        Ok(effects)
    }

    fn dispatch(&mut self, action: Action, now: Instant) -> Outcome {
        match action {
            Action::Workspace(action) => self.update_workspace(action, now),
            Action::Tab(action) => self.update_tab(action, now),
            Action::Pane(action) => self.update_pane(action, now),
            Action::File(action) => self.update_file(action, now),
            Action::Edit(action) => self.update_edit(action),
            Action::Agent(action) => self.update_agent(action, now),
            Action::Queue(action) => self.update_queue(action, now),
            Action::Menu(action) => self.update_menu(action),
            Action::Terminal(TerminalAction::OpenLink(at)) => self.open_link(at),
            Action::Terminal(action) => {
                self.leave_find_for(&action);
                let view = self.focused_terminal().ok_or(ActionError::NoTerminal)?;
                do_in_terminal(view, action)
            }
            Action::TerminalIn(pane, action) => {
                self.leave_find_for(&action);
                let view = self.terminal_of(pane).ok_or(ActionError::NoTerminal)?;
                do_in_terminal(view, action)
            }
            Action::Plain(action) => self.update_plain(action, now),
            Action::Find(action) => self.update_find(&action, now),
            Action::Output(action) => self.update_output(action),
            Action::Overlay(action) => self.update_overlay(action),
            Action::View(action) => self.update_view(action),
            Action::App(action) => self.update_app(action, now),
            Action::Key(input) => self.press(&input, now),
            Action::Text(text) => {
                self.preedit = None;
                self.type_text(&text, now)
            }
            Action::Preedit(preedit) => {
                self.preedit = preedit.filter(|_| self.takes_text());
                NO_EFFECTS
            }
            Action::Copy => self.copy(),
            Action::Cut => self.cut(),
            Action::Paste => Ok(vec![Effect::Paste]),
            Action::PastePrimary => Ok(vec![Effect::PastePrimary]),
            Action::ConfirmPaste(action) => self.update_paste(action, now),
            Action::FollowLink { program, target } => self.follow_link(program, &target),
            Action::SelectionMade => Ok(self.selection_made()),
            Action::TakeCopy => self.take_copy(now),
            Action::SearchTranscripts => {
                self.overlay = Some(Overlay::picker(PickerKind::Transcripts));
                NO_EFFECTS
            }
            Action::ShowTranscript(hit) => {
                self.active_workspace().ok_or(ActionError::NoWorkspace)?;
                Ok(vec![Effect::ShowTranscript(hit)])
            }
            Action::ToggleDnd => {
                self.toggle_dnd(now);
                NO_EFFECTS
            }
            Action::InsertPasted(text) => self.insert_pasted(text, now),
        }
    }

    /// The action of that name with these arguments.
    ///
    /// # Errors
    /// The name is unknown or the arguments do not fit it.
    pub fn named_action(name: &str, args: Args) -> Result<Action, ActionError> {
        let spec = find_action(name).ok_or_else(|| ActionError::UnknownAction(name.to_owned()))?;
        spec.parse(args).map_err(|why| ActionError::BadArguments { action: spec.name, why })
    }

    /// Reads `ctrl-k ctrl-o` into keys as if pressed.
    ///
    /// # Errors
    /// Names the chord that could not be read.
    pub fn parse_keys(keys: &str) -> Result<Vec<KeyInput>, ActionError> {
        Ok(parse_sequence(keys)?.into_iter().map(Chord::to_input).collect())
    }

    fn press(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let is_modifier = matches!(input.press.key, Key::Named(key) if key.is_modifier());
        if is_modifier || input.press.kind == KeyKind::Release {
            // Only programs in terminals may want to know; the keymap never sees them.
            return self.tell_of_key(&input.press);
        }
        let off_keypad = &input.off_keypad();
        if self.overlay.is_some() {
            return self.press_in_overlay(off_keypad, now);
        }
        if let Some(outcome) = self.press_in_find(off_keypad, now) {
            return outcome;
        }
        match self.bound_action(off_keypad)? {
            KeyMeaning::Action(action) if needs_a_look(&action) => {
                Ok(vec![Effect::Act(Box::new(action))])
            }
            KeyMeaning::Action(action) => self.dispatch(action, now),
            KeyMeaning::Pending => NO_EFFECTS,
            KeyMeaning::Plain if self.focused_find().is_some() => NO_EFFECTS,
            KeyMeaning::Plain if self.focused_terminal().is_some() => {
                self.press_in_terminal(input, now)
            }
            KeyMeaning::Plain if self.active_tab().is_none() => {
                self.press_on_empty_pane(off_keypad, now)
            }
            KeyMeaning::Plain => self.press_in_editor(off_keypad, now),
        }
    }

    /// Enter does what the first row of the welcome view offers.
    fn press_on_empty_pane(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        if input.press.key != Key::Named(NamedKey::Enter) {
            return NO_EFFECTS;
        }
        match self.active_workspace() {
            None => self.update(Action::Workspace(WorkspaceAction::AskFolder), now),
            Some(_) => Ok(vec![Effect::Act(Box::new(Action::Agent(AgentAction::Ask)))]),
        }
    }

    /// What the keymap makes of a key after those pending.
    pub(crate) fn bound_action(&mut self, input: &KeyInput) -> Result<KeyMeaning, ActionError> {
        let pending = std::mem::take(&mut self.pending_keys);
        for chord in Chord::candidates(input) {
            let keys = [&pending[..], &[chord]].concat();
            match self.keymap.look_up(&keys, |context| self.in_context(context)) {
                Lookup::Bound(binding) => return binding_action(binding).map(KeyMeaning::Action),
                Lookup::Pending => {
                    self.pending_keys = keys;
                    return Ok(KeyMeaning::Pending);
                }
                Lookup::Unbound => {}
            }
        }
        // A key that does not go on with a sequence ends it, and is itself swallowed with it.
        Ok(if pending.is_empty() { KeyMeaning::Plain } else { KeyMeaning::Pending })
    }

    fn type_text(&mut self, text: &str, now: Instant) -> Outcome {
        if let Some(overlay) = &mut self.overlay {
            if overlay.insert(text) {
                self.overlay_text_changed();
            }
            return NO_EFFECTS;
        }
        if let Some(find) = self.focused_find() {
            find.input.insert(text);
            return self.find_changed(now);
        }
        if self.focused_terminal().is_some() {
            // Enter sends a carriage return, so that is what a typed line ends in.
            let text = text.replace("\r\n", "\r").replace('\n', "\r");
            return self.compose_in_terminal(text, now);
        }
        if let Some((buffer, _)) = self.active_file() {
            // Text that comes as a whole is taken back as a whole.
            let typed = self.update_edit(EditAction::Insert(text.to_owned()));
            if let Some(file) = self.files.get_mut(&buffer) {
                file.document.break_undo_group();
            }
            return typed;
        }
        NO_EFFECTS
    }
}

/// Whether what runs in terminals, or what a folder's settings say, matters to it: that can only
/// be looked up outside, so it goes in by the front door.
fn needs_a_look(action: &Action) -> bool {
    matches!(
        action,
        Action::Tab(TabAction::Close(_))
            | Action::Workspace(WorkspaceAction::Close(_))
            | Action::App(AppAction::Quit)
            | Action::Menu(MenuAction::Open { .. })
            | Action::Agent(
                AgentAction::Ask | AgentAction::Restart { .. } | AgentAction::Resume { .. }
            )
    )
}

#[derive(Debug)]
pub(crate) enum KeyMeaning {
    Action(Action),
    Pending,
    /// The keymap has no use for it: it goes to whatever has the focus.
    Plain,
}

fn binding_action(binding: &Binding) -> Result<Action, ActionError> {
    let number = binding.number.map(|number| ("number".to_owned(), Arg::Number(number.into())));
    State::named_action(&binding.action, Args::new(number))
}
