//! Opening the menu of a tile, choosing in it and doing what was chosen.

use terminal::{Key, KeyKind, Modifiers, NamedKey};

use super::overlay::Step;
use super::{NO_EFFECTS, Outcome};
use crate::{Effect, KeyInput, MenuAction, Overlay, State, TileMenu, TileVerb, WorkspaceId};

impl State {
    pub(super) fn update_menu(&mut self, action: MenuAction) -> Outcome {
        match action {
            MenuAction::Open { workspace, at } => {
                let workspace = self.workspace_or_active(workspace)?;
                // Without a mouse it stands beside the tile, which has to be seen.
                self.rail.follows_active |= at.is_none() && self.active == Some(workspace);
                self.overlay = Some(Overlay::Menu(TileMenu { workspace, at, selected: None }));
                NO_EFFECTS
            }
            MenuAction::Select(verb) => {
                self.select_in_menu(verb);
                NO_EFFECTS
            }
            MenuAction::Run { workspace, verb } => Ok(self.run_in_menu(workspace, verb)),
        }
    }

    pub(super) fn press_in_menu(&mut self, input: &KeyInput) -> Outcome {
        let Some(menu) = self.tile_menu().copied() else { return NO_EFFECTS };
        let is_new = input.press.kind == KeyKind::Press;
        let modifiers = input.press.modifiers;
        match &input.press.key {
            // The key that opened it also closes it.
            Key::Named(NamedKey::Escape | NamedKey::Menu) if is_new => self.overlay = None,
            Key::Named(NamedKey::F(10)) if is_new && modifiers.contains(Modifiers::SHIFT) => {
                self.overlay = None;
            }
            Key::Named(NamedKey::ArrowUp) => self.step_in_menu(Step::Up),
            Key::Named(NamedKey::ArrowDown | NamedKey::Tab) => self.step_in_menu(Step::Down),
            Key::Named(NamedKey::Home) => {
                self.select_in_menu(self.available(&menu).first().copied());
            }
            Key::Named(NamedKey::End) => {
                self.select_in_menu(self.available(&menu).last().copied());
            }
            // Held down since before the menu was there, it chooses nothing.
            Key::Named(NamedKey::Enter) if is_new => return Ok(self.accept_in_menu()),
            Key::Character(typed) if !modifiers.intersects(Modifiers::CTRL | Modifiers::ALT) => {
                self.select_by_letter(typed);
            }
            Key::Character(_) | Key::Named(_) => {}
        }
        NO_EFFECTS
    }

    /// Does what is selected; with nothing selected the menu stays.
    pub(super) fn accept_in_menu(&mut self) -> Vec<Effect> {
        let Some(TileMenu { workspace, selected: Some(verb), .. }) = self.tile_menu().copied()
        else {
            return Vec::new();
        };
        self.run_in_menu(workspace, verb)
    }

    /// Only what is offered still: the agent may have ended since it was drawn.
    fn run_in_menu(&mut self, workspace: WorkspaceId, verb: TileVerb) -> Vec<Effect> {
        let menu = self.tile_menu().filter(|menu| menu.workspace == workspace);
        if !menu.is_some_and(|menu| self.available(menu).contains(&verb)) {
            return Vec::new();
        }
        self.overlay = None;
        // Some of it needs a look at the outside first, so it goes in by the front door.
        verb.actions(workspace).into_iter().map(|action| Effect::Act(Box::new(action))).collect()
    }

    /// On to the next that can be done, from the last to the first.
    pub(super) fn step_in_menu(&mut self, step: Step) {
        let Some(menu) = self.tile_menu() else { return };
        let verbs = self.available(menu);
        let place = verbs.iter().position(|verb| Some(*verb) == menu.selected);
        let n_verbs = verbs.len();
        let next = match (step, place) {
            (Step::Down, None) => 0,
            (Step::Down, Some(place)) => (place + 1) % n_verbs,
            (Step::Up, None | Some(0)) => n_verbs.saturating_sub(1),
            (Step::Up, Some(place)) => place - 1,
        };
        self.select_in_menu(verbs.get(next).copied());
    }

    /// The next entry that begins with it.
    fn select_by_letter(&mut self, typed: &str) {
        let Some(menu) = self.tile_menu() else { return };
        let verbs = self.available(menu);
        let after = verbs.iter().position(|verb| Some(*verb) == menu.selected);
        let after = after.map_or(0, |place| place + 1);
        let typed = typed.to_lowercase();
        let begins = |verb: &&TileVerb| verb.title().to_lowercase().starts_with(&typed);
        let found = verbs.iter().cycle().skip(after).take(verbs.len()).find(begins);
        if let Some(verb) = found.copied() {
            self.select_in_menu(Some(verb));
        }
    }

    fn select_in_menu(&mut self, verb: Option<TileVerb>) {
        if let Some(Overlay::Menu(menu)) = &mut self.overlay {
            menu.selected = verb;
        }
    }

    /// The entries that can be chosen, from top to bottom.
    fn available(&self, menu: &TileMenu) -> Vec<TileVerb> {
        let entries = self.menu_entries(menu.workspace);
        entries.iter().filter(|it| it.is_available()).map(|entry| entry.verb).collect()
    }
}
