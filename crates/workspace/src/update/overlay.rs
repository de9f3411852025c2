//! Keys and choices of whatever lies over the panes.

use std::time::Instant;

use terminal::{Key, Modifiers, NamedKey};

use super::{NO_EFFECTS, Outcome};
use crate::text_input::Pressed;
use crate::{
    Action, ActionError, Effect, KeyInput, Overlay, OverlayAction, Picker, Prompt, PromptKind,
    State,
};

impl State {
    pub(super) fn update_overlay(&mut self, action: OverlayAction) -> Outcome {
        match action {
            // What is being written is not lost by a click beside it.
            OverlayAction::Cancel if self.stop_writing() => {}
            OverlayAction::Cancel => self.overlay = None,
            OverlayAction::Accept => return self.accept(None),
            OverlayAction::AcceptRow(row) => return self.accept(Some(row)),
            OverlayAction::Up => self.step_selection(Step::Up),
            OverlayAction::Down => self.step_selection(Step::Down),
        }
        NO_EFFECTS
    }

    pub(super) fn press_in_overlay(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        match self.overlay {
            Some(Overlay::Queue(_)) => return self.press_in_queue(input, now),
            Some(Overlay::Menu(_)) => return self.press_in_menu(input),
            Some(Overlay::Picker(_) | Overlay::Prompt(_) | Overlay::Confirm(_)) | None => {}
        }
        let ctrl = input.press.modifiers.contains(Modifiers::CTRL);
        let sideways = matches!(self.overlay, Some(Overlay::Confirm(_)));
        let action = match (&input.press.key, input.base) {
            (Key::Character(_), Some('v')) if ctrl => return Ok(vec![Effect::Paste]),
            // The key that opened the palette also closes it.
            (Key::Character(_), Some('p')) if ctrl => OverlayAction::Cancel,
            (Key::Named(NamedKey::Escape), _) => OverlayAction::Cancel,
            (Key::Named(NamedKey::Enter), _) => OverlayAction::Accept,
            (Key::Named(NamedKey::ArrowUp), _) => OverlayAction::Up,
            (Key::Named(NamedKey::ArrowDown | NamedKey::Tab), _) => OverlayAction::Down,
            (Key::Named(NamedKey::ArrowLeft), _) if sideways => OverlayAction::Up,
            (Key::Named(NamedKey::ArrowRight), _) if sideways => OverlayAction::Down,
            (Key::Character(_) | Key::Named(_), _) => {
                let line = self.overlay.as_mut().and_then(Overlay::input_mut);
                if line.is_some_and(|line| line.press(input) == Pressed::Changed) {
                    self.overlay_text_changed();
                }
                return NO_EFFECTS;
            }
        };
        self.update_overlay(action)
    }

    /// What was typed decides what is listed, so the choice starts at the top again.
    pub(super) fn overlay_text_changed(&mut self) {
        match &mut self.overlay {
            Some(Overlay::Picker(picker)) => picker.selected = 0,
            Some(Overlay::Prompt(prompt)) => prompt.error = None,
            Some(Overlay::Confirm(_) | Overlay::Queue(_) | Overlay::Menu(_)) | None => {}
        }
    }

    fn step_selection(&mut self, step: Step) {
        let n_rows = match &self.overlay {
            Some(Overlay::Picker(picker)) => picker.items(self).len(),
            Some(Overlay::Confirm(confirm)) => confirm.choices.len(),
            Some(Overlay::Menu(_)) => return self.step_in_menu(step),
            Some(Overlay::Prompt(_) | Overlay::Queue(_)) | None => return,
        };
        let selected = match &mut self.overlay {
            Some(Overlay::Picker(picker)) => &mut picker.selected,
            Some(Overlay::Confirm(confirm)) => &mut confirm.selected,
            Some(Overlay::Prompt(_) | Overlay::Queue(_) | Overlay::Menu(_)) | None => return,
        };
        let forward = match step {
            Step::Down => 1,
            Step::Up => n_rows.max(1) - 1,
        };
        *selected = (*selected + forward) % n_rows.max(1);
    }

    fn accept(&mut self, row: Option<usize>) -> Outcome {
        let action = match &self.overlay {
            // It has keys of its own.
            None | Some(Overlay::Queue(_)) => return NO_EFFECTS,
            Some(Overlay::Menu(_)) => return Ok(self.accept_in_menu()),
            Some(Overlay::Prompt(prompt)) => return self.accept_prompt(&prompt.clone()),
            // Where nothing fits there is nothing to accept, or not yet.
            Some(Overlay::Picker(picker)) => match picked(self, picker, row) {
                Some(action) => Some(action),
                None => return NO_EFFECTS,
            },
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
pub(super) enum Step {
    Up,
    Down,
}
