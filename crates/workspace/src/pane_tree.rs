//! How a workspace's area is divided: a tree of splits whose leaves are groups of tabs.
//!
//! Only proportions are kept; what they come to in pixels is for whoever draws.
//!
//! Invariants:
//! - There is always at least one pane, and the focused one exists.
//! - A pane without tabs is the only one there is.

mod direction;
mod walk;

use self::walk::{collect, find_mut, first_group, leaf_mut, parent_mut, remove, split_mut};
use crate::{PaneId, SplitId, Tab, TabId};

/// The whole of a split, in the units of [`Split::share`].
pub const WHOLE: u16 = 1000;
/// Neither side of a split gets less than this of it.
const SMALLEST_SHARE: u16 = 100;

/// How the two parts of a split lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Side by side.
    Row,
    /// One above the other.
    Column,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Tabs that share a place; one of them is on show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TabGroup {
    pub(crate) id: PaneId,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active: Option<TabId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaneNode {
    Group(TabGroup),
    Split(Box<Split>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    id: SplitId,
    axis: Axis,
    share: u16,
    /// Left or above.
    first: PaneNode,
    second: PaneNode,
}

#[derive(Debug, Clone)]
pub struct PaneTree {
    root: PaneNode,
    focused: PaneId,
}

impl TabGroup {
    pub(crate) fn new(id: PaneId) -> Self {
        Self { id, tabs: Vec::new(), active: None }
    }

    pub fn id(&self) -> PaneId {
        self.id
    }

    pub fn tabs(&self) -> &[Tab] {
        &self.tabs
    }

    pub fn active_tab(&self) -> Option<Tab> {
        let id = self.active?;
        self.tabs.iter().copied().find(|tab| tab.id == id)
    }

    pub(crate) fn push(&mut self, tab: Tab) {
        self.tabs.push(tab);
        self.active = Some(tab.id);
    }

    /// Takes a tab away; its right neighbour, or else its left one, becomes active.
    fn take(&mut self, id: TabId) -> Option<Tab> {
        let index = self.tabs.iter().position(|tab| tab.id == id)?;
        let tab = self.tabs.remove(index);
        if self.active == Some(id) {
            let neighbour = self.tabs.get(index).or_else(|| self.tabs.last());
            self.active = neighbour.map(|tab| tab.id);
        }
        Some(tab)
    }
}

impl Split {
    pub(crate) fn new(
        id: SplitId,
        axis: Axis,
        share: u16,
        first: PaneNode,
        second: PaneNode,
    ) -> Self {
        let share = share.clamp(SMALLEST_SHARE, WHOLE - SMALLEST_SHARE);
        Self { id, axis, share, first, second }
    }

    pub fn id(&self) -> SplitId {
        self.id
    }

    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// What the first part has of the whole, in thousandths.
    pub fn share(&self) -> u16 {
        self.share
    }

    pub fn parts(&self) -> (&PaneNode, &PaneNode) {
        (&self.first, &self.second)
    }
}

impl PaneTree {
    pub(crate) fn new(id: PaneId) -> Self {
        Self { root: PaneNode::Group(TabGroup::new(id)), focused: id }
    }

    /// With the focus in that pane, if it is one of them, or else in the first.
    pub(crate) fn of(root: PaneNode, focused: Option<PaneId>) -> Self {
        let first = first_group(&root).id;
        let mut tree = Self { root, focused: first };
        if let Some(pane) = focused {
            tree.focus(pane);
        }
        tree
    }

    pub fn root(&self) -> &PaneNode {
        &self.root
    }

    /// From left to right and from top to bottom.
    pub fn groups(&self) -> Vec<&TabGroup> {
        let mut groups = Vec::new();
        collect(&self.root, &mut groups);
        groups
    }

    pub fn focused(&self) -> PaneId {
        self.focused
    }

    pub fn focused_group(&self) -> &TabGroup {
        self.group(self.focused).unwrap_or_else(|| first_group(&self.root))
    }

    pub fn group(&self, id: PaneId) -> Option<&TabGroup> {
        self.groups().into_iter().find(|group| group.id == id)
    }

    pub fn group_of(&self, tab: TabId) -> Option<&TabGroup> {
        self.groups().into_iter().find(|group| group.tabs.iter().any(|it| it.id == tab))
    }

    pub fn is_split(&self) -> bool {
        matches!(self.root, PaneNode::Split(_))
    }

    pub(crate) fn group_mut(&mut self, id: PaneId) -> Option<&mut TabGroup> {
        find_mut(&mut self.root, id)
    }

    pub(crate) fn focus(&mut self, id: PaneId) -> bool {
        let exists = self.group(id).is_some();
        if exists {
            self.focused = id;
        }
        exists
    }

    /// Shows a tab and focuses its pane.
    pub(crate) fn show(&mut self, tab: TabId) -> bool {
        let Some(id) = self.group_of(tab).map(TabGroup::id) else { return false };
        if let Some(group) = self.group_mut(id) {
            group.active = Some(tab);
        }
        self.focus(id)
    }

    /// Adds a tab to the focused pane and shows it.
    pub(crate) fn push(&mut self, tab: Tab) {
        let id = self.focused_group().id;
        if let Some(group) = self.group_mut(id) {
            group.push(tab);
        }
    }

    /// Adds a tab to the focused pane, which goes on showing what it shows.
    pub(crate) fn push_behind(&mut self, tab: Tab) {
        let id = self.focused_group().id;
        if let Some(group) = self.group_mut(id) {
            group.tabs.push(tab);
            group.active.get_or_insert(tab.id);
        }
    }

    /// Halves a pane; the new, empty one lies right of it or below, and has the focus.
    pub(crate) fn split(&mut self, pane: PaneId, axis: Axis, ids: (SplitId, PaneId)) {
        let (id, new) = ids;
        let Some(node) = leaf_mut(&mut self.root, pane) else { return };
        let first = std::mem::replace(node, PaneNode::Group(TabGroup::new(new)));
        let second = PaneNode::Group(TabGroup::new(new));
        *node = PaneNode::Split(Box::new(Split { id, axis, share: WHOLE / 2, first, second }));
        self.focused = new;
    }

    /// Takes a tab away, and its pane with it if that was its last.
    pub(crate) fn take(&mut self, tab: TabId) -> Option<Tab> {
        let id = self.group_of(tab)?.id;
        let group = self.group_mut(id)?;
        let taken = group.take(tab);
        if group.tabs.is_empty() {
            self.remove(id);
        }
        taken
    }

    /// Takes a pane away; what was beside it gets its room. The only one stays.
    pub(crate) fn remove(&mut self, pane: PaneId) -> Option<TabGroup> {
        let (removed, beside) = remove(&mut self.root, pane)?;
        if self.focused == pane {
            self.focused = beside;
        }
        Some(removed)
    }

    /// The pane one comes to from another by going that way.
    pub(crate) fn toward(&self, from: PaneId, direction: Direction) -> Option<PaneId> {
        direction::neighbour(&self.root, from, direction)
    }

    pub(crate) fn set_share(&mut self, split: SplitId, share: u16) -> bool {
        let Some(split) = split_mut(&mut self.root, split) else { return false };
        split.share = share.clamp(SMALLEST_SHARE, WHOLE - SMALLEST_SHARE);
        true
    }

    /// Gives a pane more of the split it is in, or less.
    pub(crate) fn grow(&mut self, pane: PaneId, by: i16) -> bool {
        let Some((split, is_first)) = parent_mut(&mut self.root, pane) else { return false };
        let by = if is_first { by } else { -by };
        let share = split.share.saturating_add_signed(by);
        split.share = share.clamp(SMALLEST_SHARE, WHOLE - SMALLEST_SHARE);
        true
    }
}
