//! Keys and choices of whatever lies over the panes.

use std::time::Instant;

use terminal::{Key, Modifiers, NamedKey};

use super::{NO_EFFECTS, Outcome};
use crate::{
    Action, ActionError, Effect, KeyInput, Overlay, OverlayAction, Picker, Prompt, PromptKind,
    State,
};

impl State {
    pub(super) fn update_overlay(&mut self, action: OverlayAction) -> Outcome {
        match action {
            OverlayAction::Cancel => self.overlay = None,
            OverlayAction::Accept => return self.accept(None),
            OverlayAction::AcceptRow(row) => return self.accept(Some(row)),
            OverlayAction::Up => self.step_selection(Step::Up),
            OverlayAction::Down => self.step_selection(Step::Down),
            OverlayAction::Backspace
            | OverlayAction::DeleteWord
            | OverlayAction::Left
            | OverlayAction::Right
            | OverlayAction::Start
            | OverlayAction::End => self.edit_overlay_text(&action),
        }
        NO_EFFECTS
    }

    pub(super) fn press_in_overlay(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        let modifiers = input.press.modifiers;
        let ctrl = modifiers.contains(Modifiers::CTRL);
        let named = match &input.press.key {
            Key::Named(NamedKey::Space) if !ctrl => return self.type_text(" ", now),
            Key::Named(named) => *named,
            Key::Character(text) if !modifiers.intersects(Modifiers::CTRL | Modifiers::ALT) => {
                return self.type_text(text, now);
            }
            Key::Character(_) if ctrl && input.base == Some('v') => return Ok(vec![Effect::Paste]),
            // The key that opened the palette also closes it.
            Key::Character(_) if ctrl && input.base == Some('p') => NamedKey::Escape,
            Key::Character(_) => return NO_EFFECTS,
        };
        let sideways = matches!(self.overlay, Some(Overlay::Confirm(_)));
        let action = match named {
            NamedKey::Escape => OverlayAction::Cancel,
            NamedKey::Enter => OverlayAction::Accept,
            NamedKey::ArrowUp => OverlayAction::Up,
            NamedKey::ArrowDown | NamedKey::Tab => OverlayAction::Down,
            NamedKey::ArrowLeft if sideways => OverlayAction::Up,
            NamedKey::ArrowRight if sideways => OverlayAction::Down,
            NamedKey::ArrowLeft => OverlayAction::Left,
            NamedKey::ArrowRight => OverlayAction::Right,
            NamedKey::Home => OverlayAction::Start,
            NamedKey::End => OverlayAction::End,
            NamedKey::Backspace if ctrl => OverlayAction::DeleteWord,
            NamedKey::Backspace => OverlayAction::Backspace,
            NamedKey::Space
            | NamedKey::PageUp
            | NamedKey::PageDown
            | NamedKey::Insert
            | NamedKey::Delete
            | NamedKey::F(_)
            | NamedKey::CapsLock
            | NamedKey::ScrollLock
            | NamedKey::NumLock
            | NamedKey::PrintScreen
            | NamedKey::Pause
            | NamedKey::Menu
            | NamedKey::Keypad(_)
            | NamedKey::Media(_)
            | NamedKey::Modifier(_) => return NO_EFFECTS,
        };
        self.update_overlay(action)
    }

    /// What was typed decides what is listed, so the choice starts at the top again.
    pub(super) fn overlay_text_changed(&mut self) {
        match &mut self.overlay {
            Some(Overlay::Picker(picker)) => picker.selected = 0,
            Some(Overlay::Prompt(prompt)) => prompt.error = None,
            Some(Overlay::Confirm(_)) | None => {}
        }
    }

    fn edit_overlay_text(&mut self, action: &OverlayAction) {
        let Some(input) = self.overlay.as_mut().and_then(Overlay::input_mut) else { return };
        match action {
            OverlayAction::Backspace => input.backspace(),
            OverlayAction::DeleteWord => input.delete_word(),
            OverlayAction::Left => input.left(),
            OverlayAction::Right => input.right(),
            OverlayAction::Start => input.start(),
            OverlayAction::End => input.end(),
            OverlayAction::Up
            | OverlayAction::Down
            | OverlayAction::Accept
            | OverlayAction::AcceptRow(_)
            | OverlayAction::Cancel => {}
        }
        if matches!(action, OverlayAction::Backspace | OverlayAction::DeleteWord) {
            self.overlay_text_changed();
        }
    }

    fn step_selection(&mut self, step: Step) {
        let n_rows = match &self.overlay {
            Some(Overlay::Picker(picker)) => picker.items(self).len(),
            Some(Overlay::Confirm(confirm)) => confirm.choices.len(),
            Some(Overlay::Prompt(_)) | None => return,
        };
        let selected = match &mut self.overlay {
            Some(Overlay::Picker(picker)) => &mut picker.selected,
            Some(Overlay::Confirm(confirm)) => &mut confirm.selected,
            Some(Overlay::Prompt(_)) | None => return,
        };
        let forward = match step {
            Step::Down => 1,
            Step::Up => n_rows.max(1) - 1,
        };
        *selected = (*selected + forward) % n_rows.max(1);
    }

    fn accept(&mut self, row: Option<usize>) -> Outcome {
        let action = match &self.overlay {
            None => return NO_EFFECTS,
            Some(Overlay::Prompt(prompt)) => return self.accept_prompt(&prompt.clone()),
            Some(Overlay::Picker(picker)) => picked(self, picker, row),
            Some(Overlay::Confirm(confirm)) => {
                let choice = confirm.choices.get(row.unwrap_or(confirm.selected));
                choice.and_then(|choice| choice.action.clone())
            }
        };
        self.overlay = None;
        // What was picked may need a look at the disk first, so it goes in by the front door.
        Ok(action.map(|action| Effect::Act(Box::new(action))).into_iter().collect())
    }

    /// Only the disk can say whether the path is any good: the prompt stays until it has.
    fn accept_prompt(&mut self, prompt: &Prompt) -> Outcome {
        let path = prompt.input.text().trim().to_owned();
        if path.is_empty() {
            self.overlay = None;
            return NO_EFFECTS;
        }
        let relative_to = match prompt.kind {
            PromptKind::SaveOutput(program) => {
                return self.save_output(Some(program), path.into(), false);
            }
            PromptKind::Folder => None,
            PromptKind::File => Some(self.active_workspace().ok_or(ActionError::NoWorkspace)?),
        };
        let relative_to = relative_to.map(|workspace| workspace.root.clone());
        Ok(vec![Effect::OpenPath { path, relative_to }])
    }
}

fn picked(state: &State, picker: &Picker, row: Option<usize>) -> Option<Action> {
    let items = picker.items(state);
    items.into_iter().nth(row.unwrap_or(picker.selected)).map(|item| item.action)
}

#[derive(Clone, Copy)]
enum Step {
    Up,
    Down,
}
