//! Splitting the area, and going from pane to pane.

use std::time::Instant;

use super::{NO_EFFECTS, Outcome};
use crate::{
    ActionError, Axis, PaneAction, PaneId, SplitId, State, Tab, TabContent, TabGroup, Workspace,
    WorkspaceId,
};

/// How much more of its split a pane gets at a time, in thousandths.
const STEP: i16 = 50;

impl State {
    pub(super) fn update_pane(&mut self, action: PaneAction, now: Instant) -> Outcome {
        let id = self.active.ok_or(ActionError::NoWorkspace)?;
        match action {
            PaneAction::Split(axis) => return self.split_pane(id, axis, now),
            PaneAction::Focus(pane) => self.change_panes(id, |it| it.panes.focus(pane))?,
            PaneAction::FocusToward(direction) => self.change_panes(id, |it| {
                let next = it.panes.toward(it.panes.focused(), direction);
                next.is_some_and(|next| it.panes.focus(next))
            })?,
            PaneAction::Close => self.change_panes(id, close_focused)?,
            PaneAction::Grow => {
                self.change_panes(id, |it| it.panes.grow(it.panes.focused(), STEP))?;
            }
            PaneAction::Shrink => {
                self.change_panes(id, |it| it.panes.grow(it.panes.focused(), -STEP))?;
            }
            PaneAction::SetShare { split, share } => {
                self.change_panes(id, |it| it.panes.set_share(split, share))?;
            }
        }
        NO_EFFECTS
    }

    fn change_panes(
        &mut self,
        id: WorkspaceId,
        change: impl FnOnce(&mut Workspace) -> bool,
    ) -> Result<(), ActionError> {
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        if change(workspace) { Ok(()) } else { Err(ActionError::NoSuchPane) }
    }

    fn split_pane(&mut self, id: WorkspaceId, axis: Axis, now: Instant) -> Outcome {
        let tab = self.active_tab().ok_or(ActionError::NothingToSplit)?;
        let launch = match tab.content {
            TabContent::File(_) => None,
            TabContent::Agent | TabContent::Terminal(_) => {
                self.check_room_for_terminal()?;
                Some(self.start_beside_focus(id, None)?)
            }
        };
        let new = PaneId::mint(&mut self.pane_ids);
        let split = SplitId::mint(&mut self.split_ids);
        let pane = self.workspace(id).ok_or(ActionError::NoWorkspace)?.panes.focused();
        if !self.rooms.halve(pane, axis, new) {
            return Err(ActionError::TooSmallToSplit);
        }
        let tab_id = self.mint_tab();
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        workspace.panes.split(pane, axis, (split, new));
        match launch {
            Some(start_in) => self.launch_terminal(id, start_in, None, now),
            None => {
                workspace.panes.push(Tab { id: tab_id, content: tab.content });
                Ok(self.fit_visible_terminals(now))
            }
        }
    }

    pub(super) fn move_to_next_pane(&mut self, now: Instant) -> Outcome {
        let id = self.active.ok_or(ActionError::NoWorkspace)?;
        let workspace = self.workspace_mut(id).ok_or(ActionError::NoWorkspace)?;
        let tab = workspace.active_tab().ok_or(ActionError::NoSuchTab)?;
        if tab.content == TabContent::Agent {
            return Err(ActionError::AgentStays);
        }
        let next = next_pane(workspace).ok_or(ActionError::NoSuchPane)?;
        workspace.panes.take(tab.id);
        workspace.panes.focus(next);
        workspace.panes.push(tab);
        Ok(self.fit_visible_terminals(now))
    }
}

fn next_pane(workspace: &Workspace) -> Option<PaneId> {
    let groups = workspace.panes.groups();
    let index = groups.iter().position(|group| group.id() == workspace.panes.focused())?;
    let next = groups.get((index + 1) % groups.len())?.id();
    (groups.len() > 1).then_some(next)
}

/// The pane beside takes over the tabs, and goes on showing what it showed. The agent's comes first.
fn close_focused(workspace: &mut Workspace) -> bool {
    let Some(TabGroup { tabs, active, .. }) = workspace.panes.remove(workspace.panes.focused())
    else {
        return false;
    };
    let beside = workspace.panes.focused();
    let Some(group) = workspace.panes.group_mut(beside) else { return false };
    let (agents, others): (Vec<Tab>, Vec<Tab>) =
        tabs.into_iter().partition(|tab| tab.content == TabContent::Agent);
    group.tabs.splice(0..0, agents);
    group.tabs.extend(others);
    group.active = group.active.or(active);
    true
}
