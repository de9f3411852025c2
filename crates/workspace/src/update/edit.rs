//! Typing into files, and copy, cut and paste wherever the focus is.

use std::time::Instant;

use buffer::{Document, Extend, Motion};
use terminal::{Key, Modifiers, NamedKey};

use super::{NO_EFFECTS, Outcome};
use crate::{Action, ActionError, EditAction, Effect, KeyInput, State, ViewAction};

impl State {
    pub(super) fn update_edit(&mut self, action: EditAction) -> Outcome {
        let page = self.focused_room().file_rows.saturating_sub(1).max(1);
        let (buffer, file) = self.active_file_mut().ok_or(ActionError::NoFile)?;
        file.must_be_loaded()?;
        edit(&mut file.document, action, page);
        self.scroll_to_cursor(buffer);
        NO_EFFECTS
    }

    pub(super) fn press_in_editor(&mut self, input: &KeyInput, now: Instant) -> Outcome {
        match meaning_in_editor(input) {
            Some(action) if self.active_file().is_some() => self.update(action, now),
            _ => NO_EFFECTS,
        }
    }

    pub(super) fn copy(&mut self) -> Outcome {
        if let Some((_, file)) = self.active_file() {
            let text = file.document.copy();
            return Ok(text.map(Effect::SetClipboard).into_iter().collect());
        }
        self.copy_from_terminal()
    }

    pub(super) fn cut(&mut self) -> Outcome {
        let (buffer, file) = self.active_file_mut().ok_or(ActionError::NoFile)?;
        file.must_be_loaded()?;
        let text = file.document.cut();
        self.scroll_to_cursor(buffer);
        // Cutting nothing must not empty the clipboard.
        Ok(if text.is_empty() { Vec::new() } else { vec![Effect::SetClipboard(text)] })
    }

    pub(super) fn insert_pasted(&mut self, text: String, now: Instant) -> Outcome {
        if self.overlay.as_mut().is_some_and(|overlay| overlay.insert(&text)) {
            self.overlay_text_changed();
            return NO_EFFECTS;
        }
        if let Some(find) = self.focused_find() {
            find.input.insert(&text);
            return self.find_changed(now);
        }
        if self.focused_terminal().is_some() {
            return self.paste_into_terminal(text, now);
        }
        let (buffer, file) = self.active_file_mut().ok_or(ActionError::NoFile)?;
        file.must_be_loaded()?;
        file.document.paste(&text);
        self.scroll_to_cursor(buffer);
        NO_EFFECTS
    }
}

fn edit(document: &mut Document, action: EditAction, page: usize) {
    match action {
        // More than one line takes on the file's own line endings.
        EditAction::Insert(text) if text.contains('\n') => document.paste(&text),
        EditAction::Insert(text) => document.insert(&text),
        EditAction::Newline => document.newline(),
        EditAction::Indent => document.indent(),
        EditAction::Backspace => document.backspace(),
        EditAction::Delete => document.delete(),
        EditAction::BackspaceWord => document.backspace_word(),
        EditAction::DeleteWord => document.delete_word(),
        EditAction::Move(motion, extend) => document.move_cursor(motion, extend),
        EditAction::Page { down: true, extend } => {
            document.move_cursor(Motion::PageDown(page), extend);
        }
        EditAction::Page { down: false, extend } => {
            document.move_cursor(Motion::PageUp(page), extend);
        }
        EditAction::SelectAll => document.select_all(),
        EditAction::SelectWordAt(at) => {
            document.move_cursor(Motion::To(at), Extend::Move);
            document.select_word();
        }
        EditAction::SelectLineAt(at) => {
            document.move_cursor(Motion::To(at), Extend::Move);
            document.select_line();
        }
        EditAction::Undo => drop(document.undo()),
        EditAction::Redo => drop(document.redo()),
    }
}

/// What a key that the keymap leaves alone does in a file.
fn meaning_in_editor(input: &KeyInput) -> Option<Action> {
    let modifiers = input.press.modifiers;
    let ctrl = modifiers.contains(Modifiers::CTRL);
    let extend = if modifiers.contains(Modifiers::SHIFT) { Extend::Select } else { Extend::Move };
    if modifiers.intersects(Modifiers::ALT | Modifiers::SUPER) {
        return None;
    }
    let named = match &input.press.key {
        Key::Character(text) if !ctrl => {
            return Some(Action::Edit(EditAction::Insert(text.clone())));
        }
        Key::Character(_) => return None,
        Key::Named(named) => *named,
    };
    let to = |motion| Some(EditAction::Move(motion, extend));
    let action = match (named, ctrl) {
        (NamedKey::Enter, _) => Some(EditAction::Newline),
        (NamedKey::Tab, false) => Some(EditAction::Indent),
        (NamedKey::Space, false) => Some(EditAction::Insert(" ".to_owned())),
        (NamedKey::Backspace, false) => Some(EditAction::Backspace),
        (NamedKey::Backspace, true) => Some(EditAction::BackspaceWord),
        (NamedKey::Delete, false) => Some(EditAction::Delete),
        (NamedKey::Delete, true) => Some(EditAction::DeleteWord),
        (NamedKey::ArrowLeft, false) => to(Motion::Left),
        (NamedKey::ArrowLeft, true) => to(Motion::WordLeft),
        (NamedKey::ArrowRight, false) => to(Motion::Right),
        (NamedKey::ArrowRight, true) => to(Motion::WordRight),
        (NamedKey::ArrowUp, false) => to(Motion::Up),
        (NamedKey::ArrowDown, false) => to(Motion::Down),
        (NamedKey::Home, false) => to(Motion::LineStart),
        (NamedKey::End, false) => to(Motion::LineEnd),
        (NamedKey::Home, true) => to(Motion::Top),
        (NamedKey::End, true) => to(Motion::Bottom),
        (NamedKey::PageUp, false) => Some(EditAction::Page { down: false, extend }),
        (NamedKey::PageDown, false) => Some(EditAction::Page { down: true, extend }),
        (NamedKey::ArrowUp, true) => return Some(scroll(-1)),
        (NamedKey::ArrowDown, true) => return Some(scroll(1)),
        (
            NamedKey::Tab
            | NamedKey::Space
            | NamedKey::PageUp
            | NamedKey::PageDown
            | NamedKey::Escape
            | NamedKey::Insert
            | NamedKey::F(_)
            | NamedKey::CapsLock
            | NamedKey::ScrollLock
            | NamedKey::NumLock
            | NamedKey::PrintScreen
            | NamedKey::Pause
            | NamedKey::Menu
            | NamedKey::Keypad(_)
            | NamedKey::Media(_)
            | NamedKey::Modifier(_),
            _,
        ) => None,
    };
    action.map(Action::Edit)
}

fn scroll(lines: i32) -> Action {
    Action::View(ViewAction::ScrollFile { buffer: None, lines, columns: 0 })
}
